"""Cells and a calendar: the fast algorithm for all but the densest systems.

Every particle keeps one event, the earlier of its next contact and its leaving its cell. A contact
is kept by whoever found it; the partner does not know. When it is due and the partner has met
someone else in the meantime, the particle looks again (a check). Leaving a cell brings only the
particles of the new cells into view, and the contact found before stays a candidate.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom._jit import borrowed, dispatch_on, entry_point, inner_kernel, prefetch
from carom.detection import time_to_close
from carom.errors import (
    CALENDAR_IS_WORN,
    CELL_IS_FULL,
    LAW_IS_WRONG,
    LOG_IS_FULL,
    NOTHING_AHEAD,
    PAUSED,
    REACHED_COLLISIONS,
    REACHED_TIME,
)
from carom.events.calendar import EMPTY, WORN, Calendar, drop_entry, next_entry, schedule
from carom.methods.event_driven.contacts import (
    GOES_ON,
    collide_pair,
    collide_wall,
    log_is_full,
    time_of_wall,
)
from carom.methods.event_driven.pair_search import (
    LANES,
    NearestImage,
    Seeker,
    earliest_contact,
    nearest_image,
)
from carom.methods.event_driven.world import (
    World,
    change_image,
    image_shift,
    move_to,
    position_at,
    position_of,
    state_of,
    velocity_at,
)
from carom.motions import Free, Growing, acceleration
from carom.neighbours.grids import (
    BITS,
    EVERY_AXIS,
    Grid,
    Grids,
    cell_of,
    coordinate,
    gather,
    gather_levels,
    insert,
    is_full,
    place_at,
    remove,
)
from carom.vectors import minus, plus

# What the ledger's ``partner`` can hold besides a particle; wall k is WALL - k.
NOBODY = -1
WALL = -2
# What the ledger's ``face`` holds when the next event is a contact or a check.
NO_FACE = -1


class Search(NamedTuple):
    """What the algorithm keeps beside the particles."""

    grids: Any
    calendar: Calendar
    images: NearestImage
    found: Any  # (n + room,) candidates of the search at hand
    crossing: Any  # (n, 3) box lengths between unwrapped partners; for ``Grids``


@entry_point
def advance(world: World, search: Search, until: float, collisions: int, events: int) -> int:
    """Handle events up to a time, a number of collisions, or a number of events; say which."""
    world, search = borrowed((world, search))
    tally, ledger, calendar = world.tally[0], world.bodies.ledger, search.calendar
    for _ in range(events):
        if tally.collisions >= collisions:
            return REACHED_COLLISIONS
        found = next_entry(calendar, ledger, world.bodies.record)
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

        status, partner, new_axis, step = GOES_ON, NOBODY, EVERY_AXIS, 0
        if ledger[i].face >= 0:
            new_axis, step = ledger[i].face >> 1, 2 * (ledger[i].face & 1) - 1
            if not _transfer(world, search.grids, i, new_axis, step):
                return CELL_IS_FULL
        else:
            status, partner = _meet(world, search, i, time)
            if status == LAW_IS_WRONG:
                return status
        drop_entry(calendar)
        tally.clock = time
        _predict(world, search, i, partner, time, new_axis, step)
        if status != GOES_ON:
            return status
    return PAUSED


@entry_point
def prepare(world: World, grids: Any, time: float) -> None:
    """Give all particles their places and let each look for its next event first thing."""
    world, grids = borrowed((world, grids))
    ledger = world.bodies.ledger
    for i in range(len(ledger)):
        ledger[i].place = place_at(grids, position_at(world, i, time))
        ledger[i].event_time = time
        ledger[i].contact_time = math.inf
        ledger[i].partner = NOBODY
        ledger[i].face = NO_FACE


@inner_kernel
def _look_ahead(world: World, i: int) -> None:
    """Ask for the memory that the next contact will need."""
    partner = world.bodies.ledger[i].partner
    if partner >= 0 and world.bodies.ledger[i].face < 0:
        prefetch(world.bodies.record, partner)
        prefetch(world.bodies.ledger, partner)


@inner_kernel
def _meet(world: World, search: Search, i: int, time: float) -> Any:
    """Carry out the contact of particle i, if it still holds; the status, and the partner."""
    own = world.bodies.ledger[i]
    partner = np.int64(own.partner)
    if partner >= 0 and own.partner_state == state_of(world.bodies, partner):
        move_to(world, i, time)
        move_to(world, partner, time)
        shift = _shift_between(search.grids, world, search, i, partner)
        return collide_pair(world, i, partner, shift, time), partner
    if partner <= WALL:
        move_to(world, i, time)
        return collide_wall(world, i, WALL - partner, time), NOBODY
    world.tally[0].checks += 1
    return GOES_ON, NOBODY


@dispatch_on("grids")
def _shift_between(grids: Any, world: World, search: Search, i: int, j: int) -> Any:
    """The vector to add to x_i − x_j for the image of j that i meets, both at the same time."""
    raise NotImplementedError


@_shift_between.register(Grid)
@inner_kernel
def _(grids: Grid, world: World, search: Search, i: int, j: int) -> Any:
    far = minus(position_of(world.bodies, i), position_of(world.bodies, j))
    return minus(nearest_image(search.images, far), far)


@_shift_between.register(Grids)
@inner_kernel
def _(grids: Grids, world: World, search: Search, i: int, j: int) -> Any:
    far = minus(position_of(world.bodies, i), position_of(world.bodies, j))
    nearest = minus(nearest_image(search.images, far), far)
    image, crossing, repeats = world.bodies.image, search.crossing, grids.repeats
    narrow = (
        repeats[0] * (crossing[i, 0] + image[i, 0] - image[j, 0]),
        repeats[1] * (crossing[i, 1] + image[i, 1] - image[j, 1]),
        repeats[2] * (crossing[i, 2] + image[i, 2] - image[j, 2]),
    )
    return plus(nearest, 1.0, image_shift(world, narrow))


@inner_kernel
def _transfer(world: World, grids: Any, i: int, axis: int, step: int) -> bool:
    """Move particle i to the next cell, unless that is full; whether it was moved."""
    own = world.bodies.ledger[i]
    old = coordinate(own.place, axis)
    new = old + step
    number = grids.number[axis]
    boxes = 0
    if new < 0:
        boxes, new = -1, number - 1
    elif new >= number:
        boxes, new = 1, 0
    place = own.place + ((new - old) << (BITS * axis))
    before, after = cell_of(grids, own.level, own.place), cell_of(grids, own.level, place)
    if before != after:
        if is_full(grids, after):
            return False
        remove(grids, before, i)
        insert(grids, after, i)
    own.place = place
    if boxes != 0:
        change_image(world, i, axis, boxes)
    world.tally[0].transfers += 1
    return True


@inner_kernel
def _predict(
    world: World, search: Search, i: int, partner: int, time: float, new_axis: int, step: int
) -> None:
    """Find the next event of particle i, and of its partner if there is one."""
    ledger = world.bodies.ledger
    while i >= 0:
        own = ledger[i]
        x, v = position_at(world, i, time), velocity_at(world, i, time)
        if new_axis == EVERY_AXIS:
            own.contact_time, wall = time_of_wall(world, i, x, v, time)
            own.partner = WALL - wall
        _find_partner(search.grids, world, search, i, x, v, time, new_axis, step)
        duration, face = _time_to_leave(world.motion, search.grids, i, own.place, x, v)
        own.event_time = time + duration
        own.face = face
        if own.contact_time <= own.event_time:
            own.event_time = own.contact_time
            own.face = NO_FACE
        schedule(search.calendar, ledger, i, own.event_time)
        i, partner = partner, NOBODY


@dispatch_on("grids")
def _find_partner(
    grids: Any,
    world: World,
    search: Search,
    i: int,
    x: Any,
    v: Any,
    time: float,
    new_axis: int,
    step: int,
) -> None:
    """Note the earliest contact of particle i among those (newly) in view, if it is its next."""
    raise NotImplementedError


@_find_partner.register(Grid)
@inner_kernel
def _(
    grids: Grid,
    world: World,
    search: Search,
    i: int,
    x: Any,
    v: Any,
    time: float,
    new_axis: int,
    step: int,
) -> None:
    place = world.bodies.ledger[i].place
    number, at_edge = gather(grids, place, new_axis, step, search.found)
    seeker = Seeker(i, x, v, time, search.images, (0.0, 0.0, 0.0), at_edge)
    _choose(world, search.found, number, seeker)


@_find_partner.register(Grids)
@inner_kernel
def _(
    grids: Grids,
    world: World,
    search: Search,
    i: int,
    x: Any,
    v: Any,
    time: float,
    new_axis: int,
    step: int,
) -> None:
    own, repeats = world.bodies.ledger[i], grids.repeats
    for z_box in range(-repeats[2], repeats[2] + 1):
        for y_box in range(-repeats[1], repeats[1] + 1):
            for x_box in range(-repeats[0], repeats[0] + 1):
                boxes = (x_box, y_box, z_box)
                number = gather_levels(
                    grids, own.level, own.place, new_axis, step, boxes, search.found
                )
                shift = image_shift(world, (-x_box, -y_box, -z_box))
                seeker = Seeker(i, x, v, time, search.images, shift, 1)
                if _choose(world, search.found, number, seeker):
                    _note_crossing(world, search.crossing, i, own.partner, boxes)


@inner_kernel
def _choose(world: World, found: Any, number: int, seeker: Seeker) -> bool:
    """Note the seeker's contact with one of those found, if it is its next; whether it is."""
    for k in range(number, number + LANES):
        found[k] = seeker.i
    own = world.bodies.ledger[seeker.i]
    duration, slot = earliest_contact(world.detection, world, seeker, found, number)
    world.tally[0].pair_tests += number
    if seeker.time + duration >= own.contact_time:
        return False
    own.contact_time = seeker.time + duration
    own.partner = found[slot]
    own.partner_state = state_of(world.bodies, found[slot])
    return True


