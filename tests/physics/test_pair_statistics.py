"""Pairs near contact, the speeds at which they meet, and how often: one gas, seen in three ways.

The collision kernel is counted, it follows from the pairs that approach near contact, and kinetic
theory gives it from the contact value of the fluid and Maxwell's velocities (Sundaram & Collins
1997). The radial relative velocity of a pair is Gaussian with the variance T/μ.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from block_average import mean_and_error
from equilibrium import SIGMAS, settled

import carom
from carom.statistics import collision_kernel, kernel_from_contact
from carom.theory.contact_values import carnahan_starling_1969, from_compressibility
from carom.theory.equations_of_state import disk_virial_series

N = 1000
BLOCKS = 20
# What a gas of N particles lacks of an endless one is of the order of 1/N, the ratio of N (N − 1)
# to N² included; so is what a straight line to contact makes of a g that bends.
OF_ORDER_1_OVER_N = 2.0 / N


def measured(particles, box, looks, every=0.2):
    """Means and errors of what is seen near contact, in collisions, and in their number; in blocks
    of so many looks."""
    simulation = settled(particles, box)
    pairs, impacts = carom.PairStatistics(every), carom.ImpactSpeeds()
    # Observers belong to a simulation from its start: here, to one of a settled state.
    system = carom.System(simulation.particles, box)
    simulation = carom.Simulation(system, observers=[pairs, impacts])
    rows = []
    for _ in range(BLOCKS):
        pairs.clear()
        impacts.clear()
        before = simulation.counts.collisions
        simulation.run(duration=looks * every)
        collisions = simulation.counts.collisions - before
        counted = collision_kernel(collisions, looks * every, N, system.volume)
        seen = pairs.contact()
        rows.append([*seen, impacts.sums.mean, impacts.sums.of_pairs, counted])
    names = ("g", "radial", "approach", "flux", "impact", "of_pairs", "counted")
    return {
        name: mean_and_error(column) for name, column in zip(names, np.transpose(rows), strict=True)
    }


def agree(seen, name, expected, largest_error):
    """Whether a mean agrees with theory, and is known well enough to say so."""
    mean, error = seen[name]
    print(f"{name}: {mean:.5f} ± {error:.5f}, theory {expected:.5f}")
    assert error < largest_error * expected
    allowed = SIGMAS * error + OF_ORDER_1_OVER_N * expected
    assert mean == pytest.approx(expected, abs=allowed), name


@pytest.mark.parametrize(("dimension", "phi", "looks"), [(2, 0.3, 60), (3, 0.2, 20)])
def test_a_gas_of_equal_particles(dimension, phi, looks):
    """<|w_r|> = 2 √(T/π m); in collisions, where fast pairs are met more often, √(π T/m)."""
    particles, box = carom.packings.random(N, phi, dimension=dimension, temperature=2.0, seed=3)
    seen = measured(particles, box, looks)
    speed = 2.0 * math.sqrt(2.0 / math.pi)
    if dimension == 2:
        chi = from_compressibility(2, phi, disk_virial_series(phi)[0])
    else:
        chi = carnahan_starling_1969(phi)
    kernel = kernel_from_contact(dimension, 1.0, chi, speed)
    agree(seen, "g", chi, 0.01)
    agree(seen, "radial", speed, 0.008)
    agree(seen, "approach", speed, 0.01)
    agree(seen, "impact", math.sqrt(2.0 * math.pi), 0.002)
    agree(seen, "of_pairs", speed, 0.008)
    agree(seen, "counted", kernel, 0.003)
    agree(seen, "flux", kernel, 0.015)


def test_a_mixture_of_two_sizes():
    """With contact values of Boublík 1970 and Mansoori et al. 1971, accurate to some 0.1 %.

    Pairs are found at distances relative to the sum of their radii σ: in a shell of these each
    kind has the weight σ³, and its share of the collisions is σ² g <|w_r|>.
    """
    phi, share = 0.25, 0.5
    diameter = np.repeat([0.6, 1.0], N // 2)
    particles, box = carom.packings.random(N, phi, radius=0.5 * diameter, mass=diameter**3, seed=4)
    seen = measured(particles, box, looks=20)
    sizes = np.array([0.6, 1.0])
    sigma = 0.5 * np.add.outer(sizes, sizes)
    density = 6.0 * phi / (math.pi * share * (sizes**3).sum())
    second = math.pi / 6.0 * density * share * (sizes**2).sum()
    harmonic = np.multiply.outer(sizes, sizes) / np.add.outer(sizes, sizes)
    free = 1.0 - phi
    g = 1.0 / free + 3.0 * second * harmonic / free**2 + 2.0 * (second * harmonic) ** 2 / free**3
    assert g[1, 1] > g[0, 0] > 1.0
    reduced = np.multiply.outer(sizes**3, sizes**3) / np.add.outer(sizes**3, sizes**3)
    speed = np.sqrt(2.0 / (math.pi * reduced))
    kernel = share**2 * (2.0 * math.pi * sigma**2 * g * speed).sum()
    agree(seen, "g", (sigma**3 * g).sum() / (sigma**3).sum(), 0.015)
    agree(seen, "radial", (sigma**3 * g * speed).sum() / (sigma**3 * g).sum(), 0.01)
    agree(seen, "counted", kernel, 0.003)
    agree(seen, "flux", kernel, 0.02)


@pytest.mark.slow
def test_disks_in_vortices():
    """In a flow nothing is in equilibrium, but Γ = π σ g <|w_r|> still holds, and all three ways to
    see it agree. Looks fall into steps at any phase; in a step pairs move 0.06 of a diameter."""
    n, every, runs = 2000, 0.0537, 24
    particles, box = carom.packings.random(n, 0.05, dimension=2, temperature=0.0, seed=1)
    side = box.sides(2)[0]
    small = carom.Particles(particles.position / side, radius=0.5 / side)
    pairs, impacts = carom.PairStatistics(every), carom.ImpactSpeeds()
    simulation = carom.Simulation(
        carom.System(small, carom.Periodic(1.0)),
        method=carom.Laden(carom.fluids.TaylorGreen(), dt=0.002, relaxation_time=0.3),
        observers=[pairs, impacts],
    )
    simulation.run(until=2.0)
    closure, flux, speeds = [], [], []
    for _ in range(runs):
        pairs.clear()
        impacts.clear()
        before, start = simulation.counts.collisions, simulation.time
        simulation.run(duration=10 * every)
        collisions = simulation.counts.collisions - before
        counted = collision_kernel(collisions, simulation.time - start, n, 1.0)
        seen = pairs.contact()
        made = kernel_from_contact(2, 1.0 / side, seen.distribution, seen.radial_speed)
        closure.append(made / counted)
        flux.append(seen.kernel / counted)
        speeds.append(seen.approach_speed / impacts.sums.of_pairs)
    for name, ratios in (("closure", closure), ("flux", flux), ("speeds", speeds)):
        mean, error = mean_and_error(ratios)
        print(f"{name}: {mean:.4f} ± {error:.4f}")
        assert error < 0.02
        # Beside chance: of order dt / τ, by which velocities change in a step.
        assert mean == pytest.approx(1.0, abs=SIGMAS * error + 0.01), name
