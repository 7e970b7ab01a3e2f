"""Quantities over time, in a CSV file."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, TextIO

from carom.errors import CheckpointError
from carom.observers.observer import Observer

COLUMNS = (
    "time",
    "collisions",
    "wall_collisions",
    "kinetic_energy",
    "energy",
    "temperature",
    "pressure",
    "compressibility",
)


class Table(Observer):
    """Writes one line per look: properties of the simulation or of its counts.

    The last column, ``seconds``, is the computing time and the only one that two equal runs do
    not share.
    """

    def __init__(self, path: str | Path, every: float, columns: Sequence[str] = COLUMNS) -> None:
        super().__init__(every)
        self.path = Path(path)
        self._columns = tuple(columns)
        self._file: TextIO | None = None
        self._clock = perf_counter()

    def begin(self, simulation: Any, state: dict[str, Any] | None) -> None:
        """Start a new file, or cut the old one back to where the checkpoint was."""
        super().begin(simulation, state)
        if state is None:
            self._file = self.path.open("w", newline="")
            csv.writer(self._file).writerow([*self._columns, "seconds"])
            self._file.flush()
            return
        length = state["bytes"]
        if not self.path.exists() or self.path.stat().st_size < length:
            raise CheckpointError(
                f"{self.path} is missing or shorter than the {length} bytes that the checkpoint "
                "continues; start again without --resume."
            )
        os.truncate(self.path, length)
        self._file = self.path.open("a", newline="")

    def observe(self, simulation: Any) -> None:
        """Write a line."""
        assert self._file is not None
        values = [_value(simulation, name) for name in self._columns]
        seconds = f"{perf_counter() - self._clock:.3f}"
        csv.writer(self._file).writerow([*values, seconds])
        self._file.flush()

    def state(self) -> dict[str, Any]:
        """The schedule, and how long the file is."""
        return super().state() | {"bytes": self.path.stat().st_size}


def _value(simulation: Any, name: str) -> Any:
    source = simulation.counts if hasattr(simulation.counts, name) else simulation
    value = getattr(source, name)
    return repr(float(value)) if isinstance(value, float) else value
