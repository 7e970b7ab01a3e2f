"""Pairs of particles by distance, summed over looks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.observers.observer import Observer
from carom.statistics import CONTACT_EDGES, Contact, PairShells, box_around, pair_shells
from carom.statistics.shells import checked_edges
from carom.types import Plain


class PairStatistics(Observer):
    """Sums the pairs in shells of distance: their number, and how fast they approach.

    ``edges`` are those of the shells, relative to the sum of the radii of a pair. Left out, ten
    shells reach to a tenth of a diameter from contact, for ``contact()``: the radial distribution
    function at contact, the radial relative speed there, and the collision kernel that the two
    make. A checkpoint keeps the sums.
    """

    keeps = True

    def __init__(self, every: float, edges: ArrayLike = CONTACT_EDGES) -> None:
        super().__init__(every)
        self._edges = checked_edges(edges)
        self._sums: PairShells | None = None

    def __repr__(self) -> str:
        first, last, number = self._edges[0], self._edges[-1], len(self._edges) - 1
        shells = f"{number} shells from {first:g} to {last:g}"
        return f"<PairStatistics: {shells}, every={self.every!r}, {self.looks} looks>"

    def settings(self) -> Plain:
        """The schedule and the shells."""
        return super().settings() | {"edges": self._edges.tolist()}

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse what has no box."""
        box_around(simulation)

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Begin anew, or with the sums of a checkpoint."""
        super().begin(simulation, state)
        if state is not None:
            kept = state["sums"]
            self._sums = None if kept is None else PairShells(*map(np.array, kept))

    def observe(self, simulation: Any) -> None:
        """Add the pairs as they are now."""
        seen = pair_shells(simulation.particles, box_around(simulation), self._edges)
        self._sums = seen if self._sums is None else self._sums.plus(seen)

    @property
    def shells(self) -> PairShells:
        """The sums over all looks; its ``distribution`` over its ``distance`` is g."""
        if self._sums is None:
            raise ValueError("PairStatistics has not looked yet; run the simulation first.")
        return self._sums

    def contact(self, order: int = 1) -> Contact:
        """What the shells say of pairs in contact, see ``PairShells.contact``."""
        return self.shells.contact(order)

    def clear(self) -> None:
        """Forget what was summed so far."""
        self._sums = None

    def state(self) -> Plain:
        """The schedule and the sums."""
        sums = None if self._sums is None else [column.tolist() for column in self._sums]
        return super().state() | {"sums": sums}
