"""What is measured, as plain values that a line of text holds to the last bit, and back."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np

from carom.sweeps.points import TAKEN

ARRAY = "array"


def plain_values(values: Any, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """What ``measure`` has given, to be kept; what cannot be is refused in words."""
    if not isinstance(values, Mapping):
        raise TypeError(
            f"measure must return a dictionary of names and values, such as {{'T': 1.0}}, not "
            f"{values!r}."
        )
    return {
        _checked_name(name, parameters): plain_value(name, value) for name, value in values.items()
    }


def _checked_name(name: Any, parameters: Mapping[str, Any]) -> str:
    if not (isinstance(name, str) and name):
        raise TypeError(f"measure: names must be texts, not {name!r}.")
    if name in parameters:
        raise ValueError(f"measure: {name!r} is a parameter already; choose another name.")
    if name in TAKEN:
        raise ValueError(f"measure: {name!r} cannot be a name, since {TAKEN[name]}.")
    return name


def plain_value(name: str, value: Any) -> Any:
    """A value as it is kept."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | float | str):
        return value
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return value
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        array = np.asarray(None)
    if array.dtype.kind == "U":
        return {ARRAY: array.tolist(), "dtype": array.dtype.str, "shape": list(array.shape)}
    if array.dtype.kind not in "biufc":
        raise TypeError(
            f"measure: {name!r} is {value!r}, of the kind {type(value).__name__}; numbers, texts, "
            "None and regular arrays of numbers or texts are possible."
        )
    content = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    return {ARRAY: content, "dtype": array.dtype.str, "shape": list(array.shape)}


def value_of(plain: Any) -> Any:
    """The value that was made plain."""
    if not isinstance(plain, dict):
        return plain
    kind, shape, content = np.dtype(plain["dtype"]), plain["shape"], plain[ARRAY]
    if kind.kind == "U":
        return np.array(content, dtype=kind).reshape(shape)
    return np.frombuffer(base64.b64decode(content), dtype=kind).reshape(shape)
