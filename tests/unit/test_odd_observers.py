"""Observers of statistics with odd numbers and odd systems: they work, or say why not."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import carom

LAGGED = [
    carom.MeanSquareDisplacement,
    carom.VelocityAutocorrelation,
    carom.Viscosity,
    carom.HeatConduction,
]
HUGE = 10**12


@pytest.mark.parametrize("observer", LAGGED)
def test_lags_that_cannot_be(observer: Any) -> None:
    for lags in (0, -1, math.nan, 2.5, HUGE, 1e12):
        with pytest.raises(ValueError, match=f"{observer.__name__}: lags must be a whole number"):
            observer(0.1, lags)
    for levels in (0, -1, math.nan, HUGE):
        with pytest.raises(ValueError, match="levels must be a whole number from 1 to 32, not"):
            observer(0.1, 5, levels)
    with pytest.raises(ValueError, match="every must be a positive number, not inf"):
        observer(math.inf)
    longest = observer(0.5, 6, 32).time[-1]
    assert longest == 0.5 * 6 * 2**31


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: carom.VelocityDistribution(0.1, HUGE), "bins must be a whole number from 1 to"),
        (lambda: carom.Profile(0.1, 0, HUGE), "layers must be a whole number from 1 to"),
        (lambda: carom.NumberFluctuations(0.1, []), "parts must have one number at least"),
        (lambda: carom.VanHove(0.1, [0.0, 1.0], HUGE), "VanHove: lags must be a whole number"),
    ],
)
def test_more_than_memory_holds(make: Callable[[], Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        make()


def test_neighbours_are_in_the_box() -> None:
    system = carom.System(*carom.packings.random(30, 0.1, dimension=3, seed=1))
    for reach in (6.0, 1e12):
        with pytest.raises(ValueError, match=r"reach=.* is longer than the shortest side"):
            carom.Simulation(system, observers=[carom.SolidClusters(0.1, reach)])


def test_one_particle_alone() -> None:
    particles = carom.Particles([[1.0, 1.0]], [[1.0, 0.3]], 0.5)
    system = carom.System(particles, carom.Periodic((4.0, 4.0)))
    for observer, complaint in (
        (carom.MeanSquareDisplacement(0.1), "relative to the centre of mass, where one particle"),
        (carom.VanHove(0.1, [0.0, 1.0]), "one particle alone has no others"),
    ):
        with pytest.raises(ValueError, match=complaint):
            carom.Simulation(system, observers=[observer])


@pytest.mark.filterwarnings("error")
def test_what_rests_has_no_shape_of_displacements() -> None:
    particles = carom.Particles([[1.0, 1.0], [3.0, 3.0]], np.zeros((2, 2)), 0.5)
    moved = carom.MeanSquareDisplacement(0.1, 3)
    system = carom.System(particles, carom.Periodic((5.0, 5.0)))
    carom.Simulation(system, observers=[moved]).run(until=1.0)
    assert moved.mean_square.tolist() == [0.0] * 4
    assert np.isnan(moved.non_gaussian().value).all()
