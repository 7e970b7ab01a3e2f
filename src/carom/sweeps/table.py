"""Rows as a table with coordinates: an ``xarray.Dataset``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from carom.errors import SweepError
from carom.sweeps.folder import SweepFolder
from carom.sweeps.measured import value_of
from carom.sweeps.points import ERROR, POINT, REPLICA, Points
from carom.types import Plain

NOT_YET = "not run yet"


def xarray() -> Any:
    """The package xarray; where it is missing, the words that install it."""
    try:
        import xarray  # only sweeps and records that are asked for it need it
    except ImportError as error:
        raise ImportError(
            "what a sweep has measured is an xarray.Dataset; install the package with: "
            "pip install 'carom[sweep]'"
        ) from error
    return xarray


def layout_of(points: Points, replicas: int) -> Plain:
    """How a table of the points looks, in values that JSON can hold."""
    return {
        "names": list(points.names),
        "axes": None if points.axes is None else list(points.axes),
        "labels": points.labels,
        "points": len(points.values),
        "replicas": replicas,
    }


def dataset(layout: Plain, rows: Sequence[Plain | None]) -> Any:
    """The table of rows, point by point and for each all replicas; None where there is none."""
    replicas = layout["replicas"]
    axes = layout["axes"]
    if axes is None:
        shape: tuple[int, ...] = (layout["points"], replicas)
        dims: tuple[str, ...] = (POINT, REPLICA)
        coords = {name: (POINT, _label_array(labels)) for name, labels in layout["labels"].items()}
    else:
        shape, dims = (*axes, replicas), (*layout["names"], REPLICA)
        coords = {name: (name, _label_array(labels)) for name, labels in layout["labels"].items()}
    coords[REPLICA] = (REPLICA, np.arange(replicas))
    variables = {
        name: _variable(name, [_measured(row, name) for row in rows], shape, dims)
        for name in names_in(rows)
    }
    errors = [NOT_YET if row is None else row.get(ERROR, "") for row in rows]
    variables[ERROR] = (dims, np.array(errors, dtype=object).reshape(shape))
    return xarray().Dataset(variables, coords)


def names_in(rows: Sequence[Plain | None]) -> list[str]:
    """The names of what was measured; rows that disagree are refused."""
    first: Plain | None = None
    for row in rows:
        if row is None or row["values"] is None:
            continue
        if first is None:
            first = row
        refuse_other_names(first, row)
    return [] if first is None else list(first["values"])


def refuse_other_names(first: Plain, row: Plain) -> None:
    """Refuse rows that measure other things than each other."""
    one, other = set(first["values"]), set(row["values"])
    if one != other:
        raise SweepError(
            f"measure gives other names for one run than for another: {_listing(one)} for "
            f"{first['shown']}, but {_listing(other)} for {row['shown']}. Let it always give the "
            "same, with None where there is nothing to say."
        )


def _listing(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def _measured(row: Plain | None, name: str) -> Any:
    return None if row is None or row["values"] is None else value_of(row["values"][name])


def _label_array(labels: Sequence[Any]) -> Any:
    array = np.array(labels)
    return array.astype(object) if array.dtype.kind == "U" else array


def _variable(
    name: str, values: list[Any], shape: tuple[int, ...], dims: tuple[str, ...]
) -> tuple[tuple[str, ...], Any]:
    """All that was measured under a name, as one array."""
    arrays = [value for value in values if isinstance(value, np.ndarray) and value.ndim]
    if not arrays:
        plain = [value.item() if isinstance(value, np.ndarray) else value for value in values]
        return dims, _column(plain).reshape(shape)
    numbers = {array.ndim for array in arrays}
    if len(numbers) > 1 or any(not isinstance(one, np.ndarray | None) for one in values):
        raise SweepError(
            f"measure gives {name!r} as a single value or an array in different runs, or with "
            "other numbers of axes; a table needs arrays of the same kind."
        )
    (number,) = numbers
    # Where a run has less than another, the rest is not a number.
    whole = tuple(max(array.shape[axis] for array in arrays) for axis in range(number))
    is_full = len(arrays) == len(values) and all(array.shape == whole for array in arrays)
    kind = _common_kind(arrays, is_full)
    filled = np.full((len(values), *whole), _nothing(kind), dtype=kind)
    for k, array in enumerate(values):
        if array is not None:
            corner: Any = tuple(slice(length) for length in array.shape)
            filled[k][corner] = array
    inner = tuple(f"{name}_{axis}" if number > 1 else f"{name}_index" for axis in range(number))
    return (*dims, *inner), filled.reshape(*shape, *whole)


def _common_kind(arrays: list[Any], is_full: bool) -> Any:
    kind = np.result_type(*arrays)
    if kind.kind in "US":
        return np.dtype(object)
    if not is_full and kind.kind in "biu":
        return np.result_type(kind, np.float64)
    return kind


def _nothing(kind: Any) -> Any:
    return "" if kind.kind == "O" else np.array(np.nan).astype(kind) if kind.kind in "fc" else 0


def _column(values: list[Any]) -> Any:
    """Single values: numbers where all are, with NaN for those that are missing."""
    there = [value for value in values if value is not None]
    if any(isinstance(value, str) for value in there):
        return np.array(["" if value is None else value for value in values], dtype=object)
    if len(there) == len(values):
        return np.array(values)
    if all(isinstance(value, bool) for value in there) and there:
        return np.array(values, dtype=object)
    if any(isinstance(value, complex) for value in there):
        return np.array([np.nan if value is None else value for value in values], dtype=complex)
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def read(folder: str | Path) -> Any:
    """The table of a sweep from its folder, as it was asked for the last time.

    Runs that are not over are rows whose ``error`` says so. Nobody is disturbed: the sweep may be
    going on.
    """
    xarray()
    found = SweepFolder(folder)
    asked = found.asked()
    found.read()
    return dataset(asked["layout"], [found.rows.get(name) for name in asked["runs"]])


def over_replicas(table: Any) -> Any:
    """The mean over the replicas of each number in a table, and its standard error as
    ``NAME_error``; ``replicas`` is how many have one.

    Failed runs are left out. The error is that of independent replicas, NaN where there is one.
    """
    names = [name for name in table.data_vars if table[name].dtype.kind in "biuf"]
    found: dict[str, Any] = {}
    is_there = (table[ERROR] == "").astype(bool)
    for name in names:
        values = table[name].where(is_there).astype(float)
        number = values.notnull().sum(REPLICA)
        found[name] = values.mean(REPLICA)
        spread = values.std(REPLICA, ddof=1) if table.sizes[REPLICA] > 1 else found[name] * np.nan
        found[f"{name}_error"] = spread / np.sqrt(number)
    found["replicas"] = is_there.sum(REPLICA)
    return xarray().Dataset(found, _coordinates(table))


def _coordinates(table: Any) -> Mapping[str, Any]:
    return {name: value for name, value in table.coords.items() if name != REPLICA}
