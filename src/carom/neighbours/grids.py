"""A hierarchy of grids: each particle is held by the grid that suits its size.

With one grid, a cell is at least as wide as the largest particle, and small particles among
large ones would have thousands of neighbours. So there is a grid for each class of sizes, and
the cells of a grid are 1, 2, 4, 8 ... cells of the finest wide (as in MercuryDPM, Krijgsman,
Ogarko & Luding 2014). Most systems need a single one.

Every particle has its place in the finest grid. Two particles are in view of each other when
their places, in units of the cells of the smaller one, differ by no more than a reach that
covers the distance at which they touch. It is the same from both sides, and changes only when
one of the two enters another cell.

A cell keeps the numbers of its particles in a short row. Cells lie in memory in small blocks, so
that neighbours are near each other.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom._jit import copy_eight, entry_point, inner_kernel
from carom.memory import in_cache_lines

# A place is three numbers of cells, packed into one.
BITS = 21
MASK = (1 << BITS) - 1
MOST_CELLS = 1 << (BITS - 1)  # along an axis
# A row for up to 8 particles is half a cache line.
LEAST_ROOM = 8
# No axis of the new cells: all cells in view are searched.
EVERY_AXIS = -1


class Grids(NamedTuple):
    """The grids, the finest first.

    Along an axis that repeats and is wide, cells are found by numbers beyond either end too; there
    every particle is at its nearest image. Along a narrow one, ``repeats`` says how many boxes to
    look into on either side.
    """

    doublings: Any  # (levels,) cells of a level are 2 ** doublings finest cells wide
    number: Any  # (levels, 3) cells along each axis
    reach: Any  # (levels, levels) in cells of the smaller of two levels
    lowest: Any  # (levels, 3) the first number by which a cell is found
    highest: Any  # (levels, 3)
    index: Any  # (levels, 3, longest) the index of a cell is the sum over the axes
    margin: int  # numbers of cells before the first
    repeats: Any  # (3,) 1 along narrow axes that repeat, else 0
    periodic: Any  # (3,)
    faces: Any  # (3, longest) coordinates of the finest cells' faces
    inside: Any  # (cells,) how many particles are in each cell
    room: int  # of a row
    members: Any  # (cells * room,) the rows of all cells


@inner_kernel
def coordinate(place: int, axis: int) -> int:
    """The number of the finest cell along an axis."""
    return (place >> (BITS * axis)) & MASK


@inner_kernel
def place_at(grids: Grids, position: Any) -> int:
    """The place of a position; cells at the end of an axis that does not repeat go on for ever."""
    place = 0
    for axis in range(3):
        low, high = 0, grids.number[0, axis] - 1
        while low < high:  # by the faces themselves, so that no rounding tells otherwise
            middle = (low + high + 1) >> 1
            if position[axis] >= grids.faces[axis, middle]:
                low = middle
            else:
                high = middle - 1
        place |= low << (BITS * axis)
    return place


@inner_kernel
def cell_of(grids: Grids, level: int, place: int) -> int:
    """The index of a place's cell on a level."""
    doublings, margin = grids.doublings[level], grids.margin
    return (
        grids.index[level, 0, margin + (coordinate(place, 0) >> doublings)]
        + grids.index[level, 1, margin + (coordinate(place, 1) >> doublings)]
        + grids.index[level, 2, margin + (coordinate(place, 2) >> doublings)]
    )


@inner_kernel
def is_full(grids: Grids, cell: int) -> bool:
    """Whether no further particle fits into a cell."""
    return grids.inside[cell] >= grids.room


@inner_kernel
def insert(grids: Grids, cell: int, i: int) -> None:
    """Add particle i to a cell that is not full."""
    number = grids.inside[cell]
    grids.members[cell * grids.room + number] = i
    grids.inside[cell] = number + 1


@inner_kernel
def remove(grids: Grids, cell: int, i: int) -> None:
    """Take particle i out of its cell; the last one takes its place in the row."""
    members, row = grids.members, cell * grids.room
    last = grids.inside[cell] - 1
    at = row
    while members[at] != i:
        at += 1
    members[at] = members[row + last]
    grids.inside[cell] = last


@inner_kernel
def _span(
    grids: Grids, level: int, other: int, axis: int, place: int, new_axis: int, step: int
) -> Any:
    """The cells of another level that a particle has in view along an axis, first and last.

    Along ``new_axis`` only those that came into view with the last step; maybe none.
    """
    finer = min(grids.doublings[level], grids.doublings[other])
    coarser = grids.doublings[other] - finer
    reach = grids.reach[level, other]
    cell = coordinate(place, axis) >> finer
    if axis != new_axis:
        return (cell - reach) >> coarser, (cell + reach) >> coarser
    if (coordinate(place, axis) - step) >> finer == cell:
        return 0, -1
    edge = (cell + step * reach) >> coarser
    return edge, edge


