"""A search that examines every pair: the plain twin of all others."""

from __future__ import annotations

from typing import NamedTuple

from carom.compiled.kernels import inner_kernel
from carom.compiled.lent import lasting
from carom.neighbours.pairs.images import add_near, is_narrow
from carom.neighbours.pairs.lattice import Lattice
from carom.neighbours.pairs.pair_list import (
    PairList,
    begin_list,
    end_list,
    find_pairs,
    largest_radius,
)
from carom.types import Array, Records


@lasting
class EveryPair(NamedTuple):
    """A search that remembers nothing."""


@find_pairs.register(EveryPair)
@inner_kernel
def _(
    search: EveryPair, lattice: Lattice, sphere: Array, skin: float, pairs: PairList, tally: Records
) -> int:
    begin_list(pairs)
    narrow = is_narrow(lattice, 2.0 * largest_radius(sphere) + skin)
    tests = 0
    for i in range(len(sphere)):
        for j in range(i + 1, len(sphere)):
            tests += add_near(lattice, sphere, i, j, narrow, skin, pairs)
    tally.pair_tests += tests
    return end_list(pairs, tally)
