"""Hard particles in fixed steps against exact solutions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from refusals import assert_refused

import carom
from carom.forces import Body, HarmonicTrap, LinearDrag, force

EPSILON = float(np.finfo(np.float64).eps)
LAW = carom.ConstantRestitution(0.8)


def stepped(system: carom.System, dt: float, simultaneous: str = "sequence") -> carom.Simulation:
    return carom.Simulation(system, method=carom.TimeStepped(dt=dt, simultaneous=simultaneous))


# One after the other, in open space


def oblique(restitution: float = 0.8) -> carom.System:
    """Two spheres of unequal sizes and masses, one of which is hit off its centre at t = 1."""
    start = [[-0.8 * math.cos(0.5) - 1.5, 0.8 * math.sin(0.5), 0.0], [0.0, 0.0, 0.0]]
    particles = carom.Particles(start, [[1.5, 0.0, 0.0], [0.0, 0.0, 0.0]], [0.3, 0.5], [1.0, 3.0])
    return carom.System(particles, law=carom.ConstantRestitution(restitution))


def impulse_along(separation: Any, velocity: Any, restitution: float = 0.8) -> Any:
    """The change of momentum of a sphere (mass 1) that hits another at rest (mass 3)."""
    normal = separation / np.linalg.norm(separation)
    return -(1.0 + restitution) * 0.75 * (normal @ velocity) * normal


def test_two_bodies_collide_by_the_law_where_they_overlap() -> None:
    """After the first step in which they overlap; momentum is exchanged along the line there."""
    system, dt = oblique(), 0.013
    simulation = stepped(system, dt)
    steps = math.ceil(1.0 / dt)
    apart = system.particles.position[0] + np.array([1.5 * steps * dt, 0.0, 0.0])
    overlap = 1.0 - float(np.linalg.norm(apart)) / 0.8
    assert 0.0 < overlap < 1.5 * dt / 0.8
    simulation.run(until=2.0)
    change = impulse_along(apart, np.array([1.5, 0.0, 0.0]))
    expected = np.array([np.array([1.5, 0.0, 0.0]) + change, -change / 3.0])
    # Seventy-seven steps round the position; the normal is off by as much over 0.8.
    np.testing.assert_allclose(simulation.particles.velocity, expected, 0.0, 200 * EPSILON)
    assert simulation.counts.collisions == 1
    assert simulation.counts.multiple_contacts == 0
    assert simulation.mean_impact_overlap == simulation.largest_impact_overlap
    assert simulation.mean_impact_overlap == pytest.approx(overlap, rel=1e-9)
    lost = 0.5 * 1.5**2 - simulation.kinetic_energy
    assert simulation.dissipated_energy == pytest.approx(lost, rel=20 * EPSILON)
    np.testing.assert_allclose(simulation.momentum, [1.5, 0.0, 0.0], 0.0, 4 * EPSILON)
    # The virial is that of the exact collision but for the overlap.
    virial = simulation._engine.virial
    np.testing.assert_allclose(virial, np.outer(change, apart), 0.0, 200 * EPSILON)


def test_the_collision_tends_to_the_exact_one_at_first_order() -> None:
    contact = np.array([-0.8 * math.cos(0.5), 0.8 * math.sin(0.5), 0.0])
    change = impulse_along(contact, np.array([1.5, 0.0, 0.0]))
    exact = np.array([np.array([1.5, 0.0, 0.0]) + change, -change / 3.0])
    for dt in (0.01003, 0.001003):
        simulation = stepped(oblique(), dt)
        simulation.run(until=2.0)
        error = np.abs(simulation.particles.velocity - exact).max()
        # Later by up to dt: the normal has turned by v dt / 0.8, the impulse by twice its size.
        assert 0.0 < error < 2.0 * 1.5 * dt / 0.8 * float(np.linalg.norm(change))


def test_a_cradle_of_touching_disks_counts_its_multiple_contacts() -> None:
    """The first hits a row of two, all in one step: the second has two contacts in it."""
    start = [[-1.05, 0.0], [0.0, 0.0], [0.99, 0.0]]
    particles = carom.Particles(start, [[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]], 0.5)
    system = carom.System(particles, law=carom.ConstantRestitution(1.0))
    simulation = stepped(system, 0.1)
    simulation.run(until=0.5)
    assert simulation.counts.collisions == 2
    assert simulation.counts.multiple_contacts == 1
    # One after the other, elastic disks hand the speed on to the last.
    np.testing.assert_array_equal(simulation.particles.velocity[:, 0], [0.0, 0.0, 1.0])


def test_pairs_that_overlap_but_part_are_left_alone() -> None:
    particles = carom.Particles([[0.0, 0.0], [0.8, 0.0]], [[-1.0, 0.0], [1.0, 0.0]], 0.5)
    simulation = stepped(carom.System(particles, law=LAW), 0.01)
    simulation.run(until=1.0)
    assert simulation.counts.collisions == 0
    np.testing.assert_array_equal(simulation.particles.velocity[:, 0], [-1.0, 1.0])


def test_the_automatic_step_moves_a_particle_a_hundredth_of_its_diameter() -> None:
    """One of the root-mean-square speed, over the mean diameter."""
    particles = carom.Particles([[0.0, 0.0], [9.0, 0.0]], [[3.0, 0.0], [0.0, 4.0]], [0.5, 1.5])
    step = carom.TimeStepped().step(carom.System(particles))
    assert step * math.sqrt(12.5) == pytest.approx(0.01 * 2.0, rel=1e-12)
    still = carom.System(carom.Particles([[0.0, 0.0]], [[0.0, 0.0]], 0.5))
    assert_refused(lambda: carom.TimeStepped().step(still), "none moves", "dt=")


# With walls, gravity and spin; the step is cut at each contact


def bounce(simultaneous: str = "backtrack", **options: Any) -> carom.System:
    law = carom.RoughRestitution(0.8, options.pop("tangential", -1.0))
    gravity = options.pop("gravity", [0.0, 0.0])
    walls = [carom.Plane([0.0, 0.0], [0.0, 1.0], restitution=options.pop("wall", 0.6))]
    return carom.System(carom.Particles(**options), law=law, gravity=gravity, walls=walls)


def test_backtracking_finds_the_exact_contact_of_two_bodies() -> None:
    start, velocity = [[0.0, 5.0], [2.0, 5.31]], [[1.0, 0.1], [-0.7, 0.0]]
    system = bounce(position=start, velocity=velocity, radius=[0.5, 0.3], mass=[1.0, 2.0])
    apart, closing = np.subtract(*start), np.subtract(*velocity)
    a, b, c = closing @ closing, apart @ closing, apart @ apart - 0.8**2
    time = (-b - math.sqrt(b * b - a * c)) / a
    normal = (apart + time * closing) / 0.8
    impulse = -1.8 * (2.0 / 3.0) * (normal @ closing) * normal
    after = np.array(velocity) + np.array([impulse, -impulse / 2.0])
    place = np.array(start) + time * np.array(velocity) + (2.0 - time) * after
    for dt in (0.1, 0.0137):
        simulation = stepped(system, dt, "backtrack")
        simulation.run(until=2.0)
        found = simulation.particles
        # The time of contact is rounded as the positions are, in up to 146 steps.
        np.testing.assert_allclose(found.velocity, after, 0.0, 1e3 * EPSILON)
        np.testing.assert_allclose(found.position, place, 0.0, 1e4 * EPSILON)
        assert simulation.counts.collisions == 1
        assert simulation.largest_impact_overlap < 1e3 * EPSILON


def test_backtracking_finds_several_contacts_in_one_step() -> None:
    """A ball between a wall and a heavy disk: it hits both within the first step."""
    start, velocity = [[0.0, 0.6], [0.0, 1.75]], [[0.0, -3.0], [0.0, -1.0]]
    system = bounce(position=start, velocity=velocity, radius=0.5, mass=[1.0, 10.0], wall=1.0)
    simulation = stepped(system, 0.1, "backtrack")
    # What happened in a step is found when it is over.
    simulation.run(until=0.2)
    assert simulation.counts.collisions == simulation.counts.wall_collisions == 1
    assert simulation.counts.multiple_contacts == 1
    # At the wall at 1/30 with +3 and on; the disk is met at 0.0875, with a closing speed of 4.
    impulse = 1.8 * (10.0 / 11.0) * 4.0
    expected = [3.0 - impulse, -1.0 + impulse / 10.0]
    np.testing.assert_allclose(simulation.particles.velocity[:, 1], expected, 0.0, 20 * EPSILON)


@pytest.mark.slow
def test_backtracked_gas_follows_the_exact_one() -> None:
    """Collision by collision, as long as rounding has not grown."""
    rng = np.random.default_rng(3)
    x, y = np.meshgrid(np.arange(4) * 1.6 + 1.0, np.arange(4) * 1.6 + 1.0)
    start = np.column_stack([x.ravel(), y.ravel()])
    system = bounce(
        position=start, velocity=rng.normal(size=(16, 2)), radius=0.5, mass=rng.uniform(0.5, 2, 16)
    )
    exact = carom.Simulation(system)
    exact.run(until=1.5)
    simulation = stepped(system, 0.01, "backtrack")
    simulation.run(until=1.5)
    assert exact.counts.collisions > 8
    assert simulation.counts.collisions == exact.counts.collisions
    assert simulation.counts.wall_collisions == exact.counts.wall_collisions
    # A collision of disks multiplies errors by about 2 s / r for a path s: ten for each.
    found, expected = simulation.particles, exact.particles
    np.testing.assert_allclose(found.velocity, expected.velocity, 0.0, 1e-9)
    assert simulation.dissipated_energy == pytest.approx(exact.dissipated_energy, abs=1e-9)


def test_a_falling_ball_is_on_its_parabola() -> None:
    """Leapfrog is exact for a constant acceleration, up to rounding of each step."""
    system = bounce(position=[[0.0, 20.0]], velocity=[[2.0, 1.0]], radius=0.5, gravity=[0.5, -2.0])
    simulation = stepped(system, 0.01, "backtrack")
    for time in (0.01, 0.505, 3.7777):
        simulation.run(until=time)
        particles = simulation.particles
        place = [2.0 * time + 0.25 * time**2, 20.0 + time - time**2]
        np.testing.assert_allclose(particles.position[0], place, 0.0, 20 * 378 * EPSILON)
        expected = [2.0 + 0.5 * time, 1.0 - 2.0 * time]
        np.testing.assert_allclose(particles.velocity[0], expected, 0.0, 6 * 378 * EPSILON)


def test_a_wall_reflects_with_its_own_coefficient() -> None:
    system = bounce(position=[[0.0, 1.0]], velocity=[[0.3, -1.0]], radius=0.5, mass=2.0)
    simulation = stepped(system, 0.03, "backtrack")
    simulation.run(until=1.5)
    particles = simulation.particles
    np.testing.assert_allclose(particles.velocity[0], [0.3, 0.6], 0.0, 10 * EPSILON)
    np.testing.assert_allclose(particles.position[0], [0.45, 1.1], 0.0, 1e3 * EPSILON)
    assert simulation.counts.wall_collisions == 1
    assert simulation.counts.collisions == 0
    assert simulation._engine.wall_impulse[0] == pytest.approx(3.2, rel=10 * EPSILON)
    assert simulation.dissipated_energy == pytest.approx(1.0 - 0.36, rel=100 * EPSILON)


def test_a_bouncing_ball_loses_what_its_bounces_take() -> None:
    """Dropped from a height h = 1 under g = 2, it has reached the wall at √(2 h / g) = 1 with the
    speed 2, and then after flights of 2 · 0.8ⁿ: three times before t = 4. Its energy is then
    0.8⁶ m g h, but for the speed at which a contact is felt: a step of gravity is in doubt."""
    system = bounce(
        position=[[0.0, 1.5]], velocity=[[0.0, 0.0]], radius=0.5, gravity=[0.0, -2.0], wall=0.8
    )
    for dt in (0.02, 0.01, 0.005):
        simulation = stepped(system, dt, "backtrack")
        simulation.run(until=4.0)
        assert simulation.counts.wall_collisions == 3
        height = simulation.particles.position[0, 1] - 0.5
        energy = simulation.kinetic_energy + 2.0 * height
        assert energy == pytest.approx(0.8**6 * 2.0, abs=3.0 * 2.0 * (2.0 * dt))


def test_rough_particles_conserve_momentum_and_angular_momentum() -> None:
    """A gas of rough disks, hot and spinning, far away from the wall."""
    rng = np.random.default_rng(5)
    x, y = np.meshgrid(np.arange(4) * 1.3, np.arange(4) * 1.3)
    start = np.column_stack([x.ravel(), y.ravel()]) + 50.0
    velocity = -(start - start.mean(axis=0)) + 0.3 * rng.normal(size=start.shape)
    system = bounce(
        position=start,
        velocity=velocity,
        radius=0.5,
        mass=rng.uniform(0.5, 2.0, 16),
        angular_velocity=rng.normal(size=16),
        tangential=0.4,
    )
    simulation = stepped(system, 0.005, "backtrack")
    momentum, turning = simulation.momentum, simulation.particles.angular_momentum
    energy = simulation.energy
    simulation.run(until=1.5)
    assert simulation.counts.collisions > 10
    np.testing.assert_allclose(simulation.momentum, momentum, 0.0, 1e3 * EPSILON)
    # Terms of up to 2 · 3 · 56 in 300 steps; collisions at contact leave no gap to the levers.
    allowed = 350.0 * EPSILON * 300.0
    assert simulation.particles.angular_momentum == pytest.approx(turning, abs=allowed)
    assert simulation.energy + simulation.dissipated_energy == pytest.approx(energy, rel=1e-12)
    assert simulation.rotational_energy > 0.1


# Forces


class TrapAndDrag(NamedTuple):
    """A force of a user's own that asks two of the package's, and pushes in time."""

    trap: HarmonicTrap
    drag: LinearDrag
    push: float
    frequency: float


@force.register(TrapAndDrag)
@carom.kernel
def _(body: Body, law: TrapAndDrag) -> Any:
    one, other = force(body, law.trap), force(body, law.drag)
    push = law.push * math.cos(law.frequency * body.time)
    return (one[0] + other[0] + push, one[1] + other[1], one[2] + other[2])


Carried = Callable[..., carom.System]


@pytest.fixture
def carried(hard_when_slow: Any) -> Carried:
    """Makes systems under the force and a law of a user's own: they are compiled together."""

    def make(
        stiffness: float = 0.0, drag: float = 0.0, push: float = 0.0, **options: Any
    ) -> carom.System:
        law = options.pop("law", hard_when_slow(0.8, 0.0))
        trap = HarmonicTrap(stiffness, 1.0, 2.0, 0.0)
        options = {"position": [[2.0, 2.0]], "velocity": [[0.0, 1.0]], "mass": 2.0} | options
        return carom.System(
            carom.Particles(radius=0.5, **options),
            law=law,
            force=TrapAndDrag(trap, LinearDrag(drag, 0.5), push, 3.0),
        )

    return make


