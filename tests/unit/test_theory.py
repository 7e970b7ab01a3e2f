"""Theories of hard disks and spheres: limits, published numbers, and collisions one by one."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from carom.theory import (
    Gas,
    anisotropic_maxwellian,
    contact_value,
    contact_values,
    enskog,
    equations_of_state,
    jenkins_richman_1985,
    lun_1984,
    santos_2004,
)

ISOTROPIC = {2: jenkins_richman_1985, 3: lun_1984}
SIGMAS = 4.0
DIMENSIONS = pytest.mark.parametrize("dimension", [2, 3])


# Contact values.


def test_contact_values_have_the_known_third_virial_coefficients() -> None:
    """z = 1 + 2^(d−1) phi chi has, after Clisby & McCoy 2006, B_3 / B_2² = 0.782004 and 5/8."""
    phi = 1e-6
    for chi, slope in (
        (contact_values.henderson_1975, 2.0 * 0.782004),
        (contact_values.luding_2001, 2.0 * 0.782004),
        (contact_values.carnahan_starling_1969, 4.0 * 0.625),
    ):
        # Henderson's 25/16 is 0.1 % short of the third coefficient.
        assert (chi(phi) - 1.0) / phi == pytest.approx(slope, rel=2e-3)


@pytest.mark.parametrize("phi", [0.4, 0.5, 0.6])
def test_luding_is_closer_to_the_virial_series_than_henderson(phi: float) -> None:
    z, uncertainty = equations_of_state.disk_virial_series(phi)
    found = [
        1.0 + 2.0 * phi * chi(phi)
        for chi in (contact_values.henderson_1975, contact_values.luding_2001)
    ]
    assert abs(found[1] - z) + uncertainty < abs(found[0] - z)
    assert found[0] == pytest.approx(z, rel=0.015)


@pytest.mark.parametrize(("dimension", "freezing", "closest"), [(2, 0.69, 0.82), (3, 0.494, 0.64)])
def test_torquatos_contact_value_has_a_pole_at_random_close_packing(
    dimension: int, freezing: float, closest: float
) -> None:
    def chi(phi: float) -> float:
        return contact_values.torquato_1995(dimension, phi)

    assert chi(freezing + 1e-9) == pytest.approx(chi(freezing), rel=1e-7)
    assert chi(0.2) == pytest.approx(contact_value(dimension, 0.2), rel=1e-3)
    near, nearer = (chi(closest - gap) for gap in (1e-3, 1e-4))
    assert nearer == pytest.approx(10.0 * near, rel=1e-9)


def test_carnahan_and_starlings_contact_value_belongs_to_their_equation_of_state() -> None:
    z = equations_of_state.carnahan_starling(0.37)
    chi = contact_values.from_compressibility(3, 0.37, z)
    assert chi == pytest.approx(contact_values.carnahan_starling_1969(0.37), rel=1e-14)


# Enskog.


def test_viscosity_of_dilute_gases() -> None:
    """(1 / 2d) √(mT/π) and (5 / 16d²) √(mT/π): of unit density, mass and temperature."""
    assert enskog.shear_viscosity(Gas(2, 1e-9), higher_orders=False) == pytest.approx(0.28209479)
    assert enskog.shear_viscosity(Gas(3, 1e-9), higher_orders=False) == pytest.approx(0.17630924)
    assert enskog.shear_viscosity(Gas(3, 1e-9)) == pytest.approx(1.016 * 0.17630924)
    twice = enskog.dilute_viscosity(Gas(3, 0.1, temperature=4.0, diameter=2.0, mass=9.0))
    assert twice == pytest.approx(6.0 / 4.0 * 0.17630924)


@pytest.mark.parametrize("phi", [0.1, 0.3, 0.5])
def test_viscosity_as_published(phi: float) -> None:
    """Chapman & Cowling (16.41,7) and Gass 1971 with four digits of the coefficients."""
    chi = contact_value(3, phi)
    y = 4.0 * phi * chi  # density times the second virial coefficient, times chi
    expected = 1.016 * 0.17630924 * 4.0 * phi * (1.0 / y + 0.8 + 0.7615 * y)
    assert enskog.shear_viscosity(Gas(3, phi)) == pytest.approx(expected, rel=1e-4)
    y = 2.0 * phi * contact_value(2, phi)
    expected = 1.022 * 0.28209479 * 2.0 * phi * (1.0 / y + 1.0 + 0.8729 * y)
    assert enskog.shear_viscosity(Gas(2, phi)) == pytest.approx(expected, rel=1e-4)


def test_mean_free_time_and_pressure_belong_together() -> None:
    """In units of diameter, mass and kT: tau = √π / (6 (z − 1)) for spheres, √π / (4 (z − 1))."""
    for dimension, faces in ((2, 4.0), (3, 6.0)):
        gas = Gas(dimension, 0.3)
        z = enskog.pressure(gas) / gas.number_density
        tau = enskog.mean_free_time(gas)
        assert tau == pytest.approx(math.sqrt(math.pi) / (faces * (z - 1.0)), rel=1e-12)


# Nearly elastic particles.


@DIMENSIONS
def test_elastic_limit_is_enskogs(dimension: int) -> None:
    theory = ISOTROPIC[dimension]
    for phi in (0.05, 0.4):
        gas = Gas(dimension, phi, temperature=2.0, diameter=0.7, mass=3.0)
        viscosity = theory.shear_viscosity(gas).total
        first = enskog.shear_viscosity(gas, higher_orders=False)
        assert viscosity == pytest.approx(first, rel=1e-12)
        assert theory.pressure(gas).total == pytest.approx(enskog.pressure(gas))
        assert theory.dissipation_rate(gas) == 0.0


def test_lun_as_in_agrawal_2001() -> None:
    """Viscosity and dissipation as in J. Fluid Mech. 445, 151, table 1, by material density.

    mu = 5 rho d √(π T) / 96, mu_b = 256 mu phi² g / (5 π), with T per mass.
    """
    phi, e, t, d, rho = 0.35, 0.8, 1.7, 0.3, 2.5
    mass, g, eta = rho * math.pi * d**3 / 6.0, contact_value(3, phi), 0.9
    mu = 5.0 * rho * d * math.sqrt(math.pi * t) / 96.0
    mu_b = 256.0 * mu * phi**2 * g / (5.0 * math.pi)
    expected = mu / (eta * (2.0 - eta) * g) * (1.0 + 1.6 * eta * phi * g)
    expected *= 1.0 + 1.6 * eta * (3.0 * eta - 2.0) * phi * g
    expected += 0.6 * eta * mu_b
    gas = Gas(3, phi, restitution=e, temperature=mass * t, diameter=d, mass=mass)
    assert lun_1984.shear_viscosity(gas).total == pytest.approx(expected, rel=1e-12)
    loss = 48.0 * eta * (1.0 - eta) * rho * phi**2 * g * t**1.5 / (math.sqrt(math.pi) * d)
    assert lun_1984.dissipation_rate(gas) == pytest.approx(loss, rel=1e-12)
    pressure = rho * phi * t * (1.0 + 4.0 * eta * phi * g)
    assert lun_1984.pressure(gas).total == pytest.approx(pressure)


@DIMENSIONS
def test_steady_shear_dissipates_its_work(dimension: int) -> None:
    theory = ISOTROPIC[dimension]
    gas = Gas(dimension, 0.2, restitution=0.9, diameter=0.4, mass=2.0)
    for rate in (0.7, -0.7):
        steady = theory.simple_shear(gas, rate)
        sheared = replace(gas, temperature=steady.temperature)
        loss = theory.dissipation_rate(sheared)
        assert -rate * steady.stress[0, 1] == pytest.approx(loss, rel=1e-12)
        assert steady.pressure == pytest.approx(theory.pressure(sheared).total, rel=1e-12)


def test_elastic_particles_have_no_steady_state() -> None:
    for theory in (lun_1984, santos_2004, anisotropic_maxwellian):
        with pytest.raises(ValueError, match="steady state only below 1"):
            theory.simple_shear(Gas(3, 0.1), 1.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"dimension": 4},
        {"packing_fraction": 0.0},
        {"restitution": -0.1},
        {"restitution": 1.1},
        {"restitution": math.nan},
        {"temperature": -1.0},
        {"mass": math.inf},
        {"contact_value": 0.0},
    ],
)
def test_what_is_no_gas_is_refused(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(ValueError, match=f"Gas: {name}"):
        Gas(**{"dimension": 3, "packing_fraction": 0.1, **wrong})


def test_theories_of_disks_refuse_spheres() -> None:
    with pytest.raises(ValueError, match="this theory is of disks"):
        jenkins_richman_1985.pressure(Gas(3, 0.1))


# Collisions one by one: independent of all integrals.


class Collisions:
    """Means over pairs with Gaussian velocities that meet at random directions, with errors."""

    def __init__(self, moment: Any, shear_rate: float, restitution: float, seed: int) -> None:
        rng = np.random.default_rng(seed)
        pairs, dimension = 400_000, len(moment)
        first, second = rng.multivariate_normal(np.zeros(dimension), moment, (2, pairs))
        k = rng.normal(size=(pairs, dimension))
        k /= np.linalg.norm(k, axis=1)[:, None]
        flow = np.zeros((pairs, dimension))
        flow[:, 0] = shear_rate * k[:, 1]  # of the second, one diameter along k, seen by the first
        approach = ((first - second - flow) * k).sum(axis=1)
        sphere = 2.0 * math.pi if dimension == 2 else 4.0 * math.pi
        # Pairs per time that meet, at unit density, diameter and chi; each counted once.
        self.rate = 0.5 * sphere * np.maximum(approach, 0.0)
        impulse = -0.5 * (1.0 + restitution) * approach[:, None] * k
        self.before, self.after = (first, second), (first + impulse, second - impulse)
        self.transfer = -np.einsum("mi,mj->mij", impulse, k)
        # In the frame of the first the flow carries the second; energy is lost along k alone.
        lab = (first, second + flow), (first + impulse, second + flow - impulse)
        energies = [0.5 * sum((v**2).sum(axis=1) for v in pair) for pair in lab]
        self.lost = energies[0] - energies[1]

    def mean(self, values: Any) -> tuple[Any, Any]:
        """The mean of a change per collision, per time, and its standard error."""
        values = values * self.rate.reshape(-1, *([1] * (values.ndim - 1)))
        return values.mean(axis=0), values.std(axis=0) / math.sqrt(len(values))

    def source(self) -> tuple[Any, Any]:
        change = 0.0
        for sign, pair in ((-1.0, self.before), (1.0, self.after)):
            for velocity in pair:
                change = change + sign * np.einsum("mi,mj->mij", velocity, velocity)
        return self.mean(change)


def assert_within(found: Any, expected: tuple[Any, Any]) -> None:
    mean, error = expected
    assert (np.abs(found - mean) <= SIGMAS * error + 1e-12).all(), (found, mean, error)
    # The comparison would notice some percent.
    assert np.max(error) < 0.01 * np.max(np.abs(mean))


@DIMENSIONS
def test_dissipation_and_collisional_pressure_collision_by_collision(dimension: int) -> None:
    met = Collisions(np.eye(dimension), 0.0, 0.6, seed=1)
    theory = ISOTROPIC[dimension]
    phi = 1.0 / Gas(dimension, 1.0).number_density  # unit density
    gas = Gas(dimension, phi, restitution=0.6, contact_value=1.0)
    assert_within(theory.dissipation_rate(gas), met.mean(met.lost))
    collisional = theory.pressure(gas).collisional
    assert_within(collisional * np.eye(dimension), met.mean(met.transfer))


@DIMENSIONS
@pytest.mark.parametrize("shear_rate", [0.0, 1.5])
def test_anisotropic_exchange_collision_by_collision(dimension: int, shear_rate: float) -> None:
    moment = np.array([[1.6, -0.5, 0.0], [-0.5, 0.7, 0.0], [0.0, 0.0, 0.9]])
    moment = moment[:dimension, :dimension]
    met = Collisions(moment, shear_rate, 0.5, seed=2)
    found = anisotropic_maxwellian.exchange(moment, shear_rate, 0.5, 1.0)
    assert_within(found.source, met.source())
    assert_within(found.stress, met.mean(met.transfer))
    assert_within(found.dissipation, met.mean(met.lost))


@DIMENSIONS
@pytest.mark.parametrize("restitution", [0.5, 0.9])
def test_viscosities_are_the_first_order_of_the_anisotropic_exchange(
    dimension: int, restitution: float
) -> None:
    """The deviator that a small shear rate h maintains, and what both transfer in collisions.

    Differences of third order in h = 1e-4 are below 1e-8; rounding adds 1e-16 / h.
    """
    gas, h = Gas(dimension, 0.3, restitution=restitution), 1e-4
    density, chi = gas.number_density, gas.chi

    def exchanged(shear: float, rate: float) -> Any:
        moment = np.eye(dimension)
        moment[0, 1] = moment[1, 0] = shear
        return anisotropic_maxwellian.exchange(moment, rate, restitution, density, chi=chi)

    by_shear = (exchanged(h, 0.0).source[0, 1] - exchanged(-h, 0.0).source[0, 1]) / (2.0 * h)
    by_rate = (exchanged(0.0, h).source[0, 1] - exchanged(0.0, -h).source[0, 1]) / (2.0 * h)
    shear = (density - by_rate) / by_shear  # density × K_yy × rate is what the flow adds
    viscosity = ISOTROPIC[dimension].shear_viscosity(gas)
    assert -density * shear == pytest.approx(viscosity.kinetic, rel=1e-6)
    up, down = exchanged(h * shear, h).stress[0, 1], exchanged(-h * shear, -h).stress[0, 1]
    assert (down - up) / (2.0 * h) == pytest.approx(viscosity.collisional, rel=1e-6)


# Anisotropic steady shear.


@DIMENSIONS
@pytest.mark.parametrize(("phi", "restitution"), [(0.02, 0.95), (0.1, 0.7), (0.4, 0.3)])
def test_anisotropic_steady_shear_balances(dimension: int, phi: float, restitution: float) -> None:
    """All second moments stay; with that, dissipation is shear work."""
    rate = -1.3
    gas = Gas(dimension, phi, restitution=restitution)
    steady = anisotropic_maxwellian.simple_shear(gas, rate)
    density, chi = gas.number_density, gas.chi
    moment = steady.kinetic_stress / density
    assert np.trace(moment) / dimension == pytest.approx(steady.temperature)
    met = anisotropic_maxwellian.exchange(moment, rate, restitution, density, chi=chi)
    sheared = np.zeros((dimension, dimension))
    sheared[0] = -rate * steady.kinetic_stress[1]
    imbalance = met.source + sheared + sheared.T
    np.testing.assert_allclose(imbalance, 0.0, atol=1e-8 * np.abs(met.source).max())
    np.testing.assert_allclose(steady.collisional_stress, met.stress, rtol=1e-9, atol=1e-12)
    assert met.dissipation == pytest.approx(-rate * steady.stress[0, 1], rel=1e-7)


@DIMENSIONS
def test_anisotropic_theory_has_the_isotropic_limit(dimension: int) -> None:
    """Differences are of the order of 1 − e, with factors of order one."""
    for phi in (0.01, 0.3):
        gas = Gas(dimension, phi, restitution=0.9999)
        steady = anisotropic_maxwellian.simple_shear(gas, 1.0)
        expected = ISOTROPIC[dimension].simple_shear(gas, 1.0)
        assert steady.temperature == pytest.approx(expected.temperature, rel=3e-4)
        np.testing.assert_allclose(steady.stress, expected.stress, rtol=3e-4, atol=1e-12)


@DIMENSIONS
def test_units_of_steady_shear(dimension: int) -> None:
    """Temperature ∝ m (rate × diameter)², stress ∝ that / diameter^d."""
    gas = Gas(dimension, 0.1, restitution=0.8)
    for theory in (ISOTROPIC[dimension], santos_2004, anisotropic_maxwellian):
        unit = theory.simple_shear(gas, 1.0)
        other = theory.simple_shear(replace(gas, diameter=0.5, mass=3.0, temperature=7.0), -2.0)
        assert other.temperature == pytest.approx(3.0 * unit.temperature)
        turned = unit.stress * 3.0 * 2.0**dimension
        turned[0, 1] *= -1.0
        turned[1, 0] *= -1.0
        np.testing.assert_allclose(other.stress, turned, rtol=1e-9)


# Santos, Garzó & Dufty.


@DIMENSIONS
@pytest.mark.parametrize("restitution", [0.5, 0.9])
def test_rates_of_the_model_are_those_of_a_dilute_gas(dimension: int, restitution: float) -> None:
    """What collisions do to a small deviator and to the temperature, at unit density."""
    h, moment = 1e-5, np.eye(dimension)
    nu = 1.0 / enskog.dilute_viscosity(Gas(dimension, 0.1))
    met = anisotropic_maxwellian.exchange(moment, 0.0, restitution, 1.0)
    zeta = santos_2004.cooling_rate(dimension, restitution)
    np.testing.assert_allclose(met.source, -nu * zeta * moment, rtol=1e-12, atol=1e-12)
    moment[0, 1] = moment[1, 0] = h
    met = anisotropic_maxwellian.exchange(moment, 0.0, restitution, 1.0)
    beta = santos_2004.relaxation_rate(dimension, restitution)
    # The next order is h² relative to it, rounding 1e-16 / h.
    assert met.source[0, 1] / h == pytest.approx(-nu * (beta + zeta), rel=1e-9)


@DIMENSIONS
def test_model_solves_its_moment_equations(dimension: int) -> None:
    rate, restitution = 0.6, 0.7
    gas = Gas(dimension, 0.01, restitution=restitution)
    steady = santos_2004.simple_shear(gas, rate)
    pressure = gas.number_density * steady.temperature
    nu = pressure / enskog.dilute_viscosity(replace(gas, temperature=steady.temperature))
    beta = santos_2004.relaxation_rate(dimension, restitution)
    zeta = santos_2004.cooling_rate(dimension, restitution)
    stress = steady.stress
    sheared = np.zeros_like(stress)
    sheared[0] = rate * stress[1]
    relaxed = nu * (beta * (stress - pressure * np.eye(dimension)) + zeta * stress)
    np.testing.assert_allclose(sheared + sheared.T, -relaxed, atol=1e-12 * nu * pressure)


@DIMENSIONS
def test_normal_stress_differences_of_a_dilute_gas(dimension: int) -> None:
    """The model and the anisotropic Maxwellian agree to first order in the dissipation.

    xx exceeds yy by d zeta / beta p, zeta ∝ 1 − e; the next order is as much smaller again.
    """
    gas = Gas(dimension, 1e-6, restitution=0.99)
    model = santos_2004.simple_shear(gas, 1.0)
    full = anisotropic_maxwellian.simple_shear(gas, 1.0)
    assert full.temperature == pytest.approx(model.temperature, rel=0.01)
    assert full.stress[0, 1] == pytest.approx(model.stress[0, 1], rel=0.01)
    difference = [(s.stress[0, 0] - s.stress[1, 1]) / s.pressure for s in (full, model)]
    assert difference[0] > 0.01
    assert difference[0] == pytest.approx(difference[1], rel=0.1)


@pytest.mark.parametrize(
    ("density", "expected"), [(0.1, 1.884), (0.3, 0.467), (0.5, 0.1996), (0.8, 0.0669)]
)
def test_enskogs_self_diffusion(density: float, expected: float) -> None:
    """Values computed elsewhere, in units of diameter, mass and temperature, and in others."""
    gas = Gas(3, density * math.pi / 6.0)
    assert enskog.self_diffusion(gas) == pytest.approx(expected, rel=1e-3)
    other = replace(gas, temperature=4.0, diameter=3.0, mass=9.0)
    assert enskog.self_diffusion(other) == pytest.approx(
        enskog.self_diffusion(gas) * 2.0, rel=1e-12
    )
    with pytest.raises(ValueError, match="dimension must be 3"):
        enskog.self_diffusion(Gas(2, gas.packing_fraction))


@pytest.mark.parametrize(("density", "expected"), [(0.1, 0.788), (0.3, 1.263), (0.5, 2.382)])
def test_enskogs_thermal_conductivity(density: float, expected: float) -> None:
    """Values computed elsewhere for spheres of unit diameter, mass and temperature."""
    phi = density * math.pi / 6.0
    assert enskog.thermal_conductivity(Gas(3, phi)) == pytest.approx(expected, rel=2e-3)
    with pytest.raises(ValueError, match="dimension must be 3"):
        enskog.thermal_conductivity(Gas(2, phi))
