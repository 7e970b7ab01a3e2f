"""The world of a system in fixed steps, as it begins: its arrays, and how lists are to be made."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.compiled.memory import in_cache_lines
from carom.compiled.vectors import three_columns
from carom.domains import compiled_planes
from carom.domains.sliding_images import compiled_shear
from carom.forces.force import NoForce
from carom.methods.constant_motion import constant_motion
from carom.methods.stepped.blocks import SHARE_OF_SKIN
from carom.methods.stepped.skin import best_skin
from carom.methods.stepped.world import (
    Flock,
    OneSpecies,
    Plan,
    World,
    first_pairs,
    new_inner,
    new_shift,
    new_sums,
    new_tally,
)
from carom.neighbours.pairs.lattice import new_lattice
from carom.neighbours.pairs.pair_list import new_search_tally
from carom.system import System

# Lists after which particles are renumbered along a curve in space; not tuned.
LISTS_PER_NUMBERING = 50
# Steps per block in systems below and above a packing fraction; not tuned beyond short runs of
# 32,000 equal spheres at .12 and .50.
DENSE = 0.3
BLOCK = {False: 16, True: 12}
MOST = int(np.iinfo(np.int64).max)


def new_world(system: System, rule: Any, plan: Plan) -> World:
    """A world at step 0, with the particles in the user's order."""
    _refuse_outside(system)
    n = len(system.particles)
    sphere, velocity = _rows_of_four(n), _rows_of_four(n)
    sphere[:, :3] = three_columns(system.particles.position)
    sphere[:, 3] = system.particles.radius
    velocity[:, :3] = three_columns(system.particles.velocity)
    velocity[:, 3] = 1.0 / system.particles.mass
    name = np.arange(n, dtype=np.int32)
    several = len(system.particles.species_names) > 1
    species = np.array(system.particles.species) if several else OneSpecies()
    lengths, periodic = np.zeros(3), np.zeros(3, dtype=np.bool_)
    if system.sides is not None:
        lengths[: system.dimension] = system.sides
        periodic[: system.dimension] = system.periodic
    pairs = first_pairs(n)
    return World(
        flock=Flock(sphere, velocity, _rows_of_four(n), np.zeros((n, 3)), name, species),
        lattice=new_lattice(lengths, periodic),
        shear=compiled_shear(system.sides, system.shear_rate),
        shift=new_shift(),
        planes=compiled_planes(system.planes),
        motion=constant_motion(system),
        force=NoForce() if system.force is None else system.force,
        rule=rule,
        pairs=pairs,
        inner=new_inner(n, pairs, 2 * n if system.planes else 0),
        plan=plan,
        sums=new_sums(),
        tally=new_tally(),
        searched=new_search_tally(),
    )


def new_plan(system: System, dt: float, neighbours: Any) -> Plan:
    """How lists and blocks are made, with the neighbour method's skin or the best one."""
    radius = system.particles.radius
    dense = system.packing_fraction > DENSE
    skin, every = neighbours.skin, getattr(neighbours, "every", None) or 0
    if skin is None:
        skin = best_skin(system, dt, BLOCK[dense], SHARE_OF_SKIN)
        skin = min(skin, _widest_skin(system))
    if skin > _widest_skin(system):
        raise ValueError(
            f"skin={skin:g} is too wide for a sheared box that is {system.sides[0]:g} long "  # type: ignore[index]
            f"along x; use {_widest_skin(system):g} or less."
        )
    if skin == 0.0:
        every = 1
    return Plan(
        dt=dt,
        skin=float(skin),
        block=BLOCK[dense],
        every=every,
        # Where lists follow each other at every step, LinkedLinearList lives on the last one.
        renumber=LISTS_PER_NUMBERING if every == 0 else MOST,
        everyone=system.force is not None or every > 0,
        largest=2.0 * float(radius.max()),
        pull=_strongest_pull(system),
    )


def _refuse_outside(system: System) -> None:
    """Refuse particles whose centres are behind the walls of the box: nothing brings them back."""
    if system.under_way:
        return
    box_walls = system.planes[: system.box_walls]
    for plane in box_walls:
        height = plane.heights(system.particles.position)
        worst = int(np.argmin(height))
        if height[worst] <= 0.0:
            raise ValueError(
                f"particle {worst} at {system.particles.position[worst]} has its centre behind the "
                f"wall through {plane.point} with normal {plane.normal}. Move it into the box."
            )


def _widest_skin(system: System) -> float:
    """The widest skin for which every pair meets at an image next to the box.

    The rows of a sheared box slide: in a short one, a pair could be two boxes apart.
    """
    if system.shear_rate == 0.0 or system.sides is None:
        return math.inf
    largest = 2.0 * float(system.particles.radius.max())
    widest = 0.5 * system.sides[0] - largest
    if widest <= 0.0:
        raise ValueError(
            f"the sheared box is {system.sides[0]:g} long along x, but steps need more than two of "
            f"the largest diameters, {2.0 * largest:g}. Use a longer box, or EventDriven()."
        )
    return widest


def _strongest_pull(system: System) -> float:
    """The largest of the constant accelerations."""
    if system.acceleration is not None:
        return float(np.sqrt((system.acceleration**2).sum(axis=1)).max())
    return 0.0 if system.gravity is None else math.hypot(*system.gravity)


def _rows_of_four(n: int) -> Any:
    """Rows of four numbers, each of them one load."""
    return in_cache_lines(4 * n, np.float64).reshape(n, 4)