def error_at(system: carom.System, dt: float, until: float, place: Any, speed: Any) -> float:
    simulation = stepped(system, dt)
    simulation.run(until=until)
    particles = simulation.particles
    return float(
        max(
            np.abs(particles.position[0] - place).max(), np.abs(particles.velocity[0] - speed).max()
        )
    )


def test_a_particle_in_a_trap_swings_at_second_order(carried: Carried) -> None:
    """x = c + (x₀ − c) cos ω t + v₀ / ω sin ω t with ω = √(k / m) = 2."""
    t, omega = 3.0, 2.0
    cosine, sine = math.cos(omega * t), math.sin(omega * t)
    place = np.array([1.0 + cosine, 2.0 + 0.5 * sine])
    speed = np.array([-2.0 * sine, cosine])
    coarse, fine = (error_at(carried(8.0), dt, t, place, speed) for dt in (0.02, 0.01))
    # Leapfrog's frequency is off by (ω dt)² / 24, which is 4e-4 of the phase at the end.
    assert coarse < 2.0 * (omega * 0.02) ** 2 / 24.0 * omega * t * 1.2
    assert 3.8 < coarse / fine < 4.2


def test_drag_slows_down_at_second_order(carried: Carried) -> None:
    """v = u + (v₀ − u) exp(−γ t) with γ = c / m = 1.5."""
    t, rate = 2.0, 1.5
    left = math.exp(-rate * t)
    flow, start = np.array([0.5, 0.0]), np.array([0.0, 1.0])
    speed = flow + (start - flow) * left
    place = np.array([2.0, 2.0]) + flow * t + (start - flow) * (1.0 - left) / rate
    coarse, fine = (error_at(carried(0.0, 3.0), dt, t, place, speed) for dt in (0.02, 0.01))
    assert coarse < (rate * 0.02) ** 2
    assert 3.8 < coarse / fine < 4.2


