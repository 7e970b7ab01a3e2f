"""Power laws through measured points, with their uncertainty."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from carom.particles import Array

Values = Sequence[float] | Array


DIGITS = 9  # that the same arithmetic gives on every processor, whatever its library of functions


def to_digits(value: float, digits: int = DIGITS) -> float:
    """A number that a run starts with, rounded so that it is the same on every processor."""
    return float(f"{value:.{digits}g}")


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

    The exponent's error is that of the fit, from the scatter of three or more points, and unknown,
    NaN, of fewer; all is NaN through fewer than two points.
    """
    if len(x) < 2:
        return Power(math.nan, math.nan, math.nan)
    line = straight([math.log(each) for each in x], [math.log(each) for each in y])
    return Power(math.exp(line.constant), line.slope, line.error)


class Line(NamedTuple):
    """constant + slope · x, and the standard error of the slope."""

    constant: float
    slope: float
    error: float


def straight(x: Values, y: Values) -> Line:
    """The straight line through two points or more: least squares by plain sums in order.

    Libraries of linear algebra add in an order that depends on the processor.
    """
    number = len(x)
    middle, level = sum(x) / number, sum(y) / number
    spread = sum((each - middle) ** 2 for each in x)
    slope = sum((a - middle) * (b - level) for a, b in zip(x, y, strict=True)) / spread
    constant = level - slope * middle
    if number == 2:
        return Line(float(constant), float(slope), math.nan)
    scatter = sum((b - constant - slope * a) ** 2 for a, b in zip(x, y, strict=True))
    error = math.sqrt(scatter / (number - 2) / spread)
    return Line(float(constant), float(slope), error)


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of a few linear equations, by elimination in plain arithmetic."""
    rows = [[float(a) for a in row] + [float(b)] for row, b in zip(matrix, right, strict=True)]
    size = len(rows)
    for k in range(size):
        pivot = max(range(k, size), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, size):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    found = [0.0] * size
    for k in reversed(range(size)):
        known = sum(rows[k][j] * found[j] for j in range(k + 1, size))
        found[k] = (rows[k][size] - known) / rows[k][k]
    return found


class Fit(NamedTuple):
    """Coefficients of a least-squares fit, and their standard errors if weights are 1/σ²."""

    coefficients: list[float]
    errors: list[float]


def least_squares(terms: Sequence[Values], values: Values, weights: Values) -> Fit:
    """The coefficients with which terms (of equal lengths) add up to the values."""
    normal = [[_product(weights, a, b) for b in terms] for a in terms]
    coefficients = solved(normal, [_product(weights, a, values) for a in terms])
    units = [[float(i == j) for j in range(len(terms))] for i in range(len(terms))]
    errors = [math.sqrt(solved(normal, unit)[k]) for k, unit in enumerate(units)]
    return Fit(coefficients, errors)


def _product(*factors: Values) -> float:
    return float(sum(math.prod(each) for each in zip(*factors, strict=True)))
