"""Beginnings and endings of bounding boxes along the axes, in lists that are kept sorted.

Muth et al. (2007), section 2.3, after Schinner (1999). Of particle i, end 2 i is the beginning and
2 i + 1 the ending of its box along an axis. Where the axis repeats the list is a ring: its last end
is followed by the first, one box further on, and an end that passes the boundary stays between its
neighbours. For this each end counts its ``turns``, the boxes to be added to its place.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.kernels import inner_kernel
from carom.compiled.memory import in_cache_lines
from carom.neighbours.pairs.lattice import Lattice
from carom.neighbours.pairs.pair_list import MARGIN, RADIUS
from carom.neighbours.pairs.places import extent_of, place_of, slope_of
from carom.neighbours.pairs.sparse_pairs import SparsePairs, insert, remove
from carom.types import Array, Integers

# Half the length of boxes that go around the whole ring; they meet all others along that axis.
WHOLE = 0.5 - 1e-7
# Boxes are larger by this, for each box or coordinate of one, to cover rounding.
ROUNDING = 1e-14


class BoxEnds(NamedTuple):
    """The sorted lists, for two or three axes."""

    end: Integers  # (axes, 2 n) int32, who stands at each position of the list
    position: Integers  # (axes, 2 n) int32, where each end stands
    value: Array  # (axes, 2 n) at each position
    turns: Integers  # (axes, 2 n) int32, of each end
    place: Array  # (axes, n) of the centres
    half: Array  # (axes, n) half the lengths of the boxes


def new_box_ends(axes: int, n: int) -> BoxEnds:
    """Lists that are not filled yet."""

    def table(length: int, kind: Any) -> Any:
        return in_cache_lines(axes * length, kind).reshape(axes, length)

    return BoxEnds(
        table(2 * n, np.int32),
        table(2 * n, np.int32),
        table(2 * n, np.float64),
        table(2 * n, np.int32),
        table(n, np.float64),
        table(n, np.float64),
    )


@inner_kernel
def measure(ends: BoxEnds, lattice: Lattice, sphere: Array, skin: float) -> bool:
    """Find the places and lengths of all boxes; False if the lists cannot go on from the old ones.

    That is when a box begins or ceases to go around a whole axis.
    """
    slope, goes_on = slope_of(lattice), True
    for i in range(len(sphere)):
        place, _ = place_of(lattice, sphere, i, slope)
        for axis in range(len(ends.place)):
            half = MARGIN * extent_of(lattice, axis, slope) * (sphere[i, RADIUS] + 0.5 * skin)
            if lattice.periodic[axis]:
                half = min(half + ROUNDING, WHOLE)
                goes_on &= (half == WHOLE) == (ends.half[axis, i] == WHOLE)
                moved = place[axis] - ends.place[axis, i]
                # Over the boundary it goes the short way.
                turns = np.int32(moved < -0.5) - np.int32(moved > 0.5)
                ends.turns[axis, 2 * i] += turns
                ends.turns[axis, 2 * i + 1] += turns
            else:
                half += ROUNDING * abs(place[axis])
            ends.place[axis, i], ends.half[axis, i] = place[axis], half
    return goes_on


@inner_kernel
def _value_of(ends: BoxEnds, axis: int, end: int) -> float:
    i = end >> 1
    half = ends.half[axis, i]
    return ends.place[axis, i] + (half if end & 1 else -half) + ends.turns[axis, end]


@inner_kernel
def sort_anew(ends: BoxEnds, lattice: Lattice, axis: int) -> None:
    """Sort the list of an axis, whatever it was."""
    value, end = ends.value[axis], ends.end[axis]
    for e in range(len(end)):
        ends.turns[axis, e] = 0
        if lattice.periodic[axis]:
            ends.turns[axis, e] = -np.int32(math.floor(_value_of(ends, axis, e)))
        end[e], value[e] = e, _value_of(ends, axis, e)
    number = len(end)
    for top in range(number // 2 - 1, -1, -1):
        _sift(value, end, top, number)
    for last in range(number - 1, 0, -1):
        _exchange(value, end, 0, last)
        _sift(value, end, 0, last)
    for k in range(number):
        ends.position[axis, end[k]] = k


@inner_kernel
def _exchange(value: Array, end: Integers, k: int, other: int) -> None:
    value[k], value[other] = value[other], value[k]
    end[k], end[other] = end[other], end[k]


@inner_kernel
def _sift(value: Array, end: Integers, top: int, number: int) -> None:
    """Let a value sink in a heap, the largest first, until none below it is larger."""
    below = 2 * top + 1
    while below < number:
        if below + 1 < number and value[below + 1] > value[below]:
            below += 1
        if value[below] <= value[top]:
            break
        _exchange(value, end, top, below)
        top, below = below, 2 * below + 1


@inner_kernel
def overlap_along(ends: BoxEnds, lattice: Lattice, axis: int, i: int, j: int) -> bool:
    """Whether the boxes of two particles overlap along an axis, by their positions in its list."""
    position = ends.position[axis]
    i_begin, i_end, j_begin, j_end = (
        position[2 * i],
        position[2 * i + 1],
        position[2 * j],
        position[2 * j + 1],
    )
    if not lattice.periodic[axis]:
        return i_begin < j_end and j_begin < i_end
    if ends.half[axis, i] == WHOLE or ends.half[axis, j] == WHOLE:
        return True
    number = len(position)
    return _steps(i_begin, j_begin, number) < _steps(i_begin, i_end, number) or _steps(
        j_begin, i_begin, number
    ) < _steps(j_begin, j_end, number)


@inner_kernel
def _steps(start: int, stop: int, number: int) -> int:
    """From one position of a ring forwards to another."""
    return stop - start if stop >= start else stop - start + number


@inner_kernel
def overlap_elsewhere(ends: BoxEnds, lattice: Lattice, axis: int, i: int, j: int) -> bool:
    """Whether the boxes of two particles overlap along all other axes."""
    for other in range(len(ends.end)):
        if other != axis and not overlap_along(ends, lattice, other, i, j):
            return False
    return True


@inner_kernel
def settle(ends: BoxEnds, pairs: SparsePairs, lattice: Lattice, axis: int) -> int:
    """Sort the list of an axis by insertion, and keep the overlapping pairs; the swaps made.

    The number is negative if there was no room for a pair.
    """
    value, last = ends.value[axis], len(ends.end[axis]) - 1
    for k in range(last + 1):
        value[k] = _value_of(ends, axis, ends.end[axis, k])
    swaps, room, unsorted = 0, True, True
    while unsorted:
        unsorted = False
        for k in range(last + 1):
            at = k
            while _follows_a_larger(value, at, lattice.periodic[axis]):
                room &= _swap(ends, pairs, lattice, axis, at)
                swaps += 1
                unsorted |= at == 0  # what came over the boundary may be too large for its place
                at = at - 1 if at > 0 else last
        unsorted |= _follows_a_larger(value, 0, lattice.periodic[axis])
    _unwind(ends, axis)
    return swaps if room else -1


@inner_kernel
def _follows_a_larger(value: Array, at: int, is_ring: bool) -> bool:
    """Whether the value before a position is larger; on a ring the last is before the first."""
    if at > 0:
        return value[at - 1] > value[at]
    return is_ring and value[len(value) - 1] - 1.0 > value[0]


@inner_kernel
def _unwind(ends: BoxEnds, axis: int) -> None:
    """Take away turns that all ends have made, before they cost digits."""
    turns = np.int32(math.floor(ends.value[axis, 0]))
    if abs(turns) > 1:
        for k in range(len(ends.end[axis])):
            ends.turns[axis, k] -= turns


@inner_kernel
def _swap(ends: BoxEnds, pairs: SparsePairs, lattice: Lattice, axis: int, at: int) -> bool:
    """Exchange an end with the one before it; False if there was no room for a pair."""
    value, end = ends.value[axis], ends.end[axis]
    before = at - 1 if at > 0 else len(end) - 1
    left, right = end[before], end[at]
    _exchange(value, end, before, at)
    ends.position[axis, left], ends.position[axis, right] = at, before
    if at == 0:  # over the boundary
        value[at] -= 1.0
        value[before] += 1.0
        ends.turns[axis, left] -= 1
        ends.turns[axis, right] += 1
    return _pass(ends, pairs, lattice, axis, left, right)


@inner_kernel
def _pass(
    ends: BoxEnds, pairs: SparsePairs, lattice: Lattice, axis: int, left: int, right: int
) -> bool:
    """Keep the overlapping pairs when the end on the left has passed the one on the right.

    These are the four cases of section 2.3.
    """
    left_ends, right_ends = left & 1, right & 1
    if left_ends == right_ends:
        return True  # 1, 2: two beginnings, or two endings; they overlap, and go on to do so
    i, j = left >> 1, right >> 1
    if not overlap_elsewhere(ends, lattice, axis, i, j):
        return True
    if left_ends:
        return insert(pairs, i, j)  # 4: an ending has passed a beginning
    # 3: a beginning has passed an ending. On a ring long boxes may still overlap elsewhere.
    if not overlap_along(ends, lattice, axis, i, j):
        remove(pairs, i, j)
    return True
