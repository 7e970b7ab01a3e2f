"""How many collisions each particle has had, counted from when somebody wants to know."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.types import Array


class CollisionCounts:
    """Counts the collisions of each particle, with others and with walls."""

    def __init__(self, simulation: Any) -> None:
        self.counts: Array = np.zeros(len(simulation.system.particles))
        simulation._listen(self._count)

    def _count(self, columns: dict[str, Array]) -> None:
        for whose in (columns["i"], columns["j"]):
            self.counts += np.bincount(whose[whose >= 0], minlength=len(self.counts))


def can_be_counted(simulation: Any) -> bool:
    """Whether collisions are events in the method, and not contacts that last."""
    return not hasattr(simulation.method, "stiffness")
