"""Cells or lists: what the density says at first, and what the counts of events say later on."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from carom.functions import log, power
from carom.methods.event_driven.algorithms import Algorithm
from carom.methods.event_driven.fast.cells_and_calendar import CellsAndCalendar
from carom.methods.event_driven.fast.lists_and_calendar import ListsAndCalendar
from carom.methods.event_driven.world import World, counts_of
from carom.system import System

# Numbers of particles, small and large, between which thresholds follow the logarithm of n: beyond
# the caches lists, which ask for less memory, are the faster ones at lower densities already.
SMALL_AND_LARGE = (4_000, 500_000)
# Packing fractions above which lists are faster than cells; in the plane measured with 4,000 only.
DENSE = {2: (0.60, 0.60), 3: (0.38, 0.28)}


def automatic(system: System) -> Algorithm:
    """The fastest algorithm for a system."""
    if not ListsAndCalendar.can(system):
        return CellsAndCalendar(system, None)
    return CellsOrLists(system)


def _is_dense(system: System) -> bool:
    radius, dimension = system.particles.radius, system.dimension
    volume = math.pi * radius**2 if dimension == 2 else 4.0 / 3.0 * math.pi * power(radius, 3.0)
    return float(volume.sum()) > _threshold(system, DENSE[dimension]) * system.volume


def _threshold(system: System, of_small_and_large: tuple[float, float]) -> float:
    """The threshold for a system of so many particles, from that of small and of large ones."""
    n = log(len(system.particles))
    return float(np.interp(n, [log(size) for size in SMALL_AND_LARGE], of_small_and_large))


class CellsOrLists:
    """Cells in dilute systems, lists in dense ones.

    Density alone does not tell how crowded the particles of a granular gas are that has gathered
    in clusters. What tells is how often they leave their cells or shells between two collisions.
    The other algorithm has to be compiled, though, which takes as long as some ten million
    collisions; so it is taken after as many collisions have called for it.
    """

    PATIENCE = 20_000_000
    # Cells, or shells, left per collision: below the first it is time for lists, above the second
    # for cells. In equilibrium at DENSE they are 0.22 to 0.27 and 0.33 to 0.36 in small systems,
    # 0.53 and 0.90 in large ones.
    CROWDED: ClassVar = {2: (0.20, 0.20), 3: (0.20, 0.43)}
    SPARSE: ClassVar = {2: (0.45, 0.45), 3: (0.45, 1.2)}

    def __init__(self, system: System) -> None:
        self._system = system
        self._current: Algorithm = self._new(_is_dense(system))
        # Collisions and transfers at the last review, and the collisions that call for a change.
        self._review = np.zeros(3, dtype=np.int64)

    def _new(self, lists: bool) -> Algorithm:
        return ListsAndCalendar(self._system) if lists else CellsAndCalendar(self._system, None)

    @property
    def has_lists(self) -> bool:
        """Whether lists are in use at present."""
        return isinstance(self._current, ListsAndCalendar)

    def prepare(self, world: World) -> None:
        """Let all particles look for their next events."""
        self._current.prepare(world)

    def advance(self, world: World, until: float, collisions: int) -> int:
        """Handle some events."""
        return self._current.advance(world, until, collisions)

    def is_compiled(self, world: World) -> bool:
        """Whether ``advance`` starts without a compilation."""
        return self._current.is_compiled(world)

    def move_origin(self, world: World, duration: float) -> None:
        """Count all times from a later origin, and see whether the other algorithm is better."""
        self._current.move_origin(world, duration)
        counts = counts_of(world)
        collisions = counts.collisions - int(self._review[0])
        transfers = counts.transfers - int(self._review[1])
        system = self._system
        if self.has_lists:
            sparse = _threshold(system, self.SPARSE[system.dimension])
            calls_for_change = transfers > sparse * collisions
        else:
            crowded = _threshold(system, self.CROWDED[system.dimension])
            calls_for_change = transfers < crowded * collisions
        calls = int(self._review[2]) + collisions if calls_for_change else 0
        if calls > self.PATIENCE:
            self._current = self._new(not self.has_lists)
            self._current.prepare(world)
            calls = 0
        self._review[:] = counts.collisions, counts.transfers, calls

    def make_ready(self, kinds: dict[str, str | None]) -> None:
        """Have the algorithm that a checkpoint was made with."""
        if kinds["_current"] != type(self._current).__name__:
            self._current = self._new(not self.has_lists)
