"""Algorithms 1 and 2 of Bannerman et al. 2014 against exact roots."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf, sqrt

import carom
from carom.detection import time_to_plane, time_to_sphere
from carom.detection.naive import Naive
from carom.detection.stable import Stable

EPSILON = float(np.finfo(np.float64).eps)
NEVER = math.inf

mp.dps = 60


def dot(a: Any, b: Any) -> Any:
    return sum(mpf(x) * mpf(y) for x, y in zip(a, b, strict=True))


def exact_time_to_sphere(separation: Any, velocity: Any, sigma: float) -> Any:
    """The smallest t >= 0 with f(t) <= 0 and f'(t) < 0 (eq. 10), or infinity."""
    b, a = dot(separation, velocity), dot(velocity, velocity)
    c = dot(separation, separation) - mpf(sigma) ** 2
    if b >= 0:
        return mpf(NEVER)
    if c <= 0:
        return mpf(0)
    discriminant = b * b - a * c
    return (-b - sqrt(discriminant)) / a if discriminant > 0 else mpf(NEVER)


def rounding_of_sphere(separation: Any, velocity: Any, sigma: float) -> tuple[Any, Any]:
    """What rounding may change in the discriminant D, and in the contact time if there is one.

    a = v², b = r.v and c = r² − σ² are sums of at most four products, so that they err by less
    than 3 ε times the sum of the products' sizes; D = b² − a c by what follows from that.
    From a t² + 2 b t + c = 0 then follows |δt| <= (t² δa + 2 t δb + δc) / (2 √D) + 3 ε t, and
    the rounding of √D in c / (√D − b) adds t δD / (2 √D (√D − b)).
    """
    r, v = sqrt(dot(separation, separation)), sqrt(dot(velocity, velocity))
    a, b, c = v * v, dot(separation, velocity), r * r - mpf(sigma) ** 2
    da, db, dc = 3 * EPSILON * a, 3 * EPSILON * r * v, 3 * EPSILON * (r * r + mpf(sigma) ** 2)
    in_discriminant = 2 * abs(b) * db + a * dc + abs(c) * da + 2 * EPSILON * (b * b + a * abs(c))
    t = exact_time_to_sphere(separation, velocity, sigma)
    if not 0 < t < NEVER:
        return in_discriminant, mpf(0)
    root = sqrt(b * b - a * c)
    in_root = t * in_discriminant / (2 * root * (root - b))
    return in_discriminant, (t * t * da + 2 * t * db + dc) / (2 * root) + in_root + 3 * EPSILON * t


def assert_is_contact(separation: Any, velocity: Any, sigma: float) -> None:
    found = time_to_sphere(Stable(), separation, velocity, sigma)
    expected = exact_time_to_sphere(separation, velocity, sigma)
    in_discriminant, in_time = rounding_of_sphere(separation, velocity, sigma)
    b, c = dot(separation, velocity), dot(separation, separation) - mpf(sigma) ** 2
    if abs(b * b - dot(velocity, velocity) * c) <= 4 * in_discriminant:
        return  # a glance: rounding decides between a contact without impulse and none
    if math.isinf(expected):
        assert found == NEVER
    else:
        assert abs(found - expected) <= in_time


def random_vectors(rng: np.random.Generator, number: int) -> Any:
    dimension = rng.integers(2, 4, number)
    vectors = rng.normal(size=(number, 3))
    vectors[dimension == 2, 2] = 0.0
    return vectors


def test_random_pairs_of_spheres() -> None:
    rng = np.random.default_rng(1)
    for separation, drift in zip(
        4.0 * random_vectors(rng, 1500), random_vectors(rng, 1500), strict=True
    ):
        velocity = drift - 0.5 * separation  # rather towards each other
        assert_is_contact(tuple(separation), tuple(velocity), float(rng.uniform(0.1, 3.0)))


def test_spheres_that_nearly_touch() -> None:
    """Gaps from 1e-1 to a few units in the last place, on both sides of contact."""
    rng = np.random.default_rng(2)
    for separation, velocity in zip(
        random_vectors(rng, 1500), random_vectors(rng, 1500), strict=True
    ):
        distance = float(np.linalg.norm(separation))
        gap = float(rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-16.0, -1.0))
        assert_is_contact(tuple(separation), tuple(velocity), distance * (1.0 - gap))


