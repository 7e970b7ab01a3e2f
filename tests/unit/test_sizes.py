"""Distributions of sizes, against their closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

import carom
from carom import sizes

N = 40_000


def drawn(distribution: Any, dimension: int = 3) -> Any:
    return distribution.radii(np.random.default_rng(1), N, dimension)


def agrees(values: Any, mean: float) -> bool:
    """Whether the mean of independent values is this, within four standard errors."""
    return bool(abs(values.mean() - mean) <= 4.0 * values.std() / math.sqrt(len(values)))


@pytest.mark.parametrize("power", [1, 2, 3])
def test_even_sizes_have_the_moments_of_a_uniform_distribution(power: int) -> None:
    radii = drawn(sizes.Between(0.5, 1.5))
    assert agrees(radii**power, (1.5 ** (power + 1) - 0.5 ** (power + 1)) / (power + 1))


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize(
    "distribution",
    [
        sizes.Between(0.5, 1.5, by="mass"),
        sizes.Normal(1.0, 0.2, by="mass"),
        sizes.LogNormal(1.0, 0.3, cut_below=0.05, cut_above=20.0, by="mass"),
    ],
    ids=["between", "normal", "log normal"],
)
def test_by_mass_shares_of_the_mass_are_those_asked_for(distribution: Any, dimension: int) -> None:
    """Of the mass half is below the median, and Φ(1) below one deviation (one spread) above."""
    radii = drawn(distribution, dimension)
    mass = radii**dimension
    ends = {
        "Between": (1.0, 0.5, 1.25, 0.75),
        "Normal": (
            1.0,
            0.5,
            1.2,
            0.5 + 0.5 * math.erf(1 / math.sqrt(2)) / math.erf(3 / math.sqrt(2)),
        ),
        "LogNormal": (1.0, 0.5, math.exp(0.3), stats.norm.cdf(1.0)),
    }[type(distribution).__name__]
    for end, share in (ends[:2], ends[2:]):
        # A ratio of means: the spread of m (1_below − share), over the mean mass.
        lack = mass * ((radii < end) - share)
        assert abs(lack.mean()) <= 4.0 * lack.std() / math.sqrt(N)


def test_normal_sizes_are_those_of_a_bell_curve_that_is_cut() -> None:
    radii = drawn(sizes.Normal(1.0, 0.2, cut_above=1.3))
    cut = stats.truncnorm(-3.0, 1.5, 1.0, 0.2)
    assert radii.min() >= 0.4
    assert radii.max() <= 1.3
    assert agrees(radii, cut.mean())
    assert agrees((radii - cut.mean()) ** 2, cut.var())
    assert stats.kstest(radii, cut.cdf).pvalue > 1e-3


def test_log_normal_sizes_have_normal_logarithms() -> None:
    radii = drawn(sizes.LogNormal(2.0, 0.5, cut_below=1e-3, cut_above=1e4))
    assert stats.kstest(np.log(radii), stats.norm(math.log(2.0), 0.5).cdf).pvalue > 1e-3
    assert agrees(radii, 2.0 * math.exp(0.125))


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("unit", [1.0, 100.0])
def test_a_sample_passes_the_sieves_of_its_curve(dimension: int, unit: float) -> None:
    apertures, passing = [0.5, 1.0, 2.0, 4.0], [0.0, 0.2, 0.2, 1.0]
    curve = sizes.SieveCurve(apertures, [unit * share for share in passing])
    radii = drawn(curve, dimension)
    mass = radii**dimension
    for aperture, share in zip(apertures, passing, strict=True):
        lack = mass * ((2.0 * radii < aperture) - share)
        assert abs(lack.mean()) <= 4.0 * lack.std() / math.sqrt(N)
    # Nothing is kept by the sieve of which as much passes as of the one below.
    assert not ((2.0 * radii > 1.0) & (2.0 * radii < 2.0)).any()
    assert curve.ends == (0.25, 2.0)


def test_a_sieve_curve_by_number_is_linear_between_its_sieves() -> None:
    curve = sizes.SieveCurve([1.0, 2.0, 4.0], [0.0, 0.5, 1.0], by="number")
    radii = drawn(curve)
    density = lambda r: np.interp(r, [0.5, 1.0, 2.0], [0.0, 0.5, 1.0])  # noqa: E731
    assert stats.kstest(radii, density).pvalue > 1e-3
    mean, _ = integrate.quad(lambda r: 1.0 - float(density(r)), 0.5, 2.0)
    assert agrees(radii, 0.5 + mean)


def test_sizes_can_be_those_of_a_packing() -> None:
    chosen = sizes.LogNormal(0.5, 0.2)
    particles, _ = carom.packings.random(200, 0.2, radius=chosen, seed=4)
    again, _ = carom.packings.random(200, 0.2, radius=chosen, seed=4)
    assert len(np.unique(particles.radius)) == 200
    assert np.array_equal(particles.position, again.position)
    low, high = chosen.ends
    assert ((particles.radius >= low) & (particles.radius <= high)).all()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: sizes.Between(2.0, 1.0), "largest=1 is below smallest=2"),
        (lambda: sizes.Between(0.0, 1.0), "smallest must be a positive number, not 0.0"),
        (lambda: sizes.Between(1.0, 2.0, by="weight"), "by='weight' is unknown"),
        (lambda: sizes.Normal(1.0, 0.5), "-0.5 is no radius.*cut_below"),
        (lambda: sizes.Normal(1.0, 0.1, cut_above=0.9), "must lie between"),
        (lambda: sizes.LogNormal(1.0, 0.1, cut_below=3.0), "cut_above=.* is below cut_below=3"),
        (lambda: sizes.SieveCurve([1.0], [0.0]), "two or more apertures"),
        (lambda: sizes.SieveCurve([2.0, 1.0], [0.0, 1.0]), "positive and grow"),
        (lambda: sizes.SieveCurve([1.0, 2.0], [0.1, 1.0]), "rise from 0"),
        (lambda: sizes.SieveCurve([1.0, 2.0, 3.0], [0.0, 0.8, 0.7]), "rise from 0"),
    ],
)
def test_what_is_no_distribution_is_refused(make: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make()
