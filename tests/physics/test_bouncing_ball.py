"""The bouncing ball of Bannerman et al. 2014, section 5, at 10⁶ places of the plate.

The paper does not state gravity, so two values are taken: 1, with which times and speeds are round
numbers, and 9.81.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest

import carom
from carom.detection import time_to_close
from carom_studies.experiments.bouncing_ball import (
    RESTITUTION,
    Arithmetic,
    bounces,
    exact_time_of_rest,
    naive_time,
    stable_time,
)

PLATES = np.linspace(0.0, 1.0, 10**6)
GRAVITIES = (1.0, 9.81)


def plates_for(arithmetic):
    """All plates; one when the plate does not appear in the arithmetic and all runs are equal."""
    return PLATES[:1] if arithmetic == Arithmetic.RELATIVE else PLATES


@pytest.mark.parametrize("gravity", GRAVITIES)
@pytest.mark.parametrize("arithmetic", Arithmetic)
def test_stable_detection_comes_to_rest_at_the_exact_time(arithmetic, gravity):
    plates = plates_for(arithmetic)
    rest, _, failed, lowest = bounces(stable_time, plates, gravity, arithmetic)
    error = np.abs(rest - exact_time_of_rest(gravity)).max()
    print(
        f"stable, {arithmetic.formula}, g = {gravity}: {failed.sum()} failures, at rest within "
        f"{error:.2g} of the exact time, lowest gap {lowest.min():.2g}"
    )
    assert not failed.any()
    # A bounce of height spacing / 2, at most 1.1e-16, starts with v <= sqrt(2.2e-16 g), and all
    # flights from there on would take 4 v / g <= 6e-8 / sqrt(g).
    # Roundings of positions make up to 2.5e-8 / sqrt(g) of the flights before, see the entry.
    assert error < 1e-7
    # Times and positions below 2 are rounded by eps at most, in each of a few operations.
    assert lowest.min() > -8.0 * np.finfo(float).eps


def test_planes_and_cell_faces_share_the_stable_algorithm():
    plates = PLATES[::100]
    for through_plane, directly in zip(
        bounces(stable_time, plates, 9.81, Arithmetic.AS_PRINTED),
        bounces(time_to_close, plates, 9.81, Arithmetic.AS_PRINTED),
        strict=True,
    ):
        np.testing.assert_array_equal(through_plane, directly)


@functools.cache
def naive_failures(arithmetic, gravity):
    """The share of plates on which naive detection fails, and after how many events on average."""
    plates = plates_for(arithmetic)
    _, events, failed, _ = bounces(naive_time, plates, gravity, arithmetic)
    share, mean_events = failed.mean(), events[failed].sum() / max(failed.sum(), 1)
    print(
        f"naive, {arithmetic.formula}, g = {gravity}: {share:.1%} fail, after "
        f"{mean_events:.1f} events on average (the paper: about 50 % after about 30)"
    )
    return share, mean_events


@pytest.mark.parametrize("gravity", GRAVITIES)
@pytest.mark.parametrize("arithmetic", [Arithmetic.AS_PRINTED, Arithmetic.FROM_SURFACE])
def test_naive_detection_fails_on_a_large_part(arithmetic, gravity):
    share, mean_events = naive_failures(arithmetic, gravity)
    assert 0.2 < share < 0.8
    # The speed halves with each event; an overlap of one spacing, 1e-16, outdoes it after 27.
    assert 25.0 < mean_events < 33.0


def test_share_of_failures_depends_on_the_arithmetic():
    shares = [naive_failures(arithmetic, g)[0] for arithmetic in Arithmetic for g in GRAVITIES]
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