def test_a_force_that_depends_on_time_acts_at_second_order(carried: Carried) -> None:
    """a = p / m cos 3 t."""
    t = 1.7
    speed = np.array([1.0 / 3.0 * math.sin(3.0 * t), 1.0])
    place = np.array([2.0 + (1.0 - math.cos(3.0 * t)) / 9.0, 2.0 + t])
    system = carried(push=2.0)
    coarse, fine = (error_at(system, dt, t, place, speed) for dt in (0.02, 0.01))
    assert coarse < 0.02**2 * 9.0
    assert 3.5 < coarse / fine < 4.5


def test_trapped_particles_collide_and_lose_what_they_should(carried: Carried) -> None:
    """Two that fall towards each other: kinetic + potential + dissipated energy is constant."""
    start = [[-1.0, 2.0], [3.0, 2.0]]
    system = carried(8.0, position=start, velocity=[[0.0, 0.0], [0.0, 0.0]])

    def potential(simulation: carom.Simulation) -> float:
        return 4.0 * float(((simulation.particles.position - [1.0, 2.0]) ** 2).sum())

    simulation = stepped(system, 0.001)
    before = potential(simulation)
    simulation.run(until=3.0)
    assert simulation.counts.collisions >= 2
    total = simulation.kinetic_energy + potential(simulation) + simulation.dissipated_energy
    # Leapfrog's energy is off by (ω dt)² / 8; at a contact a step of the force is in doubt.
    assert total == pytest.approx(before, rel=4.0 * 2.0 * 0.001)


