"""All bounding boxes that overlap, found by going along one axis once.

A box is open between its beginning and its ending. Open boxes lie in strips along a second axis, in
all that they touch: a box that begins meets only those that are open in its own strips. Strips are
as wide as boxes are long on average, so that all boxes together touch three times as many strips as
there are boxes, at most.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.kernels import inner_kernel
from carom.compiled.lent import lasting
from carom.compiled.memory import in_cache_lines
from carom.neighbours.pairs.box_ends import WHOLE, BoxEnds, overlap_elsewhere
from carom.neighbours.pairs.lattice import Lattice
from carom.neighbours.pairs.sparse_pairs import NONE, SparsePairs, insert
from carom.types import Integers

TOUCHED_PER_BOX = 3


@lasting
class Strips(NamedTuple):
    """A linked list of open boxes for each strip."""

    head: Integers  # (n,) int32, the first entry of each strip
    box: Integers  # (entries,) int32
    next: Integers  # (entries,) int32
    free: Integers  # (1,) the first entry that is free


def new_strips(n: int) -> Strips:
    """Strips for n boxes."""
    entries = TOUCHED_PER_BOX * n
    return Strips(
        in_cache_lines(n, np.int32),
        in_cache_lines(entries, np.int32),
        in_cache_lines(entries, np.int32),
        np.zeros(1, dtype=np.int64),
    )


@inner_kernel
def find_overlapping(ends: BoxEnds, strips: Strips, pairs: SparsePairs, lattice: Lattice) -> bool:
    """Insert all pairs of boxes that overlap, from sorted lists; False if there is no room."""
    axis, across = _sparsest(ends, lattice)
    number = _empty(ends, strips, lattice, across)
    position, room = ends.position[axis], True
    for i in range(len(ends.half[axis])):
        # Open from the start on are those that reach over the boundary, or go all around.
        over = position[2 * i] > position[2 * i + 1]
        if over or _is_whole(ends, lattice, axis, i):
            room &= _meet(ends, strips, pairs, lattice, (axis, across), number, i)
            _open(ends, strips, lattice, across, number, i)
    for k in range(len(position)):
        end = ends.end[axis, k]
        i = end >> 1
        if _is_whole(ends, lattice, axis, i):
            continue
        if end & 1 == 0:
            room &= _meet(ends, strips, pairs, lattice, (axis, across), number, i)
            _open(ends, strips, lattice, across, number, i)
        else:
            _close(ends, strips, lattice, across, number, i)
    return room


@inner_kernel
def _is_whole(ends: BoxEnds, lattice: Lattice, axis: int, i: int) -> bool:
    return lattice.periodic[axis] and ends.half[axis, i] == WHOLE


@inner_kernel
def _total(ends: BoxEnds, axis: int) -> float:
    """The lengths of all boxes together."""
    total = 0.0
    for i in range(len(ends.half[axis])):
        total += 2.0 * ends.half[axis, i]
    return total


@inner_kernel
def _span(ends: BoxEnds, lattice: Lattice, axis: int) -> float:
    value = ends.value[axis]
    return 1.0 if lattice.periodic[axis] else value[len(value) - 1] - value[0]


@inner_kernel
def _sparsest(ends: BoxEnds, lattice: Lattice) -> Any:
    """The two axes along which boxes are shortest in comparison with the list."""
    first, second, least, less = 0, 1, math.inf, math.inf
    for axis in range(len(ends.end)):
        fill = _total(ends, axis) / _span(ends, lattice, axis)
        if fill < least:
            first, second, least, less = axis, first, fill, least
        elif fill < less:
            second, less = axis, fill
    return first, second


@inner_kernel
def _empty(ends: BoxEnds, strips: Strips, lattice: Lattice, across: int) -> int:
    """Take out all boxes, and choose the number of strips."""
    n = len(strips.head)
    for strip in range(n):
        strips.head[strip] = NONE
    for entry in range(len(strips.next)):
        strips.next[entry] = entry + 1
    strips.free[0] = 0
    mean = _total(ends, across) / n
    return np.int64(min(max(_span(ends, lattice, across) / mean, 1.0), float(n)))


@inner_kernel
def _touched(ends: BoxEnds, lattice: Lattice, across: int, number: int, i: int) -> Any:
    """The first strip that a box touches, and how many; they go on from the last with the first."""
    half, place = ends.half[across, i], ends.place[across, i]
    low = 0.0 if lattice.periodic[across] else ends.value[across, 0]
    per_unit = number / _span(ends, lattice, across)
    first = np.int64(math.floor((place - half - low) * per_unit))
    last = np.int64(math.floor((place + half - low) * per_unit))
    if not lattice.periodic[across]:
        first, last = min(max(first, 0), number - 1), min(max(last, 0), number - 1)
    return first, min(last - first + 1, number)


@inner_kernel
def _meet(
    ends: BoxEnds,
    strips: Strips,
    pairs: SparsePairs,
    lattice: Lattice,
    axes: Any,
    number: int,
    i: int,
) -> bool:
    """Insert the pairs of a box with those that are open; False if there is no room."""
    first, touched = _touched(ends, lattice, axes[1], number, i)
    room = True
    for strip in range(first, first + touched):
        entry = strips.head[strip % number]
        while entry != NONE:
            j = strips.box[entry]
            if overlap_elsewhere(ends, lattice, axes[0], i, j):
                room &= insert(pairs, i, j)
            entry = strips.next[entry]
    return room


@inner_kernel
def _open(
    ends: BoxEnds, strips: Strips, lattice: Lattice, across: int, number: int, i: int
) -> None:
    first, touched = _touched(ends, lattice, across, number, i)
    for strip in range(first, first + touched):
        entry = strips.free[0]
        strips.free[0] = strips.next[entry]
        strips.box[entry], strips.next[entry] = i, strips.head[strip % number]
        strips.head[strip % number] = entry


@inner_kernel
def _close(
    ends: BoxEnds, strips: Strips, lattice: Lattice, across: int, number: int, i: int
) -> None:
    """Take out a box; one that reaches over the boundary is opened once more near its end."""
    first, touched = _touched(ends, lattice, across, number, i)
    for strip in range(first, first + touched):
        before, entry = NONE, strips.head[strip % number]
        while strips.box[entry] != i:
            before, entry = entry, strips.next[entry]
        if before == NONE:
            strips.head[strip % number] = strips.next[entry]
        else:
            strips.next[before] = strips.next[entry]
        strips.next[entry] = strips.free[0]
        strips.free[0] = entry
