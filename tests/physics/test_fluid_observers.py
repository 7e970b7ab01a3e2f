"""What observers measure in the fluid of hard spheres, against theory and published numbers.

Transport coefficients depend on the number of spheres and on the lags they are taken from. Shear
waves that a sphere sends out come back to it through the periodic box, so that it diffuses more
slowly (Yeh & Hummer, J. Phys. Chem. B 108, 15873, 2004); and at lags that sound needs to cross the
box, the diffusion of 1,372 spheres has not yet grown to what it is at long ones.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from equilibrium import SIGMAS, settled
from hard_sphere_theory import SELF_DIFFUSION, enskog_conductivity, enskog_viscosity

import carom
from carom.theory import Gas, enskog, granular_gas, percus_yevick
from carom.theory.equations_of_state import carnahan_starling

# Of 1,372 spheres at unit temperature, mass and diameter, by density: diffusion, viscosity and
# conductivity, computed with an independent code. Lags do not come with them, and D(t) passes the
# published diffusion on its way to a larger one: it is told beside ours, and judges nothing.
DIFFUSION = 0.2416  # at density 0.5
VISCOSITY = {0.5: (0.553, 0.010), 0.8: (2.08, 0.05)}  # with standard errors
CONDUCTIVITY = {0.5: (2.34, 0.07)}


def watched(n, density, duration, observers, seed):
    """A settled fluid that has been looked at for some time."""
    phi = density * math.pi / 6.0
    particles, box = carom.packings.lattice(n, phi, radius=0.5, temperature=1.0, seed=seed)
    fluid = settled(particles, box, collisions_each=60).particles
    simulation = carom.Simulation(carom.System(fluid, box), observers=observers)
    simulation.run(duration)
    return simulation


def told(name, estimate, expected):
    print(f"{name}: {estimate.value:.4f} ± {estimate.error:.4f}, expected {expected:.4f}")
    return estimate


def diffusion_in(length, density):
    """At long lags in a periodic box, with Enskog's viscosity."""
    viscosity = enskog_viscosity(density * math.pi / 6.0)
    return SELF_DIFFUSION[density] - 2.837297 / (6.0 * math.pi * viscosity * length)


def test_diffusion_of_few_spheres():
    """The effect of the images is as large as a fifth of D, and known to a tenth of itself."""
    displacement = carom.MeanSquareDisplacement(0.2, lags=20)
    velocity = carom.VelocityAutocorrelation(0.05, lags=80)
    simulation = watched(256, 0.5, 400.0, [displacement, velocity], seed=5)
    length = simulation.system.sides[0]
    expected = diffusion_in(length, 0.5)
    for name, seen in (
        ("from displacements", displacement.diffusion(3.0, 4.0)),
        ("from velocities", velocity.diffusion(4.0)),
    ):
        told(name, seen, expected)
        assert seen.error < 0.015 * expected
        allowed = SIGMAS * seen.error + 0.1 * (SELF_DIFFUSION[0.5] - expected)
        assert seen.value == pytest.approx(expected, abs=allowed)
    assert np.abs(displacement.non_gaussian().value).max() < 0.2