def test_a_force_that_fails_on_the_way_is_named(carried: Carried) -> None:
    simulation = stepped(carried(1e200), 0.5)
    with pytest.raises(carom.LawError, match="not finite for particle 0"):
        simulation.run(until=10.0)


def test_a_force_that_fails_at_the_start_names_the_particle(carried: Carried) -> None:
    """Finite, but not times a step; the first particle is where the force vanishes."""
    system = carried(1e304, position=[[1.0, 2.0], [1001.0, 2.0]], velocity=[[0.0, 0.0]] * 2)
    with pytest.raises(carom.LawError, match="not finite for particle 1"):
        stepped(system, 100.0).run(until=1000.0)


class Useless(NamedTuple):
    """What a force gives when called wrongly."""

    value: Any


def test_forces_that_cannot_be_are_refused() -> None:
    particles = carom.Particles([[0.0, 0.0]], [[1.0, 0.0]], 0.5)

    def system(law: Any) -> carom.System:
        return carom.System(particles, force=law)

    assert_refused(lambda: system("wind"), "'wind' is not a force", "register", error=TypeError)
    assert_refused(lambda: system(Useless(0)), "Useless", "register", error=TypeError)
    force.register(Useless)(lambda body, law: law.value)
    assert_refused(lambda: system(Useless(3.0)), "three numbers")
    assert_refused(lambda: system(Useless((0.0, 0.0))), "three numbers")
    assert_refused(lambda: system(Useless((math.nan, 0.0, 0.0))), "finite")
    assert_refused(lambda: system(Useless((0.0, 0.0, 1.0))), "in the plane")
    assert_refused(lambda: system(LinearDrag(-1.0)), "LinearDrag", "-1.0")
    assert_refused(lambda: system(HarmonicTrap(math.inf, 0.0, 0.0)), "HarmonicTrap", "inf")


