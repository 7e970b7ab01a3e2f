"""The bouncing ball of Bannerman et al. 2014, section 5.

A ball of diameter 1 falls from rest, r(0) = r_plate + 1, and loses half of its speed at each
bounce: after infinitely many it comes to rest at a finite time. In exact arithmetic r_plate
does not matter; 10⁶ places in [0, 1] show what rounding does. The paper does not state gravity,
so two values are taken: 1, with which times and speeds are round numbers, and 9.81.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from numba import njit

import carom
from carom.detection import Naive, Stable, time_to_close, time_to_plane

RESTITUTION = 0.5
PLATES = np.linspace(0.0, 1.0, 10**6)
GRAVITIES = (1.0, 9.81)
# Speeds are then 2^-40 of the first, far below what rounding leaves of a bounce.
MOST_EVENTS = 40

# How the gap between ball and plate is evaluated.
AS_PRINTED, FROM_CONTACT, FROM_SURFACE, RELATIVE = range(4)
ARITHMETIC = {
    AS_PRINTED: "r - r_plate - sigma/2",
    FROM_CONTACT: "r - (r_plate + sigma/2)",
    FROM_SURFACE: "(r - sigma/2) - r_plate",
    RELATIVE: "r measured from the plate",
}


@njit(error_model="numpy")
def stable_time(gap, rate, acceleration):
    return time_to_plane(Stable(), gap, rate, acceleration)


@njit(error_model="numpy")
def naive_time(gap, rate, acceleration):
    return time_to_plane(Naive(), gap, rate, acceleration)


@njit(error_model="numpy")
def gap_over(plate, r, arithmetic):
    if arithmetic == AS_PRINTED:
        return r - plate - 0.5
    if arithmetic == FROM_CONTACT:
        return r - (plate + 0.5)
    if arithmetic == FROM_SURFACE:
        return (r - 0.5) - plate
    return r - 0.5


@njit(error_model="numpy")
def bounces(time_to_gap, plates, spacing, gravity, arithmetic):
    """Per plate: time of rest, number of events, whether detection failed, and the lowest gap.

    The ball is at rest once its bounce is no higher than half the spacing of floats at contact:
    rounding to nearest then leaves its position as it is. Events go on after that.
    """
    n = len(plates)
    rest, lowest = np.full(n, np.inf), np.full(n, np.inf)
    events, failed = np.zeros(n, np.int64), np.zeros(n, np.bool_)
    for k in range(n):
        plate = plates[k]
        r = 1.0 if arithmetic == RELATIVE else plate + 1.0
        v = time = 0.0
        for _ in range(MOST_EVENTS):
            duration = time_to_gap(gap_over(plate, r, arithmetic), v, -gravity)
            if not 0.0 <= duration < np.inf:
                failed[k] = True
                break
            r = r + duration * v - duration * duration / 2.0 * gravity
            v = -RESTITUTION * (v - gravity * duration)
            time += duration
            events[k] += 1
            lowest[k] = min(lowest[k], gap_over(plate, r, arithmetic))
            if rest[k] == np.inf and v * v <= gravity * spacing[k]:
                rest[k] = time
    return rest, events, failed, lowest


def exact_time_of_rest(gravity):
    """The fall takes sqrt(2 h / g); the flights after it form a geometric series."""
    return math.sqrt(2.0 * 0.5 / gravity) * (1.0 + RESTITUTION) / (1.0 - RESTITUTION)


def plates_for(arithmetic):
    """All plates; one when the plate does not appear in the arithmetic and all runs are equal."""
    return PLATES[:1] if arithmetic == RELATIVE else PLATES


@pytest.mark.parametrize("gravity", GRAVITIES)
@pytest.mark.parametrize("arithmetic", ARITHMETIC)
def test_stable_detection_comes_to_rest_at_the_exact_time(arithmetic, gravity):
    plates = plates_for(arithmetic)
    spacing = np.spacing(plates + 0.5)
    rest, _, failed, lowest = bounces(stable_time, plates, spacing, gravity, arithmetic)
    error = np.abs(rest - exact_time_of_rest(gravity)).max()
    print(
        f"stable, {ARITHMETIC[arithmetic]}, g = {gravity}: {failed.sum()} failures, at rest within "
        f"{error:.2g} of the exact time, lowest gap {lowest.min():.2g}"
    )
    assert not failed.any()
    # A bounce of height spacing / 2, at most 1.1e-16, starts with v <= sqrt(2.2e-16 g), and all
    # flights from there on would take 4 v / g <= 6e-8 / sqrt(g).
    assert error < 1e-7
    # Times and positions below 2 are rounded by eps at most, in each of a few operations.
    assert lowest.min() > -8.0 * np.finfo(float).eps


def test_planes_and_cell_faces_share_the_stable_algorithm():
    plates = PLATES[::100]
    spacing = np.spacing(plates + 0.5)
    for through_plane, directly in zip(
        bounces(stable_time, plates, spacing, 9.81, AS_PRINTED),
        bounces(time_to_close, plates, spacing, 9.81, AS_PRINTED),
        strict=True,
    ):
        np.testing.assert_array_equal(through_plane, directly)


@functools.cache
def naive_failures(arithmetic, gravity):
    """The share of plates on which naive detection fails, and after how many events on average."""
    plates = plates_for(arithmetic)
    spacing = np.spacing(plates + 0.5)
    _, events, failed, _ = bounces(naive_time, plates, spacing, gravity, arithmetic)
    share, mean_events = failed.mean(), events[failed].sum() / max(failed.sum(), 1)
    print(
        f"naive, {ARITHMETIC[arithmetic]}, g = {gravity}: {share:.1%} fail, after "
        f"{mean_events:.1f} events on average (the paper: about 50 % after about 30)"
    )
    return share, mean_events


@pytest.mark.parametrize("gravity", GRAVITIES)
@pytest.mark.parametrize("arithmetic", [AS_PRINTED, FROM_SURFACE])
def test_naive_detection_fails_on_a_large_part(arithmetic, gravity):
    share, mean_events = naive_failures(arithmetic, gravity)
    assert 0.2 < share < 0.8
    # The speed halves with each event; an overlap of one spacing, 1e-16, outdoes it after 27.
    assert 25.0 < mean_events < 33.0


def test_share_of_failures_depends_on_the_arithmetic():
    shares = [naive_failures(arithmetic, g)[0] for arithmetic in ARITHMETIC for g in GRAVITIES]
    assert max(shares) - min(shares) > 0.3


def test_engine_finds_the_collapse_at_the_exact_time():
    exact = exact_time_of_rest(1.0)
    errors = []
    for plate in np.linspace(0.0, 1.0, 200):
        system = carom.System(
            carom.Particles([[0.0, plate + 1.0]], radius=0.5),
            gravity=(0.0, -1.0),
            walls=[carom.Plane((0.0, plate), (0.0, 1.0), restitution=RESTITUTION)],
        )
        with pytest.raises(carom.InelasticCollapse) as collapse:
            carom.Simulation(system).run(until=2.0 * exact)
        assert collapse.value.particles == (0,)
        errors.append(abs(collapse.value.time - exact))
    print(f"engine: collapse within {max(errors):.2g} of the exact time")
    assert max(errors) < 1e-7
