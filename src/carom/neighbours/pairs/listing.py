"""Lists of pairs for Python: one search, growing until all fits."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from carom.compiled.entry_points import entry_point
from carom.compiled.views import borrowed
from carom.neighbours.pairs.lattice import HOME, IMAGES, Lattice
from carom.neighbours.pairs.pair_list import (
    LIST_IS_FULL,
    SEARCH_IS_FULL,
    PairList,
    find_pairs,
    new_pair_list,
    new_search_tally,
)
from carom.neighbours.pairs.searches import grown, plain_search
from carom.types import Array, Records

# A list that was too short gets more than it needs: the next may be longer.
MORE = 1.2


@entry_point
def fill(
    search: Any, lattice: Lattice, sphere: Array, skin: float, pairs: PairList, tally: Records
) -> int:
    """``find_pairs`` for Python; ``tally`` is an array of one row."""
    parts = borrowed((search, lattice, sphere, pairs, tally))
    return find_pairs(parts[0], parts[1], parts[2], skin, parts[3], parts[4][0])


def grown_list(pairs: PairList) -> PairList:
    """An empty list with room for the pairs that did not fit."""
    near, far = (int(MORE * float(number)) + 16 for number in pairs.number)
    return new_pair_list(max(near, len(pairs.first)), max(far, len(pairs.far_first)))


def all_found(
    search: Any, lattice: Lattice, sphere: Array, skin: float, pairs: PairList, tally: Records
) -> tuple[Any, PairList]:
    """The search and the list, grown until all pairs were found."""
    status = fill(search, lattice, sphere, skin, pairs, tally)
    while status in (LIST_IS_FULL, SEARCH_IS_FULL):
        if status == LIST_IS_FULL:
            pairs = grown_list(pairs)
        else:
            search = grown(search)
        status = fill(search, lattice, sphere, skin, pairs, tally)
    return search, pairs


def as_rows(pairs: PairList) -> Any:
    """The pairs (m, 3) in order: i, j and the image of j as seen from i, where i < j."""
    near, far = pairs.number
    home = np.full(near, HOME)
    first = np.concatenate([pairs.first[:near], pairs.far_first[:far]])
    second = np.concatenate([pairs.second[:near], pairs.far_second[:far]])
    image = np.concatenate([home, pairs.far_image[:far]]).astype(np.int64)
    turned = first > second
    image[turned] = IMAGES - 1 - image[turned]
    rows = np.column_stack([np.minimum(first, second), np.maximum(first, second), image])
    return rows[np.lexsort(rows.T[::-1])]


def differences(
    neighbours: Any, pairs: PairList, lattice: Lattice, sphere: Array, skin: float
) -> list[tuple[int, ...]]:
    """The pairs (i, j, image) of a list that are not in the plain twin's, and the other way round.

    A pair that is listed twice is among them. It takes n (n − 1) / 2 comparisons.
    """
    room = new_pair_list(len(pairs.first), len(pairs.far_first))
    twin = plain_search(neighbours, sphere)
    _, plain = all_found(twin, lattice, sphere, skin, room, new_search_tally())
    found, expected = as_rows(pairs), as_rows(plain)
    if np.array_equal(found, expected):
        return []
    one, other = Counter(map(tuple, found.tolist())), Counter(map(tuple, expected.tolist()))
    return sorted(((one - other) + (other - one)).elements())
