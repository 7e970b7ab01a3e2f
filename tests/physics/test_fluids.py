"""Elastic fluids in equilibrium against theory; statistical errors come from block averages."""

from __future__ import annotations

import math

import numpy as np
import pytest
from block_average import mean_and_error
from equilibrium import BLOCKS, SIGMAS, block_averages, settled
from scipy import stats

import carom
from carom.theory import Gas
from carom.theory.enskog import collision_frequency
from carom.theory.equations_of_state import (
    carnahan_starling,
    disk_virial_series,
    sphere_equation_of_state,
)

RADIUS = 0.5


# Compressibility. Each run is as long as its reference demands: Carnahan & Starling's formula
# is itself 0.26 % (phi = 0.30) and 0.21 % (0.45) below the best equation of state, which leaves
# little of the 0.3 % to the statistical error.
FLUIDS = [  # dimension, packing fraction, collisions
    (3, 0.10, 1_500_000),
    pytest.param(3, 0.30, 40_000_000, marks=pytest.mark.slow),
    pytest.param(3, 0.45, 16_000_000, marks=pytest.mark.slow),
    (2, 0.20, 1_500_000),
    (2, 0.50, 4_000_000),
]


def measured_compressibility(dimension, phi, collisions, n=4000):
    """P V / (n kT) and its standard error."""
    particles, box = carom.packings.lattice(n, phi, dimension=dimension, radius=RADIUS, seed=1)
    simulation = settled(particles, box)
    rate = 0.5 * n * collision_frequency(Gas(dimension, phi, diameter=2.0 * RADIUS))
    ((mean, error),) = block_averages(simulation, collisions / rate, "compressibility")
    # n particles at rest on average have n − 1 kinetic terms; other effects of n are smaller.
    return mean + 1.0 / n, error


@pytest.mark.parametrize(("dimension", "phi", "collisions"), FLUIDS)
def test_compressibility(dimension, phi, collisions):
    z, error = measured_compressibility(dimension, phi, collisions)
    best, uncertainty = (disk_virial_series if dimension == 2 else sphere_equation_of_state)(phi)
    reference = best if dimension == 2 else carnahan_starling(phi)
    print(
        f"{dimension}D, phi = {phi}: Z = {z:.4f} ± {error:.4f} ({error / z:.3%}), "
        f"{z / reference - 1.0:+.3%} from the reference {reference:.4f}, "
        f"{z / best - 1.0:+.3%} from the best known {best:.4f} ± {uncertainty:.4f}"
    )
    assert error < 0.001 * z
    assert z == pytest.approx(reference, rel=0.003)
    assert z == pytest.approx(best, abs=SIGMAS * error + uncertainty)


# Velocities, figure 6 of Sigurgeirsson, Stuart & Wan 2001: n = 1000, one particle, several
# million collisions.


def single_velocity_component(n, dimension, temperature):
    """The exact distribution of one component of one particle's velocity at fixed total energy.

    The velocities without total momentum are uniform on a sphere in f = d (n − 1) dimensions;
    for n to infinity a component becomes Gaussian.
    """
    f = dimension * (n - 1)
    scale = math.sqrt(f * temperature * (n - 1) / n)
    # A coordinate x of a uniform point on the unit sphere: (x + 1) / 2 is Beta-distributed.
    half = 0.5 * (f - 1)
    return stats.beta(half, half, loc=-scale, scale=2.0 * scale)


@pytest.fixture(scope="module")
def velocities():
    """Velocities (times, n, d) of a fluid in which each particle collides 8 times between looks.

    In that time a velocity forgets all but some exp(-8 · 2/3), half a per cent, of itself.
    """
    n, phi, collisions = 1000, 0.15, 3_000_000
    particles, box = carom.packings.lattice(n, phi, dimension=3, radius=RADIUS, seed=2)
    simulation = settled(particles, box)
    between = 8.0 / collision_frequency(Gas(3, phi, diameter=2.0 * RADIUS))
    looks = round(2 * collisions / n / 8)
    values = []
    for _ in range(looks):
        simulation.run(duration=between)
        values.append(simulation.particles.velocity)
    return np.array(values)


def test_one_particle_has_maxwellian_velocities_over_time(velocities):
    _, n, d = velocities.shape
    components = velocities[:, 0, :].ravel()
    p = stats.kstest(components, single_velocity_component(n, d, 1.0).cdf).pvalue
    print(f"one particle, {len(components)} values: Kolmogorov-Smirnov p = {p:.3f}")
    assert p > 0.001


