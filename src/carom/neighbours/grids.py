"""Cells that keep the numbers of their particles in rows: one grid, or a hierarchy of them.

With one grid, a cell is at least as wide as the largest particle, and small particles among
large ones would have thousands of neighbours. So there can be a grid for each class of sizes, and
the cells of a grid are 1, 2, 4, 8 ... cells of the finest wide (as in MercuryDPM, Krijgsman,
Ogarko & Luding 2014). ``Grid`` is a single one in a box that is some cells wide, and most systems
need no more; ``Grids`` is a hierarchy in a box of any width, or a single grid with full cells.

Every particle has its place in the finest grid. Two particles are in view of each other when
their places, in units of the cells of the smaller one, differ by no more than a reach that
covers the distance at which they touch. It is the same from both sides, and changes only when
one of the two enters another cell.

Cells lie in memory in small blocks, so that neighbours are near each other. The index of a cell is
a sum over the axes, of numbers that also cover cells beyond the ends of an axis that repeats. Where
there are far more cells than particles, distant ones share memory; see ``folding.py``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom.compiled.dispatch import dispatch_on
from carom.compiled.intrinsics import copy_four, prefetch
from carom.compiled.kernels import inner_kernel
from carom.types import Array, Integers, Records

# A place is three numbers of cells, packed into one.
BITS = 21
MASK = (1 << BITS) - 1
MOST_CELLS = 1 << (BITS - 1)  # along an axis
# Every system may have so many along an axis, the faces of which take a few megabytes.
FREE_CELLS = 1 << 17
# Rows are multiples of four numbers, a quarter of a cache line.
FOUR = 4
# Fuller cells than this are rare, and a row that the compiler knows gains nothing there.
MOST_FOURS = 4
# All cells in view are searched, not only those that came into view along an axis.
EVERY_AXIS = -1
# Cells beyond either end of a single grid that have an index.
MARGIN = 1
# Rows of Grid.ends.
LOWEST, HIGHEST = 0, 1

LEVEL = np.dtype(
    [
        ("doublings", np.int64),  # its cells are 2 ** doublings finest cells wide
        ("number", np.int64, 3),  # of cells along each axis
        ("fold", np.int64, 3),  # of those that have memory of their own
        ("lowest", np.int64, 3),  # the first cell that has an index
        ("highest", np.int64, 3),
    ],
    align=True,
)


class Grid(NamedTuple):
    """One grid; every particle is at its nearest image along the axes that repeat."""

    number: Integers  # (3,) cells along each axis
    ends: Integers  # (2, 3) the first and the last cell that has an index
    index: Integers  # (3, longest) from cell -MARGIN on
    faces: Array  # (3, longest) coordinates of the cells' faces
    inside: Integers  # (cells,) how many particles are in each cell
    members: Integers  # (cells * room,) the rows of all cells
    fours: Any  # a tuple: a row has room for so many times four, which the compiler knows


class Grids(NamedTuple):
    """A hierarchy of grids, the finest first.

    Along a narrow axis that repeats, ``repeats`` says how many boxes to look into on either side.
    """

    number: Integers  # (3,) finest cells along each axis
    repeats: Integers  # (3,) 1, seldom more, along narrow axes that repeat, else 0
    levels: Records  # (levels,) of LEVEL
    reach: Integers  # (levels, levels) in cells of the smaller of two levels
    index: Integers  # (levels, 3, longest) from cell -margin on
    margin: int
    faces: Array  # (3, longest) coordinates of the finest cells' faces
    inside: Integers  # (cells,)
    members: Integers  # (cells * room,)
    room: int


@inner_kernel
def coordinate(place: int, axis: int) -> int:
    """The number of the finest cell along an axis."""
    return (place >> (BITS * axis)) & MASK


@inner_kernel
def place_near(grids: Grid | Grids, place: int, position: Any) -> int:
    """The place of a position, which is most likely in the same cell or in the next.

    Found by the faces themselves, so that no rounding tells otherwise; cells at the ends of an
    axis that does not repeat go on for ever.
    """
    near = 0
    for axis in range(3):
        cell = coordinate(place, axis)
        while cell > 0 and position[axis] < grids.faces[axis, cell]:
            cell -= 1
        while cell < grids.number[axis] - 1 and position[axis] >= grids.faces[axis, cell + 1]:
            cell += 1
        near |= cell << (BITS * axis)
    return near


@dispatch_on("grids")
def cell_of(grids: Grid | Grids, level: int, place: int) -> int:
    """The index of a place's cell on a level."""


