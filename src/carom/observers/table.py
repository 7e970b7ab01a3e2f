"""Quantities over time, in a CSV file."""

from __future__ import annotations

import csv
import errno
import io
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from carom.errors import CheckpointError
from carom.files import refuse_other_suffixes, refuse_unwritable
from carom.observers.observer import Observer
from carom.observers.quantities import OF_ONE, columns_of, is_one_number, refuse_where_undefined
from carom.types import Plain

SUFFIXES = (".csv", ".txt")


class Table(Observer):
    """Writes one line per look: ``time``, and quantities by name as in :class:`Record`.

    Without names they are counts of collisions, energies, the temperature and the pressure. Further
    columns can be functions of the simulation, under a name. The
    last column, ``seconds``, is the computing time, over all the processes of a run that was
    continued, and the only one that two equal runs do not share. The file is one of numbers
    separated by commas, and its name ends in .csv or .txt.
    """

    keeps = True

    def __init__(
        self,
        path: str | Path,
        every: float,
        *names: str,
        **functions: Callable[[Any], Any],
    ) -> None:
        super().__init__(every)
        self.path = Path(path)
        refuse_other_suffixes(self, self.path, SUFFIXES, "what it writes are lines of text")
        self._functions = columns_of(self, names, functions)
        for name in names:
            if not is_one_number(name):
                first = "particles.velocity[0, 0]" if OF_ONE.fullmatch(name) else f"{name}[0]"
                raise ValueError(
                    f"Table: {name} is an array, but a column holds one number at a time; use a "
                    f"function under a name, such as first=lambda sim: sim.{first}."
                )
        if "seconds" in self._functions:
            raise ValueError("Table: seconds, the computing time, is always the last column.")
        self._file: Any = None
        self._length = 0  # of all complete lines, in bytes
        self._clock = perf_counter()

    def settings(self) -> Plain:
        """The name of the file, the schedule and the columns."""
        named = {"path": self.path.name, "columns": list(self._functions)}
        return super().settings() | named

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse what the simulation does not have, and a file that is not the one to continue."""
        refuse_where_undefined(self._functions, simulation)
        refuse_unwritable(self.path)
        if state is not None:
            self._refuse_another_file(state["bytes"])

    def _refuse_another_file(self, length: int) -> None:
        if not self.path.is_file() or self.path.stat().st_size < length:
            raise CheckpointError(
                f"{self.path} is missing or shorter than the {length} bytes that the checkpoint "
                "continues; start again without --resume."
            )
        head = self._heading()
        with self.path.open("rb") as file:
            is_ours = file.read(len(head)) == head
            file.seek(length - 1)
            if not (is_ours and file.read(1) == b"\n"):
                raise CheckpointError(
                    f"{self.path} is not the table that the checkpoint continues, or it was changed"
                    " since; start again without --resume."
                )

    def _heading(self) -> bytes:
        return _line([*self._functions, "seconds"])

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Start a new file, or cut the old one back to where the checkpoint was."""
        super().begin(simulation, state)
        self._clock = perf_counter() - (0.0 if state is None else state["seconds"])
        self._length = 0 if state is None else state["bytes"]
        # Without a buffer: what a full disk has refused does not come after all, later on.
        self._file = self.path.open("wb" if state is None else "r+b", buffering=0)
        if state is None:
            self._write(self._heading())
        else:
            self._file.truncate(self._length)

    def observe(self, simulation: Any) -> None:
        """Write a line."""
        values = [function(simulation) for function in self._functions.values()]
        seconds = f"{perf_counter() - self._clock:.3f}"
        for name, value in zip(self._functions, values, strict=True):
            if np.ndim(value) > 0:
                raise ValueError(
                    f"Table: {name} has shape {np.shape(value)}, but a column holds one number at "
                    f"a time."
                )
        self._write(_line([*map(_exactly, values), seconds]))

    def _write(self, line: bytes) -> None:
        """Write a line after the complete ones, in place of what a failure has left there."""
        self._file.seek(self._length)
        self._file.truncate()
        if self._file.write(line) < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
        self._length += len(line)

    def state(self) -> Plain:
        """The schedule, the computing time, and how long the file is, which is then on the disk."""
        os.fsync(self._file.fileno())
        return super().state() | {"bytes": self._length, "seconds": perf_counter() - self._clock}


def _line(values: Iterable[Any]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerow(values)
    return text.getvalue().encode()


def _exactly(value: Any) -> Any:
    """A number as the shortest text that gives it back bit for bit."""
    return repr(float(value)) if isinstance(value, float) else value
