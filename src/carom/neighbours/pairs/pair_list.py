"""The list that every neighbour method makes: all pairs whose gap is below a skin, each once.

Pairs inside the box come apart from pairs that meet across its boundary: most are inside, and need
no thought of images.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.lent import lasting
from carom.compiled.memory import in_cache_lines, rows
from carom.neighbours.pairs.lattice import HOME, Lattice
from carom.types import Array, Integers, Records, Vector

# Columns of spheres: of each particle one row of four numbers.
X, Y, Z, RADIUS = 0, 1, 2, 3

# Distances that decide where to look are larger by this factor than those that decide who is near:
# it covers rounding.
MARGIN = 1.0 + 1e-9

# What a search counts and sums up.
SEARCH_TALLY = np.dtype(
    [
        ("builds", np.int64),  # lists made
        ("pair_tests", np.int64),  # distances examined to make them
        ("swaps", np.int64),  # of neighbours in the sorted lists of LinkedLinearList
        ("listed", np.int64),  # sum of the lengths of all lists made
    ],
    align=True,
)

# The answers of ``find_pairs``.
FOUND = 0
LIST_IS_FULL = 1  # ``number`` says how much room is needed
SEARCH_IS_FULL = 2  # an array of the search itself is too short


@lasting
class PairList(NamedTuple):
    """Pairs (i, j), of ``number[0]`` inside the box and of ``number[1]`` across its boundary."""

    first: Integers  # (room,) int32
    second: Integers  # (room,)
    far_first: Integers  # (far room,) int32
    far_second: Integers  # (far room,)
    far_image: Integers  # (far room,) uint8, where the second is, see lattice.py
    number: Integers  # (2,) int64


def new_pair_list(room: int, far_room: int) -> PairList:
    """An empty list with room for so many pairs, or up to three more: they are read by fours."""
    room, far_room = -(-room // 4) * 4, -(-far_room // 4) * 4
    first, second = in_cache_lines(room, np.int32), in_cache_lines(room, np.int32)
    far_first, far_second = in_cache_lines(far_room, np.int32), in_cache_lines(far_room, np.int32)
    image = in_cache_lines(far_room, np.uint8)
    return PairList(first, second, far_first, far_second, image, np.zeros(2, dtype=np.int64))


def new_search_tally() -> Records:
    """Counts that are all zero, one row."""
    return rows(1, SEARCH_TALLY)


@inner_kernel
def add_pair(pairs: PairList, i: int, j: int, image: int) -> None:
    """Write down a pair, or only count it where there is no room."""
    if image == HOME:
        k = pairs.number[0]
        if k < len(pairs.first):
            pairs.first[k], pairs.second[k] = i, j
        pairs.number[0] = k + 1
    else:
        k = pairs.number[1]
        if k < len(pairs.far_first):
            pairs.far_first[k], pairs.far_second[k] = i, j
            pairs.far_image[k] = image
        pairs.number[1] = k + 1


@inner_kernel
def overflows(pairs: PairList) -> bool:
    """Whether there are more pairs than room."""
    return pairs.number[0] > len(pairs.first) or pairs.number[1] > len(pairs.far_first)


@inner_kernel
def begin_list(pairs: PairList) -> None:
    """Forget all pairs."""
    pairs.number[0] = 0
    pairs.number[1] = 0


@inner_kernel
def end_list(pairs: PairList, tally: Records) -> int:
    """Count a list that is complete; the answer of ``find_pairs``."""
    if overflows(pairs):
        return LIST_IS_FULL
    tally.builds += 1
    tally.listed += pairs.number[0] + pairs.number[1]
    return FOUND


@inner_kernel
def largest_radius(sphere: Array) -> float:
    """The radius of the largest particle."""
    largest = 0.0
    for i in range(len(sphere)):
        largest = max(largest, sphere[i, RADIUS])
    return largest


@inner_kernel
def are_near(sphere: Array, i: int, j: int, shift: Vector, skin: float) -> bool:
    """Whether the gap between i and an image of j is less than ``skin``.

    All methods ask in this form, to the last bit: so they also agree on a gap that is the skin but
    for rounding.
    """
    x = sphere[i, X] - sphere[j, X] + shift[0]
    y = sphere[i, Y] - sphere[j, Y] + shift[1]
    z = sphere[i, Z] - sphere[j, Z] + shift[2]
    reach = sphere[i, RADIUS] + sphere[j, RADIUS] + skin
    return x * x + y * y + z * z < reach * reach


@dispatch_on("search")
def find_pairs(
    search: Any, lattice: Lattice, sphere: Array, skin: float, pairs: PairList, tally: Records
) -> int:
    """Fill in all pairs of particles whose gap is less than ``skin``, each once; FOUND or why not.

    ``sphere`` (n, 4) holds x, y, z and the radius of each particle; along axes that repeat the
    positions are inside the box. ``tally`` is one row of SEARCH_TALLY.
    """
