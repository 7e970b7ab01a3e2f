"""Neighbourhoods that are cells: the best for all but dense systems.

Leaving a cell brings only the particles of the new cells into view, and the contact found before
stays a candidate.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom._jit import dispatch_on, inner_kernel
from carom.detection import time_to_close
from carom.events.calendar import Calendar
from carom.methods.event_driven.loop import (
    NO_FACE,
    fetch,
    fill_up,
    find_partner,
    keeps_partner,
    leave,
    note_contact,
    shift_between,
    soonest,
    time_to_leave,
)
from carom.methods.event_driven.pair_search import NearestImage, Seeker, nearest_image
from carom.methods.event_driven.world import (
    World,
    change_image,
    image_rank,
    image_shift,
    position_of,
)
from carom.motions import Free, Growing, acceleration
from carom.neighbours.grids import (
    BITS,
    EVERY_AXIS,
    Grid,
    Grids,
    cell_of,
    coordinate,
    fetch_rows,
    gather,
    gather_levels,
    insert,
    is_full,
    remove,
)
from carom.vectors import minus, plus


class CellSearch(NamedTuple):
    """Cells, and what the algorithm keeps beside the particles."""

    grids: Any
    calendar: Calendar
    images: NearestImage
    found: Any  # (n + room,) candidates of the search at hand
    crossing: Any  # (n, 3) box lengths between unwrapped partners; for ``Grids``
    large: int  # number of particles beyond which memory is asked for ahead


@keeps_partner.register(CellSearch)
@inner_kernel
def _(search: CellSearch) -> bool:
    return True


@fetch.register(CellSearch)
@inner_kernel
def _(search: CellSearch, world: World, i: int, is_next: bool) -> None:
    if is_next:
        _fetch(search.grids, world.bodies.ledger[i].place)


@dispatch_on("grids")
def _fetch(grids: Any, place: int) -> None:
    """Ask for the rows of the cells in view; in a hierarchy they are too many."""


@_fetch.register(Grids)
@inner_kernel
def _(grids: Grids, place: int) -> None:
    return


@_fetch.register(Grid)
@inner_kernel
def _(grids: Grid, place: int) -> None:
    fetch_rows(grids, place, grids.members)


@shift_between.register(CellSearch)
@inner_kernel
def _(search: CellSearch, world: World, i: int, j: int) -> Any:
    return _shift_between(search.grids, search, world, i, j)


@find_partner.register(CellSearch)
@inner_kernel
def _(search: CellSearch, world: World, i: int, x: Any, v: Any, time: float, left: int) -> None:
    new_axis, step = EVERY_AXIS, 0
    if left != NO_FACE:
        new_axis, step = left >> 1, 2 * (left & 1) - 1
    _find_partner(search.grids, search, world, i, x, v, time, new_axis, step)


@time_to_leave.register(CellSearch)
@inner_kernel
def _(search: CellSearch, world: World, i: int, x: Any, v: Any) -> Any:
    return _time_to_leave(world.motion, search.grids, i, world.bodies.ledger[i].place, x, v)


@leave.register(CellSearch)
@inner_kernel
def _(search: CellSearch, world: World, i: int, time: float) -> bool:
    own, grids = world.bodies.ledger[i], search.grids
    axis, step = own.face >> 1, 2 * (own.face & 1) - 1
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


@dispatch_on("grids")
def _shift_between(grids: Any, search: CellSearch, world: World, i: int, j: int) -> Any:
    """The vector to add to x_i − x_j for the image of j that i meets, both at the same time."""
    raise NotImplementedError


@_shift_between.register(Grid)
@inner_kernel
def _(grids: Grid, search: CellSearch, world: World, i: int, j: int) -> Any:
    far = minus(position_of(world.bodies, i), position_of(world.bodies, j))
    return minus(nearest_image(search.images, far), far)


@_shift_between.register(Grids)
@inner_kernel
def _(grids: Grids, search: CellSearch, world: World, i: int, j: int) -> Any:
    far = minus(position_of(world.bodies, i), position_of(world.bodies, j))
    nearest = minus(nearest_image(search.images, far), far)
    image, crossing, repeats = world.bodies.image, search.crossing, grids.repeats
    narrow = (
        repeats[0] * (crossing[i, 0] + image[i, 0] - image[j, 0]),
        repeats[1] * (crossing[i, 1] + image[i, 1] - image[j, 1]),
        repeats[2] * (crossing[i, 2] + image[i, 2] - image[j, 2]),
    )
    return plus(nearest, 1.0, image_shift(world, narrow))


@dispatch_on("grids")
def _find_partner(
    grids: Any,
    search: CellSearch,
    world: World,
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
    search: CellSearch,
    world: World,
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
    fill_up(search.found, number, i)
    contact, j = soonest(world, search.found, number, seeker)
    if contact < world.bodies.ledger[i].contact_time:
        note_contact(world, i, j, contact)


@_find_partner.register(Grids)
@inner_kernel
def _(
    grids: Grids,
    search: CellSearch,
    world: World,
    i: int,
    x: Any,
    v: Any,
    time: float,
    new_axis: int,
    step: int,
) -> None:
    own, repeats = world.bodies.ledger[i], grids.repeats
    met = (0, 0, 0)
    for z_box in range(-repeats[2], repeats[2] + 1):
        for y_box in range(-repeats[1], repeats[1] + 1):
            for x_box in range(-repeats[0], repeats[0] + 1):
                boxes = (x_box, y_box, z_box)
                number = gather_levels(
                    grids, own.level, own.place, new_axis, step, boxes, search.found
                )
                shift = image_shift(world, (-x_box, -y_box, -z_box))
                seeker = Seeker(i, x, v, time, search.images, shift, 1)
                fill_up(search.found, number, i)
                contact, j = soonest(world, search.found, number, seeker)
                box = (-x_box, -y_box, -z_box)
                sooner = contact < own.contact_time
                if contact == own.contact_time and j == own.partner:
                    # Two images of one particle at the same time; both partners agree which.
                    name, other = world.bodies.ledger[i].name, world.bodies.ledger[j].name
                    sooner = image_rank(name, other, box) < image_rank(name, other, met)
                if sooner:
                    met = box
                    note_contact(world, i, j, contact)
                    _note_crossing(world, search.crossing, i, j, box)


@inner_kernel
def _note_crossing(world: World, crossing: Any, i: int, j: int, boxes: Any) -> None:
    """Keep the image in which i meets j; relative to unwrapped positions it stays true."""
    image = world.bodies.image
    for axis in range(3):
        crossing[i, axis] = boxes[axis] - image[i, axis] + image[j, axis]


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