@pytest.mark.slow
def test_diffusion_of_many_spheres():
    """D of 1,372 spheres at long lags is that of infinitely many less the effect of images; it
    grows from fewer spheres; displacements and velocities agree at the same lags."""
    displacement = carom.MeanSquareDisplacement(0.1, lags=42)
    velocity = carom.VelocityAutocorrelation(0.05, lags=72)
    long = carom.MeanSquareDisplacement(1.0, lags=15)
    watched(1372, 0.5, 2000.0, [displacement, velocity, long], seed=6)
    # The integral of velocities up to a time is the slope of displacements at that time.
    slope = told("from displacements", displacement.diffusion(3.0, 4.2), DIFFUSION)
    integral = told("from velocities", velocity.diffusion(3.6), DIFFUSION)
    assert max(slope.error, integral.error) < 0.0025 * DIFFUSION
    apart = SIGMAS * math.hypot(slope.error, integral.error)
    assert slope.value == pytest.approx(integral.value, abs=apart)
    expected = diffusion_in((1372 / 0.5) ** (1 / 3), 0.5)
    grown = told("at long lags", long.diffusion(8.0, 15.0), expected)
    assert grown.value == pytest.approx(
        expected, abs=SIGMAS * grown.error + 0.1 * (SELF_DIFFUSION[0.5] - expected)
    )
    few = carom.MeanSquareDisplacement(0.2, lags=20)
    watched(256, 0.5, 2000.0, [few], seed=7)
    of_few = told("of 256 spheres", few.diffusion(3.0, 4.0), diffusion_in(8.0, 0.5))
    assert of_few.value + SIGMAS * of_few.error < grown.value - SIGMAS * grown.error


def test_viscosity_and_conduction_of_few_spheres():
    """Enskog's theory is some 2 % from both at this density (Alder, Gass & Wainwright 1970),
    and 256 spheres are as far from infinitely many."""
    viscosity = carom.Viscosity(0.1, lags=20)
    conduction = carom.HeatConduction(0.1, lags=20)
    watched(256, 0.5, 500.0, [viscosity, conduction], seed=8)
    for name, seen, expected in (
        ("viscosity", viscosity.viscosity(0.5, 2.0), enskog_viscosity(0.5 * math.pi / 6.0)),
        (
            "conductivity",
            conduction.conductivity(0.5, 2.0),
            enskog_conductivity(0.5 * math.pi / 6.0),
        ),
    ):
        told(name, seen, expected)
        assert seen.error < 0.07 * expected
        assert seen.value == pytest.approx(expected, abs=SIGMAS * seen.error + 0.04 * expected)


@pytest.mark.slow
@pytest.mark.parametrize("density", VISCOSITY)
def test_viscosity_and_conduction_of_many_spheres(density):
    """Dense fluids are more viscous than Enskog's theory says (Alder, Gass & Wainwright 1970)."""
    viscosity = carom.Viscosity(0.1, lags=30)
    conduction = carom.HeatConduction(0.1, lags=30)
    watched(1372, density, 2000.0, [viscosity, conduction], seed=9)
    published, uncertain = VISCOSITY[density]
    seen = told("viscosity", viscosity.viscosity(0.5, 3.0), published)
    assert seen.error < 0.03 * published
    assert seen.value == pytest.approx(published, abs=SIGMAS * math.hypot(seen.error, uncertain))
    if density == 0.8:
        assert seen.value - 2.0 * seen.error > enskog_viscosity(density * math.pi / 6.0)
    if density in CONDUCTIVITY:
        published, uncertain = CONDUCTIVITY[density]
        seen = told("conductivity", conduction.conductivity(0.5, 3.0), published)
        assert seen.error < 0.04 * published
        allowed = SIGMAS * math.hypot(seen.error, uncertain)
        assert seen.value == pytest.approx(published, abs=allowed)


def test_structure_and_velocities_of_a_fluid():
    """The structure factor is that of Percus and Yevick within 5 % of its largest value, the fluid
    as compressible at long waves as by Carnahan and Starling, the velocities are Maxwell's."""
    phi = 0.3
    structure = carom.StructureFactor(0.5, 14.0)
    fluctuations = carom.NumberFluctuations(0.5, [2, 3, 4])
    velocities = carom.VelocityDistribution(0.5, bins=40)
    observers = [structure, fluctuations, velocities]
    simulation = watched(864, 6.0 * phi / math.pi, 60.0, observers, seed=10)
    theory = percus_yevick.structure_factor(Gas(3, phi), structure.wave_number)
    difference = np.abs(structure.structure - theory)
    assert (difference < SIGMAS * structure.error + 0.03 * theory.max()).all()
    assert structure.error.max() < 0.05
    compressibility = 1.0 / _stiffness(phi)
    told("S of the longest waves", *_first(structure), compressibility)
    assert structure.structure[0] == pytest.approx(
        compressibility, abs=SIGMAS * structure.error[0] + 0.05 * compressibility
    )
    # Parts with ever more particles come ever nearer to it, from above.
    assert (np.diff(fluctuations.dispersion) > 0.0).all()
    assert fluctuations.dispersion[0] > compressibility
    cumulant = velocities.cumulant()
    assert cumulant.value == pytest.approx(0.0, abs=SIGMAS * cumulant.error + 1e-3)
    edges = np.linspace(-5.0, 5.0, 41)
    normal = np.diff([0.5 * math.erf(x / math.sqrt(2.0)) for x in edges]) / 0.25
    assert (np.abs(velocities.density - normal) < 5.0 * velocities.error + 1e-3).all()
    assert simulation.temperature == pytest.approx(1.0)


