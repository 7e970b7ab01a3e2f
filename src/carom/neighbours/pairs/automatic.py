"""What ``neighbours="auto"`` means."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.neighbours.pairs.all_pairs import AllPairs
from carom.neighbours.pairs.hierarchical_cells import HierarchicalCells, size_classes
from carom.neighbours.pairs.linked_cells import LinkedCells

# Up to so many particles it is faster to examine all pairs, 10 ns each, than to sort into cells,
# 100 ns for each particle.
TINY = 20
# With so many in its cell of one grid, a particle is compared with some eighty: then a grid for
# each class of sizes costs less. Measured for mixtures with a volume fraction of 0.12 and half of
# the volume in particles 1/3, 1/4 and 1/5 of the size of the others (4, 9 and 17 to a cell): one
# grid takes 0.9, 1.2 and 2.0 times the time of the hierarchy.
CROWD = 6.0


def automatic(system: Any) -> AllPairs | LinkedCells | HierarchicalCells:
    """The neighbour method that suits a system, by the number and the sizes of its particles."""
    radius = system.particles.radius
    if len(radius) <= TINY:
        return AllPairs()
    if len(size_classes(radius, 0.0)) > 1 and _crowd(system) > CROWD:
        return HierarchicalCells()
    return LinkedCells()


def _crowd(system: Any) -> float:
    """How many are in a particle's cell, on average, if cells are as wide as the largest."""
    position, radius = system.particles.position, system.particles.radius
    away = (position - position.min(axis=0)) / (2.0 * radius.max())
    _, inside = np.unique(np.floor(away), axis=0, return_counts=True)
    return float((inside**2).sum() / len(radius))
