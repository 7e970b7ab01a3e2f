"""Side lengths of a box, given as one number or one per axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carom.checks import is_number, is_positive, several
from carom.particles import LARGEST, SMALLEST

AXES = "xyz"


def checked_lengths(owner: str, lengths: float | Sequence[float]) -> tuple[float, ...]:
    """The lengths as a tuple of positive numbers; one number stands for every axis."""
    values: tuple[Any, ...]
    values = (lengths,) if is_number(lengths) else several(f"{owner}: lengths", lengths)
    if len(values) not in (1, 2, 3):
        raise ValueError(f"{owner}: lengths must be one number, or one per axis, not {lengths!r}.")
    for axis, value in zip(AXES, values, strict=False):
        if not is_positive(value):
            raise ValueError(f"{owner}: the length along {axis} must be positive, not {value!r}.")
        if not SMALLEST <= value <= LARGEST:
            raise ValueError(
                f"{owner}: the length along {axis} is {value!r}, which is not between "
                f"{SMALLEST:g} and {LARGEST:g}; use other units."
            )
    return tuple(float(value) for value in values)


def lengths_in(owner: str, lengths: tuple[float, ...], dimension: int) -> tuple[float, ...]:
    """The lengths for particles of this dimension."""
    if len(lengths) == 1:
        return lengths * dimension
    if len(lengths) != dimension:
        raise ValueError(
            f"{owner} has {len(lengths)} lengths, but the particles move in {dimension} dimensions."
        )
    return lengths
