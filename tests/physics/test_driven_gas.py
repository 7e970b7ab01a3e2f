"""Thermostats hold their temperature, and a heated granular gas finds that of kinetic theory."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from block_average import mean_and_error

import carom
from carom.theory import Gas
from carom.theory.enskog import collision_frequency
from carom.theory.granular_gas import (
    cooling_factor,
    excess_kurtosis_factor,
    excess_kurtosis_factor_of_heated_gas,
)

RADIUS = 0.5
# As dilute as in the test of Haff's law, for the same reason.
PHI = 0.02


def test_andersens_bath_makes_a_canonical_ensemble() -> None:
    n, temperature, looks = 200, 1.5, 400
    mass = np.where(np.arange(n) < n // 2, 1.0, 4.0)
    start, box = carom.packings.lattice(n, 0.3, dimension=2, temperature=4.0, seed=1)
    particles = carom.Particles(start.position, start.velocity, RADIUS, mass)
    system = carom.System(particles, box, law=carom.ConstantRestitution(1.0))
    bath = carom.AndersenThermostat(temperature, every=0.5, rate=1.0)
    simulation = carom.Simulation(system, actors=[bath], seed=4)
    simulation.run(until=20.0)
    squares = []
    for _ in range(looks):
        simulation.run(duration=3.0)
        squares.append(mass * (simulation.particles.velocity**2).sum(axis=1))
    # A particle has met the bath between two looks but for a chance of exp(−3): the values of a
    # sum are correlated by 0.05, which makes errors larger by √(1.05 / 0.95).
    excess = math.sqrt(1.05 / 0.95)
    kinds = np.array(squares).reshape(looks, 2, n // 2).mean(axis=2) / 2.0
    error = temperature * math.sqrt(2.0 / (n * looks)) * excess  # 100 particles, 2 dimensions
    light, heavy = kinds.mean(axis=0)
    print(f"light {light:.4f}, heavy {heavy:.4f} ± {error:.4f} for {temperature}")
    assert light == pytest.approx(temperature, abs=4.0 * error)
    assert heavy == pytest.approx(temperature, abs=4.0 * error)
    # The energy of the whole fluctuates as it should: variance 2 T² / (d n).
    variance = kinds.mean(axis=1).var(ddof=1) / (temperature**2 / n)
    print(f"variance / canonical {variance:.3f} ± {math.sqrt(2.0 / looks) * excess:.3f}")
    assert variance == pytest.approx(1.0, abs=4.0 * math.sqrt(2.0 / looks) * excess)


def test_rescaling_replaces_what_collisions_cost() -> None:
    """Between two acts a granular gas cools by Haff's law; each act puts the loss back."""
    n, restitution, acts = 8000, 0.95, 140
    a_2 = excess_kurtosis_factor(2, restitution)
    gas = Gas(2, PHI, restitution=restitution, diameter=2.0 * RADIUS)
    tau = 2.0 / cooling_factor(gas, a_2)
    every = 0.2 / collision_frequency(gas)
    ratios = []
    for seed in range(4):
        particles, box = carom.packings.random(n, PHI, dimension=2, temperature=1.0, seed=seed)
        system = carom.System(particles, box, law=carom.ConstantRestitution(restitution))
        thermostat = carom.RescalingThermostat(1.0, every)
        simulation = carom.Simulation(system, actors=[thermostat], seed=seed)
        simulation.run(until=(acts + 0.5) * every)
        # Half an interval after the last act; the mean over whole ones is 1 / (1 + every / tau).
        # The sag is 0.005; 2 % of it is more than the 1 % below.
        assert simulation.mean_temperature == pytest.approx(1.0 / (1.0 + every / tau), abs=1e-4)
        loss = (n - 1) * (1.0 - 1.0 / (1.0 + every / tau) ** 2)
        ratios.append(simulation.work_done / (acts * loss))
    ratio, error = mean_and_error(ratios)
    print(f"work done / theory = {ratio:.4f} ± {error:.4f}")
    # As for Haff's law: four standard errors, and 0.4 % for correlations that theory neglects.
    assert error < 0.003
    assert ratio == pytest.approx(1.0, abs=0.01)


def test_a_gas_heated_by_random_kicks_becomes_stationary() -> None:
    """Heating at the rate xi² balances cooling at Gamma T^(3/2) at T = (xi² / Gamma)^(2/3)."""
    n, restitution, strength = 1000, 0.8, 0.01
    a_2 = excess_kurtosis_factor_of_heated_gas(2, restitution)
    gas = Gas(2, PHI, restitution=restitution, diameter=2.0 * RADIUS)
    gamma = cooling_factor(gas, a_2)
    expected = (strength / gamma) ** (2.0 / 3.0)
    relaxation = 1.0 / (1.5 * gamma * math.sqrt(expected))
    # Five kicks between two collisions of a particle; T then saws by 4 %, and its mean is that of
    # white noise up to 3/8 of the variance of this, 5e-5.
    every = 0.2 / collision_frequency(replace(gas, temperature=expected))
    particles, box = carom.packings.random(n, PHI, dimension=2, temperature=0.25 * expected, seed=1)
    system = carom.System(particles, box, law=carom.ConstantRestitution(restitution))
    kicks = carom.RandomKicks(strength, every)
    simulation = carom.Simulation(system, actors=[kicks], seed=1)
    simulation.run(duration=8.0 * relaxation)
    means = []
    for _ in range(30):
        simulation.reset_averages()
        simulation.run(duration=6.0 * relaxation)
        means.append(simulation.mean_temperature / expected)
    ratio, error = mean_and_error(means)
    print(f"T / theory = {ratio:.4f} ± {error:.4f}")
    # 2 %: four standard errors of 0.3 %, and 0.8 % for the correlations that theory neglects,
    # which grow with the density (at phi = 0.1 the gas is 3 % hotter than the theory says).
    assert error < 0.004
    assert ratio == pytest.approx(1.0, abs=0.02)
