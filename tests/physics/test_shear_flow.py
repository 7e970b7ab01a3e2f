"""Sheared granular gases: what is conserved, the energy balance, and the mean flow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import carom

EPSILON = np.finfo(float).eps
SMOOTH, ROUGH = carom.ConstantRestitution(0.9), carom.RoughRestitution(0.9, 0.4)


def flowing(
    n: int, phi: float, dimension: int, rate: float, law: Any, temperature: float = 1.0
) -> carom.System:
    """A packing that flows with the shear from the start, without total momentum but the flow's."""
    particles, box = carom.packings.random(
        n, phi, dimension=dimension, temperature=temperature, seed=1
    )
    domain = carom.LeesEdwards(box.lengths, rate)
    flow = domain.flow(particles.position)
    moving = carom.Particles(
        particles.position, particles.velocity + flow, particles.radius, particles.mass
    )
    return carom.System(moving, domain, law=law)


def peculiar_energy(simulation: carom.Simulation) -> float:
    """Kinetic energy relative to the flow about the middle of the box, and that of the spins."""
    particles, domain = simulation.particles, simulation.system.domain
    relative = particles.velocity - domain.flow(particles.position)
    kinetic = 0.5 * (particles.mass[:, None] * relative**2).sum()
    return float(kinetic) + simulation.rotational_energy


@pytest.mark.parametrize(
    ("dimension", "rate", "law", "algorithm"),
    [
        (2, 0.8, SMOOTH, "cells"),
        (2, -0.8, SMOOTH, "heap"),
        (2, 0.8, SMOOTH, "lists"),
        (3, -0.5, ROUGH, "cells"),
    ],
    ids=["disks", "disks, heap", "disks, lists", "rough spheres"],
)
def test_momentum_and_energy_to_round_off(
    dimension: int, rate: float, law: Any, algorithm: str
) -> None:
    """Momentum across the flow and momentum relative to it; and two energy balances.

    A collision rounds each component of a momentum by half a unit in the last place of some speed
    v, at most that of the flow at the boundary, or of the thermal motion. In k collisions this adds
    up to √k ε m v by chance; ten times that is allowed.
    """
    collisions = 100_000
    system = flowing(300, 0.3 if dimension == 2 else 0.15, dimension, rate, law)
    simulation = carom.Simulation(system, method=carom.EventDriven(algorithm))
    before = simulation.particles
    start, start_peculiar = simulation.energy, peculiar_energy(simulation)
    simulation.run(collisions=collisions)
    after = simulation.particles
    speed = abs(before.velocity).max() + np.sqrt(simulation.temperature)
    rounding = 10.0 * np.sqrt(collisions) * EPSILON * speed
    assert abs(after.momentum - before.momentum)[1:].max() < rounding

    def along_flow(particles: carom.Particles) -> float:
        relative = particles.velocity - system.domain.flow(particles.position)
        return float((particles.mass * relative[:, 0]).sum())

    # The packing has no momentum along y, but for rounding: relative to the flow it meets, this
    # little changes that along x.
    drift = abs(rate * before.momentum[1] * simulation.time)
    # Positions round as well, and with them the flow that is taken away.
    along = rounding + abs(rate) * 10.0 * np.sqrt(simulation.counts.transfers) * EPSILON * 20.0
    assert abs(along_flow(after) - along_flow(before)) < along + drift

    # Energies are sums of k terms, each at most of the size of the energy of a particle.
    turnover = simulation.dissipated_energy + abs(simulation.shear_work) + start
    balance = start - simulation.dissipated_energy + simulation.shear_work
    assert simulation.dissipated_energy > 10.0 * start_peculiar
    assert simulation.energy == pytest.approx(balance, abs=1e-11 * turnover)
    # Relative to the flow the stress does the work: exactly, not only in the mean, with the time
    # integral of the kinetic part and the sum over contacts of the other.
    work = -simulation.stress[0, 1] * rate * system.volume * simulation.time
    balance = start_peculiar - simulation.dissipated_energy + work
    assert peculiar_energy(simulation) == pytest.approx(balance, abs=1e-11 * turnover)


def steady(n: int, collisions: int) -> carom.Simulation:
    """Disks in steady shear flow, with averages from there on."""
    simulation = carom.Simulation(flowing(n, 0.3, 2, 1.0, SMOOTH, temperature=4.0))
    simulation.run(collisions=collisions // 4)
    simulation.reset_averages()
    return simulation


def assert_work_is_dissipated(n: int, collisions: int) -> None:
    simulation = steady(n, collisions)
    work, lost = simulation.shear_work, simulation.dissipated_energy
    simulation.run(collisions=collisions)
    work, lost = simulation.shear_work - work, simulation.dissipated_energy - lost
    assert work == pytest.approx(lost, rel=0.01)
    power = simulation.shear_viscosity * simulation.system.volume  # the rate is 1
    assert power * simulation.averaged_duration == pytest.approx(lost, rel=0.01)


def test_shear_work_is_dissipated_in_the_steady_state() -> None:
    """The energy fluctuates by some per cent, and hundreds of times that is dissipated."""
    assert_work_is_dissipated(200, 150_000)


@pytest.mark.slow
def test_shear_work_is_dissipated_by_thousands() -> None:
    assert_work_is_dissipated(4000, 4_000_000)


def test_the_flow_becomes_linear_by_itself() -> None:
    """From thermal motion alone: only the boundary drives. The slope of the velocity, fitted to all
    particles in each of 16 blocks of time, is the shear rate within three standard errors."""
    particles, box = carom.packings.random(150, 0.4, dimension=2, temperature=1.0, seed=2)
    rate = 0.5
    system = carom.System(particles, carom.LeesEdwards(box.lengths, rate), law=SMOOTH)
    simulation = carom.Simulation(system)
    # Momentum crosses the box in side² / (π² viscosity / density), some ten units of time.
    simulation.run(until=150.0)
    slopes = []
    for _ in range(16):
        fits = []
        for _ in range(10):
            simulation.run(duration=2.0)
            now = simulation.particles
            fits.append(np.polyfit(now.position[:, 1], now.velocity[:, 0], 1)[0])
        slopes.append(np.mean(fits))
    error = np.std(slopes, ddof=1) / 4.0
    assert error < 0.02 * rate
    assert abs(np.mean(slopes) - rate) < 3.0 * error


def test_stress_at_rest_is_the_pressure() -> None:
    """Without shear: off-diagonal elements are zero within their scatter, the trace is exact."""
    particles, box = carom.packings.lattice(500, 0.3, seed=3)
    simulation = carom.Simulation(carom.System(particles, box))
    simulation.run(collisions=20_000)
    blocks = []
    for _ in range(12):
        simulation.reset_averages()
        simulation.run(collisions=10_000)
        blocks.append(simulation.stress)
        assert np.trace(blocks[-1]) == pytest.approx(3.0 * simulation.pressure, rel=1e-14)
        np.testing.assert_array_equal(blocks[-1], blocks[-1].T)
    mean, error = np.mean(blocks, axis=0), np.std(blocks, axis=0, ddof=1) / np.sqrt(12)
    off = ~np.eye(3, dtype=bool)
    assert (np.abs(mean[off]) < 4.0 * error[off]).all()
    assert (error[off] < 0.01 * simulation.pressure).all()
    deviation = np.diag(mean) - np.trace(mean) / 3.0
    assert (np.abs(deviation) < 4.0 * np.diag(error)).all()
