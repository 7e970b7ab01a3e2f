"""The world of a system as it begins, for engines that go from event to event."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.collisions.laws_by_pair import compiled_law
from carom.collisions.rough import makes_spin
from carom.compiled.memory import in_cache_lines, rows
from carom.compiled.vectors import three_columns
from carom.detection import Stable
from carom.domains import Shear, compiled_space
from carom.methods.event_driven import world as parts
from carom.methods.event_driven.cell_size import NEVER_DUE, CellSize
from carom.methods.event_driven.rest import NeverRests, RestsOnPlanes
from carom.methods.event_driven.rough_spin import new_spin
from carom.methods.event_driven.three_body import IgnoresThreeBodies, counts_three_bodies
from carom.methods.hard_start import (
    refuse_overlap_with_shapes,
    refuse_overlap_with_walls,
    refuse_overlapping_pairs,
)
from carom.methods.log import new_log
from carom.patches.new_walls import compiled_walls
from carom.system import System

MOST_HOLDING_PLANES = 62  # one bit each
STABLE, NEVER_RESTS = Stable(), NeverRests()


def new_world(
    system: System,
    motion: Any,
    detection: Any = STABLE,
    rest: Any = NEVER_RESTS,
    three_body: bool = False,
) -> parts.World:
    """A world at time 0, with the particles in the user's order."""
    n = len(system.particles)
    space = compiled_space(system.sides, system.periodic, system.shear_rate)
    tally = rows(1, parts.TALLY)
    tally.cells_due = NEVER_DUE
    return parts.World(
        bodies=_new_bodies(system, space),
        space=space,
        planes=compiled_walls(system.planes, system.shapes, float(system.particles.radius.max())),
        motion=motion,
        law=compiled_law(system.law, system.particles.species_names),
        detection=detection,
        rest=rest,
        spin=new_spin(system),
        watch=counts_three_bodies(n) if three_body else IgnoresThreeBodies(),
        tally=tally,
        log=new_log(),
    )


def _new_bodies(system: System, space: Any) -> parts.Bodies:
    """The particles, inside the box along periodic axes."""
    n = len(system.particles)
    record = in_cache_lines(n, parts.RECORD)
    numbers = parts.columns(record)
    position = numbers[:, parts.POSITION]
    position[:] = three_columns(system.particles.position)
    numbers[:, parts.VELOCITY] = three_columns(system.particles.velocity)
    record.radius = system.particles.radius
    image = np.zeros((n, 3), dtype=np.int64)
    for axis in np.flatnonzero(space.periodic):
        length = space.lengths[axis]
        boxes = np.floor(position[:, axis] / length)
        position[:, axis] -= boxes * length
        image[:, axis] = boxes
    if isinstance(space.shear, Shear):
        # A particle that is given in another row of images has its velocity.
        record.vx -= image[:, 1] * space.shear.jump
    ledger = in_cache_lines(n, parts.LEDGER)
    ledger.mass = system.particles.mass
    ledger.last_contact = -math.inf
    ledger.name = np.arange(n)
    ledger.species = system.particles.species
    return parts.Bodies(record, ledger, image)


def rests_on_planes(system: System) -> RestsOnPlanes:
    """Particles may come to rest on the walls of a system; nobody does so far."""
    if system.gravity is None or not system.planes:
        raise ValueError(
            "EventDriven(resting=True) needs gravity=... and a wall to rest on (a Box with "
            "walls, or walls=[carom.Plane(...)])."
        )
    if len(system.planes) > MOST_HOLDING_PLANES:
        raise ValueError(
            f"EventDriven(resting=True) takes at most {MOST_HOLDING_PLANES} walls, not "
            f"{len(system.planes)}."
        )
    if system.shapes:
        raise ValueError(
            f"EventDriven(resting=True) holds particles on planes only, not on "
            f"{system.shapes[0].described}; leave one of the two out."
        )
    if makes_spin(system.law):
        raise ValueError(
            f"EventDriven(resting=True) does not hold particles that spin, as under "
            f"{system.law!r}; leave one of the two out."
        )
    n = len(system.particles)
    gravity = three_columns(system.gravity[None, :])
    return RestsOnPlanes(gravity, np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64))


def refuse_overlaps(system: System, world: parts.World) -> None:
    """Refuse particles that overlap each other, or walls, in a world that begins."""
    if system.under_way:
        return
    refuse_overlap_with_walls(system)
    refuse_overlap_with_shapes(system, world.planes)
    position = np.ascontiguousarray(parts.columns(world.bodies.record)[:, parts.POSITION])
    cells = CellSize(system, None, False).cells(position)
    refuse_overlapping_pairs(system.particles, position, world.space, cells)
