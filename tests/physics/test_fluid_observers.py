"""What observers measure in the fluid of hard spheres, against theory and published numbers.

Diffusion depends on the number of spheres and on the lags it is taken from: shear waves that a
sphere sends out come back to it through the periodic box. Two lags have a meaning of their own:
that in which sound crosses the box, until which the box is as good as endless to a sphere, and some
decays of the slowest shear wave, after which the box has all its effect.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from equilibrium import SIGMAS, settled
from hard_sphere_theory import (
    CONDUCTIVITY,
    DIFFUSION,
    SELF_DIFFUSION,
    VISCOSITY,
    enskog_conductivity,
    enskog_viscosity,
    mean_free_time,
    self_diffusion_in_box,
    slowest_decay,
    speed_of_sound,
)

import carom
from carom.theory import Gas, enskog, granular_gas, percus_yevick
from carom.theory.equations_of_state import carnahan_starling, kolafa_labik_malijevsky


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


def at_long_lags(n, density, duration, seed):
    """D and what it should be: after four to eight decays of the slowest wave, of which 2 % are
    left at the first and the effect of the box is there."""
    length = (n / density) ** (1.0 / 3.0)
    decay = slowest_decay(density, length)
    displacement = carom.MeanSquareDisplacement(0.5 * decay, lags=16)
    watched(n, density, duration, [displacement], seed=seed)
    expected = self_diffusion_in_box(density, length)
    seen = displacement.diffusion(4.0 * decay, 8.0 * decay)
    return told(f"{n} spheres", seen, expected), expected


def allowed(seen, expected, density):
    """Errors, and the next order of the effect of the box: it falls with 1/length, too, and was
    5 % of the first for 108 spheres, 3 % for 256."""
    return SIGMAS * seen.error + 0.06 * (SELF_DIFFUSION[density] - expected)


def test_diffusion_of_few_spheres():
    """The effect of the images is as large as a tenth of D, and known to a twentieth of itself."""
    seen, expected = at_long_lags(256, 0.5, 1500.0, seed=5)
    assert seen.error < 0.01 * expected
    assert seen.value == pytest.approx(expected, abs=allowed(seen, expected, 0.5))


def test_displacements_and_velocities_diffuse_alike():
    """The integral of velocities up to a time is the slope of displacements at that time."""
    displacement = carom.MeanSquareDisplacement(0.2, lags=20)
    velocity = carom.VelocityAutocorrelation(0.05, lags=70)
    watched(256, 0.5, 400.0, [displacement, velocity], seed=5)
    slope, integral = displacement.diffusion(3.0, 4.0), velocity.diffusion(3.5)
    told("from displacements", slope, integral.value)
    assert slope.error < 0.01 * slope.value
    apart = SIGMAS * math.hypot(slope.error, integral.error)
    assert slope.value == pytest.approx(integral.value, abs=apart)
    assert np.abs(displacement.non_gaussian().value).max() < 0.2


@pytest.mark.slow
@pytest.mark.parametrize(("density", "duration"), [(0.5, 1500.0), (0.8, 1500.0)])
def test_diffusion_until_sound_crosses_the_box(density, duration):
    """Of 1,372 spheres, from displacements and from velocities, within 1 % of the computed one."""
    phi = density * math.pi / 6.0
    crossing = (1372 / density) ** (1.0 / 3.0) / speed_of_sound(phi)
    displacement = carom.MeanSquareDisplacement(crossing / 20.0, lags=22)
    velocity = carom.VelocityAutocorrelation(crossing / 80.0, lags=80)
    watched(1372, density, duration, [displacement, velocity], seed=6)
    computed = DIFFUSION[density]
    around = displacement.diffusion(0.9 * crossing, 1.1 * crossing)
    for name, seen in (
        ("from displacements", around),
        ("from velocities", velocity.diffusion(crossing)),
    ):
        told(name, seen, computed)
        assert seen.error < 0.0025 * computed
        assert seen.value == pytest.approx(computed, rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "density", "duration"),
    [
        (108, 0.5, 20_000.0),
        (500, 0.5, 8000.0),
        (1372, 0.5, 6000.0),
        (4000, 0.5, 2500.0),
        (1372, 0.8, 3000.0),
    ],
)
def test_diffusion_at_long_lags(n, density, duration):
    """It grows with the number, and is that of infinitely many less the effect of the images."""
    seen, expected = at_long_lags(n, density, duration, seed=7)
    assert seen.error < 0.004 * expected
    assert seen.value == pytest.approx(expected, abs=allowed(seen, expected, density))


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
@pytest.mark.parametrize(
    ("density", "duration"), [(0.1, 20_000.0), (0.3, 6000.0), (0.5, 4000.0), (0.8, 2500.0)]
)
def test_viscosity_and_conduction_by_density(density, duration):
    """Of 500 spheres, from 12 to 40 mean free times, in which the fluxes have forgotten themselves:
    other than diffusion, both hardly know how large the box is. Dense fluids are more viscous than
    Enskog's theory says (Alder, Gass & Wainwright 1970), and as thin as it says where they are
    dilute."""
    phi = density * math.pi / 6.0
    free = mean_free_time(phi, kolafa_labik_malijevsky(phi))
    viscosity = carom.Viscosity(4.0 * free, lags=10)
    conduction = carom.HeatConduction(4.0 * free, lags=10)
    watched(500, density, duration, [viscosity, conduction], seed=9)
    for name, seen, computed, theory in (
        ("viscosity", viscosity.viscosity, VISCOSITY, enskog_viscosity(phi)),
        ("conductivity", conduction.conductivity, CONDUCTIVITY, enskog_conductivity(phi)),
    ):
        found = told(f"{name}, Enskog", seen(12.0 * free, 40.0 * free), theory)
        assert found.error < 0.045 * found.value
        if density in computed:
            value, uncertain = computed[density]
            apart = SIGMAS * math.hypot(found.error, uncertain)
            assert found.value == pytest.approx(value, abs=apart)
        if density < 0.8 or name == "conductivity":
            apart = SIGMAS * found.error + 0.03 * theory
            assert found.value == pytest.approx(theory, abs=apart)
        else:
            assert found.value - SIGMAS * found.error > theory


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
