"""How settings are shown: as the call that makes them, without what is left to its default."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from typing import Any, TypeVar

import numpy as np

MOST_SHOWN = 6  # elements of a sequence or an array; of longer ones the ends are shown
AT_THE_ENDS = 2

Class = TypeVar("Class", bound=type)


def shown_as_call(kind: Class) -> Class:
    """Let the instances of a dataclass or NamedTuple be shown as the call that makes them.

    A decorator rather than a base: a NamedTuple has none, and a dataclass would write over it.
    """
    kind.__repr__ = call_of  # type: ignore[assignment]
    return kind


def call_of(settings: Any) -> str:
    """The call that makes a dataclass or NamedTuple, without arguments that are left out."""
    defaults = defaults_of(settings)
    given = ((name, getattr(settings, name)) for name in defaults)
    shown = (f"{name}={shortened(x)}" for name, x in given if not _is_same(x, defaults[name]))
    return f"{type(settings).__name__}({', '.join(shown)})"


def shortened(value: Any) -> str:
    """A value as a person would write it; of long ones the ends, of large arrays the shape."""
    if isinstance(value, np.generic):
        return repr(value.item())
    if isinstance(value, np.ndarray):
        few = value.size <= MOST_SHOWN
        return repr(value.tolist()) if few else f"<array of shape {value.shape}>"
    if type(value) is dict:
        return f"{{{', '.join(f'{key!r}: {shortened(x)}' for key, x in value.items())}}}"
    if type(value) in (list, tuple):
        parts = [shortened(part) for part in value]
        if len(parts) > MOST_SHOWN:
            parts[AT_THE_ENDS:-AT_THE_ENDS] = ["..."]
        inside = ", ".join(parts)
        if type(value) is list:
            return f"[{inside}]"
        return f"({inside},)" if len(parts) == 1 else f"({inside})"
    # A function, of which Python shows where in memory it lies.
    name = None if isinstance(value, type) else getattr(value, "__name__", None)
    return repr(value) if name is None else str(name)


def defaults_of(kind: Any) -> dict[str, Any]:
    """The arguments of a dataclass or NamedTuple, each with its default, or MISSING."""
    if not is_dataclass(kind):
        return {name: kind._field_defaults.get(name, MISSING) for name in kind._fields}
    return {
        field.name: field.default if field.default_factory is MISSING else field.default_factory()
        for field in fields(kind)
        if field.init and field.repr
    }


def _is_same(value: Any, default: Any) -> bool:
    # Arrays are never defaults, and have no single answer to whether they are equal to one.
    return type(value) is type(default) and bool(value == default)
