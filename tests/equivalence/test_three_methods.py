"""One system, three methods: the same gas cools, and the same flow has the same stresses.

Runs of chaotic systems part within a few collisions, so that averages are compared. Their errors
are those of means over independent runs, or over pieces of a run much longer than its memory.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest

import carom

RESTITUTION = 0.9
N = 600
FRACTION = 0.3
DURATION = 4.0
# Errors of a mean that are taken for chance: one in some thousand for a dozen samples.
CHANCE = 4.0


class Cooled(NamedTuple):
    """What is left of a gas after a while."""

    collisions: float
    pressure: float
    temperature: float


def gas(seed: int) -> carom.System:
    particles, box = carom.packings.lattice(
        N, FRACTION, temperature=1.0, seed=seed, dimension=2, radius=0.5
    )
    return carom.System(particles, box, law=carom.ConstantRestitution(RESTITUTION))


def cooled(seed: int, method: Any) -> Cooled:
    simulation = carom.Simulation(gas(seed), method=method)
    # The lattice melts first.
    simulation.run(until=0.5)
    simulation.reset_averages()
    before = simulation.counts.collisions
    simulation.run(until=0.5 + DURATION)
    collisions = float(simulation.counts.collisions - before)
    return Cooled(collisions, simulation.pressure, simulation.temperature)


def samples(method: Any, seeds: range) -> Any:
    """(seeds, 3)"""
    return np.array([cooled(seed, method) for seed in seeds])


def deviation(found: Any, expected: Any) -> tuple[Any, Any]:
    """Relative differences of the means, and their standard errors; runs are not paired, since
    they know nothing of each other after a few collisions."""
    mean = expected.mean(axis=0)
    error = np.sqrt(
        found.var(axis=0, ddof=1) / len(found) + expected.var(axis=0, ddof=1) / len(expected)
    )
    return (found.mean(axis=0) - mean) / mean, error / mean


SEEDS = range(24)


@pytest.fixture(scope="module")
def exact() -> Any:
    return samples(carom.EventDriven(), SEEDS)


def assert_agree(found: Any, expected: Any, systematic: float) -> None:
    apart, error = deviation(found, expected)
    assert (error < 0.01).all(), error
    assert (np.abs(apart) < CHANCE * error + systematic).all(), (apart, error)


def test_time_stepped_gas_cools_as_the_exact_one(exact: Any) -> None:
    """Contacts are found late by up to a step, in which particles move v dt = 0.2 % of their
    diameter; rates change by about as much, and what has cooled by up to twice as much."""
    assert_agree(samples(carom.TimeStepped(dt=0.002), SEEDS), exact, 0.004)


def test_soft_gas_cools_as_the_exact_one(exact: Any) -> None:
    """Overlaps of v √(μ / k) = 0.1 % of the diameter, and contacts that last for 0.002, which is
    0.4 % of the time between two of a particle."""
    assert_agree(samples(carom.SoftContacts(1e6), SEEDS), exact, 0.001 + 0.004)


MEASURED = (Cooled._fields.index("collisions"), Cooled._fields.index("temperature"))


def test_time_stepped_gas_tends_to_the_exact_one_with_the_step(exact: Any) -> None:
    """At first order: half the step, half the difference, as far as statistics can tell.

    The next order is (v dt / diameter)², 1 % for the larger step.
    """
    far, far_error = deviation(samples(carom.TimeStepped(dt=0.1), SEEDS), exact)
    near, near_error = deviation(samples(carom.TimeStepped(dt=0.05), SEEDS), exact)
    for what in MEASURED:
        assert abs(far[what]) > 2.0 * CHANCE * far_error[what]
        chance = CHANCE * math.hypot(far_error[what], 2.0 * near_error[what])
        assert abs(far[what] - 2.0 * near[what]) < chance + 0.01
        # A second order would leave a quarter.
        assert abs(near[what]) > 0.25 * abs(far[what])


def test_soft_gas_tends_to_the_exact_one_with_the_stiffness(exact: Any) -> None:
    """Depth and duration of a contact go with k^(−1/2): a tenth from 10³ to 10⁵."""
    soft, soft_error = deviation(samples(carom.SoftContacts(1e3), SEEDS), exact)
    stiff, stiff_error = deviation(samples(carom.SoftContacts(1e5), SEEDS), exact)
    for what in MEASURED:
        assert abs(soft[what]) > 2.0 * CHANCE * soft_error[what]
        assert abs(stiff[what]) < 0.1 * abs(soft[what]) + CHANCE * stiff_error[what]


@pytest.mark.slow
def test_the_three_methods_agree_within_half_a_percent() -> None:
    seeds = range(100, 200)
    expected = samples(carom.EventDriven(), seeds)
    for method, systematic in (
        (carom.TimeStepped(dt=0.001), 0.002),
        (carom.TimeStepped(dt=0.001, simultaneous="backtrack"), 0.0),
        (carom.SoftContacts(1e7), 0.0003 + 0.0013),
    ):
        found = samples(method, seeds)
        apart, error = deviation(found, expected)
        assert (error < 0.004).all(), error
        assert (np.abs(apart) < CHANCE * error + systematic).all(), (method, apart, error)


@pytest.mark.slow
def test_first_order_over_a_decade_of_steps() -> None:
    seeds = range(100, 180)
    expected = samples(carom.EventDriven(), seeds)
    steps = np.array([0.05, 0.025, 0.0125, 0.00625])
    for what in MEASURED:
        apart, error = [], []
        for dt in steps:
            found = deviation(samples(carom.TimeStepped(dt=dt), seeds), expected)
            apart.append(found[0][what])
            error.append(found[1][what])
        weights = 1.0 / np.array(error) ** 2
        slope = (weights * steps * apart).sum() / (weights * steps**2).sum()
        # The differences of all steps lie on one line through zero; the next order is
        # (v dt / diameter)², 0.25 % for the largest.
        chance = CHANCE * np.array(error) + steps**2
        assert (np.abs(apart - slope * steps) < chance).all(), (apart, error)
        assert abs(slope * steps[0]) > 8.0 * error[0]


# Sheared disks

SHEAR_RATE = 1.0


def flow(n: int, fraction: float, seed: int) -> carom.System:
    particles, box = carom.packings.lattice(
        n, fraction, temperature=2.0, seed=seed, dimension=2, radius=0.5
    )
    domain = carom.LeesEdwards(box.lengths, SHEAR_RATE)
    velocity = particles.velocity + domain.flow(particles.position)
    particles = carom.Particles(particles.position, velocity, particles.radius, particles.mass)
    return carom.System(particles, domain, law=carom.ConstantRestitution(RESTITUTION))


def stresses(system: carom.System, method: Any, pieces: int, strain: float) -> Any:
    """(pieces, 4): stress xx, −xy, yy and the temperature, of pieces of so much strain."""
    simulation = carom.Simulation(system, method=method)
    simulation.run(until=8.0 / SHEAR_RATE)
    rows = []
    for _ in range(pieces):
        simulation.reset_averages()
        simulation.run(duration=strain / SHEAR_RATE)
        stress = simulation.stress
        rows.append([stress[0, 0], -stress[0, 1], stress[1, 1], simulation.mean_temperature])
    return np.array(rows)


def assert_same_stresses(system: carom.System, pieces: int, strain: float, largest: float) -> None:
    expected = stresses(system, carom.EventDriven(), pieces, strain)
    for method, systematic in (
        (carom.TimeStepped(dt=0.001), 0.005),
        # Without friction, but compiled as with it.
        (carom.SoftContacts(1e6, friction=0.0), 0.015),
    ):
        found = stresses(system, method, pieces, strain)
        apart, error = deviation(found, expected)
        assert (error < largest).all(), error
        assert (np.abs(apart) < CHANCE * error + systematic).all(), (method, apart, error)


def test_sheared_disks_have_the_same_stresses() -> None:
    """Memory is lost within a strain of about one: a particle collides some ten times in it."""
    assert_same_stresses(flow(300, 0.3, 1), 24, 4.0, 0.03)


@pytest.mark.slow
@pytest.mark.parametrize("fraction", [0.1, 0.5])
def test_sheared_disks_have_the_same_stresses_at_length(fraction: float) -> None:
    assert_same_stresses(flow(400, fraction, 1), 90, 6.0, 0.015)