def test_spheres_that_almost_glance() -> None:
    """Impact parameters within 1e-1 to 1e-12 of sigma."""
    rng = np.random.default_rng(3)
    for _ in range(1500):
        angle, speed, far = rng.uniform(0, 2 * np.pi), 10.0 ** rng.uniform(-6, 6), rng.uniform(1, 9)
        along = np.array([math.cos(angle), math.sin(angle), 0.0])
        across = np.array([-along[1], along[0], 0.0])
        miss = 1.0 + float(rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-12.0, -1.0))
        assert_is_contact(tuple(far * along + miss * across), tuple(-speed * along), 1.0)


@pytest.mark.parametrize(
    ("separation", "velocity", "expected"),
    [
        ((0.75, 0.0, 0.0), (-1.0, 0.5, 0.0), 0.0),  # overlapping, approaching
        ((0.75, 0.0, 0.0), (1.0, 0.5, 0.0), NEVER),  # overlapping, separating
        ((0.75, 0.0, 0.0), (0.0, 1.0, 0.0), NEVER),  # overlapping, neither
        ((1.0, 0.0, 0.0), (-1.0, 2.0, 0.0), 0.0),  # touching, approaching
        ((1.0, 0.0, 0.0), (1.0, 2.0, 0.0), NEVER),  # touching, separating
        ((1.0, 0.0, 0.0), (0.0, 2.0, 0.0), NEVER),  # touching, sliding past
        ((2.0, 1.0, 0.0), (-1.0, 0.0, 0.0), NEVER),  # a glance: a double root
        ((3.0, 0.0, 1.0), (-0.5, 0.0, 0.0), NEVER),  # a glance
        ((2.0, 0.0, 0.0), (0.0, 0.0, 0.0), NEVER),  # no relative motion
        ((2.0, 0.0, 0.0), (-0.5, 0.0, 0.0), 2.0),
        ((2.0, 0.0, 0.0), (0.5, 0.0, 0.0), NEVER),
    ],
)
def test_exact_cases_of_spheres(separation: Any, velocity: Any, expected: float) -> None:
    assert time_to_sphere(Stable(), separation, velocity, 1.0) == expected


def test_rationalised_root_keeps_the_digits_that_the_textbook_root_loses() -> None:
    """Gaps of 2^-k, k = 10 ... 26, for which r² − σ² is exact; only the root can lose digits.

    c / (√D − b) then takes six rounded operations on numbers without cancellation.
    """
    worst = {"stable": 0.0, "naive": 0.0}
    for k in range(10, 27):
        separation, velocity = (1.0 + 2.0**-k, 0.0, 0.0), (-1.0, 0.3, 0.0)
        expected = exact_time_to_sphere(separation, velocity, 1.0)
        for name, detection in (("stable", Stable()), ("naive", Naive())):
            found = time_to_sphere(detection, separation, velocity, 1.0)
            worst[name] = max(worst[name], float(abs(found / expected - 1)))
    assert worst["stable"] <= 6 * EPSILON
    assert worst["naive"] > 1e-9


def exact_time_to_plane(gap: float, rate: float, acceleration: float) -> Any:
    """The infimum of the times at which the gap is closed and goes on closing, in 60 digits."""
    g, v, a = mpf(gap), mpf(rate), mpf(acceleration)
    if a == 0:
        return mpf(NEVER) if v >= 0 else max(-g / v, mpf(0))
    discriminant = v * v - 2 * a * g
    turning = -v / a
    if a < 0:
        start = max(turning, mpf(0))
        if g + start * (v + start * a / 2) <= 0:
            return start
        return (-v - sqrt(discriminant)) / a
    if turning <= 0 or discriminant <= 0:
        return mpf(0) if v < 0 and g <= 0 else mpf(NEVER)
    return mpf(0) if g <= 0 else (-v - sqrt(discriminant)) / a


