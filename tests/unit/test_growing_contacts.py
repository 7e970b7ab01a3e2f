"""Contact times of growing spheres against exact roots."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from mpmath import inf, mp, mpf, sqrt

from carom.detection.growing import time_to_contact_growing

EPSILON = float(np.finfo(np.float64).eps)
# Roundings that the computed time may have seen, each as large as the terms it is made of: three
# products and additions in each of the coefficients, two more operations in the discriminant,
# root, sum and quotient.
ROUNDINGS = 16

mp.dps = 60


def coefficients(separation: Any, velocity: Any, sigma: float, growth: float) -> tuple[Any, ...]:
    """Those of the overlap function c + 2 b t + a t², and the size of the terms in each."""
    r, v, s, g = ([mpf(x) for x in separation], [mpf(x) for x in velocity], mpf(sigma), mpf(growth))
    rr, vv = sum(x * x for x in r), sum(x * x for x in v)
    rv = sum(x * y for x, y in zip(r, v, strict=True))
    sizes = (vv + g * g, sum(abs(x * y) for x, y in zip(r, v, strict=True)) + s * g, rr + s * s)
    return (vv - g * g, rv - s * g, rr - s * s), sizes


def exact_time(a: Any, b: Any, c: Any) -> Any:
    """The smallest t >= 0 from which on f <= 0 and f' < 0, or infinity; from its definition."""
    if c <= 0 and b < 0:
        return mpf(0)
    candidates = []
    square = b * b - a * c
    if square > 0:
        roots = [(-b - sqrt(square)) / a, (-b + sqrt(square)) / a]
        candidates += [t for t in roots if t >= 0 and b + a * t < 0]
    elif a < 0 and b >= 0:  # below zero at its highest
        candidates.append(-b / a)
    return min(candidates, default=inf)


def allowed_error(t: Any, values: tuple[Any, ...], sizes: tuple[Any, ...]) -> Any:
    """How far rounding of the coefficients moves the time, or None where it decides the case."""
    (a, b, c), (size_a, size_b, size_c) = values, sizes
    unit = ROUNDINGS * mpf(EPSILON)
    square = b * b - a * c
    doubt = unit * (2 * abs(b) * size_b + size_a * abs(c) + abs(a) * size_c)
    if abs(square) < 1000 * doubt or (c <= 0 and abs(b) < unit * size_b):
        return None
    if square > 0:
        return unit * ((size_c + 2 * size_b * t + size_a * t * t) / (2 * sqrt(square)) + t)
    return unit * ((size_b + size_a * t) / abs(a) + t)


def pairs(kind: str, rng: np.random.Generator) -> Any:
    """Separation, velocity, sigma, growth of a random pair."""
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    velocity = rng.normal(size=3) * 10.0 ** rng.uniform(-3, 1)
    growth = 10.0 ** rng.uniform(-4, 1)
    distance = {
        "apart": 1.0 + 10.0 ** rng.uniform(-12, 1),
        "touching": 1.0 + EPSILON * rng.integers(-8, 9),
        "overlapping": 1.0 - 10.0 ** rng.uniform(-15, -1),
    }[kind]
    return direction * distance, velocity, 1.0, growth


@pytest.mark.parametrize("kind", ["apart", "touching", "overlapping"])
def test_contact_times_of_growing_spheres_are_exact_up_to_rounding(kind: str) -> None:
    rng = np.random.default_rng(1)
    seen = {"negative leading coefficient": 0, "never": 0, "now": 0, "later": 0, "in doubt": 0}
    for _ in range(3000):
        separation, velocity, sigma, growth = pairs(kind, rng)
        values, sizes = coefficients(separation, velocity, sigma, growth)
        expected = exact_time(*values)
        found = time_to_contact_growing(tuple(separation), tuple(velocity), sigma, growth)
        error = allowed_error(expected if expected < inf else mpf(0), values, sizes)
        if error is None:
            seen["in doubt"] += 1
            continue
        if expected == inf or math.isinf(found):
            assert expected == inf and math.isinf(found), (separation, velocity, growth)
        else:
            assert abs(mpf(found) - expected) <= error, (separation, velocity, growth)
        seen["negative leading coefficient"] += int(values[0] < 0)
        seen["never" if expected == inf else "now" if found == 0.0 else "later"] += 1
    print(kind, seen)
    assert seen["in doubt"] < 150
    assert seen["negative leading coefficient"] > 500 and seen["never"] > 500
    # Spheres that overlap, and would meet later, do so now.
    assert seen["now" if kind == "overlapping" else "later"] > 500


def test_spheres_at_rest_meet_by_growth_alone() -> None:
    assert time_to_contact_growing((3.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0, 0.5) == 4.0


def test_spheres_that_fly_apart_slower_than_they_grow_meet() -> None:
    assert time_to_contact_growing((2.0, 0.0, 0.0), (1.0, 0.0, 0.0), 1.0, 2.0) == 1.0
    assert time_to_contact_growing((2.0, 0.0, 0.0), (2.0, 0.0, 0.0), 1.0, 2.0) == math.inf
