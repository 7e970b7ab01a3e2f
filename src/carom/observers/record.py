"""Quantities over time, in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from carom.observers.observer import Observer
from carom.observers.quantities import own_quantities, quantity, refuse_where_undefined
from carom.particles import Array


class Record(Observer):
    """Keeps ``time`` and the named properties of the simulation; ``record["energy"]`` is a column.

    Names of counts, such as ``"collisions"`` and ``"steps"``, of components, such as
    ``"stress_xy"``, and of statistics, such as ``"voronoi_deviation"``, are understood too. A
    quantity can also be a function of the simulation, under a name:
    ``Record(1.0, "energy", fastest=lambda sim: abs(sim.particles.velocity).max())``.
    """

    def __init__(self, every: float, *names: str, **functions: Callable[[Any], Any]) -> None:
        super().__init__(every)
        self._functions: dict[str, Callable[[Any], Any]] = {
            name: quantity(name) for name in ("time", *names)
        }
        self._functions |= own_quantities(functions)
        self._rows: dict[str, list[Any]] = {name: [] for name in self._functions}

    def settings(self) -> dict[str, Any]:
        """The schedule and the names of the columns."""
        return super().settings() | {"columns": list(self._functions)}

    def check(self, simulation: Any, state: dict[str, Any] | None) -> None:
        """Refuse what the simulation does not have."""
        refuse_where_undefined(self._functions, simulation)

    def observe(self, simulation: Any) -> None:
        """Add one value to each column."""
        for name, function in self._functions.items():
            self._rows[name].append(function(simulation))

    def __getitem__(self, name: str) -> Array:
        if name not in self._rows:
            raise KeyError(f"the record has no column {name!r}; it has {', '.join(self._rows)}.")
        return np.array(self._rows[name])

    def __len__(self) -> int:
        return len(self._rows["time"])


class Call(Observer):
    """Calls a function with the simulation."""

    def __init__(self, every: float, function: Callable[[Any], Any]) -> None:
        super().__init__(every)
        if not callable(function):
            raise TypeError(f"Call needs a function of the simulation, not {function!r}.")
        self._function = function

    def settings(self) -> dict[str, Any]:
        """The schedule and the name of the function."""
        name = getattr(self._function, "__name__", type(self._function).__name__)
        return super().settings() | {"function": name}

    def observe(self, simulation: Any) -> None:
        """Call the function."""
        self._function(simulation)