def test_random_planes() -> None:
    """Twelve rounded operations at most, of which v² − 2 a g alone can cancel.

    Its error moves the root by δD / (2 |a| √D) or, in the rationalised form, by as large a
    fraction of t as δD is of D.
    """
    rng = np.random.default_rng(4)
    for _ in range(4000):
        gap = float(rng.choice([-1.0, 1.0], p=[0.3, 0.7]) * 10.0 ** rng.uniform(-16, 1))
        rate = float(rng.normal() * 10.0 ** rng.uniform(-8, 1))
        acceleration = float(rng.choice([-1.0, 0.0, 1.0]) * 10.0 ** rng.uniform(-3, 1))
        found = time_to_plane(Stable(), gap, rate, acceleration)
        expected = exact_time_to_plane(gap, rate, acceleration)
        discriminant = mpf(rate) ** 2 - 2 * mpf(acceleration) * mpf(gap)
        size = rate * rate + 2.0 * abs(acceleration * gap)
        if acceleration != 0.0 and abs(discriminant) <= 2 * EPSILON * size:
            continue  # a glance, or a bounce that just clears an overlap: rounding decides
        if math.isinf(expected):
            assert found == NEVER, (gap, rate, acceleration)
            continue
        tolerance = 6 * EPSILON * expected
        if acceleration != 0.0 and discriminant > 0:
            tolerance += 2 * EPSILON * size / discriminant * expected
        assert abs(found - expected) <= tolerance, (gap, rate, acceleration)


@pytest.mark.parametrize(
    ("gap", "rate", "acceleration", "expected"),
    [
        (1.0, 0.0, -2.0, 1.0),  # dropped
        (0.0, 1.0, -2.0, 1.0),  # thrown up from the plane
        (0.0, 0.0, -1.0, 0.0),  # at rest: now, for ever
        (-0.125, 0.0, -1.0, 0.0),  # overlapping at the top of its flight
        (-1.0, 1.0, -1.0, 1.0),  # a bounce that does not clear the overlap: at its top
        (-0.125, 1.0, -1.0, 1.0 + math.sqrt(0.75)),  # one that does: when it is back
        (-1.0, -1.0, -1.0, 0.0),  # overlapping, approaching
        (-1.0, -1.0, 1.0, 0.0),
        (-1.0, 1.0, 1.0, NEVER),  # overlapping, driven out
        (1.0, -2.0, 1.5, 2.0 / 3.0),  # thrown against the acceleration
        (0.5, -1.0, 1.0, NEVER),  # turns where it touches: a glance
        (1.0, -1.0, 1.0, NEVER),  # turns before
        (1.0, 1.0, 1.0, NEVER),
        (3.0, -2.0, 0.0, 1.5),
        (3.0, 2.0, 0.0, NEVER),
        (0.0, -2.0, 0.0, 0.0),
        (-1.0, 2.0, 0.0, NEVER),
    ],
)
def test_exact_cases_of_planes(
    gap: float, rate: float, acceleration: float, expected: float
) -> None:
    found = time_to_plane(Stable(), gap, rate, acceleration)
    assert found == pytest.approx(expected, rel=2 * EPSILON, abs=0.0)


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("pull", [0.0, -1.5, 1.5])
def test_planes_have_two_sides(side: float, pull: float) -> None:
    """A disk comes to an oblique plane from either side; gravity pulls along its normal."""
    normal = np.array([0.6, 0.8])
    start = np.array([1.0, 2.0]) + side * 3.0 * normal
    system = carom.System(
        carom.Particles([start], [-side * 4.0 * normal], radius=0.5),
        walls=[carom.Plane([1.0, 2.0], normal, restitution=0.5)],
        gravity=side * pull * normal,
        law=carom.ConstantRestitution(0.9),
    )
    log = carom.CollisionLog()
    simulation = carom.Simulation(system, observers=[log])
    expected = float(exact_time_to_plane(2.5, -4.0, pull))
    simulation.run(until=expected + 1e-3)
    # Coordinates up to 4.4 are rounded on the way to the gap; the approach is faster than 2.
    assert log["time"].tolist() == pytest.approx([expected], rel=0.0, abs=8 * EPSILON * 4.4)
    speed = -4.0 + pull * expected
    assert log["impulse"][0] == pytest.approx(-1.5 * speed, rel=16 * EPSILON)
    assert simulation.particles.velocity[0] @ normal * side > 0.0
