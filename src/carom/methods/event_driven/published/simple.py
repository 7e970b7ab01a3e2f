"""The simple algorithm, the reference for all others: everything is recomputed after each event.

Section 1.1 of Sigurgeirsson, Stuart & Wan 2001 and the lecture "Event Driven Collisions": find
the earliest event of all, move all particles to it, carry it out.
"""

from __future__ import annotations

import math
from typing import Any

from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.errors import (
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
    position_of,
    velocity_of,
)
from carom.types import Integers

PAIR, WALL, LEAVING = 0, 1, 2


@entry_point
def advance(world: World, until: float, collisions: int, events: int) -> int:
    """Handle events up to a time, a number of collisions, or a number of events; say which."""
    tally = world.tally[0]
    for _ in range(events):
        if tally.collisions >= collisions:
            return REACHED_COLLISIONS
        now = tally.clock
        time, kind, i, other, boxes = _next_event(world, now)
        if time == math.inf:
            return NOTHING_AHEAD
        if time > until:
            return REACHED_TIME
        if log_is_full(world):
            return LOG_IS_FULL
        for particle in range(len(world.bodies.ledger)):
            move_to(world, particle, time)
        tally.clock = time
        status = _carry_out(world, kind, i, other, boxes, time)
        if status != GOES_ON:
            return status
    return PAUSED


@inner_kernel
def _next_event(world: World, now: float) -> Any:
    """Time, kind, particle, other (partner, wall or face) and image of the earliest event."""
    bodies = world.bodies
    n = len(bodies.ledger)
    best = (math.inf, PAIR, -1, -1, (0, 0, 0))
    for i in range(n):
        x, v = position_of(bodies, i), velocity_of(bodies, i)
        time, face = time_of_leaving(world, i, x, v, now)
        if time < best[0]:
            best = (time, LEAVING, i, face, (0, 0, 0))
        time, wall = time_of_wall(world.planes, world, i, x, v, now)
        if time < best[0]:
            best = (time, WALL, i, wall, (0, 0, 0))
        for j in range(i + 1, n):
            time, boxes = time_of_nearest_image(world, i, j, x, v, now)
            if time < best[0]:
                best = (time, PAIR, i, j, boxes)
    return best


@inner_kernel
def _carry_out(world: World, kind: int, i: int, other: int, boxes: Integers, time: float) -> int:
    if kind == LEAVING:
        world.tally[0].transfers += 1
        enter_opposite(world, i, other)
        return GOES_ON
    if kind == WALL:
        return collide_wall(world.planes, world, i, other, time)
    return collide_pair(world, i, other, image_shift(world, boxes, time), time)
