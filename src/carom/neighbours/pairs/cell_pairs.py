"""The pairs in neighbouring cells.

Those in view of a cell, in the same box, are copied side by side; each particle of the cell is then
compared with eight of them at a time. Others, across the boundary, are compared piece by piece.

Where particles are not at their places, or are seen in another box, rounding can deceive: they are
compared with a little ease, and who passes is compared again, as all methods do it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom import lanes
from carom._jit import copy_four, inner_kernel
from carom.neighbours.pairs.cells import EXTENT, SPAN, Cells, slope_of
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


@inner_kernel
def list_pairs(
    cells: Cells, lattice: Lattice, record: Any, skin: float, pairs: PairList, tally: Any
) -> None:
    """List the pairs in neighbouring cells whose gap is below ``skin``."""
    tests, ease = 0, _ease(cells, lattice, skin)
    for k in range(len(cells.levels)):
        number = cells.levels[k].number
        c = cells.levels[k].first
        for z in range(number[2]):
            for y in range(number[1]):
                for x in range(number[0]):
                    if cells.start[c] < cells.start[c + 1]:
                        tests += _compare(
                            cells, lattice, record, k, (x, y, z), c, skin, ease, pairs
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
    k: int,
    cell: Any,
    c: int,
    skin: float,
    ease: float,
    pairs: PairList,
) -> int:
    """Compare the particles of a cell with those around it; how many pairs were examined."""
    # The cell itself is the first in view.
    in_view, far_tests, other = 0, 0, k
    if _is_inside(cells, lattice, k, cell):
        in_view = _look_inside(cells, k, cell, c)
        other = k + 1
    while other < len(cells.levels):
        in_view, tests = _look_around(
            cells, lattice, record, k, cell, c, other, in_view, skin, ease, pairs
        )
        far_tests += tests
        other += 1
    sheared = slope_of(lattice) != 0.0
    begin, number = cells.start[c], cells.start[c + 1] - cells.start[c]
    for own in range(number):
        if sheared:
            _list_images(cells, lattice, record, begin + own, own + 1, in_view, skin, ease, pairs)
        else:
            _list_near(cells, begin + own, own + 1, in_view, skin, pairs)
    return number * in_view - number * (number + 1) // 2 + far_tests


@inner_kernel
def _is_inside(cells: Cells, lattice: Lattice, k: int, cell: Any) -> bool:
    """Whether all cells around one, of the half that it sees, are in the box."""
    number, around = cells.levels[k].number, cells.levels[k].around
    inside = 0 < cell[0] < number[0] - 1 and 0 < cell[1] < number[1] - 1
    inside &= cell[2] < number[2] - 1 or not lattice.periodic[2]
    return inside and around[2] == 1


@inner_kernel
def _look_inside(cells: Cells, k: int, cell: Any, c: int) -> int:
    """``_look_around`` on its own level for a cell that is inside: without any thought."""
    number, start = cells.levels[k].number, cells.start
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
    k: int,
    cell: Any,
    c: int,
    other: int,
    in_view: int,
    skin: float,
    ease: float,
    pairs: PairList,
) -> Any:
    """Add the particles of a level around a cell to those in view; their number.

    Those across the boundary are compared at once, and the number of tests is told, too. On its own
    level a cell sees itself and those that come later, half of those around it.
    """
    level, start = cells.levels[other], cells.start
    x_number, y_number, z_number = level.number[0], level.number[1], level.number[2]
    reach = MARGIN * (cells.levels[k].largest + level.largest + skin)
    x_first, x_last = _window(cells, lattice, k, other, 0, cell[0], reach)
    y_first, y_last = _window(cells, lattice, k, other, 1, cell[1], reach)
    z_first, z_last = _window(cells, lattice, k, other, 2, cell[2], reach)
    tests, own_level = 0, k == other
    for z in range(cell[2] if own_level else z_first, z_last + 1):
        z_boxes = _boxes(z, z_number)
        own_layer = own_level and z == cell[2]
        for y in range(cell[1] if own_layer else y_first, y_last + 1):
            y_boxes = _boxes(y, y_number)
            row = (z - z_boxes * z_number) * y_number + y - y_boxes * y_number
            row = level.first + row * x_number
            x = cell[0] if own_layer and y == cell[1] else x_first
            while x <= x_last:
                x_boxes = _boxes(x, x_number)
                home = row - x_boxes * x_number
                x_end = min(x_last + 1, (x_boxes + 1) * x_number)
                first, end = start[home + x], start[home + x_end]
                if x_boxes == 0 and y_boxes == 0 and z_boxes == 0:
                    in_view = _add_to_view(cells, in_view, first, end)
                elif first < end:
                    boxes = (x_boxes, y_boxes, z_boxes)
                    tests += _list_piece(
                        cells, lattice, record, c, first, end, boxes, skin, ease, pairs
                    )
                x = x_end
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
def _window(
    cells: Cells, lattice: Lattice, k: int, other: int, axis: int, along: int, reach: float
) -> Any:
    """The first and the last cell of a level in reach of a cell of level k, along an axis."""
    number, frame = cells.levels[other].number[axis], cells.frame
    if k == other:
        around = cells.levels[k].around[axis]
        first, last = along - around, along + around
    elif frame[SPAN, axis] == 0.0:
        first, last = 0, 0
    else:
        width = number / cells.levels[k].number[axis]
        away = frame[EXTENT, axis] * reach * number / frame[SPAN, axis]
        first = math.floor(along * width - away)
        last = math.floor((along + 1) * width + away)
    if not lattice.periodic[axis]:
        return max(first, 0), min(last, number - 1)
    # No image is more than a box away; in a sheared box two boxes from place to place can be one.
    boxes = 2 if axis == 0 and lattice.tilt[0] != 0.0 else 1
    return max(first, -boxes * number), min(last, (boxes + 1) * number - 1)


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
def _place(cells: Cells, k: int) -> Any:
    """The place of the particle that is the k-th of the order."""
    return (cells.sorted[X, k], cells.sorted[Y, k], cells.sorted[Z, k])


@inner_kernel
def _list_near(
    cells: Cells, k: int, first: int, in_view: int, skin: float, pairs: PairList
) -> None:
    """List the pairs of a particle with those in view, in a box that is not sheared."""
    number, room, i = pairs.number[0], len(pairs.first), cells.order[k]
    centre, radius = _place(cells, k), cells.sorted[RADIUS, k]
    while first < in_view:
        bits = _word(cells.seen, first, in_view, centre, radius, skin, 0.0)
        while bits != 0:
            at = first + np.int64(lanes.lowest_bit(bits))
            bits &= bits - np.uint64(1)
            if number < room:
                pairs.first[number], pairs.second[number] = i, cells.seen_order[at]
            number += 1
        first += 64
    pairs.number[0] = number


@inner_kernel
def _list_images(
    cells: Cells,
    lattice: Lattice,
    record: Any,
    k: int,
    first: int,
    in_view: int,
    skin: float,
    ease: float,
    pairs: PairList,
) -> None:
    """List the pairs of a particle with those in view, in a sheared box."""
    centre, radius = _place(cells, k), cells.sorted[RADIUS, k]
    while first < in_view:
        bits = _word(cells.seen, first, in_view, centre, radius, skin, ease)
        while bits != 0:
            at = first + np.int64(lanes.lowest_bit(bits))
            bits &= bits - np.uint64(1)
            j = cells.seen_order[at]
            _add_if_near(cells, lattice, record, cells.order[k], j, (0, 0, 0), skin, pairs)
        first += 64


@inner_kernel
def _list_piece(
    cells: Cells,
    lattice: Lattice,
    record: Any,
    c: int,
    first: int,
    end: int,
    boxes: Any,
    skin: float,
    ease: float,
    pairs: PairList,
) -> int:
    """List the pairs of a cell with a piece of the order, so many boxes away; the tests made."""
    lengths = lattice.lengths
    for k in range(cells.start[c], cells.start[c + 1]):
        # Seen from the piece, the particle is as many boxes away in the other direction.
        x, y, z = _place(cells, k)
        x -= boxes[0] * lengths[0] + boxes[1] * lattice.tilt[0]
        y -= boxes[1] * lengths[1]
        z -= boxes[2] * lengths[2]
        at = first
        while at < end:
            bits = _word(cells.sorted, at, end, (x, y, z), cells.sorted[RADIUS, k], skin, ease)
            while bits != 0:
                j = cells.order[at + np.int64(lanes.lowest_bit(bits))]
                bits &= bits - np.uint64(1)
                _add_if_near(cells, lattice, record, cells.order[k], j, boxes, skin, pairs)
            at += 64
    return (cells.start[c + 1] - cells.start[c]) * (end - first)


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
