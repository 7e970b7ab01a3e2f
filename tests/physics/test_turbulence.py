"""Synthetic turbulence against its theory: Sigurgeirsson, Stuart & Wan 2001, appendix 2.

The mode of wave vector k is a Gaussian process with E|û_k|² = ε_k and the correlation
e^(−νk²s). What follows for means over independent samples is exact, so that tolerances are
standard errors: limits of 4.5 of them are passed by chance in one of 10⁵ cases, and the largest
test has some hundred.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import fft, stats

from carom.fluids import SyntheticTurbulence

SIDES = (1.0, 1.5, 0.8)
SPEED = 1.7
SCALE = 0.2
VISCOSITY = 0.05
LIMIT = 4.5


class Case(NamedTuple):
    spectrum: Any
    grid: tuple[int, ...]

    def __str__(self) -> str:
        name = self.spectrum if isinstance(self.spectrum, str) else self.spectrum.__name__
        return f"{name} {len(self.grid)}D"

    def turbulence(self, seed: int = 0) -> SyntheticTurbulence:
        return SyntheticTurbulence(
            self.spectrum, SPEED, SCALE, viscosity=VISCOSITY, grid=self.grid, seed=seed
        )

    def stream(self, seed: int = 0) -> Any:
        return self.turbulence(seed).stream(SIDES[: len(self.grid)], len(self.grid))


def own_spectrum(k: Any) -> Any:
    return 1.0 / k**3


PLANAR = Case("karman_obukhov", (12, 9))
SPATIAL = Case("karman_obukhov", (6, 5, 6))
CASES = [PLANAR, Case("kraichnan", (12, 9)), Case(own_spectrum, (9, 8)), SPATIAL]


class Theory:
    """What is known of the independent half of all waves, those with a positive first number."""

    def __init__(self, case: Case) -> None:
        dimension = len(case.grid)
        reach = [range(-((n - 1) // 2), (n - 1) // 2 + 1) for n in case.grid]
        numbers = np.array(np.meshgrid(*reach, indexing="ij")).reshape(dimension, -1).T
        zero = (0,) * dimension
        self.numbers = np.array([j for j in map(tuple, numbers.tolist()) if j > zero])
        self.k = 2.0 * math.pi * self.numbers / SIDES[:dimension]
        self.square = (self.k**2).sum(axis=1)
        x = SCALE**2 * self.square
        shape = {
            ("karman_obukhov", 2): x * (1.0 + x) ** (-7.0 / 3.0),
            ("karman_obukhov", 3): x * (1.0 + x) ** (-17.0 / 6.0),
            ("kraichnan", 2): x * np.exp(-x),
            (own_spectrum, 2): self.square**-1.5,
        }[case.spectrum, dimension]
        self.energy = shape * SPEED**2 / (2.0 * shape.sum())  # each stands for two waves
        self.rate = VISCOSITY * self.square
        # Directions a velocity may have; the energy of a mode is a sum of as many exponential ones.
        self.directions = dimension - 1

    def modes(self, field: Any) -> Any:
        """û_k of these waves, (waves, d)."""
        u = field.velocity
        transformed = fft.fftn(u, axes=tuple(range(u.ndim - 1)), norm="forward")
        return transformed[tuple(self.numbers.T)]

    @property
    def long(self) -> float:
        """A time after which all is forgotten but e^(−20)."""
        return float(20.0 / self.rate.min())

    def variance(self, lag: float = math.inf) -> float:
        """Of u_x at a place in the plane; of its change in a time, half of it."""
        along_x = self.k[:, 1] ** 2 / self.square
        return float((2.0 * self.energy * along_x * -np.expm1(-self.rate * lag)).sum())


def assert_normal(z: Any) -> None:
    """Deviations over their standard errors, of independent quantities."""
    z = np.ravel(z)
    assert np.abs(z).max() < LIMIT
    assert (z**2).sum() < len(z) + LIMIT * math.sqrt(2.0 * len(z))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_mode_has_the_energy_prescribed(case: Case) -> None:
    """|û_k|² has the relative variance 1/m for m directions, so that the mean of M independent ones
    has the standard error ε_k / √(m M)."""
    theory, stream, samples = Theory(case), case.stream(), 8000
    energy = np.zeros(len(theory.square))
    for sample in range(samples):
        stream.go_to(sample * theory.long)
        energy += (np.abs(theory.modes(stream.field)) ** 2).sum(axis=1)
    error = 1.0 / math.sqrt(theory.directions * samples)
    assert_normal((energy / samples / theory.energy - 1.0) / error)


@pytest.mark.parametrize("steps", [1, 4])
@pytest.mark.parametrize("case", [PLANAR, SPATIAL], ids=str)
def test_every_mode_has_its_correlation_time(case: Case, steps: int) -> None:
    """Re û_k(t + s)·û_k(t)* has the mean ε_k r with r = e^(−νk²s), and the variance
    ε_k² (1 + r²) / (2m): exact for any step, so that it does not matter how the way is cut."""
    theory, stream, samples = Theory(case), case.stream(), 4000
    lag = 0.7 / float(np.median(theory.rate))
    product = np.zeros(len(theory.square))
    for sample in range(samples):
        start = sample * (theory.long + lag)
        stream.go_to(start)
        first = theory.modes(stream.field)
        for step in range(1, steps + 1):
            stream.go_to(start + lag * step / steps)
        product += (theory.modes(stream.field) * first.conj()).real.sum(axis=1)
    expected = np.exp(-theory.rate * lag)
    assert expected.max() > 0.8 and expected.min() < 0.3
    error = np.sqrt((1.0 + expected**2) / (2.0 * theory.directions * samples))
    assert_normal((product / samples / theory.energy - expected) / error)


def test_the_flow_is_stationary_from_the_start() -> None:
    """Energies at the start, and after twenty short steps, over many seeds; were the noise too weak
    or too strong for the decay, all but the slowest modes would have felt it by then."""
    case, samples = PLANAR, 1500
    theory = Theory(case)
    step = 0.1 / float(np.median(theory.rate))
    energy = np.zeros((2, len(theory.square)))
    for seed in range(samples):
        stream = case.stream(seed)
        energy[0] += (np.abs(theory.modes(stream.field)) ** 2).sum(axis=1)
        for k in range(1, 21):
            stream.go_to(step * k)
        energy[1] += (np.abs(theory.modes(stream.field)) ** 2).sum(axis=1)
    for moment in energy:
        assert_normal((moment / samples / theory.energy - 1.0) * math.sqrt(samples))


def test_velocities_and_their_changes_are_gaussian() -> None:
    """At a place, with the variances that follow from all modes: by Kolmogorov and Smirnov, and by
    the fourth moment, whose mean over σ⁴ is 3 with the standard error √(96 / M)."""
    theory, stream, samples = Theory(PLANAR), PLANAR.stream(), 8000
    lag = 0.5 / float(np.median(theory.rate))
    values = np.empty((2, samples))
    for sample in range(samples):
        start = sample * (theory.long + lag)
        stream.go_to(start)
        before = stream.field.velocity[4, 3, 0]
        stream.go_to(start + lag)
        values[:, sample] = before, stream.field.velocity[4, 3, 0] - before
    deviations = math.sqrt(theory.variance()), math.sqrt(2.0 * theory.variance(lag))
    for found, deviation in zip(values, deviations, strict=True):
        scaled = found / deviation
        # A level that chance reaches once in a thousand seeds.
        assert stats.kstest(scaled, "norm").pvalue > 1e-3
        assert abs((scaled**4).mean() - 3.0) < LIMIT * math.sqrt(96.0 / samples)


def test_the_root_mean_square_of_the_speed_is_the_speed() -> None:
    """The mean over the box of |u|² is 2 Σ |û_k|², with the variance Σ (2 ε_k)² / m."""
    theory, stream, samples = Theory(SPATIAL), SPATIAL.stream(), 2000
    total = 0.0
    for sample in range(samples):
        stream.go_to(sample * theory.long)
        total += float((stream.field.velocity**2).sum(axis=-1).mean())
    error = math.sqrt(((2.0 * theory.energy) ** 2).sum() / theory.directions / samples)
    assert abs(total / samples - SPEED**2) < LIMIT * error
