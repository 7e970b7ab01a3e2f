"""Linked linear lists: bounding boxes that overlap along all axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from carom._jit import inner_kernel
from carom.memory import in_cache_lines
from carom.neighbours.pairs.box_ends import (
    WHOLE,
    BoxEnds,
    measure,
    new_box_ends,
    overlap_elsewhere,
    settle,
    sort_anew,
)
from carom.neighbours.pairs.images import add_near, is_narrow
from carom.neighbours.pairs.lattice import Lattice
from carom.neighbours.pairs.pair_list import (
    RADIUS,
    SEARCH_IS_FULL,
    PairList,
    begin_list,
    end_list,
    find_pairs,
    largest_radius,
)
from carom.neighbours.pairs.searches import check_skin, grown, new_search
from carom.neighbours.pairs.sparse_pairs import NONE, SparsePairs, empty, insert, new_sparse_pairs

PAIRS_PER_PARTICLE = 8


@dataclass(frozen=True)
class LinkedLinearList:
    """Bounding boxes whose ends along each axis stand in lists that are kept sorted.

    Only where two ends are exchanged does a pair of boxes begin or cease to overlap (Muth et al.
    2007, section 2.3; Schinner 1999), so that the cost depends on how far particles have moved and
    not on how different their sizes are. Lists hold the pairs with a gap below ``skin``: chosen by
    the method when left out, and 0 for a new list at every step. ``check`` compares each list with
    that of ``AllPairs``.
    """

    skin: float | None = None
    check: bool = False

    def __post_init__(self) -> None:
        check_skin(self)


class LinkedLists(NamedTuple):
    """The sorted lists and the boxes that overlap; both go on from search to search."""

    ends: BoxEnds
    overlapping: SparsePairs
    open: Any  # (n,) int32, scratch: boxes that have begun and not ended
    tilt: Any  # (1,) of the lattice at the last search
    state: Any  # (1,) 0: begin anew; to be set when particles are numbered otherwise


@new_search.register
def _(neighbours: LinkedLinearList, system: Any, skin: float) -> LinkedLists:
    n = len(system.particles.radius)
    return LinkedLists(
        new_box_ends(system.dimension, n),
        new_sparse_pairs(n, PAIRS_PER_PARTICLE * n),
        in_cache_lines(n, np.int32),
        np.zeros(1),
        np.zeros(1, dtype=np.int64),
    )


@grown.register
def _(search: LinkedLists) -> LinkedLists:
    n, room = len(search.open), len(search.overlapping.column)
    return search._replace(
        overlapping=new_sparse_pairs(n, 2 * room + 16), state=np.zeros(1, dtype=np.int64)
    )


@find_pairs.register(LinkedLists)
@inner_kernel
def _(
    search: LinkedLists, lattice: Lattice, record: Any, skin: float, pairs: PairList, tally: Any
) -> int:
    begin_list(pairs)
    # When the boxes above have slid on by one, the tilt jumps, and so do all places.
    jumped = abs(lattice.tilt[0] - search.tilt[0]) > 0.25 * lattice.lengths[0]
    search.tilt[0] = lattice.tilt[0]
    goes_on = measure(search.ends, lattice, record, skin)
    if search.state[0] == 0 or jumped or not goes_on:
        swaps = _begin(search, lattice, record)
    else:
        swaps = _go_on(search, lattice)
    if swaps < 0:
        search.state[0] = 0
        return SEARCH_IS_FULL
    search.state[0] = 1
    tally.swaps += swaps
    tally.pair_tests += _list_overlapping(search.overlapping, lattice, record, skin, pairs)
    return end_list(pairs, tally)


@inner_kernel
def _go_on(search: LinkedLists, lattice: Lattice) -> int:
    """Bring the lists up to date; the number of swaps, or -1 if there was no room."""
    total = 0
    for axis in range(len(search.ends.end)):
        swaps = settle(search.ends, search.overlapping, lattice, axis)
        if swaps < 0:
            return -1
        total += swaps
    return total


@inner_kernel
def _begin(search: LinkedLists, lattice: Lattice, record: Any) -> int:
    """Sort the lists and find all boxes that overlap; 0, or -1 if there was no room."""
    ends, overlapping = search.ends, search.overlapping
    empty(overlapping)
    for i in range(len(record)):
        overlapping.size[i] = record[i, RADIUS]
    for axis in range(len(ends.end)):
        sort_anew(ends, lattice, axis)
    axis = _sparsest(ends, lattice)
    number = _open_at_start(search, lattice, axis)
    for k in range(len(ends.end[axis])):
        end = ends.end[axis, k]
        i = end >> 1
        if end & 1 == 0:
            for m in range(number):
                j = search.open[m]
                meet = j != i and overlap_elsewhere(ends, lattice, axis, i, j)
                if meet and not insert(overlapping, i, j):
                    return -1
            if not _is_whole(ends, lattice, axis, i):
                search.open[number] = i
                number += 1
        elif not _is_whole(ends, lattice, axis, i):
            m = 0
            while search.open[m] != i:
                m += 1
            number -= 1
            search.open[m] = search.open[number]
    return 0


@inner_kernel
def _is_whole(ends: BoxEnds, lattice: Lattice, axis: int, i: int) -> bool:
    return lattice.periodic[axis] and ends.half[axis, i] == WHOLE


@inner_kernel
def _open_at_start(search: LinkedLists, lattice: Lattice, axis: int) -> int:
    """Write down the boxes that reach over the boundary, or go all around; their number."""
    ends, number = search.ends, 0
    position = ends.position[axis]
    for i in range(len(search.open)):
        over = position[2 * i] > position[2 * i + 1]
        if over or _is_whole(ends, lattice, axis, i):
            search.open[number] = i
            number += 1
    return number


@inner_kernel
def _sparsest(ends: BoxEnds, lattice: Lattice) -> int:
    """The axis along which the boxes are shortest in comparison with the list."""
    sparsest, least = 0, np.inf
    for axis in range(len(ends.end)):
        total = 0.0
        for i in range(len(ends.half[axis])):
            total += ends.half[axis, i]
        value = ends.value[axis]
        span = 1.0 if lattice.periodic[axis] else value[len(value) - 1] - value[0]
        if total / span < least:
            sparsest, least = axis, total / span
    return sparsest


@inner_kernel
def _list_overlapping(
    overlapping: SparsePairs, lattice: Lattice, record: Any, skin: float, pairs: PairList
) -> int:
    """List the near pairs among the overlapping boxes; how many were examined."""
    tests = 0
    narrow = is_narrow(lattice, 2.0 * largest_radius(record) + skin)
    for i in range(len(overlapping.head)):
        entry = overlapping.head[i]
        while entry != NONE:
            j = overlapping.column[entry]
            several = narrow and is_narrow(lattice, record[i, RADIUS] + record[j, RADIUS] + skin)
            tests += add_near(lattice, record, i, j, several, skin, pairs)
            entry = overlapping.next[entry]
    return tests