def _first(structure):
    return (carom.statistics.Estimate(structure.structure[0], structure.error[0]),)


def _stiffness(phi):
    """d(φ Z)/dφ by Carnahan and Starling."""
    h = 1e-5
    rise = (phi + h) * carnahan_starling(phi + h) - (phi - h) * carnahan_starling(phi - h)
    return rise / (2.0 * h)


@pytest.mark.parametrize("restitution", [0.3, 0.5, 0.9])
def test_the_velocities_of_a_cooling_gas(restitution):
    """a_2 is that of van Noije & Ernst 1998. Velocities that are scaled up now and then are
    distributed as those of the gas that cools; the theory is linear in a_2, so that an order a_2²
    is missing, and 2 / (3 n) is that of a given energy."""
    n, gas = 1000, Gas(3, 0.02)
    free = enskog.mean_free_time(gas)
    particles, box = carom.packings.random(n, 0.02, temperature=1.0, seed=1)
    system = carom.System(particles, box, law=carom.ConstantRestitution(restitution))
    velocities = carom.VelocityDistribution(1.3 * free)
    scaling = carom.RescalingThermostat(1.0, free)
    simulation = carom.Simulation(system, actors=[scaling], seed=1)
    simulation.run(until=10.0 * free)
    simulation.add_observer(velocities)
    simulation.run(duration=150.0 * free)
    theory = granular_gas.excess_kurtosis_factor(3, restitution)
    seen = told("a_2", velocities.cumulant(), theory)
    assert seen.error < 0.007
    allowed = SIGMAS * seen.error + theory**2 + 2.0 / (3.0 * n)
    assert seen.value == pytest.approx(theory, abs=allowed)


def test_layers_of_a_sheared_gas():
    """The mean velocity is that of the shear; numbers of particles and volumes add up. The box is
    too small for the clusters of larger ones."""
    particles, box = carom.packings.random(200, 0.2, dimension=2, temperature=1.0, seed=2)
    profile = carom.Profile(0.2, 1, layers=6)
    law = carom.ConstantRestitution(0.95)
    system = carom.System(particles, carom.LeesEdwards(box.lengths, 0.5), law=law)
    simulation = carom.Simulation(system)
    simulation.run(50.0)
    simulation.add_observer(profile)
    simulation.run(duration=300.0)
    velocity, density, heat = profile.velocity(), profile.density(), profile.temperature()
    expected = 0.5 * (profile.place - 0.5 * box.lengths[1])
    assert velocity.error.max() < 0.1
    assert (np.abs(velocity.value[:, 0] - expected) < SIGMAS * velocity.error[:, 0]).all()
    assert (np.abs(velocity.value[:, 1]) < SIGMAS * velocity.error[:, 1]).all()
    assert density.value.mean() == pytest.approx(200 / system.volume, rel=1e-12)
    assert (np.abs(density.value * system.volume / 200 - 1.0) < 0.1).all()
    assert profile.packing_fraction().value.mean() == pytest.approx(0.2, rel=1e-12)
    assert (np.abs(heat.value - heat.value.mean()) < SIGMAS * heat.error).all()