@inner_kernel
def gather(
    grids: Grids, level: int, place: int, new_axis: int, step: int, boxes: Any, found: Any
) -> int:
    """List the particles that one of ``level`` at ``place`` has in view; their number.

    They are those of the box so many boxes away, which is (0, 0, 0) unless an axis is narrow.
    ``found`` has room for all particles and for a row.
    """
    number = 0
    inside, members, index = grids.inside, grids.members, grids.index
    room = np.uint64(grids.room)
    for other in range(len(grids.doublings)):
        x_first, x_last = _window(grids, level, other, 0, place, new_axis, step, boxes[0])
        y_first, y_last = _window(grids, level, other, 1, place, new_axis, step, boxes[1])
        z_first, z_last = _window(grids, level, other, 2, place, new_axis, step, boxes[2])
        for z in range(z_first, z_last):
            z_part = index[other, 2, z]
            for y in range(y_first, y_last):
                part = z_part + index[other, 1, y]
                for x in range(x_first, x_last):
                    cell = part + index[other, 0, x]
                    copy_eight(found, number, members, cell * room)
                    here = inside[cell]
                    if here > 8:
                        _copy_more(found, number, members, cell * room, here)
                    number += here
    return number


@inner_kernel
def _window(
    grids: Grids, level: int, other: int, axis: int, place: int, new_axis: int, step: int, box: int
) -> Any:
    """``_span`` in places of the index: the first, and the one after the last.

    They are unsigned, which spares Numba to ask for each whether it counts from the end.
    """
    first, last = _span(grids, level, other, axis, place, new_axis, step)
    away = box * grids.number[other, axis]
    first = max(first - away, grids.lowest[other, axis])
    last = min(last - away, grids.highest[other, axis])
    end = max(last + 1, first)
    return np.uint64(first + grids.margin), np.uint64(end + grids.margin)


@inner_kernel
def _copy_more(found: Any, number: int, members: Any, start: int, here: int) -> None:
    copied = 8
    while copied < here:
        copy_eight(found, number + copied, members, start + np.uint64(copied))
        copied += 8


@entry_point
def hold(grids: Grids, ledger: Any) -> bool:
    """Put all particles into the cells of their places; whether they fit."""
    grids.inside[:] = 0
    for i in range(len(ledger)):
        cell = cell_of(grids, ledger[i].level, ledger[i].place)
        if is_full(grids, cell):
            return False
        insert(grids, cell, i)
    return True


def new_grids(
    origin: Any,
    extent: Any,
    periodic: Any,
    number: Any,
    doublings: Any,
    largest: Any,
    room: int,
) -> Grids:
    """Empty grids over a box: so many finest cells, and levels with their largest radii."""
    levels = len(doublings)
    number = np.asarray(number, dtype=np.int64)
    doublings = np.asarray(doublings, dtype=np.int64)
    cells = number[None, :] >> doublings[:, None]
    width = np.asarray(extent) / number
    narrowest = float(width[number > 1].min()) if (number > 1).any() else math.inf
    reach = np.ones((levels, levels), dtype=np.int64)
    for a in range(levels):
        for b in range(levels):
            finer = narrowest * 2.0 ** min(doublings[a], doublings[b])
            touching = (largest[a] + largest[b]) * (1.0 + 1e-9)
            reach[a, b] = max(1, math.ceil(touching / finer)) if finer < math.inf else 1
    margin = int(reach.max()) + 1
    repeats = np.zeros(3, dtype=np.int64)
    for axis in range(3):
        # Whoever is in view must be nearer than half the box, and not by a hair.
        views = (reach + 1) << np.minimum(doublings[:, None], doublings[None, :])
        if periodic[axis] and number[axis] <= 2 * int(views.max()):
            repeats[axis] = 1
    wide = np.asarray(periodic) & (repeats == 0)
    lowest = np.where(wide, -margin, 0) * np.ones((levels, 1), dtype=np.int64)
    highest = cells - 1 + np.where(wide, margin, 0)

    # Blocks of 64 cells, or as many in the plane.
    sides = (4, 4, 4) if number[2] > 1 else (8, 8, 1)
    index = np.zeros((levels, 3, int(number.max()) + 2 * margin), dtype=np.uint32)
    base = 0
    for level in range(levels):
        stride, inner = 64, 1
        for axis, side in enumerate(sides):
            cell = np.arange(-margin, cells[level, axis] + margin) % cells[level, axis]
            index[level, axis, : len(cell)] = cell // side * stride + cell % side * inner
            stride *= -(-int(cells[level, axis]) // side)
            inner *= side
        index[level, 0] += np.uint32(base)
        base += stride
    faces = np.zeros((3, int(number.max()) + 1))
    for axis in range(3):
        n = int(number[axis])
        faces[axis, :n] = origin[axis] + np.arange(n) * width[axis]
        faces[axis, n] = origin[axis] + extent[axis]
        if not periodic[axis]:
            faces[axis, 0], faces[axis, n] = -math.inf, math.inf
    return Grids(
        doublings,
        cells,
        reach,
        lowest,
        highest,
        index,
        margin,
        repeats,
        np.asarray(periodic),
        faces,
        np.zeros(base, dtype=np.uint8),
        room,
        in_cache_lines(base * room + 8, np.int32),
    )
