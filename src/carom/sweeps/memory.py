"""What records have in memory, in the checkpoints of a run: a sweep gives it back elsewhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from carom.observers import Observer, Record
from carom.sweeps.measured import plain_value, value_of
from carom.types import Plain


class Memory(Observer):
    """Sees nothing; puts the columns of records into checkpoints, and back into the records.

    A record begins anew when a simulation is loaded, and whoever measures a run at its end has to
    find all of it.
    """

    keeps = True

    def __init__(self, observers: Sequence[Observer]) -> None:
        super().__init__(math.inf)
        self._records = [one for one in observers if isinstance(one, Record)]

    def observe(self, simulation: Any) -> None:
        """Nothing to see."""

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Give the records their columns back."""
        super().begin(simulation, state)
        kept = [{}] * len(self._records) if state is None else state["records"]
        for record, columns in zip(self._records, kept, strict=True):
            for name, plain in columns.items():
                record._rows[name][:] = list(value_of(plain))

    def state(self) -> Plain:
        """The schedule and all columns."""
        records = [
            {name: plain_value(name, np.asarray(column)) for name, column in record.items()}
            for record in self._records
        ]
        return super().state() | {"records": records}


def remembering(observers: Sequence[Observer]) -> list[Observer]:
    """An observer that keeps the records among these, if there are any."""
    return [Memory(observers)] if any(isinstance(one, Record) for one in observers) else []