@inner_kernel
def _note_crossing(world: World, crossing: Any, i: int, j: int, boxes: Any) -> None:
    """Keep the image in which i meets j; relative to unwrapped positions it stays true."""
    image = world.bodies.image
    for axis in range(3):
        crossing[i, axis] = image[j, axis] - image[i, axis] - boxes[axis]


@dispatch_on("motion")
def _time_to_leave(motion: Any, grids: Any, i: int, place: int, x: Any, v: Any) -> Any:
    """How long until a particle at x with velocity v leaves its cell, and through which face."""
    raise NotImplementedError


@inner_kernel
def _straight_out(motion: Any, grids: Any, i: int, place: int, x: Any, v: Any) -> Any:
    earliest, through = math.inf, 0
    for axis in range(3):
        upper = 1 if v[axis] > 0.0 else 0
        face = grids.faces[axis, coordinate(place, axis) + upper]
        duration = (face - x[axis]) / v[axis]
        if duration < earliest and v[axis] != 0.0:
            earliest, through = duration, 2 * axis + upper
    return max(earliest, 0.0), through


_time_to_leave.register(Free)(_straight_out)
_time_to_leave.register(Growing)(_straight_out)


@_time_to_leave.otherwise
@inner_kernel
def _(motion: Any, grids: Any, i: int, place: int, x: Any, v: Any) -> Any:
    a = acceleration(motion, i)
    earliest, through = math.inf, 0
    for axis in range(3):
        cell = coordinate(place, axis)
        duration = time_to_close(x[axis] - grids.faces[axis, cell], v[axis], a[axis])
        if duration < earliest:
            earliest, through = duration, 2 * axis
        duration = time_to_close(grids.faces[axis, cell + 1] - x[axis], -v[axis], -a[axis])
        if duration < earliest:
            earliest, through = duration, 2 * axis + 1
    return earliest, through
