"""The pairs in neighbouring cells.

Those of its own level in view of a cell, in the same box, are copied side by side, and each
particle of the cell is compared with them. Others, across the boundary or of a finer level, are
compared piece by piece.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.compiled.intrinsics import copy_four
from carom.compiled.kernels import inner_kernel
from carom.neighbours.pairs.cells import BEGIN, EXTENT, SPAN, Cells
from carom.neighbours.pairs.lattice import Lattice
from carom.neighbours.pairs.near_lanes import EIGHT
from carom.neighbours.pairs.pair_list import MARGIN, RADIUS, PairList, X, Y, Z
from carom.neighbours.pairs.pieces import Comparison, comparison, list_piece
from carom.neighbours.pairs.places import place_of, slope_of
from carom.types import Array, Records


@inner_kernel
def list_pairs(
    cells: Cells, lattice: Lattice, sphere: Array, skin: float, pairs: PairList, tally: Records
) -> None:
    """List the pairs in neighbouring cells whose gap is below ``skin``."""
    tests, task = 0, comparison(cells, lattice, sphere, skin, pairs)
    for level in range(len(cells.levels)):
        number = cells.levels[level].number
        c = cells.levels[level].first
        for z in range(number[2]):
            for y in range(number[1]):
                for x in range(number[0]):
                    if cells.start[c] < cells.start[c + 1]:
                        tests += _compare(task, level, (x, y, z), c)
                    c += 1
    tally.pair_tests += tests


@inner_kernel
def _compare(task: Comparison, level: int, cell: Any, c: int) -> int:
    """Compare the particles of a cell with those around it; how many pairs were examined.

    On finer levels each particle looks by itself. It sees whole rows of small cells, which are
    pieces of memory, while most of the small particles would look for large ones in vain.
    """
    cells = task.cells
    begin, end = cells.start[c], cells.start[c + 1]
    number, in_view, tests, first_look = end - begin, 0, 0, 0
    if _is_inside(cells, task.lattice, level, cell):
        in_view, first_look = _look_inside(cells, level, cell, c), 1
    for look in range(first_look, 1 + level * number):
        finer, k, k_end = level, begin, end
        if look > 0:
            finer, k = (look - 1) // number, begin + (look - 1) % number
            k_end = k + 1
        _set_window(task, level, finer, cell, k)
        seen, more = _look_around(task, finer, finer == level, cell, k, k_end)
        in_view += seen
        tests += more
    for own in range(number):
        list_piece(task, begin + own, cells.seen, cells.seen_order, own + 1, in_view, (0, 0, 0))
    return number * in_view - number * (number + 1) // 2 + tests


@inner_kernel
def _is_inside(cells: Cells, lattice: Lattice, level: int, cell: Any) -> bool:
    """Whether all cells around one, of the half that it sees, are in the box."""
    number, around = cells.levels[level].number, cells.levels[level].around
    inside = 0 < cell[0] < number[0] - 1 and 0 < cell[1] < number[1] - 1
    inside &= cell[2] < number[2] - 1 or not lattice.periodic[2]
    return inside and around[2] == 1


@inner_kernel
def _look_inside(cells: Cells, level: int, cell: Any, c: int) -> int:
    """``_look_around`` for a cell that is inside: without any thought."""
    number, start = cells.levels[level].number, cells.start
    row, layer = number[0], number[0] * number[1]
    in_view = _add_to_view(cells, 0, start[c], start[c + 2])
    in_view = _add_to_view(cells, in_view, start[c + row - 1], start[c + row + 2])
    if cell[2] < number[2] - 1:
        for above in range(c + layer - row, c + layer + row + 1, row):
            in_view = _add_to_view(cells, in_view, start[above - 1], start[above + 2])
    return in_view


@inner_kernel
def _look_around(task: Comparison, level: int, own: bool, cell: Any, k: int, k_end: int) -> Any:
    """Compare some of the order with those of a level in the window; how many were examined.

    On its ``own`` level a cell sees itself and those that come later, half of those around it.
    These are put in view, as far as they are in the same box, and their number is told first.
    """
    cells, window = task.cells, task.cells.window
    number, first_cell = cells.levels[level].number, cells.levels[level].first
    in_view, tests = 0, 0
    for z in range(cell[2] if own else window[0, 2], window[1, 2] + 1):
        z_boxes = _boxes(z, number[2])
        own_layer = own and z == cell[2]
        for y in range(cell[1] if own_layer else window[0, 1], window[1, 1] + 1):
            y_boxes = _boxes(y, number[1])
            row = (z - z_boxes * number[2]) * number[1] + y - y_boxes * number[1]
            x = cell[0] if own_layer and y == cell[1] else window[0, 0]
            while x <= window[1, 0]:
                x_boxes = _boxes(x, number[0])
                home = first_cell + (row - x_boxes) * number[0]
                x_end = min(window[1, 0] + 1, (x_boxes + 1) * number[0])
                first, end = cells.start[home + x], cells.start[home + x_end]
                x = x_end
                boxes = (x_boxes, y_boxes, z_boxes)
                if own and boxes == (0, 0, 0):
                    in_view = _add_to_view(cells, in_view, first, end)
                else:
                    for p in range(k, k_end):
                        list_piece(task, p, cells.sorted, cells.order, first, end, boxes)
                    tests += (k_end - k) * (end - first)
    return in_view, tests


@inner_kernel
def _add_to_view(cells: Cells, at: int, first: int, end: int) -> int:
    """Copy a piece of the order beside those in view; how many are in view then."""
    # Always eight: their number need not be guessed by the processor, and there is room for them.
    _copy_eight(cells, at, first)
    for more in range(EIGHT, end - first, EIGHT):
        _copy_eight(cells, at + more, first + more)
    return at + end - first


@inner_kernel
def _copy_eight(cells: Cells, at: int, first: int) -> None:
    source, target = cells.sorted, cells.seen
    for four in range(0, EIGHT, 4):
        copy_four(target[X], at + four, source[X], first + four)
        copy_four(target[Y], at + four, source[Y], first + four)
        copy_four(target[Z], at + four, source[Z], first + four)
        copy_four(target[RADIUS], at + four, source[RADIUS], first + four)
        copy_four(cells.seen_order, at + four, cells.order, first + four)


@inner_kernel
def _boxes(along: int, number: int) -> int:
    """How many boxes from the box to a cell beyond its ends."""
    return 0 if 0 <= along < number else along // number


@inner_kernel
def _set_window(task: Comparison, level: int, finer: int, cell: Any, k: int) -> None:
    """Write down the cells around a cell of the same level, or those in reach of a particle."""
    cells, lattice = task.cells, task.lattice
    if finer == level:
        for axis in range(3):
            around = cells.levels[level].around[axis]
            first, last = cell[axis] - around, cell[axis] + around
            _keep_in_bounds(cells, lattice, level, axis, first, last)
    else:
        reach = MARGIN * (cells.levels[level].largest + cells.levels[finer].largest + task.skin)
        place, _ = place_of(lattice, task.sphere, cells.order[k], slope_of(lattice))
        for axis in range(3):
            first, last = _in_reach(cells, finer, axis, place[axis], reach)
            _keep_in_bounds(cells, lattice, finer, axis, first, last)


@inner_kernel
def _in_reach(cells: Cells, level: int, axis: int, place: float, reach: float) -> Any:
    """The first and the last cell of a level in reach of a place, along an axis."""
    number, frame = cells.levels[level].number[axis], cells.frame
    if frame[SPAN, axis] == 0.0:
        return np.int64(0), np.int64(0)
    per_unit = number / frame[SPAN, axis]
    along = (place - frame[BEGIN, axis]) * per_unit
    away = frame[EXTENT, axis] * reach * per_unit
    most = 3.0 * number  # particles can be far beyond the ends
    first = np.int64(math.floor(min(max(along - away, -most), most)))
    last = np.int64(math.floor(min(max(along + away, -most), most)))
    return first, last


@inner_kernel
def _keep_in_bounds(
    cells: Cells, lattice: Lattice, level: int, axis: int, first: int, last: int
) -> None:
    """Write down the first and the last of these cells that there are, or may be in an image."""
    number = cells.levels[level].number[axis]
    if lattice.periodic[axis]:
        # No image is more than a box away; in a sheared box two from place to place can be one.
        boxes = 2 if axis == 0 and lattice.offset[0] != 0.0 else 1
        lowest, highest = -boxes * number, (boxes + 1) * number - 1
    else:
        lowest, highest = np.int64(0), number - 1  # beyond the ends is the cell at the end
    cells.window[0, axis] = min(max(first, lowest), highest)
    cells.window[1, axis] = min(max(last, lowest), highest)
