"""Power laws through measured points, with their uncertainty."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from carom.particles import Array

Values = Sequence[float] | Array


class Power(NamedTuple):
    """factor · x^exponent, and the standard error of the exponent if it comes from a fit."""

    factor: float
    exponent: float
    error: float = 0.0

    def __call__(self, x: Any) -> Any:
        """Its value."""
        return self.factor * np.asarray(x, dtype=float) ** self.exponent

    def rounding(self, x: float, half_digit: float = 0.005) -> float:
        """By how much its value is uncertain if both numbers are printed to two decimals."""
        return float(self(x)) * half_digit * (1.0 / self.factor + abs(math.log(x)))

    def told(self, x: str) -> str:
        """In words, with the name of the variable."""
        return f"{self.factor:.3g} {x}^{self.exponent:.2f}"


def fitted(x: Values, y: Values) -> Power:
    """The power law through points: the least squares of their logarithms.

    The exponent's error is that of the fit, from the scatter of three or more points; NaN through
    fewer than two points.
    """
    if len(x) < 2:
        return Power(math.nan, math.nan)
    places, values = np.log(x), np.log(y)
    exponent, constant = np.polyfit(places, values, 1)
    error = 0.0
    if len(x) > 2:
        scatter = np.sum((values - constant - exponent * places) ** 2) / (len(x) - 2)
        error = math.sqrt(scatter / np.sum((places - places.mean()) ** 2))
    return Power(math.exp(constant), float(exponent), error)
