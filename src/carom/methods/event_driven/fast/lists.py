"""Neighbourhoods that are shells: the best for dense systems.

Around the place where a particle was when it last looked round there is a shell that it has not
left since. It knows everyone whose shell overlaps its own: these are the only ones it can meet.
When it leaves its shell, it looks round again in the cells, and those it meets or misses there
change their lists as well, so that lists are always mutual.

In a sheared box shells move with the flow. Those in different rows slide past each other, so that
shells have a margin besides: a particle looks round again before they have slid as far as that.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.dispatch import dispatch_on
from carom.compiled.entry_points import entry_point
from carom.compiled.intrinsics import prefetch
from carom.compiled.kernels import inner_kernel
from carom.compiled.lent import lasting
from carom.compiled.vectors import dot, minus
from carom.detection import time_to_close
from carom.domains import NoShear, Shear, from_middle, offset_at, peculiar, upright
from carom.events.calendar import Calendar, announce
from carom.methods.event_driven.fast.loop import (
    NO_FACE,
    expect_contact,
    fetch,
    find_partner,
    keeps_partner,
    leave,
    soonest,
    time_to_leave,
)
from carom.methods.event_driven.fast.pair_search import NearestImage, Seeker
from carom.methods.event_driven.world import (
    World,
    change_image,
    position_at,
)
from carom.motions import Free, Gravity, Growing, acceleration
from carom.neighbours.grids import (
    Grid,
    cell_of,
    fetch_rows,
    insert,
    is_full,
    place_near,
    remove,
)
from carom.neighbours.spheres import (
    LEAN_UNITS,
    Spheres,
    fetch_spheres,
    forget,
    mark,
    overlapping,
)
from carom.types import Vector

# What a particle knows of its shell, in half a cache line.
SHELL = np.dtype(
    [
        ("x", np.float64),  # the centre, in upright coordinates
        ("y", np.float64),
        ("z", np.float64),
        ("reach", np.float32),  # radius of shell and particle together
        ("listed", np.int16),  # how many neighbours it has
        ("at_edge", np.int16),  # 0 where none of them can be beyond an edge of the box
    ],
    align=True,
)
# Through this face particles leave shells.
OUT = 0
LINE = 16  # numbers of particles in a cache line
ROOT_3 = math.sqrt(3.0)
MOST_LISTED = np.iinfo(np.int16).max


@lasting
class ListSearch(NamedTuple):
    """Lists of neighbours, and what the algorithm keeps beside the particles."""

    grids: Grid  # holds the centres of the shells
    calendar: Calendar
    images: NearestImage
    spheres: Spheres  # the shells as others see them
    near: Any  # (room + 2,) those whose shells overlap
    newcomers: Any  # (room,) those of them that are not listed yet
    shells: Any  # (n,) of SHELL
    lists: Any  # (n, room) neighbours, filled up with the particle itself
    thickness: float  # of the shells
    members: Any  # (n * room,) the same, one after the other
    large: int  # number of particles beyond which memory is asked for ahead
    looked: Any  # (n,) when each particle looked round, in a sheared box; else (0,)
    lasting: float  # how long a list is good in a sheared box


@entry_point
def make_lists(world: World, search: ListSearch) -> bool:
    """Write the lists of all particles; whether there is room for them."""
    ledger, room, time = world.bodies.ledger, search.lists.shape[1], world.tally[0].clock
    for i in range(len(ledger)):
        search.shells[i].listed = 0
        for k in range(room):
            search.lists[i, k] = i
    for i in range(len(ledger)):
        centre = shell_at(search, i)
        number, at_edge = _look_round(search, world, i, ledger[i].place, centre, time)
        search.shells[i].at_edge = at_edge
        newcomers = _newcomers(search, i, number)
        # Of two shells that just touch, rounding may let only one see the other: both shall.
        if newcomers < 0 or search.shells[i].listed + newcomers > room:
            return False
        for k in range(newcomers):
            _learn(search, i, search.newcomers[k])
            _learn(search, search.newcomers[k], i)
    return True


@inner_kernel
def _learn(search: ListSearch, i: int, j: int) -> None:
    """Add j to the list of particle i, which has room for it."""
    search.lists[i, search.shells[i].listed] = j
    search.shells[i].listed += 1


@inner_kernel
def shell_at(search: ListSearch, i: int) -> Any:
    """The centre of the shell of particle i."""
    own = search.shells[i]
    return (own.x, own.y, own.z)


@dispatch_on("shear")
def _inside(shear: Any, world: World, i: int, time: float) -> Any:
    """The upright position of particle i, which is brought back into the box first."""


@_inside.register(NoShear)
@inner_kernel
def _(shear: NoShear, world: World, i: int, time: float) -> Any:
    x = position_at(world, i, time)
    for axis in range(3):
        _bring_back(world, i, axis, x)
    return position_at(world, i, time)


@_inside.register(Shear)
@inner_kernel
def _(shear: Shear, world: World, i: int, time: float) -> Any:
    # The row first: it changes x.
    for axis in (1, 0, 2):
        _bring_back(world, i, axis, upright(shear, position_at(world, i, time), time))
    return upright(shear, position_at(world, i, time), time)


@inner_kernel
def _bring_back(world: World, i: int, axis: int, x: Vector) -> None:
    """Let particle i be inside the box along an axis."""
    if world.space.periodic[axis]:
        boxes = math.floor(x[axis] / world.space.lengths[axis])
        if boxes != 0:
            change_image(world, i, axis, boxes)


@inner_kernel
def _look_round(
    search: ListSearch, world: World, i: int, place: int, centre: Any, time: float
) -> Any:
    """List in ``near`` all whose shells overlap one around ``centre``; their number.

    Also 0 if none of them can be beyond an edge. If a list has no room for them, it is enough to
    know that there are too many.
    """
    spheres, grid, reach = search.spheres, search.grids, search.shells[i].reach
    lean = _begin_to_slide(world.space.shear, search, i, time)
    return overlapping(spheres, grid, place, i, centre, reach, lean, search.near)


@dispatch_on("shear")
def _begin_to_slide(shear: Any, search: ListSearch, i: int, time: float) -> int:
    """Note that particle i looks round; how far the box leans, in units of ``spheres.py``."""


@_begin_to_slide.register(NoShear)
@inner_kernel
def _(shear: NoShear, search: ListSearch, i: int, time: float) -> int:
    return 0


@_begin_to_slide.register(Shear)
@inner_kernel
def _(shear: Shear, search: ListSearch, i: int, time: float) -> int:
    search.looked[i] = time
    return int(np.rint(offset_at(shear, time) / shear.height * LEAN_UNITS))


@leave.register(ListSearch)
@inner_kernel
def _(search: ListSearch, world: World, i: int, time: float) -> bool:
    """Look round again; nothing changes when there is no room in a cell or a list."""
    own, shell, grid = world.bodies.ledger[i], search.shells[i], search.grids
    x = _inside(world.space.shear, world, i, time)
    place = place_near(grid, own.place, x)
    number, at_edge = _look_round(search, world, i, place, x, time)
    newcomers = _newcomers(search, i, number)
    before, after = cell_of(grid, 0, own.place), cell_of(grid, 0, place)
    if newcomers < 0 or (before != after and is_full(grid, after)):
        return False
    if before != after:
        forget(search.spheres, grid, before, i)
        remove(grid, before, i)
        insert(grid, after, i)
    own.place = place
    shell.x, shell.y, shell.z = x
    shell.at_edge = at_edge
    mark(search.spheres, grid, after, i, place, x, shell.reach)
    _exchange(search, i, number, newcomers)
    world.tally[0].transfers += 1
    return True


@inner_kernel
def _newcomers(search: ListSearch, i: int, number: int) -> int:
    """Collect those near particle i who are not on its list; -1 if there is no room for it all."""
    room = search.lists.shape[1]
    newcomers = 0
    if number > room:
        return -1
    for k in range(number):
        j = search.near[k]
        if not _among(search.lists[i], search.shells[i].listed, j):
            if search.shells[j].listed == room:
                return -1
            search.newcomers[newcomers] = j
            newcomers += 1
    return newcomers


@inner_kernel
def _among(some: Any, number: int, j: int) -> bool:
    """Whether j is one of the first so many; compared all at once, without a branch."""
    found = False
    for k in range(number):
        found |= some[k] == j
    return found


@inner_kernel
def _exchange(search: ListSearch, i: int, number: int, newcomers: int) -> None:
    """Replace the list of particle i by those near it; others learn and forget it."""
    lists, shells = search.lists, search.shells
    listed = shells[i].listed
    for k in range(listed):
        j = lists[i, k]
        if not _among(search.near, number, j):
            at = 0
            while lists[j, at] != i:
                at += 1
            last = shells[j].listed - 1
            lists[j, at] = lists[j, last]
            lists[j, last] = j
            shells[j].listed = last
    for k in range(newcomers):
        _learn(search, search.newcomers[k], i)
    for k in range(number):
        lists[i, k] = search.near[k]
    for k in range(number, listed):
        lists[i, k] = i
    shells[i].listed = number


@announce.register(ListSearch)
@inner_kernel
def _(search: ListSearch, i: int) -> None:
    prefetch(search.shells, i)
    room = search.lists.shape[1]
    for first in range(0, room, LINE):
        prefetch(search.members, i * room + first)


@fetch.register(ListSearch)
@inner_kernel
def _(search: ListSearch, world: World, i: int, is_next: bool) -> None:
    """First its neighbours and the list of its partner, then the neighbours of the partner."""
    own = world.bodies.ledger[i]
    if is_next:
        if own.face == NO_FACE and own.partner >= 0:
            _fetch_neighbours(search, world, np.int64(own.partner))
        return
    _fetch_neighbours(search, world, i)
    if own.face == OUT:
        fetch_rows(search.grids, own.place, search.grids.members)
        fetch_spheres(search.spheres, search.grids, own.place)
    elif own.partner >= 0:
        announce(search, np.int64(own.partner))


@inner_kernel
def _fetch_neighbours(search: ListSearch, world: World, i: int) -> None:
    for k in range(search.shells[i].listed):
        prefetch(world.bodies.record, np.int64(search.lists[i, k]))


@keeps_partner.register(ListSearch)
@inner_kernel
def _(search: ListSearch) -> bool:
    return False


@find_partner.register(ListSearch)
@inner_kernel
def _(
    search: ListSearch, world: World, i: int, x: Vector, v: Vector, time: float, left: int
) -> None:
    own = search.shells[i]
    seeker = Seeker(
        i=i,
        position=x,
        velocity=v,
        time=time,
        images=search.images,
        shift=(0.0, 0.0, 0.0),
        at_edge=np.int64(own.at_edge),
    )
    contact, j = soonest(world, search.lists[i], np.int64(own.listed), seeker)
    if contact < world.bodies.ledger[i].contact_time:
        expect_contact(world, i, j, contact)


@time_to_leave.register(ListSearch)
@inner_kernel
def _(search: ListSearch, world: World, i: int, x: Vector, v: Vector, time: float) -> Any:
    return _time_out(world.space.shear, search, world, i, x, v, time), OUT


@dispatch_on("shear")
def _time_out(
    shear: Any, search: ListSearch, world: World, i: int, x: Vector, v: Vector, time: float
) -> float:
    """How long until particle i has to look round again."""


@_time_out.register(NoShear)
@inner_kernel
def _(
    shear: NoShear, search: ListSearch, world: World, i: int, x: Vector, v: Vector, time: float
) -> float:
    return _time_to_leave(world.motion, search.thickness, i, minus(x, shell_at(search, i)), v)


@_time_out.register(Shear)
@inner_kernel
def _(
    shear: Shear, search: ListSearch, world: World, i: int, x: Vector, v: Vector, time: float
) -> float:
    """Relative to a shell that moves with the flow."""
    centre = shell_at(search, i)
    along = offset_at(shear, time) * from_middle(shear, centre[1])
    from_centre = minus(x, (centre[0] + along, centre[1], centre[2]))
    relative = peculiar(shear, centre, v)
    duration = _time_to_leave(world.motion, search.thickness, i, from_centre, relative)
    return max(min(duration, search.looked[i] + search.lasting - time), 0.0)


@dispatch_on("motion")
def _time_to_leave(motion: Any, thickness: float, i: int, from_centre: Vector, v: Vector) -> float:
    """How long until a particle, so far away from the centre, leaves its shell."""


@inner_kernel
def _straight_out(motion: Any, thickness: float, i: int, from_centre: Vector, v: Vector) -> float:
    square, b = dot(v, v), dot(from_centre, v)
    if square == 0.0:
        return math.inf
    discriminant = b * b - square * (dot(from_centre, from_centre) - thickness * thickness)
    return max((math.sqrt(max(discriminant, 0.0)) - b) / square, 0.0)


_time_to_leave.register(Free)(_straight_out)
_time_to_leave.register(Growing)(_straight_out)


@_time_to_leave.register(Gravity)
@inner_kernel
def _(motion: Gravity, thickness: float, i: int, from_centre: Vector, v: Vector) -> float:
    """When it would leave, flying straight, a shell that is thinner by what it falls until then."""
    a = acceleration(motion, i)
    at_most = _straight_out(motion, thickness, i, from_centre, v)
    inner = thickness - 0.5 * math.sqrt(dot(a, a)) * at_most * at_most
    if inner > 0.0 and dot(from_centre, from_centre) < inner * inner:
        return _straight_out(motion, inner, i, from_centre, v)
    return _out_of_cube(motion, thickness, i, from_centre, v)


@_time_to_leave.otherwise
@inner_kernel
def _out_of_cube(motion: Any, thickness: float, i: int, from_centre: Vector, v: Vector) -> float:
    """When it leaves the cube inside the shell, which for a parabola takes only square roots."""
    a = acceleration(motion, i)
    side = thickness / ROOT_3
    earliest = math.inf
    for axis in range(3):
        duration = time_to_close(side + from_centre[axis], v[axis], a[axis])
        earliest = min(earliest, duration)
        duration = time_to_close(side - from_centre[axis], -v[axis], -a[axis])
        earliest = min(earliest, duration)
    return earliest
