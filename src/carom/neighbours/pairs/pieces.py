"""Particles compared with pieces of a table, eight at a time.

Where particles are not at their places, or are seen in another box, rounding can deceive: they are
compared with a little ease, and who passes is compared again, as all methods do it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom.compiled import lanes
from carom.compiled.kernels import inner_kernel
from carom.neighbours.pairs.cells import Cells
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
from carom.neighbours.pairs.places import slope_of
from carom.types import Array, Vector


class Comparison(NamedTuple):
    """Who is compared, and what becomes of the pairs that are near."""

    cells: Cells
    lattice: Lattice
    sphere: Array  # (n, 4)
    skin: float
    ease: float  # a length that rounding does not reach when particles are moved by some boxes
    pairs: PairList


@inner_kernel
def comparison(
    cells: Cells, lattice: Lattice, sphere: Array, skin: float, pairs: PairList
) -> Comparison:
    """A comparison with the ease that it needs."""
    longest, reach = 0.0, skin
    for axis in range(3):
        if lattice.periodic[axis]:
            longest = max(longest, lattice.lengths[axis])
    for level in range(len(cells.levels)):
        reach = max(reach, 2.0 * cells.levels[level].largest + skin)
    ease = 1e-14 * longest + (MARGIN - 1.0) * reach
    return Comparison(cells, lattice, sphere, skin, ease, pairs)


@inner_kernel
def _word(
    table: Array, first: int, end: int, centre: Vector, radius: float, skin: float, ease: float
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
def list_piece(
    task: Comparison, k: int, table: Any, names: Any, first: int, end: int, boxes: Any
) -> None:
    """List the pairs of the k-th of the order with columns of a table, so many boxes away."""
    cells, lattice, pairs = task.cells, task.lattice, task.pairs
    i, radius = cells.order[k], cells.sorted[RADIUS, k]
    at_home = boxes == (0, 0, 0) and slope_of(lattice) == 0.0
    ease = 0.0 if at_home else task.ease
    # Seen from them, the particle is as many boxes away in the other direction.
    x = cells.sorted[X, k] - (boxes[0] * lattice.lengths[0] + boxes[1] * lattice.offset[0])
    y = cells.sorted[Y, k] - boxes[1] * lattice.lengths[1]
    z = cells.sorted[Z, k] - boxes[2] * lattice.lengths[2]
    number, room = pairs.number[0], len(pairs.first)
    while first < end:
        bits = _word(table, first, end, (x, y, z), radius, task.skin, ease)
        while bits != 0:
            j = names[first + np.int64(lanes.lowest_bit(bits))]
            bits &= bits - np.uint64(1)
            if at_home:
                if number < room:
                    pairs.first[number], pairs.second[number] = i, j
                number += 1
            else:
                _add_if_near(task, i, j, boxes)
        first += 64
    if at_home:
        pairs.number[0] = number


@inner_kernel
def _add_if_near(task: Comparison, i: int, j: int, boxes: Any) -> None:
    """Write down a pair whose places are so many boxes apart, if it is near."""
    away = task.cells.boxes
    x_boxes = np.int64(away[j]) - np.int64(away[i]) - boxes[0]
    if i != j and abs(x_boxes) < 2:
        image = image_of(x_boxes, -boxes[1], -boxes[2])
        if are_near(task.sphere, i, j, shift_of(task.lattice, image), task.skin):
            add_pair(task.pairs, i, j, image)