@dispatch_on("grids")
def room_of(grids: Grid | Grids) -> int:
    """How many particles fit into a cell."""


@cell_of.register(Grid)
@inner_kernel
def _(grids: Grid, level: int, place: int) -> int:
    x, y, z = coordinate(place, 0), coordinate(place, 1), coordinate(place, 2)
    index = grids.index
    return index[0, MARGIN + x] + index[1, MARGIN + y] + index[2, MARGIN + z]


@cell_of.register(Grids)
@inner_kernel
def _(grids: Grids, level: int, place: int) -> int:
    doublings, margin, index = grids.levels[level].doublings, grids.margin, grids.index
    return (
        index[level, 0, margin + (coordinate(place, 0) >> doublings)]
        + index[level, 1, margin + (coordinate(place, 1) >> doublings)]
        + index[level, 2, margin + (coordinate(place, 2) >> doublings)]
    )


@room_of.register(Grid)
@inner_kernel
def _(grids: Grid) -> int:
    return FOUR * len(grids.fours)


@room_of.register(Grids)
@inner_kernel
def _(grids: Grids) -> int:
    return grids.room


@inner_kernel
def is_full(grids: Grid | Grids, cell: int) -> bool:
    """Whether no further particle fits into a cell."""
    return grids.inside[cell] >= room_of(grids)


@inner_kernel
def insert(grids: Grid | Grids, cell: int, i: int) -> None:
    """Add particle i to a cell that is not full."""
    number = grids.inside[cell]
    grids.members[cell * np.uint64(room_of(grids)) + number] = i
    grids.inside[cell] = number + 1


@inner_kernel
def slot_of(grids: Grid | Grids, cell: int, i: int) -> int:
    """Where particle i stands among the members of all cells."""
    at = cell * np.uint64(room_of(grids))
    while grids.members[at] != i:
        at += np.uint64(1)
    return at


@inner_kernel
def last_slot(grids: Grid | Grids, cell: int) -> int:
    """Where the last particle of a cell stands."""
    return cell * np.uint64(room_of(grids)) + np.uint64(grids.inside[cell] - 1)


@inner_kernel
def remove(grids: Grid | Grids, cell: int, i: int) -> None:
    """Take particle i out of its cell; the last one takes its place in the row."""
    grids.members[slot_of(grids, cell, i)] = grids.members[last_slot(grids, cell)]
    grids.inside[cell] -= 1


@inner_kernel
def gather(grid: Grid, place: int, new_axis: int, step: int, found: Any) -> Any:
    """List the particles in view from a place; their number, and 0 if none is beyond an edge.

    After a step along ``new_axis`` only those that came into view. ``found`` has room for all
    particles and for a row.
    """
    inside, members, index = grid.inside, grid.members, grid.index
    x_first, x_end = window(grid, 0, place, new_axis, step)
    y_first, y_end = window(grid, 1, place, new_axis, step)
    z_first, z_end = window(grid, 2, place, new_axis, step)
    number = np.uint64(0)
    for z in range(z_first, z_end):
        z_part = index[2, z]
        for y in range(y_first, y_end):
            part = z_part + index[1, y]
            for x in range(x_first, x_end):
                cell = part + index[0, x]
                here = inside[cell]
                row = cell * np.uint64(FOUR * len(grid.fours))
                copy_four(found, number, members, row)
                for k in range(1, len(grid.fours)):
                    if here > FOUR * k:
                        further = np.uint64(FOUR * k)
                        copy_four(found, number + further, members, row + further)
                number += here
    at_edge = beyond(grid, 0, x_first, x_end)
    at_edge |= beyond(grid, 1, y_first, y_end) | beyond(grid, 2, z_first, z_end)
    return np.int64(number), at_edge


@inner_kernel
def fetch_rows(grid: Grid, place: int, table: Any) -> None:
    """Ask for what a table holds of the cells in view; two along x often share a cache line."""
    index = grid.index
    room = np.int64(FOUR * len(grid.fours))
    x_first, x_end = window(grid, 0, place, EVERY_AXIS, 0)
    y_first, y_end = window(grid, 1, place, EVERY_AXIS, 0)
    z_first, z_end = window(grid, 2, place, EVERY_AXIS, 0)
    for z in range(z_first, z_end):
        for y in range(y_first, y_end):
            part = index[2, z] + index[1, y]
            prefetch(table, np.int64(part + index[0, x_first]) * room)
            prefetch(table, np.int64(part + index[0, x_end - np.uint64(1)]) * room)


