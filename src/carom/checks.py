"""Arguments of all kinds, checked at the door: each gets a sentence that names it."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def is_number(value: Any) -> bool:
    """Whether something is one real number, within the range of floats."""
    if not isinstance(value, numbers.Real):  # np.True_ is none, and neither negated nor kept
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def is_positive(value: Any) -> bool:
    """Whether something is a finite number above zero."""
    return is_number(value) and math.isfinite(value) and value > 0.0


def is_not_negative(value: Any) -> bool:
    """Whether something is a finite number from zero on."""
    return is_number(value) and math.isfinite(value) and value >= 0.0


def is_whole(value: Any) -> bool:
    """Whether something is a whole number that 64 bits can hold."""
    is_integer = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    return is_integer and abs(int(value)) < 2**63


def is_one_of(value: Any, known: Iterable[Any]) -> bool:
    """Whether something is one of the words, or of True and False, that are known."""
    return isinstance(value, str | bool | np.bool_) and value in tuple(known)


def answer(what: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """What somebody's function answers; if it fails, that is said with its name."""
    try:
        return function(*arguments)
    except Exception as error:
        raise ValueError(
            f"{what}={function!r} cannot be used: {type(error).__name__}: {error}"
        ) from error


def check_finite(what: str, value: Any) -> None:
    """Refuse what is not a finite number."""
    if not (is_number(value) and math.isfinite(value)):
        raise ValueError(f"{what} must be a finite number, not {value!r}.")


def check_positive(what: str, value: Any) -> None:
    """Refuse what is not a finite number above zero."""
    if not is_positive(value):
        raise ValueError(f"{what} must be a positive number, not {value!r}.")


def check_not_negative(what: str, value: Any) -> None:
    """Refuse what is not a finite number from zero on."""
    if not is_not_negative(value):
        raise ValueError(f"{what} must be zero or positive, not {value!r}.")


def check_whole(what: str, value: Any, least: int, most: int | None = None) -> None:
    """Refuse what is not a whole number from ``least`` on, or up to ``most``."""
    if not (is_whole(value) and value >= least and (most is None or value <= most)):
        wanted = f"from {least} on" if most is None else f"from {least} to {most}"
        raise ValueError(f"{what} must be a whole number {wanted}, not {value!r}.")


def check_one_of(what: str, value: Any, known: Iterable[Any]) -> None:
    """Refuse what is none of the words that are known."""
    if not is_one_of(value, known):
        raise ValueError(f"{what}={value!r} is unknown; use one of {tuple(known)}.")


def random_numbers(owner: str, seed: Any) -> np.random.Generator:
    """A generator from a whole number, a ``SeedSequence``, or None for another one each time."""
    if not (seed is None or isinstance(seed, np.random.SeedSequence)):
        check_seed(owner, seed)
    return np.random.default_rng(seed)


def check_seed(owner: str, seed: Any) -> None:
    """Refuse what is no seed of random numbers."""
    if not (isinstance(seed, numbers.Integral) and int(seed) >= 0):
        raise ValueError(f"{owner}: seed must be a whole number from 0 on, not {seed!r}.")


def several(what: str, values: Any) -> tuple[Any, ...]:
    """What is given for a list, as a tuple."""
    is_single = isinstance(values, np.ndarray) and values.ndim == 0
    # What has no more than indices may be anything, and a record is a mapping.
    if is_single or isinstance(values, Mapping) or not isinstance(values, Iterable):
        raise TypeError(f"{what} must be several, in a list, not {values!r}.")
    return tuple(values)


def numbers_in(what: str, values: Any) -> NDArray[np.float64]:
    """An array of its own with the numbers that are given, one or many."""
    try:
        given = np.asarray(values)
        if given.dtype.kind not in "biufO":
            raise TypeError(f"these are of the kind {given.dtype}")
        return np.array(given, dtype=np.float64, order="C")  # whoever gave views with odd strides
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{what} must be numbers in a regular array: {error}.") from error
