"""Particles back inside the box: all at once, at the time of the last event."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.domains import Shear, offset_of, upright_x
from carom.methods.event_driven.world import POSITION, World, columns, synchronise_positions
from carom.particles import Array


def positions(world: World) -> Array:
    """The positions (n, 3) of all particles at the time of the last event."""
    time, record = float(world.tally[0].clock), world.bodies.record
    position = np.array(columns(record)[:, POSITION])
    if (record.time != time).any():
        synchronise_positions(world, time, position)
    return position


def cell_positions(world: World) -> Array:
    """The positions (n, 3) in the coordinates in which cells are at rest: upright ones."""
    position, shear = positions(world), world.space.shear
    if isinstance(shear, Shear):
        position[:, 0] = upright_x(shear, position, float(world.tally[0].clock))
    return position


def bring_inside(world: World, upright: bool = True) -> None:
    """Let all particles be inside the box along periodic axes.

    With lists they leave it without notice, until they leave their shells. In a sheared box
    ``upright`` asks for the leaning box that cells fill, else it is the one at rest.
    """
    position, shear, time = positions(world), world.space.shear, float(world.tally[0].clock)
    # The row first: it changes x.
    for axis in (1, 0, 2):
        if not world.space.periodic[axis]:
            continue
        length = world.space.lengths[axis]
        along = position[:, axis]
        if axis == 0 and upright and isinstance(shear, Shear):
            along = upright_x(shear, position, time)
        boxes = np.floor(along / length).astype(np.int64)
        columns(world.bodies.record)[:, axis] -= boxes * length
        world.bodies.boxes[:, axis] += boxes
        position[:, axis] -= boxes * length
        if axis == 1 and isinstance(shear, Shear):
            _change_rows(world, shear, boxes)
            position[:, 0] -= boxes * offset_of(shear, time)


def _change_rows(world: World, shear: Shear, rows: Any) -> None:
    """What ``change_image`` does besides in a sheared box, for all particles."""
    record, faster = world.bodies.record, rows * shear.jump
    work = -faster * world.bodies.ledger.mass * (record.vx - 0.5 * faster)
    world.tally.shear_work += float(work.sum())
    record.x -= rows * offset_of(shear, record.time)
    record.vx -= faster