@inner_kernel
def beyond(grid: Grid, axis: int, first: int, end: int) -> int:
    """1 if cells before the first or after the last are among these, else 0."""
    return np.int64(first < MARGIN) | np.int64(end > grid.number[axis] + MARGIN)


@inner_kernel
def window(grid: Grid, axis: int, place: int, new_axis: int, step: int) -> Any:
    """The places in the index of the cells in view along an axis: the first, and the end.

    They are unsigned, which spares Numba to ask for each whether it counts from the end.
    """
    cell = coordinate(place, axis)
    first = cell + step if axis == new_axis else cell - 1
    last = cell + step if axis == new_axis else cell + 1
    first = max(first, grid.ends[LOWEST, axis])
    end = max(min(last, grid.ends[HIGHEST, axis]) + 1, first)
    return np.uint64(first + MARGIN), np.uint64(end + MARGIN)


@inner_kernel
def gather_levels(
    grids: Grids, level: int, place: int, new_axis: int, step: int, boxes: Any, found: Any
) -> int:
    """``gather`` for a particle of a level, from all levels and from the box so many boxes away."""
    inside, members, index = grids.inside, grids.members, grids.index
    room = np.uint64(grids.room)
    number = np.uint64(0)
    for other in range(len(grids.levels)):
        x_first, x_end = _window_of(grids, level, other, 0, place, new_axis, step, boxes[0])
        y_first, y_end = _window_of(grids, level, other, 1, place, new_axis, step, boxes[1])
        z_first, z_end = _window_of(grids, level, other, 2, place, new_axis, step, boxes[2])
        for z in range(z_first, z_end):
            for y in range(y_first, y_end):
                part = index[other, 2, z] + index[other, 1, y]
                for x in range(x_first, x_end):
                    cell = part + index[other, 0, x]
                    row, copied = cell * room, np.uint64(0)
                    while copied < inside[cell]:
                        copy_four(found, number + copied, members, row + copied)
                        copied += np.uint64(FOUR)
                    number += inside[cell]
    return np.int64(number)


@inner_kernel
def _window_of(
    grids: Grids, level: int, other: int, axis: int, place: int, new_axis: int, step: int, box: int
) -> Any:
    """``_window`` on another level, in a box so many boxes away."""
    seen = grids.levels[other]
    finer = min(grids.levels[level].doublings, seen.doublings)
    coarser = seen.doublings - finer
    reach = grids.reach[level, other]
    cell = coordinate(place, axis) >> finer
    first, last = (cell - reach) >> coarser, (cell + reach) >> coarser
    if axis == new_axis:
        first = last = (cell + step * reach) >> coarser
        if (coordinate(place, axis) - step) >> finer == cell:  # no step on this level
            last = first - 1
    away = box * seen.number[axis]
    first = max(first - away, seen.lowest[axis])
    end = max(min(last - away, seen.highest[axis]) + 1, first)
    end = min(end, first + seen.fold[axis])  # beyond, memory has been looked at
    return np.uint64(first + grids.margin), np.uint64(end + grids.margin)


def places(grids: Grid | Grids, position: Any) -> Any:
    """The places (n,) of positions (n, 3), as ``place_near`` gives them."""
    place = np.zeros(len(position), dtype=np.int64)
    for axis in range(3):
        inner = grids.faces[axis, 1 : int(grids.number[axis])]
        place |= np.searchsorted(inner, position[:, axis], side="right") << (BITS * axis)
    return place


def hold(grids: Grid | Grids, ledger: Records) -> bool:
    """Put all particles into the cells of their places; whether they fit."""
    if isinstance(grids, Grid):
        index, margin, level, doublings = grids.index[None], MARGIN, 0, 0
        room = FOUR * len(grids.fours)
    else:
        index, margin, level, room = grids.index, grids.margin, ledger.level, grids.room
        doublings = grids.levels.doublings[level]
    cell = np.zeros(len(ledger), dtype=np.int64)
    for axis in range(3):
        along = ((ledger.place >> (BITS * axis)) & MASK) >> doublings
        cell += index[level, axis, margin + along]
    inside = np.bincount(cell, minlength=len(grids.inside))
    if inside.max() > room:
        return False
    grids.inside[:] = inside
    order = np.argsort(cell, kind="stable")
    # The first of each cell stands where the earlier cells end.
    first = np.cumsum(inside) - inside
    slot = np.arange(len(cell)) - first[cell[order]]
    grids.members[cell[order] * room + slot] = order
    return True
