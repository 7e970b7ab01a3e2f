"""The event loop of the fast algorithms: one event per particle, in a calendar.

Every particle keeps one event, the earlier of its next contact and of leaving the neighbourhood it
knows: a cell, or the shell around it. A contact is kept by whoever found it; the partner does not
know. When it is due and the partner has met someone else in the meantime, the particle looks again
(a check).

What a neighbourhood is depends on the type of ``search``; see ``cells.py`` and ``lists.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.compiled.dispatch import dispatch_on
from carom.compiled.entry_points import entry_point
from carom.compiled.intrinsics import prefetch
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import minus
from carom.errors import (
    CALENDAR_IS_WORN,
    CELLS_DUE,
    LAW_IS_WRONG,
    LOG_IS_FULL,
    NO_ROOM,
    NOTHING_AHEAD,
    PAUSED,
    REACHED_COLLISIONS,
    REACHED_TIME,
)
from carom.events.calendar import EMPTY, WORN, drop_entry, next_entry, schedule
from carom.methods.event_driven.collide import (
    GOES_ON,
    collide_pair,
    collide_wall,
    log_is_full,
    time_of_patch,
    time_of_plane,
)
from carom.methods.event_driven.fast.pair_search import (
    LANES,
    Seeker,
    earliest_contact,
    nearest_image,
)
from carom.methods.event_driven.world import (
    World,
    move_to,
    position_at,
    position_of,
    state_of,
    velocity_at,
    velocity_of,
)
from carom.motions import set_out
from carom.types import Integers, Vector

# What the ledger's ``partner`` can hold besides a particle; wall k is WALL - k.
NOBODY = -1
WALL = -2
# What the ledger's ``face`` holds when the next event is a contact or a check.
NO_FACE = -1


@dispatch_on("search")
def leave(search: Any, world: World, i: int, time: float) -> bool:
    """Let particle i leave its neighbourhood for the next; whether there was room for it."""


@dispatch_on("search")
def find_partner(
    search: Any, world: World, i: int, x: Vector, v: Vector, time: float, left: int
) -> None:
    """Note the earliest contact of particle i, if it is its next.

    After it ``left`` through a face, only with those who are new to it; NO_FACE means everybody.
    """


@dispatch_on("search")
def time_to_leave(search: Any, world: World, i: int, x: Vector, v: Vector, time: float) -> Any:
    """How long until particle i, at x with velocity v now, leaves its neighbourhood, and through
    which face."""


@dispatch_on("search")
def keeps_partner(search: Any) -> bool:
    """Whether a contact found before stays a candidate when a particle leaves."""


@dispatch_on("search")
def shift_between(search: Any, world: World, i: int, j: int) -> Any:
    """The vector to add to x_i − x_j for the image of j that i meets, both at the same time."""


@shift_between.otherwise
@inner_kernel
def shift_to_nearest(search: Any, world: World, i: int, j: int) -> Any:
    """Where boxes are so wide that only the nearest image can be met."""
    far = minus(position_of(world.bodies, i), position_of(world.bodies, j))
    time = world.bodies.record[i].time
    return minus(nearest_image(world.space.shear, search.images, far, time), far)


@dispatch_on("search")
def fetch(search: Any, world: World, i: int, is_next: bool) -> None:
    """Ask for the memory that the event of particle i will need; for systems beyond the caches.

    It is asked for twice: when the event is the next but one, and when it is the next.
    """


# Pair tests after which the loop comes back, however few the events: some ten milliseconds.
MOST_TESTS = 2_000_000


@entry_point
def advance(world: World, search: Any, until: float, collisions: int, events: int) -> int:
    """Handle events up to a time, a number of collisions, or a number of events; say which.

    It also pauses after MOST_TESTS, as an event can be dear.
    """
    return handle_events(world, search, until, collisions, events)


@inner_kernel
def handle_events(world: World, search: Any, until: float, collisions: int, events: int) -> int:
    """What ``advance`` does."""
    tally, ledger, calendar = world.tally[0], world.bodies.ledger, search.calendar
    last_test = tally.pair_tests + MOST_TESTS
    for _ in range(events):
        if tally.collisions >= collisions:
            return REACHED_COLLISIONS
        if tally.pair_tests >= last_test:
            return PAUSED
        found = next_entry(calendar, ledger, world.bodies.record, search)
        if found == EMPTY:
            return NOTHING_AHEAD
        if found == WORN:
            return CALENDAR_IS_WORN
        last = calendar.state[0].listed - 1
        i, time = calendar.entries[last].particle, calendar.entries[last].time
        if time > until:
            return REACHED_TIME
        if log_is_full(world):
            return LOG_IS_FULL
        if last > 0:
            _look_ahead(world, calendar.entries[last - 1].particle)
            if len(ledger) > search.large:
                fetch(search, world, calendar.entries[last - 1].particle, True)
                if last > 1:
                    fetch(search, world, calendar.entries[last - 2].particle, False)

        status, partner, left = GOES_ON, NOBODY, np.int64(ledger[i].face)
        if left == NO_FACE:
            status, partner = _meet(world, search, i, time)
            if status == LAW_IS_WRONG:
                return status
        elif tally.transfers >= tally.cells_due:
            return CELLS_DUE
        elif not leave(search, world, i, time):
            return NO_ROOM
        drop_entry(calendar)
        tally.clock = time
        predict(world, search, i, partner, time, left)
        if status != GOES_ON:
            return status
    return PAUSED


@inner_kernel
def _look_ahead(world: World, i: int) -> None:
    """Ask for the memory that the next contact will need."""
    partner = world.bodies.ledger[i].partner
    if partner >= 0 and world.bodies.ledger[i].face < 0:
        prefetch(world.bodies.record, partner)
        prefetch(world.bodies.ledger, partner)


@inner_kernel
def _meet(world: World, search: Any, i: int, time: float) -> Any:
    """Carry out the contact of particle i, if it still holds; the status, and the partner."""
    own = world.bodies.ledger[i]
    partner = np.int64(own.partner)
    if partner >= 0 and own.partner_state == state_of(world.bodies, partner):
        move_to(world, i, time)
        move_to(world, partner, time)
        shift = shift_between(search, world, i, partner)
        status = collide_pair(world, i, partner, shift, time)
        _set_out(world, i, time)
        _set_out(world, partner, time)
        return status, partner
    if partner <= WALL:
        move_to(world, i, time)
        status = collide_wall(world.planes, world, i, WALL - partner, time)
        _set_out(world, i, time)
        return status, NOBODY
    if own.contact_time < np.inf:  # else it has not looked yet, and nobody was lost
        world.tally[0].checks += 1
    return GOES_ON, NOBODY


@inner_kernel
def _set_out(world: World, i: int, time: float) -> None:
    """Let a new path of particle i begin, which is at the present time."""
    bodies = world.bodies
    set_out(world.motion, i, position_of(bodies, i), velocity_of(bodies, i), time)


@inner_kernel
def predict(world: World, search: Any, i: int, partner: int, time: float, left: int) -> None:
    """Find the next event of particle i, and of its partner if there is one."""
    ledger = world.bodies.ledger
    while i >= 0:
        own = ledger[i]
        x, v = position_at(world, i, time), velocity_at(world, i, time)
        if left == NO_FACE or not keeps_partner(search):
            own.contact_time, wall = time_of_plane(world.planes, world, i, x, v, time)
            own.partner = WALL - wall
        find_partner(search, world, i, x, v, time, left)
        duration, face = time_to_leave(search, world, i, x, v, time)
        own.event_time = time + duration
        own.face = face
        # Only until its next event: then it looks again.
        ahead = min(own.contact_time, own.event_time)
        touch, patch = time_of_patch(world.planes, world, i, x, v, time, ahead)
        if touch < ahead:
            own.contact_time, own.partner = touch, WALL - patch
        if own.contact_time <= own.event_time:
            own.event_time = own.contact_time
            own.face = NO_FACE
        schedule(search.calendar, ledger, i, own.event_time)
        i, partner = partner, NOBODY


@inner_kernel
def soonest(world: World, candidates: Integers, number: int, seeker: Seeker) -> Any:
    """When the seeker meets one of the candidates, and whom."""
    duration, slot = earliest_contact(world.detection, world, seeker, candidates, number)
    world.tally[0].pair_tests += number
    return seeker.time + duration, np.int64(candidates[slot])


@inner_kernel
def expect_contact(world: World, i: int, j: int, contact: float) -> None:
    """Keep a contact with j, as j is now, as the next of particle i."""
    own = world.bodies.ledger[i]
    own.contact_time = contact
    own.partner = j
    own.partner_state = state_of(world.bodies, j)


@inner_kernel
def fill_up(candidates: Integers, number: int, i: int) -> None:
    """Let particle i itself follow the candidates, so that they can be taken four at a time."""
    for k in range(number, number + LANES):
        candidates[k] = i
