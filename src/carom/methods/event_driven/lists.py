"""Neighbourhoods that are shells: the best for dense systems.

Around the place where a particle was when it last looked round there is a shell that it has not
left since. It knows everyone whose shell overlaps its own: these are the only ones it can meet.
When it leaves its shell, it looks round again in the cells, and those it meets or misses there
change their lists as well, so that lists are always mutual.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom._jit import borrowed, dispatch_on, entry_point, inner_kernel, prefetch
from carom.detection import time_to_close
from carom.events.calendar import Calendar
from carom.methods.event_driven.loop import (
    fetch,
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
    position_at,
    position_of,
)
from carom.motions import Free, Growing, acceleration
from carom.neighbours.grids import (
    EVERY_AXIS,
    Grid,
    cell_of,
    gather,
    insert,
    is_full,
    place_at,
    remove,
)
from carom.vectors import dot, minus

# The shell's centre, and the radius of shell and particle together.
SHELL = np.dtype(
    [("x", np.float64), ("y", np.float64), ("z", np.float64), ("reach", np.float64)], align=True
)
# Shells are taken a little larger than those that particles leave, against rounding.
SLACK = 1.0 + 1e-6
# Through this face particles leave shells.
OUT = 0
ROOT_3 = math.sqrt(3.0)


class ListSearch(NamedTuple):
    """Lists of neighbours, and what the algorithm keeps beside the particles."""

    grid: Grid  # holds the centres of the shells
    calendar: Calendar
    images: NearestImage
    found: Any  # (n + room,) those in neighbouring cells
    near: Any  # (n + room,) those of them whose shells overlap
    shells: Any  # (n,) of SHELL
    lists: Any  # (n, room) neighbours, filled up with the particle itself
    listed: Any  # (n,) how many they are
    at_edge: Any  # (n,) 0 where no neighbour can be beyond an edge of the box
    thickness: float  # of the shells
    lines: Any  # the lists as cache lines
    large: int  # number of particles beyond which memory is asked for ahead


@entry_point
def make_lists(world: World, search: ListSearch) -> bool:
    """Write the lists of all particles; whether there is room for them."""
    world, search = borrowed((world, search))
    room = search.lists.shape[1]
    for i in range(len(search.listed)):
        place = world.bodies.ledger[i].place
        number = _look_round(search, i, place, shell_at(search, i))
        if number > room:
            return False
        for k in range(room):
            search.lists[i, k] = search.near[k] if k < number else i
        search.listed[i] = number
    return True


@inner_kernel
def shell_at(search: ListSearch, i: int) -> Any:
    """The centre of the shell of particle i."""
    own = search.shells[i]
    return (own.x, own.y, own.z)


@inner_kernel
def _inside(world: World, i: int, time: float) -> Any:
    """The position of particle i, which is brought back into the box first."""
    x = position_at(world, i, time)
    for axis in range(3):
        if world.space.periodic[axis]:
            boxes = math.floor(x[axis] / world.space.lengths[axis])
            if boxes != 0:
                change_image(world, i, axis, boxes)
    return position_at(world, i, time)


@inner_kernel
def _overlap(search: ListSearch, centre: Any, reach: float, j: int) -> bool:
    """Whether the shell of particle j overlaps one with this centre and reach."""
    apart = nearest_image(search.images, minus(centre, shell_at(search, j)))
    touching = reach + search.shells[j].reach
    return dot(apart, apart) < touching * touching


@inner_kernel
def _look_round(search: ListSearch, i: int, place: int, centre: Any) -> int:
    """List in ``near`` all whose shells overlap one around ``centre``; their number."""
    number, at_edge = gather(search.grid, place, EVERY_AXIS, 0, search.found)
    search.at_edge[i] = at_edge
    reach = search.shells[i].reach
    near = 0
    for k in range(number):
        j = search.found[k]
        search.near[near] = j
        if j != i and _overlap(search, centre, reach, j):
            near += 1
    return near


@leave.register(ListSearch)
@inner_kernel
def _(search: ListSearch, world: World, i: int, time: float) -> bool:
    """Look round again; nothing changes when there is no room in a cell or a list."""
    own, grid, room = world.bodies.ledger[i], search.grid, search.lists.shape[1]
    x = _inside(world, i, time)
    place = place_at(grid, x)
    number = _look_round(search, i, place, x)
    if number > room or not _is_room_for(search, i, number):
        return False
    before, after = cell_of(grid, 0, own.place), cell_of(grid, 0, place)
    if before != after:
        if is_full(grid, after):
            return False
        remove(grid, before, i)
        insert(grid, after, i)
    own.place = place
    _exchange(search, i, x, number)
    shell = search.shells[i]
    shell.x, shell.y, shell.z = x
    world.tally[0].transfers += 1
    return True


@inner_kernel
def _is_room_for(search: ListSearch, i: int, number: int) -> bool:
    """Whether particle i still fits into the lists of those near it that do not know it yet."""
    centre, reach = shell_at(search, i), search.shells[i].reach
    for k in range(number):
        j = search.near[k]
        if search.listed[j] == search.lists.shape[1] and not _overlap(search, centre, reach, j):
            return False
    return True


@inner_kernel
def _exchange(search: ListSearch, i: int, centre: Any, number: int) -> None:
    """Replace the list of particle i by those near its new centre; others learn and forget it."""
    lists, listed = search.lists, search.listed
    old, reach = shell_at(search, i), search.shells[i].reach
    for k in range(listed[i]):
        j = lists[i, k]
        if not _overlap(search, centre, reach, j):
            at = 0
            while lists[j, at] != i:
                at += 1
            last = listed[j] - 1
            lists[j, at] = lists[j, last]
            lists[j, last] = j
            listed[j] = last
    for k in range(number):
        j = search.near[k]
        if not _overlap(search, old, reach, j):
            lists[j, listed[j]] = i
            listed[j] += 1
    for k in range(number):
        lists[i, k] = search.near[k]
    for k in range(number, listed[i]):
        lists[i, k] = i
    listed[i] = number


@fetch.register(ListSearch)
@inner_kernel
def _(search: ListSearch, world: World, i: int) -> None:
    prefetch(search.shells, i)
    for k in range(search.listed[i]):
        prefetch(world.bodies.record, np.int64(search.lists[i, k]))


@keeps_partner.register(ListSearch)
@inner_kernel
def _(search: ListSearch) -> bool:
    return False


@find_partner.register(ListSearch)
@inner_kernel
def _(search: ListSearch, world: World, i: int, x: Any, v: Any, time: float, left: int) -> None:
    seeker = Seeker(i, x, v, time, search.images, (0.0, 0.0, 0.0), search.at_edge[i])
    contact, j = soonest(world, search.lists[i], np.int64(search.listed[i]), seeker)
    if contact < world.bodies.ledger[i].contact_time:
        note_contact(world, i, j, contact)


@shift_between.register(ListSearch)
@inner_kernel
def _(search: ListSearch, world: World, i: int, j: int) -> Any:
    far = minus(position_of(world.bodies, i), position_of(world.bodies, j))
    return minus(nearest_image(search.images, far), far)


@time_to_leave.register(ListSearch)
@inner_kernel
def _(search: ListSearch, world: World, i: int, x: Any, v: Any) -> Any:
    return _time_to_leave(world.motion, search.thickness, i, minus(x, shell_at(search, i)), v), OUT


@dispatch_on("motion")
def _time_to_leave(motion: Any, thickness: float, i: int, away: Any, v: Any) -> float:
    """How long until a particle, so far away from the centre, leaves its shell."""
    raise NotImplementedError


@inner_kernel
def _straight_out(motion: Any, thickness: float, i: int, away: Any, v: Any) -> float:
    square, b = dot(v, v), dot(away, v)
    if square == 0.0:
        return math.inf
    discriminant = b * b - square * (dot(away, away) - thickness * thickness)
    return max((math.sqrt(max(discriminant, 0.0)) - b) / square, 0.0)


_time_to_leave.register(Free)(_straight_out)
_time_to_leave.register(Growing)(_straight_out)


@_time_to_leave.otherwise
@inner_kernel
def _(motion: Any, thickness: float, i: int, away: Any, v: Any) -> float:
    """When it leaves the cube inside the shell, which for a parabola takes only square roots."""
    a = acceleration(motion, i)
    side = thickness / ROOT_3
    earliest = math.inf
    for axis in range(3):
        duration = time_to_close(side + away[axis], v[axis], a[axis])
        earliest = min(earliest, duration)
        duration = time_to_close(side - away[axis], -v[axis], -a[axis])
        earliest = min(earliest, duration)
    return earliest
