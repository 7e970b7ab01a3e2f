"""The collision list of Lecture 03: only the pairs of the particles in an event are recomputed.

The list holds the time of every pair. Each particle knows its earliest partner, so that the next
event is found in n steps; after an event only rows of the particles that took part change.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.errors import (
    LAW_IS_WRONG,
    LOG_IS_FULL,
    NOTHING_AHEAD,
    PAUSED,
    REACHED_COLLISIONS,
    REACHED_TIME,
)
from carom.methods.event_driven.collide import (
    GOES_ON,
    collide_pair,
    collide_wall,
    log_is_full,
    time_of_wall,
)
from carom.methods.event_driven.published.all_images import (
    enter_opposite,
    time_of_leaving,
    time_of_nearest_image,
)
from carom.methods.event_driven.world import (
    World,
    image_shift,
    move_to,
    position_at,
    velocity_at,
)


class CollisionList(NamedTuple):
    """Times of all pairs, and of the walls and box faces that each particle meets."""

    pair_time: Any  # (n, n), symmetric
    pair_image: Any  # (n, n) box lengths to add to x_i - x_j, as digits -2 to 2 of base 5
    earliest: Any  # (n,) the partner of the earliest pair of each particle
    own_time: Any  # (n,) the next wall or box face
    own_event: Any  # (n,) k for wall k, -1 - f for face f


def new_collision_list(n: int) -> CollisionList:
    """A list without collisions."""
    return CollisionList(
        np.full((n, n), np.inf),
        np.zeros((n, n), dtype=np.int8),
        np.zeros(n, dtype=np.int64),
        np.full(n, np.inf),
        np.zeros(n, dtype=np.int64),
    )


@entry_point
def prepare(world: World, collision_list: CollisionList, time: float, first: int, end: int) -> None:
    """Find all times of the pairs of some particles, as of ``time``; in the end of all."""
    for i in range(first, end):
        _recompute(world, collision_list, i, time)


@entry_point
def advance(
    world: World, collision_list: CollisionList, until: float, collisions: int, events: int
) -> int:
    """Handle events up to a time, a number of collisions, or a number of events; say which."""
    tally = world.tally[0]
    for _ in range(events):
        if tally.collisions >= collisions:
            return REACHED_COLLISIONS
        i, time = _next_particle(collision_list)
        if time == math.inf:
            return NOTHING_AHEAD
        if time > until:
            return REACHED_TIME
        if log_is_full(world):
            return LOG_IS_FULL
        tally.clock = time
        status = _carry_out(world, collision_list, i, time)
        if status != GOES_ON:
            return status
    return PAUSED


@inner_kernel
def _next_particle(collision_list: CollisionList) -> Any:
    """The first particle of the earliest event, and its time."""
    best = -1
    time = math.inf
    for i in range(len(collision_list.own_time)):
        pair = collision_list.pair_time[i, collision_list.earliest[i]]
        own = min(pair, collision_list.own_time[i])
        if own < time:
            best, time = i, own
    return best, time


@inner_kernel
def _carry_out(world: World, collision_list: CollisionList, i: int, time: float) -> int:
    """Carry out the next event of particle i and recompute the pairs of those who took part."""
    move_to(world, i, time)
    j = collision_list.earliest[i]
    if collision_list.own_time[i] <= collision_list.pair_time[i, j]:
        event = collision_list.own_event[i]
        status = GOES_ON
        if event >= 0:
            status = collide_wall(world.planes, world, i, event, time)
        else:
            world.tally[0].transfers += 1
            enter_opposite(world, i, -1 - event)
        if status != LAW_IS_WRONG:
            _recompute(world, collision_list, i, time)
        return status
    move_to(world, j, time)
    shift = image_shift(world, _boxes(collision_list.pair_image[i, j]), time)
    status = collide_pair(world, i, j, shift, time)
    if status != LAW_IS_WRONG:
        _recompute(world, collision_list, i, time)
        _recompute(world, collision_list, j, time)
    return status


@inner_kernel
def _recompute(world: World, collision_list: CollisionList, i: int, time: float) -> None:
    """Find the times of particle i anew, and who is earliest for it and for all others."""
    n = len(collision_list.own_time)
    pair_time, earliest = collision_list.pair_time, collision_list.earliest
    x, v = position_at(world, i, time), velocity_at(world, i, time)
    for j in range(n):
        if j == i:
            continue
        contact, boxes = time_of_nearest_image(world, i, j, x, v, time)
        pair_time[i, j] = contact
        pair_time[j, i] = contact
        code = boxes[0] + 5 * boxes[1] + 25 * boxes[2]
        collision_list.pair_image[i, j] = code
        collision_list.pair_image[j, i] = -code
        if earliest[j] == i:
            earliest[j] = _earliest_partner(pair_time, j)
        elif contact < pair_time[j, earliest[j]]:
            earliest[j] = i
    earliest[i] = _earliest_partner(pair_time, i)

    wall_time, wall = time_of_wall(world.planes, world, i, x, v, time)
    leaving_time, face = time_of_leaving(world, i, x, v, time)
    collision_list.own_time[i] = min(wall_time, leaving_time)
    collision_list.own_event[i] = -1 - face if leaving_time <= wall_time else wall


@inner_kernel
def _earliest_partner(pair_time: Any, i: int) -> int:
    best = 0
    for j in range(1, len(pair_time)):
        if pair_time[i, j] < pair_time[i, best]:
            best = j
    return best


@inner_kernel
def _boxes(code: int) -> Any:
    """The three digits -2 to 2 of an image code."""
    x = (code + 62) % 5 - 2
    y = (code + 62) // 5 % 5 - 2
    z = (code + 62) // 25 - 2
    return (x, y, z)
