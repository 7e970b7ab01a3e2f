"""Particles at one time as a picture needs them: in single precision, inside the box, at once."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.methods.event_driven.world import World, position_at, velocity_at_end
from carom.types import Array, Flags, Integers, Vector

PAINTED = 6  # numbers of a particle: its position and its velocity


class Frame(NamedTuple):
    """The box at the moment of a picture."""

    lengths: Array  # (3,)
    periodic: Flags  # (3,)
    offset: float  # of the images above in a sheared box, and their velocity
    jump: float


@inner_kernel
def _paint(painted: Any, i: int, position: Vector, velocity: Vector, frame: Frame) -> None:
    """Write a row: what is outside along a periodic axis reappears inside."""
    x, y, z = position
    along = velocity[0]
    if frame.periodic[1]:
        rows = math.floor(y / frame.lengths[1])
        y -= rows * frame.lengths[1]
        x -= rows * frame.offset
        along -= rows * frame.jump
    if frame.periodic[0]:
        x -= math.floor(x / frame.lengths[0]) * frame.lengths[0]
    if frame.periodic[2]:
        z -= math.floor(z / frame.lengths[2]) * frame.lengths[2]
    painted[i, 0], painted[i, 1], painted[i, 2] = x, y, z
    painted[i, 3], painted[i, 4], painted[i, 5] = along, velocity[1], velocity[2]


@entry_point
def paint_events(world: World, time: float, frame: Frame, painted: Any) -> None:
    """Fill in (n, 6) of particles that have times of their own, brought to one time."""
    for i in range(len(world.bodies.ledger)):
        position = position_at(world, i, time)
        velocity = velocity_at_end(world, i, position, time)
        _paint(painted, world.bodies.ledger[i].name, position, velocity, frame)


@entry_point
def paint_steps(
    sphere: Array, velocity: Array, name: Integers, later: float, frame: Frame, painted: Any
) -> None:
    """Fill in (n, 6) of particles that are all at one step, a little later."""
    for k in range(len(name)):
        v = (velocity[k, 0], velocity[k, 1], velocity[k, 2])
        x = (sphere[k, 0] + later * v[0], sphere[k, 1] + later * v[1], sphere[k, 2] + later * v[2])
        _paint(painted, name[k], x, v, frame)
