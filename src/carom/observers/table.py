"""Quantities over time, in a CSV file."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, TextIO

from carom.errors import CheckpointError
from carom.observers.observer import Observer
from carom.observers.quantities import quantity, refuse_where_undefined

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
    """Writes one line per look: properties of the simulation, its counts, and components such as
    ``stress_xy``.

    Further columns can be functions of the simulation, under a name, as in :class:`Record`. The
    last column, ``seconds``, is the computing time, over all the processes of a run that was
    continued, and the only one that two equal runs do not share.
    """

    def __init__(
        self,
        path: str | Path,
        every: float,
        columns: Sequence[str] = COLUMNS,
        **functions: Callable[[Any], Any],
    ) -> None:
        super().__init__(every)
        self.path = Path(path)
        self._functions = {name: quantity(name) for name in columns} | functions
        self._file: TextIO | None = None
        self._clock = perf_counter()

    def begin(self, simulation: Any, state: dict[str, Any] | None) -> None:
        """Start a new file, or cut the old one back to where the checkpoint was."""
        super().begin(simulation, state)
        refuse_where_undefined(self._functions, simulation)
        self._clock = perf_counter() - (0.0 if state is None else state["seconds"])
        if state is None:
            self._file = self.path.open("w", newline="")
            csv.writer(self._file).writerow([*self._functions, "seconds"])
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
        values = [function(simulation) for function in self._functions.values()]
        seconds = f"{perf_counter() - self._clock:.3f}"
        csv.writer(self._file).writerow([*map(_exactly, values), seconds])
        self._file.flush()

    def state(self) -> dict[str, Any]:
        """The schedule, the computing time, and how long the file is, which is then on the disk."""
        assert self._file is not None
        os.fsync(self._file.fileno())
        size = os.fstat(self._file.fileno()).st_size
        return super().state() | {"bytes": size, "seconds": perf_counter() - self._clock}


def _exactly(value: Any) -> Any:
    """A number as the shortest text that gives it back bit for bit."""
    return repr(float(value)) if isinstance(value, float) else value
