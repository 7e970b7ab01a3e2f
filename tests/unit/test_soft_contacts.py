"""Soft contacts of one, two and many particles against closed forms and conservation laws."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from refusals import assert_refused

import carom
from carom.contacts import ratio_of, restitution_of
from carom.methods.stepped import new_world, soft_contacts
from carom.methods.stepped.friction import room_for_contacts, with_room
from carom.neighbours.pairs.pair_list import new_pair_list

STIFFNESS = 1e4
EPSILON = float(np.finfo(np.float64).eps)
COEFFICIENTS = (1.0, 0.9, 0.5, 0.1)
ENDS = ("zero_overlap", "zero_force")
STEPS_WITH_AUTO = 25


def soft(system: carom.System, steps: float = STEPS_WITH_AUTO, **options: Any) -> carom.Simulation:
    """A simulation with so many steps in the shortest contact."""
    automatic = carom.SoftContacts(STIFFNESS, **options)
    dt = automatic.step(system) * STEPS_WITH_AUTO / steps
    return carom.Simulation(system, method=carom.SoftContacts(STIFFNESS, dt=dt, **options))


# Two bodies in open space


MASSES = (1.0, 3.0)
REDUCED = 0.75
SPEED = 1.5  # of approach


def head_on(gap: float, masses: tuple[float, float] = MASSES) -> carom.System:
    """Two spheres of unequal size that approach along x."""
    start = [[-0.3 - gap, 0.0, 0.0], [0.5, 0.0, 0.0]]
    velocity = [[1.0, 0.0, 0.0], [1.0 - SPEED, 0.0, 0.0]]
    return carom.System(carom.Particles(start, velocity, [0.3, 0.5], list(masses)))


def measured_restitution(
    coefficient: float, ends_at: str, steps: int, gap: float, masses: Any = MASSES
) -> float:
    simulation = soft(head_on(gap, masses), steps, restitution=coefficient, ends_at=ends_at)
    simulation.run(until=0.6)
    assert simulation.elastic_energy == 0.0  # the contact is over
    assert simulation.counts.collisions == 1
    velocity = simulation.particles.velocity
    np.testing.assert_array_equal(velocity[:, 1:], 0.0)
    return float(velocity[1, 0] - velocity[0, 0]) / SPEED


def errors(coefficient: float, ends_at: str, steps: int) -> Any:
    """The errors of the restitution for contacts that begin anywhere within a step."""
    gaps = np.random.default_rng(1).uniform(0.2, 0.3, 12)
    found = [measured_restitution(coefficient, ends_at, steps, gap) for gap in gaps]
    return np.array(found) - coefficient


def first_order_bound(coefficient: float, ends_at: str, steps: int) -> float:
    """How far off a damped contact may be.

    At first touch the dashpot's force jumps from 0 to d v, and the step at which it is first felt
    begins up to half a step too early or too late: an impulse of d v dt / 2, or ζ ω₀ dt of the
    speed. With a pull at the end there is a second jump, of the same relative size. The next order
    is smaller by ω₀ dt.
    """
    ratio = ratio_of(coefficient, pulls=ends_at == "zero_overlap")
    angle = math.pi / (steps * math.sqrt(1.0 - ratio**2) if ratio < 1.0 else steps)
    jumps = 2 if ends_at == "zero_overlap" else 1
    return coefficient * jumps * ratio * angle * (1.0 + angle)


@pytest.mark.parametrize("ends_at", ENDS)
@pytest.mark.parametrize("coefficient", [0.9, 0.5, 0.1])
def test_restitution_is_that_of_the_damped_oscillator(coefficient: float, ends_at: str) -> None:
    for steps in (25, 100, 400):
        error = errors(coefficient, ends_at, steps)
        assert np.abs(error).max() < first_order_bound(coefficient, ends_at, steps)
        # The errors of early and late contacts cancel: what is left of twelve is their scatter.
        assert abs(error.mean()) < np.abs(error).max()


def test_damped_contacts_converge_at_first_order() -> None:
    """The largest of twelve errors scatters; over a factor of 16 it follows the step."""
    coarse, fine = (np.abs(errors(0.5, "zero_force", steps)).max() for steps in (25, 400))
    assert 8.0 < coarse / fine < 32.0


def test_elastic_contacts_converge_faster_than_second_order() -> None:
    """Leapfrog keeps (v² + ω² x²) up to terms of second order, which are the same before and
    after the contact but for where its first and last step lie: third order is left."""
    sizes = [np.abs(errors(1.0, "zero_overlap", steps)).max() for steps in (25, 50, 100)]
    angle = math.pi / 25
    assert sizes[0] < angle**2
    for coarse, fine in itertools.pairwise(sizes):
        assert coarse / fine > 4.0


@pytest.mark.parametrize("masses", [(1.0, 1.0), (1.0, 1000.0)])
def test_restitution_does_not_depend_on_the_masses(masses: tuple[float, float]) -> None:
    found = measured_restitution(0.7, "zero_overlap", 200, 0.25, masses)
    assert abs(found - 0.7) < first_order_bound(0.7, "zero_overlap", 200)


def test_damping_and_restitution_say_the_same() -> None:
    """d = 2 ζ √(k μ)."""
    damping = 2.0 * ratio_of(0.6, pulls=True) * math.sqrt(STIFFNESS * REDUCED)
    system = head_on(0.21)
    by_damping, by_restitution = soft(system, damping=damping), soft(system, restitution=0.6)
    assert by_damping.method.dt == pytest.approx(by_restitution.method.dt, rel=8 * EPSILON)
    for simulation in (by_damping, by_restitution):
        simulation.run(until=0.5)
    # Steps that differ by rounding shift the contact by as much; speeds are about 1.
    np.testing.assert_allclose(
        by_damping.particles.velocity, by_restitution.particles.velocity, 0.0, 1e-10
    )


def test_an_oblique_contact_leaves_the_tangential_velocities_alone() -> None:
    """Off centre by half the sum of radii, in a frame that moves: the normal part alone changes,
    as for hard bodies, up to what the pair turns while it is in contact."""
    impact, drift = 0.4, np.array([0.3, -0.2, 0.7])
    start = np.array([[-2.0, impact, 0.0], [0.0, 0.0, 0.0]])
    velocity = np.array([[SPEED, 0.0, 0.0], [0.0, 0.0, 0.0]])
    particles = carom.Particles(start, velocity + drift, [0.3, 0.5], list(MASSES))
    method = carom.SoftContacts(1e8, restitution=0.8)
    simulation = carom.Simulation(carom.System(particles), method=method)
    simulation.run(until=2.0)
    normal = np.array([-math.sqrt(0.8**2 - impact**2), impact, 0.0]) / 0.8
    impulse = -1.8 * REDUCED * float(normal @ velocity[0])
    expected = velocity + drift + np.outer([impulse / MASSES[0], -impulse / MASSES[1]], normal)
    # In contact for π √(μ / k) the normal turns by v t_c / 0.8; the restitution is right to 1/25.
    turned = SPEED * math.pi * math.sqrt(REDUCED / 1e8) / 0.8
    bound = 2.0 * SPEED * turned + SPEED * first_order_bound(0.8, "zero_overlap", 25)
    np.testing.assert_allclose(simulation.particles.velocity, expected, 0.0, bound)
    assert simulation.particles.velocity[0, 2] == drift[2]


def test_duration_and_depth_of_an_elastic_contact() -> None:
    """t_c = π √(μ / k), largest overlap v √(μ / k)."""
    simulation = soft(head_on(0.25), 200, restitution=1.0)
    dt, begins = simulation.method.dt, 0.25 / SPEED
    duration = math.pi * math.sqrt(REDUCED / STIFFNESS)
    depth = 0.0
    for time in np.arange(begins, begins + duration, dt):
        simulation.run(until=time)
        depth = max(depth, simulation.largest_overlap * 0.8)
    simulation.run(until=begins + 2.0 * duration)
    # Steps in touch: those that fall into the contact, give or take one.
    assert abs(simulation.counts.contacts * dt - duration) <= dt
    expected = SPEED * math.sqrt(REDUCED / STIFFNESS)
    # Leapfrog's frequency is off by (ω dt)² / 24, and the nearest step by half a step from the top.
    angle = math.pi / 200
    assert depth == pytest.approx(expected, rel=angle**2 / 24.0 + angle**2 / 8.0)
    assert depth < expected * (1.0 + angle**2 / 24.0)


def test_damped_contacts_last_as_long_as_they_should() -> None:
    ratio = ratio_of(0.3, pulls=True)
    duration = math.pi * math.sqrt(REDUCED / STIFFNESS / (1.0 - ratio**2))
    for ends_at, steps in (("zero_overlap", 100), ("zero_force", 100)):
        simulation = soft(head_on(0.25), steps, restitution=0.3, ends_at=ends_at)
        simulation.run(until=0.6)
        touching = simulation.counts.contacts * simulation.method.dt
        if ends_at == "zero_overlap":
            assert abs(touching - duration) <= 2.0 * simulation.method.dt
        else:
            assert touching > duration  # without a force, the overlap opens slowly


@pytest.mark.parametrize("ratio", [0.01, 0.3, 0.999, 1.0, 1.001, 3.0])
def test_ratio_and_restitution_are_inverse(ratio: float) -> None:
    """Against the damped oscillator itself, integrated with another method."""
    expected = _restitution_of_oscillator(ratio)
    assert restitution_of(ratio, pulls=False) == pytest.approx(expected, rel=1e-5)
    assert ratio_of(restitution_of(ratio, pulls=False), pulls=False) == pytest.approx(ratio)
    if ratio < 1.0:
        assert ratio_of(restitution_of(ratio, pulls=True), pulls=True) == pytest.approx(ratio)
    else:
        assert restitution_of(ratio, pulls=True) == 0.0


def _restitution_of_oscillator(ratio: float) -> float:
    """x″ = −2 ζ x′ − x from x = 0, x′ = 1 until the force vanishes, by Runge & Kutta."""
    from scipy.integrate import solve_ivp

    def force(_: float, state: Any) -> Any:
        return -2.0 * ratio * state[1] - state[0]

    force.terminal = True  # type: ignore[attr-defined]
    force.direction = 1.0  # type: ignore[attr-defined]

    def rate(time: float, state: Any) -> Any:
        return [state[1], force(time, state)]

    ended = solve_ivp(rate, (0.0, 100.0), [0.0, 1.0], events=force, rtol=1e-9, atol=1e-12)
    return -float(ended.y_events[0][0][1])


# Many particles: sums that are conserved


def crowd(n: int, fraction: float, restitution: float) -> carom.System:
    particles, box = carom.packings.lattice(n, fraction, temperature=1.0, seed=3)
    rng = np.random.default_rng(8)
    particles.mass[:] = rng.uniform(0.5, 2.0, n)
    return carom.System(particles, box, law=carom.ConstantRestitution(restitution))


def account(simulation: carom.Simulation) -> float:
    return simulation.energy + simulation.dissipated_energy


def drift_of_account(system: carom.System, steps: int, until: float, **options: Any) -> float:
    """The largest error of kinetic + elastic + potential + dissipated energy, relative to the
    energy that was there to move or be lost. The springs are those of a step, so all is looked at
    in steps."""
    simulation = soft(system, steps, **options)
    start, largest, dt = account(simulation), 0.0, simulation.method.dt
    moving = simulation.kinetic_energy
    for step in np.linspace(0.0, until / dt, 25).astype(int)[1:]:
        simulation.run(until=step * dt)
        largest = max(largest, abs(account(simulation) - start))
    assert simulation.counts.collisions > len(system.particles)
    return largest / max(moving, simulation.dissipated_energy)


def test_the_energy_account_of_elastic_particles_closes() -> None:
    """Leapfrog's energy is off by terms of (ω dt)² / 8 of what is in the springs, about a tenth.

    The runs are chaotic and their largest errors scatter; second order would be a factor of 64
    from one step to the other, first order 8.
    """
    system = crowd(108, 0.4, 1.0)
    coarse, fine = (drift_of_account(system, steps, 1.0) for steps in (25, 200))
    assert coarse < (math.pi / 25) ** 2 / 8.0
    assert coarse / fine > 24.0


def test_the_energy_account_of_damped_particles_closes() -> None:
    """What the dashpots take is summed up at the speed of the step; contacts of a particle that
    has others see that speed without their share, which leaves an error of first order."""
    system = crowd(108, 0.4, 0.8)
    coarse, fine = (drift_of_account(system, steps, 1.0) for steps in (25, 200))
    assert coarse < math.pi / 25
    assert coarse / fine > 4.0


def test_momentum_is_conserved_to_round_off() -> None:
    system = crowd(108, 0.4, 0.8)
    simulation = soft(system, restitution=0.8)
    before = simulation.momentum
    simulation.run(until=2.0)
    # Each contact of each step rounds two velocities of up to 4, with masses of up to 2.
    roundings = 2.0 * simulation.counts.contacts + simulation.counts.steps
    bound = 8.0 * EPSILON * math.sqrt(roundings) * 4.0
    assert simulation.counts.contacts > 1000
    np.testing.assert_allclose(simulation.momentum, before, 0.0, bound)


# With friction, walls and gravity


GRAVITY = 10.0


def on_plane(
    dimension: int, tilt: float = 0.0, velocity: Any = None, **options: Any
) -> carom.System:
    """A disk or sphere of radius 0.5 and mass 2 that lies on a plane as deep as it weighs."""
    mass, up = 2.0, dimension - 1
    gravity = np.zeros(dimension)
    gravity[0], gravity[up] = GRAVITY * math.sin(tilt), -GRAVITY * math.cos(tilt)
    position = np.zeros((1, dimension))
    position[0, up] = 0.5 - mass * GRAVITY * math.cos(tilt) / STIFFNESS
    normal = [float(axis == up) for axis in range(dimension)]
    plane = carom.Plane([0.0] * dimension, normal, restitution=None)
    start = np.zeros((1, dimension)) if velocity is None else [velocity]
    particles = carom.Particles(position, start, 0.5, mass)
    return carom.System(particles, gravity=gravity, walls=[plane], **options)


def test_a_ball_at_rest_lies_as_deep_as_it_weighs() -> None:
    """Dropped, it comes to rest with an overlap of m g / k."""
    lying = on_plane(3)
    particles = lying.particles.copy()
    particles.position[0, 2] = 0.51
    system = carom.System(particles, gravity=lying.gravity, walls=lying.walls)
    simulation = soft(system, restitution=0.1, friction=0.5)
    simulation.run(until=5.0)
    height = simulation.particles.position[0, 2]
    assert 0.5 - height == pytest.approx(2.0 * GRAVITY / STIFFNESS, rel=1e-9)
    assert simulation.kinetic_energy < 1e-20
    assert simulation.counts.wall_collisions < 10
    # The wall has borne its weight since then.
    before = simulation._engine.wall_impulse[0]
    start = simulation.time
    simulation.run(until=10.0)
    force = (simulation._engine.wall_impulse[0] - before) / (simulation.time - start)
    assert force == pytest.approx(2.0 * GRAVITY, rel=simulation.method.dt / 5.0)


def lever(tilt: float = 0.0) -> float:
    """From the centre to the plane, over the radius."""
    return 1.0 - 2.0 * GRAVITY * math.cos(tilt) / STIFFNESS / 0.5


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_sliding_body_ends_rolling(dimension: int) -> None:
    """The angular momentum about a point of the plane is conserved, m v h + I ω at the height h:
    a disk keeps 2/3 of its speed, a sphere 5/7, but for the depth to which it lies in the plane."""
    velocity = [3.0, 0.0] if dimension == 2 else [3.0 * 0.6, 3.0 * 0.8, 0.0]
    system = on_plane(dimension, velocity=velocity)
    simulation = soft(system, restitution=0.3, friction=0.2)
    # Sliding ends after (1 − share) v / (μ g), half a second; then the spring swings out.
    inertia = 0.5 if dimension == 2 else 0.4
    share = 1.0 / (1.0 + inertia / lever() ** 2)
    assert share == pytest.approx(2.0 / 3.0 if dimension == 2 else 5.0 / 7.0, rel=2e-2)
    simulation.run(until=0.9 * (1.0 - share) * 3.0 / (0.2 * GRAVITY))
    slowed = 3.0 - 0.2 * GRAVITY * simulation.time
    speed = np.linalg.norm(simulation.particles.velocity[0])
    # It slides as soon as the spring is stretched, within a quarter of a swing.
    swing = 0.5 * math.pi * math.sqrt(2.0 / STIFFNESS)
    assert speed == pytest.approx(slowed, abs=0.2 * GRAVITY * swing)
    simulation.run(until=3.0)
    particles = simulation.particles
    rolling = share * np.array(velocity)
    np.testing.assert_allclose(particles.velocity[0], rolling, rtol=0.0, atol=1e-9)
    spin = particles.angular_velocity[0]
    # ω = n × v / h; in the plane the normal is y and the spin along z.
    if dimension == 2:
        assert float(spin) == pytest.approx(-rolling[0] / (0.5 * lever()), abs=1e-9)
    else:
        expected = np.cross([0.0, 0.0, 1.0], rolling) / (0.5 * lever())
        np.testing.assert_allclose(spin, expected, rtol=0.0, atol=1e-9)


def test_a_sphere_rolls_down_a_gentle_slope() -> None:
    """Below tan θ = 7/2 μ: a = 5/7 g sin θ, but for the depth to which it lies in the plane."""
    tilt, friction = 0.5, 0.2
    assert math.tan(tilt) < 3.5 * friction
    simulation = soft(on_plane(3, tilt), restitution=0.3, friction=friction)
    simulation.run(until=2.0)
    # When the spring has swung out, all it has done to the speed has cancelled.
    share = 1.0 / (1.0 + 0.4 / lever(tilt) ** 2)
    assert share == pytest.approx(5.0 / 7.0, rel=1e-2)
    expected = share * GRAVITY * math.sin(tilt) * simulation.time
    particles = simulation.particles
    np.testing.assert_allclose(particles.velocity[0], [expected, 0.0, 0.0], rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(
        particles.angular_velocity[0],
        [0.0, expected / (0.5 * lever(tilt)), 0.0],
        rtol=0.0,
        atol=1e-9,
    )


def test_a_sphere_slides_down_a_steep_slope() -> None:
    """Above tan θ = 7/2 μ: a = g (sin θ − μ cos θ), α = 5/2 μ g cos θ / r."""
    tilt, friction = 0.9, 0.2
    assert math.tan(tilt) > 3.5 * friction
    simulation = soft(on_plane(3, tilt), restitution=0.3, friction=friction)
    simulation.run(until=0.5)
    before = simulation.particles
    simulation.run(until=1.5)
    after = simulation.particles
    gained = after.velocity[0] - before.velocity[0]
    acceleration = GRAVITY * (math.sin(tilt) - friction * math.cos(tilt))
    np.testing.assert_allclose(gained, [acceleration, 0.0, 0.0], rtol=0.0, atol=1e-9)
    turned = after.angular_velocity[0] - before.angular_velocity[0]
    expected = 2.5 * friction * GRAVITY * math.cos(tilt) * lever(tilt) / 0.5
    np.testing.assert_allclose(turned, [0.0, expected, 0.0], rtol=0.0, atol=1e-9)


def test_two_walls_hold_a_ball_in_a_corner() -> None:
    """Each bears the part of its weight along its normal."""
    tilt, mass = 0.4, 2.0
    gravity = [-GRAVITY * math.sin(tilt), 0.0, -GRAVITY * math.cos(tilt)]
    walls = [
        carom.Plane([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], restitution=0.2),
        carom.Plane([0.0, 0.0, 0.0], [0.0, 0.0, 1.0], restitution=0.2),
    ]
    particles = carom.Particles([[0.5, 0.0, 0.5]], [[0.0, 0.0, 0.0]], 0.5, mass)
    system = carom.System(particles, gravity=gravity, walls=walls)
    simulation = soft(system, restitution=0.2, friction=0.0)
    simulation.run(until=3.0)
    depth = 0.5 - simulation.particles.position[0]
    weight = mass * GRAVITY / STIFFNESS
    np.testing.assert_allclose(
        depth[[0, 2]], [weight * math.sin(tilt), weight * math.cos(tilt)], rtol=1e-9
    )
    # Every step has two contacts at the end.
    contacts, steps = simulation.counts.contacts, simulation.counts.steps
    simulation.run(until=4.0)
    assert simulation.counts.contacts - contacts == 2 * (simulation.counts.steps - steps)


@pytest.mark.parametrize("wall", [None, 0.6])
@pytest.mark.parametrize("ends_at", ENDS)
def test_restitution_at_a_wall(wall: float | None, ends_at: str) -> None:
    """A wall has the law of the particles, or its own coefficient; tangential speed stays."""
    for gap in (0.2, 0.213, 0.237, 0.251):
        particles = carom.Particles([[0.0, 0.5 + gap]], [[0.7, -SPEED]], 0.5, 2.0)
        plane = carom.Plane([0.0, 0.0], [0.0, 1.0], restitution=wall)
        system = carom.System(particles, gravity=[0.0, 0.0], walls=[plane])
        simulation = soft(system, 100, restitution=0.8, ends_at=ends_at, friction=0.0)
        simulation.run(until=0.6)
        expected = 0.8 if wall is None else wall
        velocity = simulation.particles.velocity[0]
        bound = first_order_bound(expected, ends_at, 100)
        assert velocity[1] / SPEED == pytest.approx(expected, abs=bound)
        assert velocity[0] == 0.7
        assert simulation.counts.wall_collisions == 1
        given = simulation._engine.wall_impulse[0]
        assert given == pytest.approx(2.0 * (velocity[1] + SPEED), rel=100 * EPSILON)
        lost = 0.5 * 2.0 * (SPEED**2 - velocity[1] ** 2)
        assert simulation.dissipated_energy == pytest.approx(
            lost, rel=first_order_bound(expected, ends_at, 100) + (math.pi / 100) ** 2
        )


def heap(n: int) -> carom.System:
    """Disks in a box under gravity, so many that they lie on each other."""
    rng = np.random.default_rng(5)
    columns = 8
    place = np.arange(n)
    position = np.column_stack([place % columns + 0.75, place // columns + 0.6])
    position += rng.uniform(-0.04, 0.04, (n, 2))
    particles = carom.Particles(
        position, rng.normal(size=(n, 2)), rng.uniform(0.3, 0.45, n), rng.uniform(0.5, 2.0, n)
    )
    box = carom.Box([columns + 0.5, 30.0], restitution=None)
    law = carom.RoughRestitution(0.7, 0.0)  # SoftContacts has its own; particles may spin
    return carom.System(particles, box, gravity=[0.5, -GRAVITY], law=law)


@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_the_energy_account_closes_with_walls_and_gravity(friction: float) -> None:
    """Half a step of gravity is left out of the speed at which dashpots are taken: first order."""
    system = heap(40)
    coarse, fine = (
        drift_of_account(system, steps, 1.5, restitution=0.7, friction=friction)
        for steps in (25, 200)
    )
    assert coarse < 0.01
    assert coarse / fine > 2.0


def test_angular_momentum_is_conserved_to_round_off() -> None:
    """Of orbits and spins together, and momentum too; in open space, with a wall out of reach."""
    axes = np.arange(3) * 1.1
    start = np.stack(np.meshgrid(axes, axes, axes), axis=-1).reshape(-1, 3)
    rng = np.random.default_rng(2)
    velocity = -0.8 * (start - 1.1) + 0.2 * rng.normal(size=start.shape)
    particles = carom.Particles(start, velocity, 0.5, rng.uniform(0.5, 2.0, len(start)))
    plane = carom.Plane([0.0, 0.0, -50.0], [0.0, 0.0, 1.0])
    system = carom.System(particles, gravity=[0.0] * 3, walls=[plane])
    method = carom.SoftContacts(1e3, restitution=0.9, friction=0.5)
    simulation = carom.Simulation(system, method=method)
    turning, moving = simulation.particles.angular_momentum, simulation.momentum
    simulation.run(until=1.5)
    assert simulation.counts.collisions > 50
    assert simulation.rotational_energy > 0.01
    # Terms below 10, rounded by each contact of each step.
    bound = 10.0 * EPSILON * math.sqrt(4.0 * simulation.counts.contacts + 27 * 100)
    np.testing.assert_allclose(simulation.momentum, moving, 0.0, bound)
    np.testing.assert_allclose(simulation.particles.angular_momentum, turning, 0.0, 3.0 * bound)


def test_nothing_is_lost_at_rest() -> None:
    """Settled disks with friction: what leans on springs along the surfaces does not count."""
    simulation = soft(heap(40), restitution=0.2, friction=0.5)
    simulation.run(until=6.0)
    lost, left = simulation.dissipated_energy, simulation.kinetic_energy
    assert left < 1e-4 * lost
    simulation.run(until=12.0)
    assert -1e-6 * lost < simulation.dissipated_energy - lost < 1e-4 * lost


# Lists that begin too short


def test_lists_that_are_too_short_grow_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(system: carom.System) -> tuple[carom.Simulation, Any]:
        simulation = soft(system, restitution=0.5, friction=0.4)
        simulation.run(until=0.8)
        return simulation, simulation.particles

    simulation, expected = ended(heap(40))
    assert simulation.counts.collisions > 100 and simulation.counts.wall_collisions > 10

    no_room = new_pair_list(4, 4)
    monkeypatch.setattr(new_world, "first_pairs", lambda n: new_pair_list(4, 4))
    monkeypatch.setattr(soft_contacts, "first_pairs", lambda n: new_pair_list(4, 4))
    whole = new_world.new_inner
    monkeypatch.setattr(new_world, "new_inner", lambda n, pairs, walls: whole(n, pairs, 1))
    rule_of = soft_contacts.SoftEngine._rule

    def rule_without_room(self: Any) -> Any:
        rule = rule_of(self)
        return rule._replace(friction=with_room(rule.friction, no_room, 5))

    monkeypatch.setattr(soft_contacts.SoftEngine, "_rule", rule_without_room)
    cramped, found = ended(heap(40))
    world = cramped._engine.world
    assert len(world.pairs.first) > 4
    assert len(world.inner.wall_particle) > 1
    assert room_for_contacts(world.rule.friction) > 5
    for name in ("position", "velocity", "angular_velocity"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), name)
    # A list that was too short is looked for again.
    assert cramped.counts.pair_tests > simulation.counts.pair_tests
    assert cramped.counts._replace(pair_tests=0) == simulation.counts._replace(pair_tests=0)
    assert cramped.dissipated_energy == simulation.dissipated_energy


# The step, and what is refused


def test_the_automatic_step_is_a_25th_of_the_shortest_contact() -> None:
    """That of the two lightest, or of one particle and a wall."""
    particles = carom.Particles(
        np.arange(9.0).reshape(3, 3) * 3.0, np.zeros((3, 3)), 0.5, [4, 1, 2]
    )
    system = carom.System(particles)
    step = carom.SoftContacts(100.0).step(system)
    assert step == pytest.approx(math.pi * math.sqrt((2.0 / 3.0) / 100.0) / 25.0, rel=1e-12)
    alone = carom.System(carom.Particles([[0.0, 0.0]], [[0.0, 0.0]], 0.5, 4.0))
    step = carom.SoftContacts(100.0).step(alone)
    assert step == pytest.approx(math.pi * math.sqrt(4.0 / 100.0) / 25.0, rel=1e-12)
    # Damped contacts last longer, but their springs are as fast.
    assert carom.SoftContacts(100.0, restitution=0.2).step(alone) == step
    # A spring along the surface that swings faster counts: k_t (1 + 1/q) / k = 3 for a disk.
    stiff = carom.SoftContacts(100.0, friction=0.5, tangential_stiffness=100.0).step(alone)
    assert stiff == pytest.approx(step / math.sqrt(3.0), rel=1e-12)
    assert carom.SoftContacts(100.0, friction=0.5).step(alone) == step


def test_a_step_too_large_is_refused_with_the_number_that_would_do() -> None:
    system = head_on(0.1)
    shortest = math.pi * math.sqrt(REDUCED / STIFFNESS)

    def simulation(dt: float) -> carom.Simulation:
        return carom.Simulation(system, method=carom.SoftContacts(STIFFNESS, dt=dt))

    assert_refused(
        lambda: simulation(0.2 * shortest),
        f"dt={0.2 * shortest:g}",
        f"stiffness={STIFFNESS:g}",
        f"Use dt={shortest / 10:.3g} or less",
        f"'auto' takes {shortest / 25:.3g}",
    )
    simulation(0.099 * shortest)


def test_the_law_of_the_system_says_the_restitution() -> None:
    system = head_on(0.1)
    law = carom.SoftContacts(STIFFNESS).law(system)
    assert law.ratio == 0.0 and law.damping == 0.0
    system = carom.System(system.particles, law=carom.ConstantRestitution(0.7))
    assert carom.SoftContacts(STIFFNESS).law(system).ratio == ratio_of(0.7, pulls=True)
    # What is given to the method comes first.
    assert carom.SoftContacts(STIFFNESS, restitution=1.0).law(system).ratio == 0.0
    system = carom.System(system.particles, law=carom.ViscoelasticRestitution(1e6, 0.3, 1e-4))
    assert_refused(
        lambda: carom.SoftContacts(STIFFNESS).law(system), "ViscoelasticRestitution", "damping="
    )


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"stiffness": 0.0}, ["stiffness=0.0", "positive"]),
        ({"stiffness": math.nan}, ["stiffness=nan"]),
        ({"damping": 1.0, "restitution": 0.9}, ["damping or restitution", "not both"]),
        ({"damping": -1.0}, ["damping=-1.0", "at least 0"]),
        ({"restitution": 1.5}, ["1.5", "between 0 and 1"]),
        ({"restitution": 0.0}, ["restitution=0", "infinite damping"]),
        ({"ends_at": "rest"}, ["ends_at='rest'", "zero_overlap", "zero_force"]),
        ({"dt": 0.0}, ["dt=0.0", "positive"]),
        ({"dt": "fast"}, ["dt='fast'"]),
        ({"friction": -0.1}, ["friction=-0.1"]),
        ({"tangential_stiffness": 1.0}, ["tangential_stiffness", "friction="]),
        ({"friction": 0.1, "tangential_stiffness": -1.0}, ["tangential_stiffness=-1.0"]),
        ({"friction": 0.1, "tangential_damping": math.inf}, ["tangential_damping=inf"]),
    ],
)
def test_what_cannot_work_is_refused(options: dict[str, Any], parts: list[str]) -> None:
    assert_refused(lambda: carom.SoftContacts(**({"stiffness": 1.0} | options)), *parts)


def test_unknown_neighbours_are_refused() -> None:
    for neighbours, error in (("cells", ValueError), (3, (TypeError, AttributeError))):
        method = carom.SoftContacts(STIFFNESS, neighbours=neighbours)
        with pytest.raises(error):
            carom.Simulation(head_on(0.1), method=method)
