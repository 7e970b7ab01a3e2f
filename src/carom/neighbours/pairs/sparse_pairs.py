"""A sparse set of pairs: linked rows, as in Muth et al. (2007), Fig. 8.

A pair stands in the row of its smaller particle, which has few larger ones around it, however many
small ones there are around these; of two that are alike, in the row of the lower number. A row is
in the order of its columns. So the order of all pairs does not depend on how they came together,
which a hash table would not give.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom.compiled.kernels import inner_kernel
from carom.compiled.lent import lasting
from carom.compiled.memory import in_cache_lines
from carom.types import Array, Integers

NONE = -1
# Places in SparsePairs.state: entries ever used, and the first that has become free.
USED, FREE = 0, 1


@lasting
class SparsePairs(NamedTuple):
    """Rows of entries; an entry is a column and the next entry of its row."""

    size: Array  # (n,) of the particles, to tell rows from columns
    head: Integers  # (n,) int32, the first entry of each row
    column: Integers  # (room,) int32
    next: Integers  # (room,) int32
    state: Integers  # (2,)


def new_sparse_pairs(n: int, room: int) -> SparsePairs:
    """An empty set; ``empty`` must be called before it is used."""
    return SparsePairs(
        np.zeros(n),
        in_cache_lines(n, np.int32),
        in_cache_lines(room, np.int32),
        in_cache_lines(room, np.int32),
        np.zeros(2, dtype=np.int64),
    )


@inner_kernel
def empty(pairs: SparsePairs) -> None:
    """Remove all pairs."""
    for i in range(len(pairs.head)):
        pairs.head[i] = NONE
    pairs.state[USED] = 0
    pairs.state[FREE] = NONE


@inner_kernel
def row_and_column(pairs: SparsePairs, i: int, j: int) -> tuple[int, int]:
    """Where a pair stands."""
    a, b = pairs.size[i], pairs.size[j]
    return (i, j) if a < b or (a == b and i < j) else (j, i)


@inner_kernel
def _entry_before(pairs: SparsePairs, row: int, column: int) -> int:
    """The last entry of a row that stands before a column."""
    before, entry = NONE, pairs.head[row]
    while entry != NONE and pairs.column[entry] < column:
        before, entry = entry, pairs.next[entry]
    return before


@inner_kernel
def _after(pairs: SparsePairs, row: int, before: int) -> int:
    return pairs.head[row] if before == NONE else pairs.next[before]


@inner_kernel
def _link(pairs: SparsePairs, row: int, before: int, entry: int) -> None:
    if before == NONE:
        pairs.head[row] = entry
    else:
        pairs.next[before] = entry


@inner_kernel
def insert(pairs: SparsePairs, i: int, j: int) -> bool:
    """Add a pair that may be there already; False if there is no room."""
    row, column = row_and_column(pairs, i, j)
    before = _entry_before(pairs, row, column)
    after = _after(pairs, row, before)
    if after != NONE and pairs.column[after] == column:
        return True
    entry = pairs.state[FREE]
    if entry != NONE:
        pairs.state[FREE] = pairs.next[entry]
    else:
        entry = pairs.state[USED]
        if entry == len(pairs.column):
            return False
        pairs.state[USED] = entry + 1
    pairs.column[entry], pairs.next[entry] = column, after
    _link(pairs, row, before, entry)
    return True


@inner_kernel
def remove(pairs: SparsePairs, i: int, j: int) -> None:
    """Take away a pair, if it is there."""
    row, column = row_and_column(pairs, i, j)
    before = _entry_before(pairs, row, column)
    entry = _after(pairs, row, before)
    if entry != NONE and pairs.column[entry] == column:
        _link(pairs, row, before, pairs.next[entry])
        pairs.next[entry] = pairs.state[FREE]
        pairs.state[FREE] = entry
