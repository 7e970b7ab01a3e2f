"""Gases of rough particles: equipartition, and the ratio of temperatures when they cool."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import carom

N = 2000


def gas(dimension: int, law: carom.RoughRestitution, seed: int) -> carom.System:
    particles, box = carom.packings.random(N, 0.05, dimension=dimension, temperature=1.0, seed=seed)
    return carom.System(particles, box, law=law)


@pytest.mark.parametrize(("dimension", "tangential"), [(2, 1.0), (3, 1.0)])
def test_perfectly_rough_particles_share_their_energy(dimension: int, tangential: float) -> None:
    """Spins start at rest; in equilibrium each has as much energy per axis as each direction.

    The ratio fluctuates by about √(2/n (1/d + 1/axes)) in a snapshot; snapshots twenty collisions
    per particle apart are independent.
    """
    simulation = carom.Simulation(gas(dimension, carom.RoughRestitution(1.0, tangential), 5))
    energy = simulation.energy
    assert simulation.rotational_energy == 0.0
    simulation.run(collisions=40 * N)
    ratios = []
    for _ in range(20):
        simulation.run(collisions=10 * N)
        ratios.append(simulation.rotational_temperature / simulation.temperature)
    axes = 1 if dimension == 2 else 3
    error = np.sqrt(2.0 / N * (1.0 / dimension + 1.0 / axes) / len(ratios))
    print(f"{dimension}D: ratio of temperatures {np.mean(ratios):.4f} ± {error:.4f}")
    assert np.mean(ratios) == pytest.approx(1.0, abs=4.0 * error)
    assert simulation.energy == pytest.approx(energy, rel=1e-12)
    np.testing.assert_allclose(simulation.momentum, 0.0, atol=1e-9)


def ratio_by_monte_carlo(normal: float, tangential: float, q: float, collisions: int) -> float:
    """Rotational over translational temperature of rough spheres without correlations.

    Bird's method for the homogeneous Boltzmann equation: random pairs meet in random directions, as
    often as their speed of approach demands. Spheres of mass 1, radius 1 and inertia q.
    """
    n, rng = 20_000, np.random.default_rng(1)
    v, w = rng.normal(size=(n, 3)), np.zeros((n, 3))
    v -= v.mean(axis=0)  # the motion of all together would not cool
    done, ratios = 0, []
    while done < collisions * n:
        i, j = rng.permutation(n).reshape(2, -1)
        k = rng.normal(size=(len(i), 3))
        k /= np.linalg.norm(k, axis=1)[:, None]
        approach = -((v[i] - v[j]) * k).sum(axis=1)
        meets = rng.uniform(0.0, approach.max(), len(i)) < approach
        i, j, k, approach = i[meets], j[meets], k[meets], approach[meets]
        surface = v[i] - v[j] - np.cross(w[i] + w[j], k)
        slip = surface - (surface * k).sum(axis=1)[:, None] * k
        push = 0.5 * (1.0 + normal) * approach[:, None] * k
        push -= (1.0 + tangential) * q / (2.0 * (1.0 + q)) * slip
        v[i] += push
        v[j] -= push
        turn = np.cross(k, push) / q
        w[i] -= turn
        w[j] -= turn
        done += len(i)
        if done > 0.6 * collisions * n:
            ratios.append(q * (w**2).sum() / (v**2).sum())
    return float(np.mean(ratios))


@pytest.mark.parametrize(("normal", "tangential"), [(0.9, 0.5), (0.9, -0.5)])
def test_cooling_spheres_keep_a_ratio_of_temperatures(normal: float, tangential: float) -> None:
    """As in a gas without correlations, which this dilute one nearly is.

    A snapshot of n spheres has a relative error of √(4/(3 n)), here 2.6 %; those of four gases, and
    a few of each that are independent, bring it below 0.7 %. Four times this are allowed.
    """
    expected = ratio_by_monte_carlo(normal, tangential, 0.4, 60)
    ratios = []
    for seed in range(4):
        simulation = carom.Simulation(gas(3, carom.RoughRestitution(normal, tangential), seed))
        simulation.run(collisions=36 * N)
        for _ in range(12):
            simulation.run(collisions=2 * N)
            ratios.append(simulation.rotational_temperature / simulation.temperature)
    print(f"ε = {normal}, β = {tangential}: {np.mean(ratios):.4f}, by Monte Carlo {expected:.4f}")
    assert np.mean(ratios) == pytest.approx(expected, rel=0.028)


def test_save_and_load_go_on_bit_for_bit(tmp_path: Path) -> None:
    simulation = carom.Simulation(gas(3, carom.RoughRestitution(0.9, 0.5), 3))
    simulation.run(collisions=150 * N)  # past a new origin, at which particles are renumbered
    simulation.save(tmp_path / "rough.carom")
    restored = carom.load(tmp_path / "rough.carom")
    for each in (simulation, restored):
        each.run(collisions=5 * N)
    np.testing.assert_array_equal(
        restored.particles.angular_velocity, simulation.particles.angular_velocity
    )
    np.testing.assert_array_equal(restored.particles.position, simulation.particles.position)


def test_spins_follow_their_particles_when_these_are_renumbered() -> None:
    """The same first collisions, and the same spins after them, as with the simple algorithm."""
    rng = np.random.default_rng(2)
    particles, box = carom.packings.random(60, 0.1, temperature=1.0, seed=8)
    particles = carom.Particles(
        particles.position, particles.velocity, 0.5, angular_velocity=rng.normal(size=(60, 3))
    )
    system = carom.System(particles, box, law=carom.RoughRestitution(0.9, 0.4))
    found = []
    for algorithm in ("cells", "simple"):
        simulation = carom.Simulation(system, method=carom.EventDriven(algorithm))
        simulation.run(collisions=30)
        found.append(simulation.particles.angular_velocity)
    np.testing.assert_allclose(found[0], found[1], atol=1e-10)
    assert np.abs(found[0] - particles.angular_velocity).max() > 0.1
