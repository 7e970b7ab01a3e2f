"""Quantities over time, in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

import numpy as np

from carom.html import record_card
from carom.observers.observer import Observer
from carom.observers.quantities import columns_of, refuse_where_undefined
from carom.particles import Array
from carom.types import Plain


class Record(Observer, Mapping[str, Array]):
    """Keeps ``time`` and the named quantities of the simulation; ``record["energy"]`` is a column.

    Names are those of properties of the simulation, of counts, such as ``"collisions"``, of the
    fluid, such as ``"fluid.energy"``, of components, such as ``"stress_xy"``, of statistics, such
    as ``"voronoi_deviation"``, and of a species, such as ``'temperature of "small"'`` (also
    ``kinetic_energy``, ``number``, ``momentum`` and ``centre``, that of mass); without any, those
    that a :class:`Table` has. A quantity can
    also be a function of the simulation, under a name:
    ``Record(1.0, "energy", fastest=lambda sim: abs(sim.particles.velocity).max())``.

    A record is a mapping from names to columns, ``looks`` long; ``dict(record)`` are its arrays.
    """

    def __init__(self, every: float, *names: str, **functions: Callable[[Any], Any]) -> None:
        super().__init__(every)
        self._functions = columns_of(self, names, functions)
        self._rows: dict[str, list[Any]] = {name: [] for name in self._functions}

    # A mapping would compare its columns, but an observer is itself.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def settings(self) -> Plain:
        """The schedule and the names of the columns."""
        return super().settings() | {"columns": list(self._functions)}

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse what the simulation does not have."""
        refuse_where_undefined(self._functions, simulation)

    def observe(self, simulation: Any) -> None:
        """Add one value to each column."""
        values = [function(simulation) for function in self._functions.values()]
        for rows, value in zip(self._rows.values(), values, strict=True):
            rows.append(value)

    @property
    def looks(self) -> int:
        """How long the columns are: how often it has looked, since a load if there was one."""
        return len(next(iter(self._rows.values())))

    def _repr_html_(self) -> str:
        return record_card(self, self._rows)

    def __getitem__(self, name: str) -> Array:
        if name not in self._rows:
            raise KeyError(f"the record has no column {name!r}; it has {', '.join(self._rows)}.")
        return np.array(self._rows[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def to_dataframe(self) -> Any:
        """A pandas ``DataFrame`` with the times as its index.

        A quantity that is an array has a column for each of its numbers: ``momentum_0``,
        ``stress_0_1``.
        """
        pandas = _needed("pandas", "to_dataframe")
        columns = {}
        for name, values in self.items():
            for place in np.ndindex(*values.shape[1:]):
                columns["_".join([name, *map(str, place)])] = values[:, *place]
        return pandas.DataFrame(columns).set_index("time")

    def to_xarray(self) -> Any:
        """An xarray ``Dataset`` with the times as a coordinate.

        The axes of a quantity that is an array are named after it: ``stress_0``, ``stress_1``.
        """
        xarray = _needed("xarray", "to_xarray")
        variables = {}
        for name, values in self.items():
            axes = [f"{name}_{axis}" for axis in range(values.ndim - 1)]
            variables[name] = (["time", *axes], values)
        return xarray.Dataset(variables)


def _needed(package: str, method: str) -> Any:
    try:
        return import_module(package)
    except ImportError as error:
        raise ImportError(
            f"Record.{method} needs {package}: pip install {package}. Without it, dict(record) "
            "gives the columns as arrays."
        ) from error


class Call(Observer):
    """Calls a function with the simulation."""

    def __init__(self, every: float, function: Callable[[Any], Any]) -> None:
        super().__init__(every)
        if not callable(function):
            raise TypeError(f"Call needs a function of the simulation, not {function!r}.")
        self._function = function

    def settings(self) -> Plain:
        """The schedule and the name of the function."""
        name = getattr(self._function, "__name__", type(self._function).__name__)
        return super().settings() | {"function": name}

    def observe(self, simulation: Any) -> None:
        """Call the function."""
        self._function(simulation)
