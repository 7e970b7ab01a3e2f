"""Exponentials, logarithms and powers.

All are made of 2^(i/128), of log c near 1, and of short series, in plain arithmetic: the ways of
P.-T. P. Tang (ACM Trans. Math. Softw. 15, 144, 1989, and 16, 378, 1990) and of ARM's optimized
routines. Where one number would not hold enough digits, two do: their sum is meant.
"""

from __future__ import annotations

import decimal
from typing import Any

import numpy as np
from numba.extending import register_jitable

from carom.compiled.kernels import INNER
from carom.functions.calling import for_numbers_and_arrays

ROOTS = 128  # of two
NODES = 128  # per unit, at which logarithms are known
FIRST_NODE, LAST_NODE = 90, 182

LOWEST, HIGHEST = -745.2, 709.8  # beyond them the exponential is 0 or infinite
SMALLEST_NORMAL = 2.0**-1022
MANTISSA = 52
# Of the mantissa in [0.705, 1.41), as bits.
BOTTOM = np.int64(0x3FE6900900000000)
EXPONENT = np.int64(-1 << MANTISSA)


def _exact(value: float) -> decimal.Decimal:
    return decimal.Decimal(value)


def _parts(value: decimal.Decimal, bits: int) -> tuple[float, float]:
    """A number as a sum, of which the first has no bits below 2^-bits."""
    first = float(round(value * 2**bits)) / 2.0**bits
    return first, float(value - _exact(first))


def _roots_of_two() -> tuple[Any, Any]:
    """2^(i/128) (128,), and what they lack, relative to them."""
    logarithm = decimal.Decimal(2).ln()
    values = [(logarithm * i / ROOTS).exp() for i in range(ROOTS)]
    lack = [float(value / _exact(float(value)) - 1) for value in values]
    return np.array([float(value) for value in values]), np.array(lack)


def _logarithms() -> tuple[Any, Any, Any]:
    """1/c, and log c in two parts, of c near the nodes; products of 1/c have few bits."""
    inverse = [round(2048.0 * NODES / node) / 2048.0 for node in range(FIRST_NODE, LAST_NODE + 1)]
    parts = np.array([_parts(-_exact(value).ln(), 42) for value in inverse])
    return np.array(inverse), parts[:, 0].copy(), parts[:, 1].copy()


with decimal.localcontext() as _context:
    # Correctly rounded, in digits that no machine decides.
    _context.prec = 40
    ROOT, ROOT_LACK = _roots_of_two()
    INVERSE, LOG, LOG_REST = _logarithms()
    LN2, LN2_REST = _parts(decimal.Decimal(2).ln(), 42)
    STEP, STEP_REST = _parts(decimal.Decimal(2).ln() / ROOTS, 42)
    PER_STEP = float(ROOTS / decimal.Decimal(2).ln())

inner = register_jitable(**INNER)


@inner
def two_to_the(k: Any) -> float:
    """2^k for −1022 ≤ k ≤ 1023."""
    return float(np.int64((np.int64(k) + 1023) << MANTISSA).view(np.float64))


@inner
def exponential(x: float, rest: float) -> tuple[float, float, Any]:
    """(s, t, k) with e^(x + rest) = 2^k s (1 + t), for x between the lowest and the highest."""
    steps = np.floor(x * PER_STEP + 0.5)
    r = ((x - steps * STEP) - steps * STEP_REST) + rest
    n = np.int64(steps)
    root = n & (ROOTS - 1)
    square = r * r
    # As far as r⁶ / 720 < 1e-18 allows.
    series = square * (0.5 + r * (1.0 / 6.0)) + square * square * (1.0 / 24.0 + r * (1.0 / 120.0))
    # As Python's numbers, where Python computes: NumPy's warn when they overflow.
    return float(ROOT[root]), float(ROOT_LACK[root] + r + series), n >> 7


@inner
def exponential_of_sum(x: float, rest: float) -> float:
    """e^(x + rest)."""
    if not x <= HIGHEST:
        return x if x != x else np.inf
    if x < LOWEST:
        return 0.0
    s, t, k = exponential(x, rest)
    # In two factors: together they may be beyond the range of numbers where the result is not.
    half = k >> 1
    return (s + s * t) * two_to_the(half) * two_to_the(k - half)


