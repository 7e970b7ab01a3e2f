"""Arrays in nested tuples by their path, as checkpoints keep them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from carom.compiled.memory import in_cache_lines
from carom.particles import Array


def named_arrays(component: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The arrays in a tuple and the tuples in it, by their path."""
    if isinstance(component, np.ndarray):
        yield name, component
    elif isinstance(component, tuple):
        fields = getattr(component, "_fields", range(len(component)))
        for field, part in zip(fields, component, strict=True):
            yield from named_arrays(part, f"{name}.{field}")


def with_arrays(component: Any, name: str, arrays: dict[str, Array]) -> Any:
    """The component with other arrays, which may be longer than its own."""
    if isinstance(component, np.ndarray):
        kept = arrays[name]
        array = in_cache_lines(kept.size, kept.dtype).reshape(kept.shape)
        array[...] = kept
        return array
    if isinstance(component, tuple):
        fields = getattr(component, "_fields", range(len(component)))
        parts = [
            with_arrays(part, f"{name}.{field}", arrays)
            for field, part in zip(fields, component, strict=True)
        ]
        return type(component)(*parts) if hasattr(component, "_fields") else tuple(parts)
    return component
