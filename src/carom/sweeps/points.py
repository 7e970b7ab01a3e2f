"""The points of a sweep: what parameters may be, how they are known again, their labels."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any, NamedTuple

import numpy as np

from carom.checks import several
from carom.representation import shortened

REPLICA, POINT, ERROR, RANDOM = "replica", "point", "error", "random"
TAKEN = {
    REPLICA: "the replicas are numbered by that name",
    POINT: "the points of a list are numbered by that name",
    ERROR: "what failures say is found under that name",
    RANDOM: "the random generator is handed over by that name",
}


class Points(NamedTuple):
    """All points of a sweep, in order; ``axes`` are the lengths of the sides of a product."""

    names: tuple[str, ...]
    axes: tuple[int, ...] | None
    values: list[dict[str, Any]]
    described: list[dict[str, Any]]
    labels: dict[str, list[Any]]  # for each name: along its axis, or of each point

    def shown(self, k: int) -> str:
        """A point as a person would write it."""
        parts = (f"{name}={shortened(value)}" for name, value in self.values[k].items())
        return ", ".join(parts) or "no parameters"


def points_of(parameters: Any) -> Points:
    """The points of a dictionary of lists (their product), a list of dictionaries or a table."""
    if parameters is None:
        parameters = {}
    if hasattr(parameters, "to_dict") and hasattr(parameters, "columns"):  # a pandas table
        parameters = parameters.to_dict("records")
    if isinstance(parameters, Mapping):
        return _product(parameters)
    return _listed(several("parameters", parameters))


def _product(parameters: Mapping[str, Any]) -> Points:
    names = _checked_names(parameters)
    sides = [_values(name, parameters[name]) for name in names]
    values = [dict(zip(names, point, strict=True)) for point in itertools.product(*sides)]
    labels = {}
    for name, side in zip(names, sides, strict=True):
        _refuse_twins(f"parameters: {name}", [described(name, value) for value in side], side)
        labels[name] = _labels(name, side)
    return Points(names, tuple(map(len, sides)), values, list(map(_described, values)), labels)


def _listed(points: Sequence[Any]) -> Points:
    if not points:
        raise ValueError("parameters is an empty list; a sweep needs at least one point.")
    for k, point in enumerate(points):
        if not isinstance(point, Mapping):
            raise TypeError(
                f"parameters[{k}] must be a dictionary of names and values, not {point!r}."
            )
    names = _checked_names(points[0])
    for k, point in enumerate(points):
        if set(point) != set(names):
            raise ValueError(
                f"parameters[{k}] names {_listing(point)}, but parameters[0] names "
                f"{_listing(names)}; all points need the same names."
            )
    values = [{name: _plain(point[name]) for name in names} for point in points]
    found = list(map(_described, values))
    _refuse_twins("parameters", found, values)
    labels = {name: _labels(name, [point[name] for point in values], once=False) for name in names}
    return Points(names, None, values, found, labels)


def _checked_names(names: Any) -> tuple[str, ...]:
    for name in names:
        if not (isinstance(name, str) and name):
            raise TypeError(f"parameters: the name of a parameter must be a text, not {name!r}.")
        if name in TAKEN:
            raise ValueError(f"parameters: {name!r} cannot be one, since {TAKEN[name]}.")
    return tuple(names)


def _listing(names: Any) -> str:
    return ", ".join(sorted(map(str, names))) or "nothing"


def _values(name: str, given: Any) -> list[Any]:
    is_single = isinstance(given, str | bytes | Mapping) or hasattr(given, "_fields")
    if is_single or (not isinstance(given, np.ndarray) and not hasattr(given, "__iter__")):
        raise TypeError(
            f"parameters: {name} must be a list of values, not {given!r}; "
            f"a single one is [{shortened(given)}]."
        )
    values = [_plain(value) for value in given]
    if not values:
        raise ValueError(f"parameters: the list of {name} is empty; give it at least one value.")
    return values


def _plain(value: Any) -> Any:
    """Numbers of NumPy as those of Python: as they are kept, and as everything takes them."""
    return value.item() if isinstance(value, np.generic) else value


def _refuse_twins(what: str, found: Sequence[Any], values: Sequence[Any]) -> None:
    seen: dict[str, int] = {}
    for k, one in enumerate(found):
        text = json.dumps(one, sort_keys=True)
        if text in seen:
            raise ValueError(
                f"{what}: {shortened(values[k])} is there twice, at {seen[text]} and {k}; "
                "replicas= repeats runs."
            )
        seen[text] = k


def _described(point: Mapping[str, Any]) -> dict[str, Any]:
    return {name: described(name, value) for name, value in point.items()}


def described(name: str, value: Any) -> Any:
    """A value as JSON can hold it, by which it is known again; what has no name is refused."""
    value = _plain(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        content = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return {"array": content, "dtype": value.dtype.str, "shape": list(value.shape)}
    if hasattr(value, "_asdict"):
        return {type(value).__name__: _described_items(name, value._asdict())}
    if is_dataclass(value) and not isinstance(value, type):
        fields = {key: getattr(value, key) for key in value.__dataclass_fields__}
        return {type(value).__name__: _described_items(name, fields)}
    if isinstance(value, dict):
        return {"dict": [[described(name, k), described(name, v)] for k, v in value.items()]}
    if isinstance(value, list | tuple):
        return {type(value).__name__: [described(name, part) for part in value]}
    if callable(value) and getattr(value, "__qualname__", None):
        return {"function": value.__qualname__}
    raise TypeError(
        f"parameters: {name} has the value {value!r}, which cannot be known again. Numbers, texts, "
        "None, tuples, arrays, carom's laws and methods, functions and dataclasses are possible."
    )


def _described_items(name: str, items: Mapping[str, Any]) -> dict[str, Any]:
    return {key: described(name, value) for key, value in items.items()}


def _labels(name: str, values: Sequence[Any], once: bool = True) -> list[Any]:
    """What stands for values in a table: they themselves, if all are numbers or all texts."""
    kinds = {type(value) for value in values}
    is_exact = all(type(value) is not int or abs(value) < 2**53 for value in values)
    if kinds <= {bool} or (kinds <= {int, float} and is_exact):
        labels = list(values)
    else:
        labels = [value if isinstance(value, str) else shortened(value) for value in values]
    if once:
        keys = ["nan" if one != one else one for one in labels]
        for k, key in enumerate(keys):
            if key in keys[:k]:
                first = values[keys.index(key)]
                raise ValueError(
                    f"parameters: {name} has {shortened(first)} and {values[k]!r}, which a table "
                    f"cannot tell apart: both are {labels[k]!r} in it. Leave out one, or "
                    "hand over texts and let build look up what they stand for."
                )
    return labels


def place_of(point: Mapping[str, Any], replica: int) -> bytes:
    """A hash of a described point and the number of a replica, whatever the order of names."""
    text = json.dumps([point, replica], sort_keys=True)
    return hashlib.sha256(text.encode()).digest()