@inner
def logarithm(x: float) -> tuple[float, float]:
    """log x in two parts, for x > 0 and finite; its relative error is below 2^-65."""
    shift = 0.0
    if x < SMALLEST_NORMAL:
        x, shift = x * 2.0**54, -54.0
    bits = np.float64(x).view(np.int64)
    above = bits - BOTTOM
    k = np.float64(above >> MANTISSA) + shift
    z = np.int64(bits - (above & EXPONENT)).view(np.float64)
    node = np.int64(z * NODES + 0.5) - FIRST_NODE
    # r = z / c − 1 without rounding, in two parts; the square of the first has no rounding either.
    start = np.floor(z * 2.0**20 + 0.5) * 2.0**-20
    first = start * INVERSE[node] - 1.0
    second = (z - start) * INVERSE[node]
    r = first + second
    r_rest = (first - r) + second
    # k log 2 + log c + r − r²/2 + the rest of the series.
    known = k * LN2 + LOG[node]
    with_r = known + r
    half_square = -0.5 * first * first
    whole = with_r + half_square
    s = r * r
    series = (
        r
        * s
        * (
            (1.0 / 3.0 - 0.25 * r)
            + s * ((0.2 - r * (1.0 / 6.0)) + s * ((1.0 / 7.0 - 0.125 * r) + s * (1.0 / 9.0)))
        )
    )
    rest = (
        ((k * LN2_REST + LOG_REST[node]) + ((known - with_r) + r) + r_rest)
        - 0.5 * second * (r + first)
        + ((with_r - whole) + half_square)
        + series
    )
    total = whole + rest
    return total, (whole - total) + rest


@inner
def split(x: float) -> tuple[float, float]:
    """A number in two parts of 26 bits each (T. J. Dekker, Numer. Math. 18, 224, 1971)."""
    much = 134217729.0 * x
    first = much - (much - x)
    return first, x - first


@for_numbers_and_arrays
def exp(x: float) -> float:
    """e^x."""
    return exponential_of_sum(x, 0.0)


@for_numbers_and_arrays
def expm1(x: float) -> float:
    """e^x − 1, with all its digits near 0, too."""
    if not -40.0 < x < 40.0:
        return exponential_of_sum(x, 0.0) - 1.0
    if -1e-17 < x < 1e-17:
        return x
    s, t, k = exponential(x, 0.0)
    scaled = s * two_to_the(k)
    return (scaled - 1.0) + scaled * t


@for_numbers_and_arrays
def log(x: float) -> float:
    """The natural logarithm; −infinity of 0, NaN of negative numbers."""
    if not 0.0 < x < np.inf:
        if x == 0.0:
            return -np.inf
        return x if x > 0.0 else np.nan
    return logarithm(x)[0]


@for_numbers_and_arrays
def log1p(x: float) -> float:
    """log(1 + x), with all its digits near 0, too."""
    if -1e-17 < x < 1e-17:
        return x
    if not -1.0 < x < np.inf:
        if x == -1.0:
            return -np.inf
        return x if x > 0.0 else np.nan
    u = 1.0 + x
    # What rounding took from 1 + x.
    lost = x - (u - 1.0) if u < 2.0 else 1.0 - (u - x)
    total, rest = logarithm(u)
    return total + (rest + lost / u)


@for_numbers_and_arrays
def power(x: float, exponent: float) -> float:
    """x^exponent for x ≥ 0, with 0^0 = 1 and NaN for negative x."""
    if exponent == 0.0 or x == 1.0:
        return 1.0
    if not (0.0 < x < np.inf and -1e19 < exponent < 1e19):
        return _power_at_the_edge(x, exponent)
    total, rest = logarithm(x)
    product = exponent * total
    if not -800.0 < product < 800.0:
        return np.inf if product > 0.0 else 0.0
    a, b = split(exponent)
    c, d = split(total)
    lost = ((a * c - product) + a * d + b * c) + b * d
    return exponential_of_sum(product, lost + exponent * rest)


@inner
def _power_at_the_edge(x: float, exponent: float) -> float:
    """x^exponent where one of them is zero, negative, beyond all numbers, or none."""
    if not x >= 0.0 or exponent != exponent:
        return np.nan
    grows = (x > 1.0) == (exponent > 0.0)
    return np.inf if grows else 0.0


@for_numbers_and_arrays
def tanh(x: float) -> float:
    """The hyperbolic tangent."""
    size = abs(x)
    if size > 22.0:
        return 1.0 if x > 0.0 else -1.0
    twice = expm1(2.0 * size)
    value = twice / (twice + 2.0)
    return value if x > 0.0 else -value


def doublings(ratio: Any) -> Any:
    """⌈log₂ ratio⌉, without rounding: how often 1 must be doubled to reach it; of arrays, too."""
    mantissa, exponent = np.frexp(ratio)
    return exponent - (mantissa == 0.5)
