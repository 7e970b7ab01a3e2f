"""Linked linear lists: bounding boxes that overlap along all axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.kernels import inner_kernel
from carom.compiled.lent import lasting
from carom.neighbours.pairs.box_ends import BoxEnds, measure, new_box_ends, settle, sort_anew
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
from carom.neighbours.pairs.sparse_pairs import NONE, SparsePairs, empty, new_sparse_pairs
from carom.neighbours.pairs.sweep import Strips, find_overlapping, new_strips
from carom.representation import shown_as_call
from carom.types import Array, Integers, Records

PAIRS_PER_PARTICLE = 8


@shown_as_call
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


@lasting
class LinkedLists(NamedTuple):
    """The sorted lists and the boxes that overlap; both go on from search to search."""

    ends: BoxEnds
    overlapping: SparsePairs
    strips: Strips  # scratch, to begin with
    offset: Array  # (1,) of the lattice at the last search
    state: Integers  # (1,) 0: begin anew; to be set when particles are numbered otherwise


@new_search.register
def _(neighbours: LinkedLinearList, system: Any, skin: float) -> LinkedLists:
    n = len(system.particles.radius)
    return LinkedLists(
        new_box_ends(system.dimension, n),
        new_sparse_pairs(n, PAIRS_PER_PARTICLE * n),
        new_strips(n),
        np.zeros(1),
        np.zeros(1, dtype=np.int64),
    )


@grown.register
def _(search: LinkedLists) -> LinkedLists:
    n, room = len(search.overlapping.head), len(search.overlapping.column)
    return search._replace(
        overlapping=new_sparse_pairs(n, 2 * room + 16), state=np.zeros(1, dtype=np.int64)
    )


@find_pairs.register(LinkedLists)
@inner_kernel
def _(
    search: LinkedLists,
    lattice: Lattice,
    sphere: Array,
    skin: float,
    pairs: PairList,
    tally: Records,
) -> int:
    begin_list(pairs)
    # When the boxes above have slid on by one, the offset jumps, and so do all places.
    jumped = abs(lattice.offset[0] - search.offset[0]) > 0.25 * lattice.lengths[0]
    search.offset[0] = lattice.offset[0]
    goes_on = measure(search.ends, lattice, sphere, skin)
    if search.state[0] == 0 or jumped or not goes_on:
        swaps = _begin(search, lattice, sphere)
    else:
        swaps = _go_on(search, lattice)
    if swaps < 0:
        search.state[0] = 0
        return SEARCH_IS_FULL
    search.state[0] = 1
    tally.swaps += swaps
    tally.pair_tests += _list_overlapping(search.overlapping, lattice, sphere, skin, pairs)
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
def _begin(search: LinkedLists, lattice: Lattice, sphere: Array) -> int:
    """Sort the lists and find all boxes that overlap; 0, or -1 if there was no room."""
    ends, overlapping = search.ends, search.overlapping
    empty(overlapping)
    for i in range(len(sphere)):
        overlapping.size[i] = sphere[i, RADIUS]
    for axis in range(len(ends.end)):
        sort_anew(ends, lattice, axis)
    return 0 if find_overlapping(ends, search.strips, overlapping, lattice) else -1


@inner_kernel
def _list_overlapping(
    overlapping: SparsePairs, lattice: Lattice, sphere: Array, skin: float, pairs: PairList
) -> int:
    """List the near pairs among the overlapping boxes; how many were examined."""
    tests = 0
    narrow = is_narrow(lattice, 2.0 * largest_radius(sphere) + skin)
    for i in range(len(overlapping.head)):
        entry = overlapping.head[i]
        while entry != NONE:
            j = overlapping.column[entry]
            several = narrow and is_narrow(lattice, sphere[i, RADIUS] + sphere[j, RADIUS] + skin)
            tests += add_near(lattice, sphere, i, j, several, skin, pairs)
            entry = overlapping.next[entry]
    return tests
