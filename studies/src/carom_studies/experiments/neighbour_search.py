"""Bodies between walls and what a neighbour method finds of them.

Bodies are numbered from 1, as in Muth, Müller, Eberhard & Luding 2007.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from carom.neighbours.pairs import all_found, new_search
from carom.neighbours.pairs.lattice import new_lattice
from carom.neighbours.pairs.pair_list import new_pair_list, new_search_tally
from carom.neighbours.pairs.sparse_pairs import NONE

WALLED = (False, False, False)


class NeighbourSearch:
    """Bodies between walls, and what a method finds of them."""

    def __init__(self, method: Any, position: Any, radius: float, skin: float = 0.0) -> None:
        position = np.asarray(position, dtype=float)
        n, self.dimension = position.shape
        self.record = np.zeros((n, 4))
        self.record[:, 3] = radius
        self.skin = skin
        self.lattice = new_lattice((0.0, 0.0, 0.0), WALLED)
        particles = SimpleNamespace(radius=self.record[:, 3])
        system = SimpleNamespace(particles=particles, dimension=self.dimension)
        self.search = new_search(method, system, skin)
        self.pairs = new_pair_list(200, 4)
        self.tally = new_search_tally()
        self.look(position)

    def look(self, position: Any) -> None:
        """Search once more, with the bodies elsewhere."""
        self.record[:, : self.dimension] = position
        self.search, self.pairs = all_found(
            self.search, self.lattice, self.record, self.skin, self.pairs, self.tally
        )

    @property
    def listed(self) -> list[tuple[int, int]]:
        """The pairs in the order and direction in which they stand in the list."""
        number = int(self.pairs.number[0])
        first, second = self.pairs.first[:number], self.pairs.second[:number]
        return [(int(i) + 1, int(j) + 1) for i, j in zip(first, second, strict=True)]

    def neighbours_of(self, body: int) -> set[int]:
        """The neighbour data-structure of a body: who is examined from there."""
        return {j for i, j in self.listed if i == body}

    def ends_along(self, axis: int) -> str:
        """The list of beginnings and endings along an axis."""
        return " ".join("be"[end & 1] + str((end >> 1) + 1) for end in self.search.ends.end[axis])

    def stored_rows(self) -> dict[int, list[int]]:
        """The rows of the sparse matrix of a linked linear list, with their columns."""
        store = self.search.overlapping
        rows: dict[int, list[int]] = {}
        for i, entry in enumerate(store.head):
            columns = []
            while entry != NONE:
                columns.append(int(store.column[entry]) + 1)
                entry = store.next[entry]
            if columns:
                rows[i + 1] = columns
        return rows

    def stored_pairs(self) -> list[tuple[int, int]]:
        """The entries of the sparse matrix above its diagonal, in order."""
        rows = self.stored_rows()
        return sorted((min(i, j), max(i, j)) for i, columns in rows.items() for j in columns)
