"""When a polynomial of time first falls below zero.

By the rule of Bannerman et al. (2014) a contact is the smallest t >= 0 with f(t) <= 0 and
f'(t) < 0 (eq. 10). Polynomials are tuples of coefficients, the constant first; those of degree two
have three.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.compiled.kernels import inner_kernel, kernel
from carom.detection.quartic import LATEST, contact_between, inflections

_EPSILON = float(np.finfo(np.float64).eps)
# A root is known to the last bit after some ten steps of Illinois; bisection needs no more than 60.
_STEPS = 100


@kernel
def quadratic_fall(c: float, twice_b: float, a: float) -> float:
    """The first contact of f = c + 2 b t + a t²; as in stable.py, where a may be negative."""
    b = 0.5 * twice_b
    if b < 0.0:
        if c <= 0.0:
            return 0.0
        discriminant = b * b - a * c
        if discriminant <= 0.0:
            return math.inf
        # Rationalised root: the textbook form loses its digits near contact.
        return c / (math.sqrt(discriminant) - b)
    if a >= 0.0:
        return math.inf
    # Where f never opens again, it begins to fall at its highest, b / -a.
    return (b + math.sqrt(max(b * b - a * c, 0.0))) / -a


@kernel
def stretch_of(f: Any, number: int) -> tuple[float, float]:
    """One of the three stretches of time on which the slope of a quartic is monotone.

    On each f falls once at most, so that it has one contact at most, ``fall_between``.
    """
    first, second = inflections(f)
    if number == 0:
        return 0.0, first
    return (first, second) if number == 1 else (second, LATEST)


fall_between = contact_between


@inner_kernel
def turning_points(work: Any, degree: int) -> int:
    """Find where a polynomial turns between 0 and 1; how many places there are.

    Row 0 of ``work`` holds its coefficients. The places, in order, are in the last row. They come
    from a cascade: between the roots of one derivative the next lower one is monotone, and has one
    root if its sign changes. Places where a derivative all but touches zero are among them, so that
    no double root is lost. Superfluous places do no harm.
    """
    for m in range(1, degree):
        for j in range(degree - m + 1):
            work[m, j] = (j + 1) * work[m - 1, j + 1]
    places, next_places = len(work) - 2, len(work) - 1
    number = 0
    for m in range(degree - 1, 0, -1):
        n = degree - m
        found = 0
        low = 0.0
        for k in range(number + 1):
            high = work[places, k] if k < number else 1.0
            at_low, at_high = _value(work, m, n, low), _value(work, m, n, high)
            if at_low * at_high < 0.0:
                work[next_places, found] = _root(work, m, n, low, high, at_low)
                found += 1
            if k < number and abs(at_high) <= 16.0 * _EPSILON * _size(work, m, n, high):
                work[next_places, found] = high
                found += 1
            low = high
        for k in range(found):
            work[places, k] = work[next_places, k]
        number = found
    return number


@inner_kernel
def _value(work: Any, m: int, degree: int, t: float) -> float:
    """Row m at a time, by Horner's rule."""
    value = work[m, degree]
    for j in range(degree - 1, -1, -1):
        value = value * t + work[m, j]
    return value


@inner_kernel
def _size(work: Any, m: int, degree: int, t: float) -> float:
    """The sum of the sizes of all terms."""
    value = abs(work[m, degree])
    for j in range(degree - 1, -1, -1):
        value = value * t + abs(work[m, j])
    return value


@inner_kernel
def _root(work: Any, m: int, degree: int, low: float, high: float, at_low: float) -> float:
    """The root between two places at which a row has opposite signs, by bisection of the bracket.

    A few steps with the secant come first wherever they halve the bracket.
    """
    at_high = _value(work, m, degree, high)
    for _ in range(_STEPS):
        width = high - low
        middle = low - at_low * width / (at_high - at_low)
        for half in range(2):
            if half == 1:
                if high - low <= 0.5 * width:
                    continue
                middle = low + 0.5 * (high - low)
            if not low < middle < high:
                middle = low + 0.5 * (high - low)
            if not low < middle < high:
                return low
            value = _value(work, m, degree, middle)
            if value == 0.0:
                return middle
            if (value > 0.0) == (at_low > 0.0):
                low, at_low = middle, value
            else:
                high, at_high = middle, value
    return low
