"""Steadily sheared disks and spheres against kinetic theory; what goes in comes out.

Systems are small, so that neither clusters nor bands of shear form, and start at the temperature
that theory expects. Deviations from the steady one decay within d n T / (−2 stress_xy) strains: six
or seven at e = 0.98 and three at 0.9; blocks are much longer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from block_average import mean_and_error

import carom
from carom.theory import Gas, anisotropic_maxwellian, jenkins_richman_1985, lun_1984

EPSILON = np.finfo(float).eps
PHI, RATE = 0.1, 1.0
SETTLING = 40.0  # strains
ISOTROPIC = {2: jenkins_richman_1985, 3: lun_1984}


class Flow(NamedTuple):
    """What was measured in blocks of strain, and how far the balances are off."""

    temperature: Any  # (blocks,)
    stress: Any  # (blocks, d, d)
    imbalance: float  # of shear work and dissipation
    drift: Any  # (d,) of the momentum relative to the flow
    rounding: float  # to which this momentum is known


def momentum(simulation: carom.Simulation) -> Any:
    """The momentum (d,) relative to the mean flow."""
    particles, domain = simulation.particles, simulation.system.domain
    relative = particles.velocity - domain.flow(particles.position)
    return (particles.mass[:, None] * relative).sum(axis=0)


def steady_flow(dimension: int, restitution: float, n: int, blocks: int, strain: float) -> Flow:
    """Event-driven particles in shear, for so many blocks of so much strain each."""
    expected = anisotropic_maxwellian.simple_shear(
        Gas(dimension, PHI, restitution=restitution), RATE
    )
    particles, box = carom.packings.random(
        n, PHI, dimension=dimension, temperature=expected.temperature, seed=3
    )
    domain = carom.LeesEdwards(box.lengths, RATE)
    particles.velocity += domain.flow(particles.position)
    law = carom.ConstantRestitution(restitution)
    simulation = carom.Simulation(carom.System(particles, domain, law=law))
    simulation.run(duration=SETTLING)
    start = momentum(simulation)
    work, lost = simulation.shear_work, simulation.dissipated_energy
    temperatures, stresses = [], []
    for _ in range(blocks):
        simulation.reset_averages()
        simulation.run(duration=strain)
        temperatures.append(simulation.mean_temperature)
        stresses.append(simulation.stress)
    work, lost = simulation.shear_work - work, simulation.dissipated_energy - lost
    # Each collision and each passage through the boundary rounds a momentum by half a unit in the
    # last place of the fastest speeds; by chance that adds up like a square root. Ten times that.
    events = simulation.counts.collisions + simulation.counts.transfers
    speed = RATE * box.lengths[1] + 4.0 * np.sqrt(expected.temperature)
    rounding = 10.0 * np.sqrt(events) * EPSILON * speed
    drift = np.abs(momentum(simulation) - start)
    return Flow(np.array(temperatures), np.array(stresses), work / lost - 1.0, drift, rounding)


def assert_balanced(flow: Flow, strain: float) -> None:
    """Shear work is dissipated, within 1 %; momentum relative to the flow stays, to round-off."""
    assert abs(flow.imbalance) < 0.01
    assert flow.drift[1:].max() < flow.rounding
    # What little momentum there is along y meets an ever faster flow.
    assert flow.drift[0] < flow.rounding * (1.0 + RATE * strain)


def compared(name: str, blocks: Any, expected: float) -> tuple[float, float]:
    """The relative deviation from what is expected and its standard error."""
    mean, error = mean_and_error(blocks)
    deviation, uncertainty = mean / expected - 1.0, abs(error / expected)
    print(f"{name}: {mean:.4g}, {100 * deviation:+.2f} ± {100 * uncertainty:.2f} %")
    return deviation, uncertainty


def assert_as_nearly_elastic_theory(dimension: int, flow: Flow, largest_error: float) -> None:
    """At e = 0.98 all stresses are within 5 % of the isotropic theory.

    This has no normal stress differences (3 % of the pressure) and takes velocities as Maxwellian
    but for their second moment: the exact viscosity of the dilute elastic gas is 2.2 % (disks) and
    1.6 % (spheres) larger, and with it the temperature by as much and the shear stress by the 3/2
    power.
    """
    theory = ISOTROPIC[dimension].simple_shear(Gas(dimension, PHI, restitution=0.98), RATE)
    found = [compared("temperature", flow.temperature, theory.temperature)]
    for i, j in [(0, 1), *((axis, axis) for axis in range(dimension))]:
        found.append(
            compared(f"stress {'xyz'[i]}{'xyz'[j]}", flow.stress[:, i, j], theory.stress[i, j])
        )
    for deviation, error in found:
        assert abs(deviation) < 0.05
        assert error < largest_error


def test_disks_at_restitution_98() -> None:
    """The standard errors are 0.6 % and, of the shear stress, 0.9 %."""
    flow = steady_flow(2, 0.98, n=500, blocks=20, strain=50.0)
    assert_balanced(flow, 1000.0)
    assert_as_nearly_elastic_theory(2, flow, 0.0125)


@pytest.mark.slow
@pytest.mark.parametrize("dimension", [2, 3])
def test_nearly_elastic_theory(dimension: int) -> None:
    flow = steady_flow(dimension, 0.98, n=1000, blocks=40, strain=100.0)
    assert_balanced(flow, 4000.0)
    assert_as_nearly_elastic_theory(dimension, flow, 0.005)


@pytest.mark.slow
@pytest.mark.parametrize("dimension", [2, 3])
def test_anisotropic_theory(dimension: int) -> None:
    """At e = 0.9 the anisotropic theory is within 5 %, and nearer than the isotropic one.

    Left out of both are moments beyond the second, worth 2.2 % of the viscosity and 3.3 % of the
    shear stress of elastic disks, and correlations of velocities. These make the viscosity grow
    with the size of the box, in the plane without limit, and even more the difference of normal
    stresses: by 2 % with 120 disks, 16 % with 1000. Here are 250.
    """
    flow = steady_flow(dimension, 0.9, n=250, blocks=40, strain=100.0)
    assert_balanced(flow, 4000.0)
    gas = Gas(dimension, PHI, restitution=0.9)
    theory = anisotropic_maxwellian.simple_shear(gas, RATE)
    isotropic = ISOTROPIC[dimension].simple_shear(gas, RATE)
    for name, blocks, near, far in (
        ("temperature", flow.temperature, theory.temperature, isotropic.temperature),
        ("stress xy", flow.stress[:, 0, 1], theory.stress[0, 1], isotropic.stress[0, 1]),
        ("stress yy", flow.stress[:, 1, 1], theory.stress[1, 1], isotropic.stress[1, 1]),
    ):
        gap, error = compared(name, blocks, near)
        gap_of_isotropic, _ = compared(f"{name}, isotropic", blocks, far)
        assert abs(gap) + 2.0 * error < min(abs(gap_of_isotropic), 0.05)
    pressure = np.trace(flow.stress, axis1=1, axis2=2) / dimension
    difference = (flow.stress[:, 0, 0] - flow.stress[:, 1, 1]) / pressure
    expected = (theory.stress[0, 0] - theory.stress[1, 1]) / theory.pressure
    deviation, error = compared("(xx − yy) / p", difference, expected)
    assert abs(deviation) < 0.16
    assert error < 0.03
