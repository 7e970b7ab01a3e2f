"""Everybody who comes or goes, in columns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.observers.observer import Observer
from carom.particles import Array
from carom.types import Columns, Plain

OF_PARTICLES = ("identity", "position", "velocity", "radius", "mass", "species")


class PassageLog(Observer):
    """Keeps all particles that come in or go out, in the order in which they do.

    Columns are ``time``, ``actor`` (its place among ``sim.actors``), ``entered`` (True for who
    comes in, False for who goes out), and of the particle ``identity``, ``position``, ``velocity``,
    ``radius``, ``mass`` and ``species``, its number.
    """

    wants_passages = True

    def __init__(self) -> None:
        super().__init__(math.inf)
        self._pieces: list[Columns] = []

    def __repr__(self) -> str:
        return f"<PassageLog: {len(self)} particles>"

    def observe(self, simulation: Any) -> None:
        """Nothing to see at a time of its own; passages are handed over."""

    def passed(self, time: float, passages: list[Plain]) -> None:
        """Take those who have come or gone at a time."""
        for one in passages:
            particles = one["particles"]
            n = len(particles)
            columns = {name: getattr(particles, name) for name in OF_PARTICLES}
            columns["time"] = np.full(n, time)
            columns["actor"] = np.full(n, one["actor"], dtype=np.int64)
            columns["entered"] = np.full(n, one["entered"], dtype=bool)
            self._pieces.append(columns)

    def __getitem__(self, name: str) -> Array:
        if name not in (*OF_PARTICLES, "time", "actor", "entered"):
            raise KeyError(f"a PassageLog has no column {name!r}.")
        if not self._pieces:
            shape = (0, 0) if name in ("position", "velocity") else (0,)
            return np.empty(shape)
        return np.concatenate([piece[name] for piece in self._pieces])

    def __len__(self) -> int:
        return sum(len(piece["time"]) for piece in self._pieces)

    def clear(self) -> None:
        """Forget what was kept so far."""
        self._pieces.clear()
