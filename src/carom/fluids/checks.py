"""Numbers that flows are made of, checked at the door."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom._components import is_number


def check_finite(what: str, value: Any) -> None:
    """Refuse what is not a finite number."""
    if not (is_number(value) and math.isfinite(value)):
        raise ValueError(f"{what} must be a finite number, not {value!r}.")


def check_positive(what: str, value: Any) -> None:
    """Refuse what is not a finite number above zero."""
    if not (is_number(value) and math.isfinite(value) and value > 0.0):
        raise ValueError(f"{what} must be a positive number, not {value!r}.")


def check_seed(owner: str, seed: Any) -> None:
    """Refuse what is no seed of random numbers."""
    if not isinstance(seed, (int, np.integer)) or seed < 0:
        raise ValueError(f"{owner}: seed must be a whole number from 0 on, not {seed!r}.")