def test_event_driven_refuses_forces() -> None:
    system = carom.System(carom.Particles([[0.0, 0.0]], [[1.0, 0.0]], 0.5), force=LinearDrag(1.0))
    assert_refused(lambda: carom.Simulation(system), "LinearDrag", "TimeStepped")


# Refusals


def test_a_law_that_gives_no_coefficient_is_named(carried: Carried, hard_when_slow: Any) -> None:
    """At a speed that no law is tried with."""
    start, velocity = [[0.0, 0.0], [2.0, 0.0]], [[3e3, 0.0], [0.0, 0.0]]
    law = hard_when_slow(1.5, 2e3)
    simulation = stepped(carried(position=start, velocity=velocity, law=law), 1e-5)
    with pytest.raises(carom.LawError, match=r"1\.5 for particle 0 and particle 1 .*and 1\."):
        simulation.run(until=2.0)


@pytest.mark.parametrize("dt", [0.0, -1.0, math.nan, "fast"])
def test_steps_that_cannot_be_are_refused(dt: Any) -> None:
    assert_refused(lambda: carom.TimeStepped(dt=dt), f"dt={dt!r}", "positive")


def test_unknown_ways_are_refused() -> None:
    assert_refused(lambda: carom.TimeStepped(simultaneous="all"), "'all'", "sequence", "backtrack")


def test_particles_in_a_wall_are_refused() -> None:
    system = bounce(position=[[0.0, 0.4]], velocity=[[0.0, 0.0]], radius=0.5)
    assert_refused(lambda: stepped(system, 0.1), "particle 0", "overlaps the wall", "by 0.1")
