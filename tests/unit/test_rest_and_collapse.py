"""Coming to rest on planes, and collisions that pile up at one moment."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from mpmath import mp, mpf

import carom

EPSILON = float(np.finfo(np.float64).eps)
LAW = carom.ConstantRestitution(0.9)
RESTING = carom.EventDriven(resting=True)


def floor(height: float = 0.0) -> carom.Plane:
    return carom.Plane([0.0, height], [0.0, 1.0], restitution=0.5)


def under_gravity(
    position: Any,
    velocity: Any = None,
    walls: Any = None,
    gravity: Any = (0.0, -1.0),
    method: carom.EventDriven = RESTING,
    law: Any = LAW,
) -> tuple[carom.Simulation, carom.CollisionLog]:
    """Particles of radius 1/2 over planes that keep half the speed."""
    walls = [floor()] if walls is None else walls
    system = carom.System(
        carom.Particles(position, velocity), law=law, gravity=gravity, walls=walls
    )
    log = carom.CollisionLog()
    return carom.Simulation(system, method=method, observers=[log]), log


@pytest.mark.parametrize("plate", [0.0, 0.1, 1.0 / 3.0, 0.7071067811865476, 1.0])
class TestBallOnPlate:
    """Section 5 of Bannerman et al.: from a gap of 1/2, at rest after (1 + ε) / (1 − ε) = 3."""

    def test_collapses_at_the_time_of_rest(self, plate: float) -> None:
        simulation, _ = under_gravity(
            [[0.0, plate + 1.0]], walls=[floor(plate)], method=carom.EventDriven()
        )
        with pytest.raises(carom.InelasticCollapse) as caught:
            simulation.run(until=10.0)
        error = caught.value
        assert error.particles == (0,)
        assert error.time == pytest.approx(3.0, abs=1e-7)
        for part in ("particle 0", "wall", "ContactDuration", "resting=True", f"{error.time:.12g}"):
            assert part in str(error)

    def test_simulation_stays_usable_after_a_collapse(self, plate: float) -> None:
        simulation, log = under_gravity(
            [[0.0, plate + 1.0]], walls=[floor(plate)], method=carom.EventDriven()
        )
        with pytest.raises(carom.InelasticCollapse) as caught:
            simulation.run(until=10.0)
        assert simulation.time == caught.value.time
        assert len(log) == simulation.counts.wall_collisions
        assert simulation.particles.position[0, 1] == pytest.approx(plate + 0.5, abs=1e-13)
        with pytest.raises(carom.InelasticCollapse):
            simulation.run(until=10.0)

    def test_is_held_at_the_height_of_its_radius_for_ever(self, plate: float) -> None:
        simulation, log = under_gravity([[0.0, plate + 1.0]], walls=[floor(plate)])
        simulation.run(until=3.1)
        assert simulation.counts.resting == simulation.counts.came_to_rest == 1
        assert log["time"][-1] == pytest.approx(3.0, abs=1e-7)
        height = simulation.particles.position[0, 1]
        assert abs(height - (plate + 0.5)) <= 4 * EPSILON
        bounces = len(log)
        simulation.run(until=1e6)
        assert simulation.particles.position[0, 1] == height
        assert (simulation.particles.velocity == 0.0).all()
        assert len(log) == bounces


@pytest.mark.parametrize("offset", [0.0, 0.3, -0.8])
def test_a_falling_particle_meets_a_resting_one_at_the_exact_time(offset: float) -> None:
    """Their relative acceleration is that of gravity: 3.5 − t²/2 = sqrt(1 − offset²)."""
    simulation, log = under_gravity([[0.0, 0.5], [offset, 4.0]])
    simulation.run(collisions=1)
    expected = math.sqrt(2.0 * (3.5 - math.sqrt(1.0 - offset**2)))
    # Coordinates below 4 are rounded some ten times; the approach is faster than 1.
    assert log["time"][-1] == pytest.approx(expected, abs=10 * EPSILON * 4.0)
    assert simulation.counts.resting == 0
    # The impact pushes the resting particle along the line of centres, into the floor.
    assert simulation.particles.velocity[0] @ [offset, 1.0] < 0.0


def test_particles_that_were_hit_come_to_rest_again() -> None:
    simulation, _ = under_gravity([[0.0, 0.5], [0.6, 4.0]])
    simulation.run(collisions=1)
    assert simulation.counts.resting == 0
    simulation.run(until=60.0)
    assert simulation.counts.resting == 2
    assert np.abs(simulation.particles.position[:, 1] - 0.5).max() <= 4 * EPSILON


def test_a_resting_particle_is_not_disturbed_by_one_that_passes() -> None:
    simulation, log = under_gravity([[0.0, 0.5], [1.25, 4.0]])
    simulation.run(until=2.0)
    assert simulation.counts.resting == 1
    assert set(log["j"]) == {-1}
    assert (simulation.particles.position[0] == [0.0, 0.5]).all()


def test_held_particles_slide_and_hit_each_other() -> None:
    """At speed 1 over the floor, from 5 to the contact with the one at rest at 0: time 4."""
    simulation, _ = under_gravity(
        [[0.0, 0.5], [5.0, 0.5]], [[0.0, 0.0], [-1.0, 0.0]], law=carom.ConstantRestitution(1.0)
    )
    simulation.run(until=3.9)
    assert simulation.counts.resting == 2
    simulation.run(collisions=1)
    assert simulation.time == pytest.approx(4.0, abs=10 * EPSILON * 5.0)
    simulation.run(until=6.0)
    velocity = simulation.particles.velocity
    # Heights that differ by rounding tilt the line of centres by as much.
    assert np.abs(velocity - [[-1.0, 0.0], [0.0, 0.0]]).max() <= 16 * EPSILON
    assert simulation.counts.resting == 2


@pytest.mark.parametrize("angle", [0.1, 0.6, 1.3])
@pytest.mark.parametrize("gap", [0.0, 0.2])
def test_slides_down_an_incline_as_if_without_friction(angle: float, gap: float) -> None:
    """Along a smooth incline nothing but gravity acts: s = g sin(angle) t² / 2, held or not."""
    normal = np.array([math.sin(angle), math.cos(angle)])
    downhill = np.array([math.cos(angle), -math.sin(angle)])
    start = (0.5 + gap) * normal
    simulation, _ = under_gravity([start], walls=[carom.Plane([0.0, 0.0], normal, 0.5)])
    simulation.run(until=20.0)
    assert simulation.counts.resting == 1
    moved = simulation.particles.position[0] - start
    travelled = 0.5 * math.sin(angle) * 20.0**2
    # Each of the some forty bounces rounds the coordinates.
    assert moved @ downhill == pytest.approx(travelled, abs=40 * EPSILON * travelled)
    height = simulation.particles.position[0] @ normal
    assert height == pytest.approx(0.5, abs=40 * EPSILON * travelled)


def test_comes_to_rest_at_the_bottom_of_a_groove() -> None:
    """Two planes at 45°: the centre is sqrt(2) radii above their line, for ever."""
    planes = [carom.Plane([0.0, 0.0], [side, 1.0], 0.5) for side in (1.0, -1.0)]
    simulation, _ = under_gravity([[0.3, 2.0]], [[0.2, 0.0]], walls=planes)
    for time in (100.0, 1e4):
        simulation.run(until=time)
        assert simulation.counts.resting == 1
        expected = [0.0, math.sqrt(0.5)]
        assert np.abs(simulation.particles.position[0] - expected).max() < 1e-12


def test_comes_to_rest_in_the_corner_of_a_box() -> None:
    planes = [carom.Plane(np.zeros(3), axis, 0.5) for axis in np.eye(3)]
    simulation, _ = under_gravity(
        [[1.0, 1.5, 2.0]], [[0.3, -0.2, 0.1]], planes, gravity=[-1.0, -0.7, -0.4]
    )
    simulation.run(until=1e4)
    assert simulation.counts.resting == 1
    assert np.abs(simulation.particles.position[0] - 0.5).max() <= 4 * EPSILON
    assert (simulation.particles.velocity == 0.0).all()


def test_slides_along_an_edge_that_two_planes_make() -> None:
    planes = [carom.Plane(np.zeros(3), axis, 0.5) for axis in np.eye(3)[:2]]
    simulation, _ = under_gravity(
        [[1.0, 1.5, 2.0]], [[0.3, -0.2, 0.25]], planes, gravity=[-1.0, -0.7, 0.0]
    )
    simulation.run(until=64.0)
    assert simulation.counts.resting == 1
    assert np.abs(simulation.particles.position[0, :2] - 0.5).max() <= 4 * EPSILON
    assert simulation.particles.position[0, 2] == pytest.approx(18.0, abs=100 * EPSILON * 18.0)
    assert simulation.particles.velocity[0, 2] == 0.25


def test_one_particle_that_comes_to_rest_on_another_is_a_collapse() -> None:
    """Only planes hold; a column of two collides for ever at one moment and must not hang."""
    simulation, _ = under_gravity([[0.0, 0.5], [0.0, 3.0]], law=carom.ConstantRestitution(0.5))
    with pytest.raises(carom.InelasticCollapse, match=r"ContactDuration.*SoftContacts"):
        simulation.run(collisions=20_000)


def exact_collapse(restitution: float, middle_mass: float) -> float:
    """When the ``three_in_a_row`` collapse, from 300 collisions in 200 digits."""
    with mp.workdps(200):
        x, v, m = ([mpf(a) for a in values] for values in (PLACES, SPEEDS, (1, middle_mass, 1)))
        time = mpf(0)
        for _ in range(300):
            closing = [(x[k + 1] - x[k] - 1, v[k] - v[k + 1], k) for k in (0, 1)]
            step, speed, k = min((gap / u, u, k) for gap, u, k in closing if u > 0)
            time += step
            x = [a + step * b for a, b in zip(x, v, strict=True)]
            push = (1 + mpf(restitution)) * speed * m[k] * m[k + 1] / (m[k] + m[k + 1])
            v[k] -= push / m[k]
            v[k + 1] += push / m[k + 1]
        return float(time)


# Rounding leaves gaps of ε, which three that collapse close at relative speeds of 1e-8 or so.
COLLAPSE_TOLERANCE = 1e-7
PLACES, SPEEDS = (0.0, 1.5, 3.3), (1.0, 0.0, -1.0)


def three_in_a_row(law: Any, middle_mass: float = 1.0, drift: float = 0.0) -> carom.Simulation:
    particles = carom.Particles(
        [[x, 0.0] for x in PLACES],
        [[v + drift, 0.0] for v in SPEEDS],
        mass=[1.0, middle_mass, 1.0],
    )
    return carom.Simulation(carom.System(particles, law=law))


@pytest.mark.parametrize("restitution", [0.0, 0.01, 0.03, 0.1])
def test_three_on_a_line_collapse(restitution: float) -> None:
    """A light one between two heavy ones collides so often that the engine gives up."""
    time = exact_collapse(restitution, 0.1)
    with pytest.raises(carom.InelasticCollapse) as caught:
        three_in_a_row(carom.ConstantRestitution(restitution), 0.1).run(until=10.0)
    assert caught.value.time == pytest.approx(time, abs=COLLAPSE_TOLERANCE)
    assert 1 in caught.value.particles


@pytest.mark.parametrize("restitution", [0.02, 0.05])
@pytest.mark.parametrize("drift", [0.0, 0.3])
def test_three_whose_relative_speeds_vanish_in_a_collapse_go_on_together(
    restitution: float, drift: float
) -> None:
    """Equal particles collapse below 7 − 4 sqrt(3) = 0.0718 (McNamara & Young 1992).

    Their relative speeds fall so quickly that rounding ends the collapse before the collisions
    count as endless: either the velocities no longer resolve the speeds, or a gap of one unit in
    the last place takes ever longer to close. They then go on as one, the state in which the
    exact collapse leaves them.
    """
    time = exact_collapse(restitution, 1.0)
    simulation = three_in_a_row(carom.ConstantRestitution(restitution), drift=drift)
    simulation.run(until=time - COLLAPSE_TOLERANCE)
    assert np.ptp(simulation.particles.velocity[:, 0]) > 0.0
    simulation.run(until=time + COLLAPSE_TOLERANCE)
    after_collapse = simulation.counts.collisions
    assert after_collapse > 20
    simulation.run(until=2.0)
    # At intervals that grow by a factor, from 1e-9 to 1, a handful for each decade at most.
    assert simulation.counts.collisions < after_collapse + 50
    assert np.abs(simulation.particles.velocity[:, 0] - drift).max() <= 4 * EPSILON
    assert np.abs(np.diff(simulation.particles.position[:, 0]) - 1.0).max() <= 16 * EPSILON


def test_new_velocities_after_a_collapse_are_not_taken_for_a_collapse() -> None:
    simulation = three_in_a_row(carom.ConstantRestitution(0.1), 0.1)
    with pytest.raises(carom.InelasticCollapse):
        simulation.run(until=10.0)
    before = simulation.counts.collisions
    simulation.set_velocities([[1.0, 0.0], [0.0, 0.0], [100.0, 0.0]])
    simulation.run(duration=1.0)
    assert simulation.counts.collisions == before + 1


def test_three_on_a_line_do_not_collapse_above_the_critical_restitution() -> None:
    simulation = three_in_a_row(carom.ConstantRestitution(0.1))
    simulation.run(until=100.0)
    velocity = simulation.particles.velocity[:, 0]
    assert velocity[0] < velocity[1] < velocity[2]


def test_three_on_a_line_go_on_with_a_contact_duration() -> None:
    law = carom.ContactDuration(carom.ConstantRestitution(0.01), 1e-3)
    simulation = three_in_a_row(law)
    simulation.run(until=100.0)
    assert simulation.time == 100.0
    velocity = simulation.particles.velocity[:, 0]
    assert velocity[0] < velocity[1] < velocity[2]


def dense(law: Any) -> carom.Simulation:
    particles, box = carom.packings.lattice(400, 0.7, dimension=2, seed=3, crystal=True)
    return carom.Simulation(carom.System(particles, box, law=law))


def test_a_dense_dissipative_system_collapses_and_says_so() -> None:
    simulation = dense(carom.ConstantRestitution(0.3))
    with pytest.raises(carom.InelasticCollapse) as caught:
        simulation.run(collisions=200_000)  # 1000 per particle; a hang would not end
    i, j = caught.value.particles
    for part in (f"particle {i}", f"particle {j}", "ContactDuration", "Viscoelastic"):
        assert part in str(caught.value)
    assert "resting" not in str(caught.value)
    assert simulation.time == caught.value.time
    apart = simulation.particles.position[i] - simulation.particles.position[j]
    lengths = np.array(simulation.system.sides)
    apart -= np.round(apart / lengths) * lengths
    assert np.linalg.norm(apart) == pytest.approx(1.0, abs=1e-6)


def test_a_dense_dissipative_system_goes_on_with_a_contact_duration() -> None:
    simulation = dense(carom.ContactDuration(carom.ConstantRestitution(0.3), 1e-4))
    with pytest.raises(carom.InelasticCollapse) as caught:
        dense(carom.ConstantRestitution(0.3)).run(collisions=200_000)
    energy = [simulation.energy]
    for _ in itertools.repeat(None, 5):
        simulation.run(collisions=40_000)
        energy.append(simulation.energy)
    assert simulation.counts.collisions == 200_000
    assert simulation.time > 100.0 * caught.value.time
    assert (np.diff(energy) < 0.0).all()
    assert energy[-1] > 0.0
