"""Time steps with all their events.

The calendar holds only what happens inside a step. The cells carry over from step to step: a
particle that leaves its cell inside the step is handed to the next one, so that no collision is
missed, however long the step.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus
from carom.errors import NOTHING_AHEAD, PAUSED, REACHED_TIME
from carom.events.calendar import schedule_all
from carom.methods.event_driven.fast.loop import NO_FACE, NOBODY, handle_events, predict
from carom.methods.event_driven.world import World, move_to, position_of, velocity_of
from carom.motions import displaced, set_out

# Where a run stands: before a step (or all velocities are new), inside one whose next events are
# not known, inside one, or before one in which somebody would be too fast.
BEFORE, LOST, INSIDE, TOO_FAST = 0, 1, 2, 3


class Pace(NamedTuple):
    """How time goes on."""

    dt: float
    pieces: int  # steps over which events are looked for at once
    stands: Any  # (1,) BEFORE, LOST, INSIDE or TOO_FAST
    limit: float  # of the speed of a particle


@entry_point
def advance(
    world: World,
    search: Any,
    pace: Pace,
    until: float,
    collisions: int,
    events: int,
    rounds: int,
) -> int:
    """Handle all events of so many rounds, or up to a time, or a number of collisions; say which.

    A round is a step, or the ``pieces`` steps over which events are looked for at once.
    """
    tally, interval = world.tally[0], pace.pieces * pace.dt
    for _ in range(rounds):
        if pace.stands[0] != INSIDE:
            _look_round(world, search, pace)
        if pace.stands[0] == TOO_FAST:
            return PAUSED
        # Compared with the end itself: the difference of two times is off by a rounding.
        is_whole = until >= (tally.steps + pace.pieces) * pace.dt
        limit = interval if is_whole else min(until - tally.origin, interval)
        status = handle_events(world, search, limit, collisions, events)
        if status != NOTHING_AHEAD and status != REACHED_TIME:
            return status
        if not is_whole:
            return REACHED_TIME
        finish(world, pace, interval)
        if pace.stands[0] == TOO_FAST:
            return PAUSED
        if until <= tally.origin:
            return REACHED_TIME
    return PAUSED


@inner_kernel
def _look_round(world: World, search: Any, pace: Pace) -> None:
    """Let all particles look for their next events."""
    time, bodies = world.tally[0].clock, world.bodies
    if pace.stands[0] == BEFORE:
        for i in range(len(bodies.ledger)):
            set_out(world.motion, i, position_of(bodies, i), velocity_of(bodies, i), time)
            if _goes_too_far(world, i, pace):
                pace.stands[0] = TOO_FAST
                world.tally[0].first_in_trouble = bodies.ledger[i].name
        if pace.stands[0] == TOO_FAST:
            return
    state = search.calendar.state[0]
    horizon = state.horizon
    state.horizon = -math.inf  # nobody is scheduled before all events are known
    for i in range(len(bodies.ledger)):
        predict(world, search, i, NOBODY, time, NO_FACE)
    state.horizon = horizon
    schedule_all(search.calendar, bodies.ledger, time)
    pace.stands[0] = INSIDE


@inner_kernel
def _goes_too_far(world: World, i: int, pace: Pace) -> bool:
    """Whether the path of particle i takes it beyond the limit: one that is bent may end faster
    than it begins."""
    interval = pace.pieces * pace.dt
    x, v = position_of(world.bodies, i), velocity_of(world.bodies, i)
    way = minus(displaced(world.motion, i, x, v, interval), x)
    return not math.sqrt(dot(way, way)) <= pace.limit * interval


@inner_kernel
def finish(world: World, pace: Pace, interval: float) -> None:
    """Integrate all paths to the end of the round, and count times from there on."""
    bodies, tally = world.bodies, world.tally[0]
    square = pace.limit * pace.limit
    pace.stands[0] = BEFORE
    for i in range(len(bodies.ledger)):
        move_to(world, i, interval)
        bodies.record[i].time = 0.0
        bodies.ledger[i].last_contact -= interval
        v = velocity_of(bodies, i)
        if not dot(v, v) <= square:  # nor is what is no number
            pace.stands[0] = TOO_FAST
            tally.first_in_trouble = bodies.ledger[i].name
    tally.steps += pace.pieces
    tally.clock = 0.0
    tally.origin = tally.steps * pace.dt
    world.motion.origin[0] = tally.origin
