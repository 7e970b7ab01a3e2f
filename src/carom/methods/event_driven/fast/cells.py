"""Neighbourhoods that are cells: the best for all but dense systems.

Leaving a cell brings only the particles of the new cells into view, and the contact found before
stays a candidate.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.lent import lasting
from carom.detection import time_to_close
from carom.domains import NoShear, Shear, upright, upright_rate
from carom.events.calendar import Calendar
from carom.methods.event_driven.fast.loop import (
    NO_FACE,
    expect_contact,
    fetch,
    fill_up,
    find_partner,
    keeps_partner,
    leave,
    soonest,
    time_to_leave,
)
from carom.methods.event_driven.fast.pair_search import NearestImage, Seeker
from carom.methods.event_driven.world import World, change_image
from carom.motions import Free, Growing, acceleration
from carom.neighbours.grids import (
    BITS,
    EVERY_AXIS,
    Grid,
    cell_of,
    coordinate,
    fetch_rows,
    gather,
    insert,
    is_full,
    remove,
)
from carom.types import Vector


@lasting
class CellSearch(NamedTuple):
    """Cells, and what the algorithm keeps beside the particles."""

    grids: Grid
    calendar: Calendar
    images: NearestImage
    found: Any  # (n + room,) candidates of the search at hand
    large: int  # number of particles beyond which memory is asked for ahead


@inner_kernel
def next_cell(search: Any, world: World, i: int, time: float) -> bool:
    """Let particle i pass the face of its cell; whether there is room for it in the next."""
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


@inner_kernel
def time_to_face(search: Any, world: World, i: int, x: Vector, v: Vector, time: float) -> Any:
    """How long until particle i passes a face of its cell, and which."""
    return _time_out(world.space.shear, world, search.grids, i, x, v, time)


@dispatch_on("shear")
def _time_out(
    shear: Any, world: World, grids: Any, i: int, x: Vector, v: Vector, time: float
) -> Any:
    """The same; the cells of a sheared box lean with it."""


@_time_out.register(NoShear)
@inner_kernel
def _(shear: NoShear, world: World, grids: Any, i: int, x: Vector, v: Vector, time: float) -> Any:
    return time_out_of_cell(world.motion, grids, i, world.bodies.ledger[i].place, x, v, time)


@_time_out.register(Shear)
@inner_kernel
def _(shear: Shear, world: World, grids: Any, i: int, x: Vector, v: Vector, time: float) -> Any:
    place, along = world.bodies.ledger[i].place, upright(shear, x, time)[0]
    rate, change = upright_rate(shear, x, v, time)
    earliest, through = _curved_along(grids, 0, coordinate(place, 0), along, rate, change)
    for axis in (1, 2):
        cell = coordinate(place, axis)
        duration, face = _straight_along(grids, axis, cell, x[axis], v[axis])
        if duration < earliest:
            earliest, through = duration, face
    return earliest, through


@inner_kernel
def yes(search: Any) -> bool:
    """A contact found before is still ahead in the next cell."""
    return True


@inner_kernel
def came_into_view(left: int) -> Any:
    """The axis along which new cells are in view after leaving through a face, and the step."""
    if left == NO_FACE:
        return EVERY_AXIS, 0
    return left >> 1, 2 * (left & 1) - 1


leave.register(CellSearch)(next_cell)
time_to_leave.register(CellSearch)(time_to_face)
keeps_partner.register(CellSearch)(yes)


@fetch.register(CellSearch)
@inner_kernel
def _(search: CellSearch, world: World, i: int, is_next: bool) -> None:
    if is_next:
        fetch_rows(search.grids, world.bodies.ledger[i].place, search.grids.members)


@find_partner.register(CellSearch)
@inner_kernel
def _(
    search: CellSearch, world: World, i: int, x: Vector, v: Vector, time: float, left: int
) -> None:
    new_axis, step = came_into_view(left)
    place = world.bodies.ledger[i].place
    number, at_edge = gather(search.grids, place, new_axis, step, search.found)
    seeker = Seeker(
        i=i,
        position=x,
        velocity=v,
        time=time,
        images=search.images,
        shift=(0.0, 0.0, 0.0),
        at_edge=at_edge,
    )
    fill_up(search.found, number, i)
    contact, j = soonest(world, search.found, number, seeker)
    if contact < world.bodies.ledger[i].contact_time:
        expect_contact(world, i, j, contact)


@dispatch_on("motion")
def time_out_of_cell(
    motion: Any, grids: Any, i: int, place: int, x: Vector, v: Vector, time: float
) -> Any:
    """How long until particle i, at x with velocity v now, leaves its cell, and through which
    face."""


@inner_kernel
def _straight_along(grids: Any, axis: int, cell: int, x: float, v: float) -> Any:
    """How long until a coordinate passes a face of its cell at a constant speed, and which."""
    upper = 1 if v > 0.0 else 0
    duration = (grids.faces[axis, cell + upper] - x) / v
    return (max(duration, 0.0) if v != 0.0 else math.inf), 2 * axis + upper


@inner_kernel
def straight_out(
    motion: Any, grids: Any, i: int, place: int, x: Vector, v: Vector, time: float
) -> Any:
    """The same at a constant velocity."""
    earliest, through = math.inf, 0
    for axis in range(3):
        cell = coordinate(place, axis)
        duration, face = _straight_along(grids, axis, cell, x[axis], v[axis])
        if duration < earliest:
            earliest, through = duration, face
    return earliest, through


time_out_of_cell.register(Free)(straight_out)
time_out_of_cell.register(Growing)(straight_out)


@time_out_of_cell.otherwise
@inner_kernel
def _(motion: Any, grids: Any, i: int, place: int, x: Vector, v: Vector, time: float) -> Any:
    a = acceleration(motion, i)
    earliest, through = math.inf, 0
    for axis in range(3):
        cell = coordinate(place, axis)
        if a[axis] == 0.0:
            duration, face = _straight_along(grids, axis, cell, x[axis], v[axis])
        else:
            duration, face = _curved_along(grids, axis, cell, x[axis], v[axis], a[axis])
        if duration < earliest:
            earliest, through = duration, face
    return earliest, through


@inner_kernel
def _curved_along(grids: Any, axis: int, cell: int, x: float, v: float, a: float) -> Any:
    """The same with a constant acceleration."""
    down = time_to_close(x - grids.faces[axis, cell], v, a)
    up = time_to_close(grids.faces[axis, cell + 1] - x, -v, -a)
    return (up, 2 * axis + 1) if up < down else (down, 2 * axis)
