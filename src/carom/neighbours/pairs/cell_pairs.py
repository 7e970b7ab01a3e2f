"""The pairs in neighbouring cells.

Those of its own level in view of a cell, in the same box, are copied side by side; each particle of
the cell is then compared with eight of them at a time. Others, across the boundary or of a finer
level, are compared piece by piece.

Where particles are not at their places, or are seen in another box, rounding can deceive: they are
compared with a little ease, and who passes is compared again, as all methods do it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom import lanes
from carom._jit import copy_four, inner_kernel
from carom.neighbours.pairs.cells import BEGIN, EXTENT, SPAN, Cells
from carom.neighbours.pairs.lattice import Lattice, image_of, shift_of
from carom.neighbours.pairs.near_lanes import EIGHT, near_bits
from carom.neighbours.pairs.pair_list import (
    MARGIN,
    RADIUS,
    PairList,
    X,
    Y,
    Z,
    add_pair,
    are_near,
)
from carom.neighbours.pairs.places import place_of, slope_of


@inner_kernel
def list_pairs(
    cells: Cells, lattice: Lattice, record: Any, skin: float, pairs: PairList, tally: Any
) -> None:
    """List the pairs in neighbouring cells whose gap is below ``skin``."""
    tests, ease = 0, _ease(cells, lattice, skin)
    for level in range(len(cells.levels)):
        number = cells.levels[level].number
        c = cells.levels[level].first
        for z in range(number[2]):
            for y in range(number[1]):
                for x in range(number[0]):
                    if cells.start[c] < cells.start[c + 1]:
                        tests += _compare(
                            cells, lattice, record, level, (x, y, z), c, skin, ease, pairs
                        )
                    c += 1
    tally.pair_tests += tests


@inner_kernel
def _ease(cells: Cells, lattice: Lattice, skin: float) -> float:
    """A length that rounding does not reach when particles are moved by some boxes."""
    longest = 0.0
    for axis in range(3):
        if lattice.periodic[axis]:
            longest = max(longest, lattice.lengths[axis])
    reach = skin
    for k in range(len(cells.levels)):
        reach = max(reach, 2.0 * cells.levels[k].largest + skin)
    return 1e-14 * longest + (MARGIN - 1.0) * reach


@inner_kernel
def _compare(
    cells: Cells,
    lattice: Lattice,
    record: Any,
    level: int,
    cell: Any,
    c: int,
    skin: float,
    ease: float,
    pairs: PairList,
) -> int:
    """Compare the particles of a cell with those around it; how many pairs were examined.

    On finer levels each particle looks by itself. It sees whole rows of small cells, which are
    pieces of memory, while most of the small particles would look for large ones in vain.
    """
    begin, end = cells.start[c], cells.start[c + 1]
    number, in_view, tests = end - begin, 0, 0
    first_look = 0
    if _is_inside(cells, lattice, level, cell):
        in_view, first_look = _look_inside(cells, level, cell, c), 1
    for look in range(first_look, 1 + level * number):
        finer, k, k_end = level, begin, end
        if look > 0:
            finer, k = (look - 1) // number, begin + (look - 1) % number
            k_end = k + 1
        _set_window(cells, lattice, record, level, finer, cell, k, skin)
        own = finer == level
        seen, more = _look_around(
            cells, lattice, record, finer, own, cell, k, k_end, skin, ease, pairs
        )
        in_view += seen
        tests += more
    for own in range(number):
        _list_piece(
            cells,
            lattice,
            record,
            begin + own,
            cells.seen,
            cells.seen_order,
            own + 1,
            in_view,
            (0, 0, 0),
            skin,
            ease,
            pairs,
        )
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
def _look_around(
    cells: Cells,
    lattice: Lattice,
    record: Any,
    level: int,
    own: bool,
    cell: Any,
    k: int,
    k_end: int,
    skin: float,
    ease: float,
    pairs: PairList,
) -> Any:
    """Compare some of the order with those of a level in the window; how many were examined.

    On its ``own`` level a cell sees itself and those that come later, half of those around it.
    These are put in view, as far as they are in the same box, and their number is told first.
    """
    number, window, first_cell = cells.levels[level].number, cells.window, cells.levels[level].first
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
                        _list_piece(
                            cells,
                            lattice,
                            record,
                            p,
                            cells.sorted,
                            cells.order,
                            first,
                            end,
                            boxes,
                            skin,
                            ease,
                            pairs,
                        )
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
def _set_window(
    cells: Cells,
    lattice: Lattice,
    record: Any,
    level: int,
    finer: int,
    cell: Any,
    k: int,
    skin: float,
) -> None:
    """Write down the cells around a cell of the same level, or those in reach of a particle."""
    if finer == level:
        for axis in range(3):
            around = cells.levels[level].around[axis]
            first, last = cell[axis] - around, cell[axis] + around
            _keep_in_bounds(cells, lattice, level, axis, first, last)
    else:
        reach = MARGIN * (cells.levels[level].largest + cells.levels[finer].largest + skin)
        place, _ = place_of(lattice, record, cells.order[k], slope_of(lattice))
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
        boxes = 2 if axis == 0 and lattice.tilt[0] != 0.0 else 1
        lowest, highest = -boxes * number, (boxes + 1) * number - 1
    else:
        lowest, highest = np.int64(0), number - 1  # beyond the ends is the cell at the end
    cells.window[0, axis] = min(max(first, lowest), highest)
    cells.window[1, axis] = min(max(last, lowest), highest)


@inner_kernel
def _word(
    table: Any, first: int, end: int, centre: Any, radius: float, skin: float, ease: float
) -> Any:
    """Which of the first 64 from ``first`` on are near a sphere, as bits."""
    blocks = (min(end - first, 64) + EIGHT - 1) // EIGHT
    bits = np.uint64(0)
    for block in range(blocks):
        found = near_bits(table, first + EIGHT * block, centre, radius, skin, ease)
        bits |= np.uint64(found) << np.uint64(EIGHT * block)
    if end - first < 64:
        bits &= (np.uint64(1) << np.uint64(end - first)) - np.uint64(1)
    return bits


@inner_kernel
def _list_piece(
    cells: Cells,
    lattice: Lattice,
    record: Any,
    k: int,
    table: Any,
    names: Any,
    first: int,
    end: int,
    boxes: Any,
    skin: float,
    ease: float,
    pairs: PairList,
) -> None:
    """List the pairs of the k-th of the order with columns of a table, so many boxes away."""
    i, radius = cells.order[k], cells.sorted[RADIUS, k]
    at_home = boxes == (0, 0, 0) and slope_of(lattice) == 0.0
    # Seen from them, the particle is as many boxes away in the other direction.
    x = cells.sorted[X, k] - (boxes[0] * lattice.lengths[0] + boxes[1] * lattice.tilt[0])
    y = cells.sorted[Y, k] - boxes[1] * lattice.lengths[1]
    z = cells.sorted[Z, k] - boxes[2] * lattice.lengths[2]
    if at_home:
        ease = 0.0
    number, room = pairs.number[0], len(pairs.first)
    while first < end:
        bits = _word(table, first, end, (x, y, z), radius, skin, ease)
        while bits != 0:
            j = names[first + np.int64(lanes.lowest_bit(bits))]
            bits &= bits - np.uint64(1)
            if at_home:
                if number < room:
                    pairs.first[number], pairs.second[number] = i, j
                number += 1
            else:
                _add_if_near(cells, lattice, record, i, j, boxes, skin, pairs)
        first += 64
    if at_home:
        pairs.number[0] = number


@inner_kernel
def _add_if_near(
    cells: Cells,
    lattice: Lattice,
    record: Any,
    i: int,
    j: int,
    boxes: Any,
    skin: float,
    pairs: PairList,
) -> None:
    """Write down a pair whose places are so many boxes apart, if it is near."""
    x_boxes = np.int64(cells.boxes[j]) - np.int64(cells.boxes[i]) - boxes[0]
    if i != j and abs(x_boxes) < 2:
        image = image_of(x_boxes, -boxes[1], -boxes[2])
        if are_near(record, i, j, shift_of(lattice, image), skin):
            add_pair(pairs, i, j, image)
