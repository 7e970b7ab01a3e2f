"""Every collision, in columns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.observers.observer import Observer
from carom.particles import Array
from carom.types import Columns


class CollisionLog(Observer):
    """Keeps time, i, j, impulse and separation of every collision in the order they happen.

    ``j`` is the partner, or -1 - k for wall k (the walls of a box first, lower and upper along
    x, y, z, then ``System(walls=...)``). ``separation`` (.., d) points from the partner to i.
    """

    wants_collisions = True

    def __init__(self) -> None:
        super().__init__(math.inf)
        self._pieces: list[Columns] = []

    def __repr__(self) -> str:
        return f"<CollisionLog: {len(self)} collisions>"

    def observe(self, simulation: Any) -> None:
        """Nothing to see at a time of its own; collisions are handed over."""

    def collided(self, columns: Columns) -> None:
        """Take a piece of the log."""
        self._pieces.append(columns)

    def __getitem__(self, name: str) -> Array:
        if not self._pieces:
            shape = (0, 0) if name == "separation" else (0,)
            return np.empty(shape, dtype=np.int64 if name in "ij" else np.float64)
        return np.concatenate([piece[name] for piece in self._pieces])

    def __len__(self) -> int:
        return sum(len(piece["time"]) for piece in self._pieces)

    def clear(self) -> None:
        """Forget what was kept so far."""
        self._pieces.clear()
