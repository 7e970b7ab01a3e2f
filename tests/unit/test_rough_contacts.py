"""Two rough particles, or one and a wall: the slip of the surfaces is reversed as the law says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import carom

ALGORITHMS = ["cells", "heap", "simple"]


def spun(angular: Any, dimension: int) -> np.ndarray:
    """Angular velocities as vectors."""
    angular = np.asarray(angular)
    if dimension == 3:
        return angular
    return np.column_stack([np.zeros((len(angular), 2)), angular])


def padded(rows: np.ndarray) -> np.ndarray:
    return np.column_stack([rows, np.zeros(len(rows))]) if rows.shape[1] == 2 else rows


def slip(particles: carom.Particles) -> tuple[np.ndarray, float]:
    """The relative velocity of the surfaces of two particles, tangential, and along the normal."""
    x, v = padded(particles.position), padded(particles.velocity)
    omega = spun(particles.angular_velocity, particles.dimension)
    normal = (x[0] - x[1]) / np.linalg.norm(x[0] - x[1])
    turning = particles.radius[0] * omega[0] + particles.radius[1] * omega[1]
    surface = v[0] - v[1] - np.cross(turning, normal)
    return surface - (surface @ normal) * normal, float(surface @ normal)


def oblique_pair(dimension: int, spin: bool = True) -> carom.Particles:
    """Two unequal particles just before an oblique contact."""
    rng = np.random.default_rng(7)
    position = np.zeros((2, dimension))
    position[1] = [0.9, 0.55, 0.3][:dimension]
    gap = np.linalg.norm(position[1])
    velocity = rng.normal(size=(2, dimension)) * 0.2
    velocity[0] += position[1]
    angular = rng.normal(size=2 if dimension == 2 else (2, 3))
    radius = np.array([0.45, 0.54]) * gap
    return carom.Particles(
        position, velocity, radius, [1.0, 2.5], angular_velocity=angular if spin else None
    )


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize(("normal", "tangential"), [(1.0, 1.0), (0.8, 0.3), (0.5, -1.0)])
def test_two_particles(algorithm: str, dimension: int, normal: float, tangential: float) -> None:
    law = carom.RoughRestitution(normal, tangential)
    system = carom.System(oblique_pair(dimension), law=law)
    simulation = carom.Simulation(system, method=carom.EventDriven(algorithm))
    before = simulation.particles
    energy, spin_of_all = simulation.energy, before.angular_momentum
    simulation.run(collisions=1)
    after = simulation.particles
    # The slip just before: velocities as at the start, places as at the contact.
    met = carom.Particles(
        after.position,
        before.velocity,
        before.radius,
        before.mass,
        angular_velocity=before.angular_velocity,
    )
    np.testing.assert_allclose(slip(after)[0], -tangential * slip(met)[0], atol=1e-13)
    assert slip(after)[1] == pytest.approx(-normal * slip(met)[1], abs=1e-13)
    np.testing.assert_allclose(after.momentum, before.momentum, atol=1e-14)
    np.testing.assert_allclose(after.angular_momentum, spin_of_all, atol=1e-13)
    lost = energy - simulation.energy
    assert lost == pytest.approx(simulation.dissipated_energy, abs=1e-13)
    assert lost > 1e-3 if abs(normal) + abs(tangential) < 2.0 else lost == pytest.approx(0.0)


def test_the_slip_was_not_zero_before() -> None:
    assert np.linalg.norm(slip(oblique_pair(3))[0]) > 0.1


def test_a_perfectly_rough_ball_comes_back_from_a_wall() -> None:
    """Thrown at a floor without spin, with speed u along it: the slip u becomes −u.

    With I = 2/5 m r² the impulse is 2/(1 + 5/2) m u, so 3/7 of u are left and r ω is 10/7 u.
    """
    ball = carom.Particles([[0.0, 0.0, 1.0]], [[0.7, 0.0, -1.0]], radius=0.5)
    floor = carom.Plane([0.0, 0.0, 0.0], [0.0, 0.0, 1.0], restitution=None)
    system = carom.System(ball, law=carom.RoughRestitution(1.0, 1.0), walls=[floor])
    simulation = carom.Simulation(system)
    energy = simulation.energy
    simulation.run(until=2.0)
    after = simulation.particles
    np.testing.assert_allclose(after.velocity[0], [0.3, 0.0, 1.0], atol=1e-14)
    np.testing.assert_allclose(after.angular_velocity[0], [0.0, 2.0, 0.0], atol=1e-14)
    assert simulation.energy == pytest.approx(energy, rel=1e-14)


def test_a_wall_of_its_own_restitution_is_as_rough() -> None:
    floor = carom.Plane([0.0, 0.0], [0.0, 1.0], restitution=0.5)
    disk = carom.Particles([[0.0, 1.0]], [[0.6, -1.0]], radius=0.5, angular_velocity=[0.0])
    system = carom.System(disk, law=carom.RoughRestitution(0.9, 0.0), walls=[floor])
    simulation = carom.Simulation(system)
    simulation.run(until=1.0)
    after = simulation.particles
    # All slip is gone: the disk rolls, v = −r ω, with two thirds of its speed.
    np.testing.assert_allclose(after.velocity[0], [0.4, 0.5], atol=1e-14)
    assert after.angular_velocity[0] == pytest.approx(-0.8, abs=1e-14)


def test_smooth_contacts_leave_spins_alone() -> None:
    pair = oblique_pair(3)
    rough = carom.Simulation(carom.System(pair, law=carom.RoughRestitution(0.8, -1.0)))
    smooth = carom.Simulation(
        carom.System(oblique_pair(3, spin=False), law=carom.ConstantRestitution(0.8))
    )
    for simulation in (rough, smooth):
        simulation.run(collisions=1)
    np.testing.assert_array_equal(rough.particles.velocity, smooth.particles.velocity)
    np.testing.assert_array_equal(rough.particles.angular_velocity, pair.angular_velocity)
    assert smooth.particles.angular_velocity is None


def test_bad_input() -> None:
    with pytest.raises(ValueError, match=r"tangential lies between -1 .* not 1.5"):
        carom.System(oblique_pair(3), law=carom.RoughRestitution(1.0, 1.5))
    with pytest.raises(ValueError, match=r"restitution lies between 0 and 1, not -0.1"):
        carom.System(oblique_pair(3), law=carom.RoughRestitution(-0.1, 0.0))
    with pytest.raises(ValueError, match=r"angular velocities, but nothing changes them"):
        carom.System(oblique_pair(3))
    with pytest.raises(ValueError, match=r"angular_velocity must have shape \(2,\), not \(2, 3\)"):
        carom.Particles(np.zeros((2, 2)), angular_velocity=np.zeros((2, 3)))
    with pytest.raises(ValueError, match=r"angular_velocity of particle 1 is not finite"):
        carom.Particles(np.zeros((2, 2)), angular_velocity=[0.0, np.nan])
    floor = carom.Plane([0.0, 0.0, -5.0], [0.0, 0.0, 1.0])
    falling = carom.System(
        oblique_pair(3), law=carom.RoughRestitution(0.9, 0.0), gravity=[0, 0, -1], walls=[floor]
    )
    with pytest.raises(ValueError, match="does not hold particles that spin"):
        carom.Simulation(falling, method=carom.EventDriven(resting=True))
