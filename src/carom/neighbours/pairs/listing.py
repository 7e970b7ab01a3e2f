"""Lists of pairs for Python: one search, growing until all fits."""

from __future__ import annotations

from typing import Any

from carom._jit import borrowed, entry_point
from carom.neighbours.pairs.lattice import Lattice
from carom.neighbours.pairs.pair_list import (
    LIST_IS_FULL,
    SEARCH_IS_FULL,
    PairList,
    find_pairs,
    new_pair_list,
)
from carom.neighbours.pairs.searches import grown

# A list that was too short gets more than it needs: the next may be longer.
MORE = 1.2


@entry_point
def fill(search: Any, lattice: Any, record: Any, skin: float, pairs: Any, tally: Any) -> int:
    """``find_pairs`` for Python; ``tally`` is an array of one row."""
    parts = borrowed((search, lattice, record, pairs, tally))
    return find_pairs(parts[0], parts[1], parts[2], skin, parts[3], parts[4][0])


def grown_list(pairs: PairList) -> PairList:
    """An empty list with room for the pairs that did not fit."""
    near, far = (int(MORE * float(number)) + 16 for number in pairs.number)
    return new_pair_list(max(near, len(pairs.first)), max(far, len(pairs.far_first)))


def all_found(
    search: Any, lattice: Lattice, record: Any, skin: float, pairs: PairList, tally: Any
) -> tuple[Any, PairList]:
    """The search and the list, grown until all pairs were found."""
    status = fill(search, lattice, record, skin, pairs, tally)
    while status in (LIST_IS_FULL, SEARCH_IS_FULL):
        if status == LIST_IS_FULL:
            pairs = grown_list(pairs)
        else:
            search = grown(search)
        status = fill(search, lattice, record, skin, pairs, tally)
    return search, pairs