def test_all_particles_have_maxwellian_velocities(velocities):
    _, n, d = velocities.shape
    components = velocities.ravel()
    exact = single_velocity_component(n, d, 1.0)
    test = stats.kstest(components, exact.cdf)
    kurtosis = np.mean(components**4) / np.mean(components**2) ** 2
    error = math.sqrt(24.0 / len(components))
    print(
        f"{len(components)} values: Kolmogorov-Smirnov distance {test.statistic:.2g}, "
        f"p = {test.pvalue:.3f}; kurtosis {kurtosis:.4f} ± {error:.4f}"
    )
    assert test.pvalue > 0.001
    assert kurtosis == pytest.approx(3.0 + exact.stats(moments="k"), abs=SIGMAS * error)


# Events, section 1.3 of Sigurgeirsson, Stuart & Wan 2001, with the right constants.
DILUTE = [  # dimension, packing fraction, number of particles, cells per side
    (2, 0.01, 1000, 40),
    (2, 0.02, 4000, 80),
    (3, 0.01, 1000, 12),
    (3, 0.02, 4000, 18),
]


class Rates:
    """Events per time of a dilute gas of temperature 1, with standard errors."""

    def __init__(self, dimension, phi, n, cells_per_side):
        particles, box = carom.packings.random(n, phi, dimension=dimension, radius=RADIUS, seed=3)
        method = carom.EventDriven(algorithm="heap", cells_per_side=cells_per_side)
        simulation = settled(particles, box, method)
        rate = 0.5 * n * collision_frequency(Gas(dimension, phi, diameter=2.0 * RADIUS))
        block = 6000 / rate
        counts, times = [simulation.counts], []
        for _ in range(BLOCKS):
            simulation.reset_averages()
            simulation.run(duration=block)
            counts.append(simulation.counts)
            times.append(simulation.mean_free_time)
        self.side = box.lengths[0]
        self.collisions = mean_and_error(np.diff([c.collisions for c in counts]) / block)
        self.transfers = mean_and_error(np.diff([c.transfers for c in counts]) / block)
        self.mean_free_time = mean_and_error(times)


def agrees(measured, predicted, what):
    """Whether a mean is as near to a prediction as its error demands."""
    mean, error = measured
    print(
        f"{what}: {mean:.6g} ± {error:.2g}, predicted {predicted:.6g} "
        f"({mean / predicted - 1.0:+.3%} ± {error / predicted:.3%})"
    )
    return error < 0.004 * predicted and abs(mean - predicted) < SIGMAS * error


@pytest.mark.parametrize(("dimension", "phi", "n", "cells_per_side"), DILUTE)
def test_rates_of_events(dimension, phi, n, cells_per_side):
    rates = Rates(dimension, phi, n, cells_per_side)
    gas, pairs = Gas(dimension, phi, diameter=2.0 * RADIUS), n * (n - 1) / 2
    # Equation (6) with each pair counted once. The relative velocity of two particles has the
    # variance 2 T exactly, also where the total momentum is zero.
    sweep = gas.cross_section * gas.mean_relative_speed
    assert agrees(
        rates.collisions, pairs * sweep * gas.chi / rates.side**dimension, "collisions (6)"
    )
    # Equation (7); without total momentum a component has the variance (n − 1) / n.
    beta = math.sqrt((n - 1) / n)
    one_norm = dimension * math.sqrt(2.0 / math.pi) * beta
    assert agrees(rates.transfers, one_norm * n * cells_per_side / rates.side, "transfers (7)")
    # Equations (10) and (11) in units of the side, with the constant that (6) gives them.
    constant = {2: 2.0, 3: 8.0 * math.sqrt(math.pi) * (0.75 / math.pi) ** (2.0 / 3.0)}[dimension]
    scaled = constant * gas.chi * phi ** (1.0 - 1.0 / dimension) * n ** (1.0 / dimension)
    per_time = scaled * (n - 1) / rates.side
    assert agrees(rates.collisions, per_time, "collisions (10)")
    assert agrees(rates.mean_free_time, n / (2.0 * per_time), "mean collision time (11)")


@pytest.mark.parametrize(("dimension", "phi"), [(2, 0.15), (3, 0.15), (3, 0.01)])
def test_checks_per_collision(dimension, phi):
    """The paper: typically 1.1, of which one is the partner's own at each collision."""
    particles, box = carom.packings.random(2000, phi, dimension=dimension, seed=4)
    simulation = carom.Simulation(
        carom.System(particles, box), method=carom.EventDriven(algorithm="heap")
    )
    simulation.run(collisions=200_000)
    ratio = simulation.counts.checks / simulation.counts.collisions
    print(f"{dimension}D, phi = {phi}: {ratio:.3f} checks per collision")
    assert 1.0 < ratio < 1.25
