"""Averages over time against sums over many looks, in every kind of run.

Where walls, fields, a fluid or a thermostat change the total momentum, it is no constant that
could be left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import carom

LOOKS = 200
WIND = np.array([2.0, 0.0])


def gas(**options: Any) -> carom.System:
    """Twenty disks that drift along x, in a unit of time of some collisions each."""
    particles, box = carom.packings.random(20, 0.2, dimension=2, radius=0.05, seed=4)
    moving = carom.Particles(particles.position, particles.velocity + WIND, 0.05)
    return carom.System(moving, box, **options)


def walled() -> carom.System:
    gas_of_disks = gas()
    assert gas_of_disks.sides is not None
    lengths = [side + 0.1 for side in gas_of_disks.sides]
    start = gas_of_disks.particles
    moving = carom.Particles(start.position + 0.05, start.velocity, 0.05)
    return carom.System(moving, carom.Box(lengths), gravity=[0.0, -3.0])


def coupled() -> carom.Simulation:
    particles, _ = carom.packings.random(20, 0.05, dimension=2, radius=0.02, seed=4)
    moving = carom.Particles(particles.position, particles.velocity + WIND, 0.02, 0.001)
    fluid = carom.fluids.DiffusionFlow(16, viscosity=0.02)
    system = carom.System(moving, carom.Periodic((1.0, 1.0)))
    return carom.Simulation(system, method=carom.Coupled(fluid, dt=0.005, relaxation_time=0.3))


def kinds() -> dict[str, Any]:
    wind = carom.fluids.Uniform(10.0, 0.0)
    drag = carom.forces.LinearDrag(0.5)
    bath = carom.AndersenThermostat(temperature=1.0, rate=5.0, every=0.05)
    kicks = carom.RandomKicks(0.1, every=0.05)
    return {
        "a single particle": lambda: carom.Simulation(
            carom.System(carom.Particles([[0.5, 0.5]], [[1.0, 2.0]], 0.1), carom.Periodic((1, 1)))
        ),
        "conserved": lambda: carom.Simulation(gas()),
        "kicked": lambda: carom.Simulation(gas(), actors=[kicks], seed=1),
        "a bath": lambda: carom.Simulation(gas(), actors=[bath], seed=1),
        "falling": lambda: carom.Simulation(gas(gravity=[0.0, -3.0])),
        "falling between walls": lambda: carom.Simulation(walled()),
        "in a wind": lambda: carom.Simulation(gas(), method=carom.Laden(wind, 0.005, 1.0)),
        "in a fluid": coupled,
        "with drag": lambda: carom.Simulation(gas(force=drag), method=carom.TimeStepped(dt=0.0005)),
        "soft": lambda: carom.Simulation(gas(), method=carom.SoftContacts(1e5, restitution=0.8)),
    }


def products(simulation: carom.Simulation) -> Any:
    """The sum of m v_a v_b with peculiar velocities."""
    velocity, mass = simulation.peculiar_velocity, simulation.particles.mass
    return (mass[:, None] * velocity).T @ velocity


@pytest.mark.parametrize("kind", kinds())
def test_averages_are_those_of_many_looks(kind: str) -> None:
    simulation = kinds()[kind]()
    simulation.run(until=0.1)
    simulation.reset_averages()
    seen, temperatures = [products(simulation)], [simulation.temperature]
    for k in range(1, LOOKS + 1):
        simulation.run(until=0.1 + 0.5 * k / LOOKS)
        seen.append(products(simulation))
        temperatures.append(simulation.temperature)
    weights = np.full(LOOKS + 1, 1.0 / LOOKS)
    weights[[0, -1]] *= 0.5
    expected = np.tensordot(weights, np.array(seen), axes=1)
    volume = simulation.system.volume
    allowed = 0.02 * np.trace(expected)  # what happens between two looks
    assert np.abs(simulation.kinetic_stress * volume - expected).max() < allowed
    assert simulation.mean_temperature == pytest.approx(weights @ temperatures, rel=0.02)
    twice_energy = np.trace(expected)
    assert simulation.mean_temperature > 0.0
    assert simulation.pressure >= 0.99 * twice_energy / (2.0 * volume)
    assert simulation.temperature >= 0.0


def test_a_drift_that_was_changed_is_no_heat() -> None:
    simulation = carom.Simulation(gas())
    simulation.run(until=0.5)
    expected = simulation.temperature
    simulation.set_velocities(simulation.particles.velocity + 5.0)
    simulation.run(until=0.8)
    assert simulation.mean_temperature == pytest.approx(expected, rel=1e-9)
