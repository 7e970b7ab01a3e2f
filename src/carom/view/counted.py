"""How many collisions each particle has had, counted from when somebody wants to know."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.types import Array


class CollisionCounts:
    """Counts the collisions of each particle, with others and with walls."""

    def __init__(self, simulation: Any) -> None:
        self._simulation = simulation
        # By identity, of which there are more and more where particles come and go.
        self._of_each: Array = np.zeros(0)
        simulation._listen(self._count)

    def _count(self, columns: dict[str, Array]) -> None:
        for whose in (columns["i"], columns["j"]):
            found = np.bincount(whose[whose >= 0], minlength=len(self._of_each)).astype(np.float64)
            found[: len(self._of_each)] += self._of_each
            self._of_each = found

    @property
    def counts(self) -> Array:
        """Those of who is there, by row."""
        identity = self._simulation.system.particles.identity
        missing = int(identity.max(initial=-1)) + 1 - len(self._of_each)
        if missing > 0:
            self._of_each = np.concatenate([self._of_each, np.zeros(missing)])
        return self._of_each[identity]


def can_be_counted(simulation: Any) -> bool:
    """Whether collisions are events in the method, and not contacts that last."""
    return not hasattr(simulation.method, "stiffness")
