"""Particles that have come to rest on planes under gravity.

Under the stable detection a ball at rest on a plate collides for ever at one moment. With
``RestsOnPlanes`` such a particle is held instead: its acceleration becomes that of a smooth
body pressed on the planes it touches (Gauss's principle of least constraint: the vector nearest
to gravity that does not point into a plane), until something hits it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, part, plus, row, set_row
from carom.domains import NORMAL, POINT, height_over
from carom.methods.event_driven.world import (
    World,
    position_of,
    radius_of,
    set_velocity,
    velocity_of,
)

EPSILON = float(np.finfo(np.float64).eps)
# Contacts on planes alone, without time advancing, after which a particle is held.
CONTACTS_TO_REST = 8
# A particle that comes to rest touches the planes that are nearer than this many units in the
# last place of its coordinates and from which it would bounce no higher.
TOUCHING_ULPS = 256.0
# A vector has no part parallel to the planes when rounding could have left it.
PARALLEL_ULPS = 16.0


class NeverRests(NamedTuple):
    """Particles are never held."""


class RestsOnPlanes(NamedTuple):
    """Particles are held on planes: gravity (3,), and per particle a bit for each holding plane."""

    gravity: Any
    held_by: Any
    presses: Any


@dispatch_on("rest")
def holding_planes(rest: Any, i: int) -> int:
    """The planes that hold particle i, a bit for each."""


@dispatch_on("rest")
def press(rest: Any, world: Any, i: int, k: int, stalled: bool) -> bool:
    """Note a contact of particle i with plane k; whether it is held from now on."""


@dispatch_on("rest")
def release(rest: Any, world: Any, i: int) -> None:
    """Let go of particle i, which has been hit."""


@holding_planes.register(NeverRests)
@inner_kernel
def _(rest: NeverRests, i: int) -> int:
    return 0


@press.register(NeverRests)
@inner_kernel
def _(rest: NeverRests, world: World, i: int, k: int, stalled: bool) -> bool:
    return False


@release.register(NeverRests)
@inner_kernel
def _(rest: NeverRests, world: World, i: int) -> None:
    return


@holding_planes.register(RestsOnPlanes)
@inner_kernel
def _(rest: RestsOnPlanes, i: int) -> int:
    return rest.held_by[i]


@press.register(RestsOnPlanes)
@inner_kernel
def _(rest: RestsOnPlanes, world: World, i: int, k: int, stalled: bool) -> bool:
    rest.presses[i] = rest.presses[i] + 1 if stalled else 0
    if rest.presses[i] < CONTACTS_TO_REST:
        return False
    gravity = row(rest.gravity, 0)
    planes = _supporting_planes(world, i, gravity)
    if planes == 0:
        return False
    bodies = world.bodies
    set_row(world.motion.of, i, _along(world, i, planes, gravity))
    set_velocity(bodies, i, _along(world, i, planes, velocity_of(bodies, i)))
    rest.held_by[i] = planes
    rest.presses[i] = 0
    world.tally[0].came_to_rest += 1
    world.tally[0].resting += 1
    return True


@release.register(RestsOnPlanes)
@inner_kernel
def _(rest: RestsOnPlanes, world: World, i: int) -> None:
    rest.presses[i] = 0
    if rest.held_by[i] != 0:
        rest.held_by[i] = 0
        set_row(world.motion.of, i, row(rest.gravity, 0))
        world.tally[0].resting -= 1


@inner_kernel
def _outward(world: World, i: int, k: int) -> Any:
    """The unit normal of plane k that points to particle i."""
    normal = part(world.planes, k, NORMAL)
    if height_over(world.planes, k, position_of(world.bodies, i)) < 0.0:
        return (-normal[0], -normal[1], -normal[2])
    return normal


@inner_kernel
def _touches(world: World, i: int, k: int, gravity: Any) -> bool:
    """Whether particle i is at plane k and does not leave it, up to rounding.

    One that has just bounced off a second plane leaves that one, and will come back.
    """
    bodies = world.bodies
    x, point = position_of(bodies, i), part(world.planes, k, POINT)
    scale = 0.0
    for axis in range(3):
        scale += abs(x[axis]) + abs(point[axis])
    reach = TOUCHING_ULPS * EPSILON * scale
    gap = abs(height_over(world.planes, k, x)) - radius_of(bodies, i)
    leaving = max(dot(velocity_of(bodies, i), _outward(world, i, k)), 0.0)
    pull = math.sqrt(dot(gravity, gravity))
    return gap <= reach and leaving * leaving <= 2.0 * pull * reach


@inner_kernel
def _along(world: World, i: int, planes: int, vector: Any) -> Any:
    """The part of a vector that is parallel to all the given planes (Gram–Schmidt)."""
    first = (0.0, 0.0, 0.0)
    second = (0.0, 0.0, 0.0)
    third = (0.0, 0.0, 0.0)
    for k in range(len(world.planes)):
        if planes >> k & 1:
            normal = part(world.planes, k, NORMAL)
            # Twice, since one pass leaves round-off along the earlier directions.
            for _ in range(2):
                normal = plus(normal, -dot(normal, first), first)
                normal = plus(normal, -dot(normal, second), second)
            length = math.sqrt(dot(normal, normal))
            if length < 1e-12:
                continue
            unit = (normal[0] / length, normal[1] / length, normal[2] / length)
            third, second, first = second, first, unit
    rest = plus(vector, -dot(vector, first), first)
    rest = plus(rest, -dot(rest, second), second)
    rest = plus(rest, -dot(rest, third), third)
    # What rounding leaves of a vector without a parallel part would add up in a long rest.
    small = PARALLEL_ULPS * EPSILON
    if dot(rest, rest) <= small * small * dot(vector, vector):
        return (0.0, 0.0, 0.0)
    return rest


@inner_kernel
def _holds(world: World, i: int, planes: int, gravity: Any) -> bool:
    """Whether the particle, held by these planes, is pressed on each and on no other."""
    held = _along(world, i, planes, gravity)
    small = 1e-9 * math.sqrt(dot(gravity, gravity))
    for k in range(len(world.planes)):
        if not _touches(world, i, k, gravity):
            continue
        normal = _outward(world, i, k)
        if planes >> k & 1:
            without = _along(world, i, planes & ~(1 << k), gravity)
            if dot(without, normal) > small:
                return False
        elif dot(held, normal) < -small:
            return False
    return True


@inner_kernel
def _supporting_planes(world: World, i: int, gravity: Any) -> int:
    """The fewest touched planes that carry particle i, a bit for each; 0 if none do."""
    n = len(world.planes)
    for a in range(n):
        if _touches(world, i, a, gravity) and _holds(world, i, 1 << a, gravity):
            return 1 << a
    for a in range(n):
        for b in range(a + 1, n):
            planes = 1 << a | 1 << b
            if (
                _touches(world, i, a, gravity)
                and _touches(world, i, b, gravity)
                and _holds(world, i, planes, gravity)
            ):
                return planes
    for a in range(n):
        for b in range(a + 1, n):
            for c in range(b + 1, n):
                planes = 1 << a | 1 << b | 1 << c
                touched = (
                    _touches(world, i, a, gravity)
                    and _touches(world, i, b, gravity)
                    and _touches(world, i, c, gravity)
                )
                if touched and _holds(world, i, planes, gravity):
                    return planes
    return 0
