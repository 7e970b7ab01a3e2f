"""What a simulation says of itself, against identities that hold to round-off."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom

EPSILON = float(np.finfo(np.float64).eps)
ELASTIC = carom.ConstantRestitution(1.0)
LOSSY = carom.ConstantRestitution(0.9)


def walled_gas(
    law: Any = LOSSY, walls: float = 0.8, dimension: int = 2, **forces: Any
) -> carom.Simulation:
    """Forty equal particles in a box with walls, inside which a random packing has room."""
    particles, box = carom.packings.random(40, 0.2, dimension=dimension, seed=4)
    place = particles.position + 0.5
    lengths = tuple(np.array(box.lengths) + 1.0)
    domain = carom.Box(lengths, restitution=walls)
    mass = np.random.default_rng(4).uniform(0.5, 2.0, 40)
    moving = carom.Particles(place, particles.velocity, 0.5, mass)
    return carom.Simulation(
        carom.System(moving, domain, law=law, **forces), observers=[carom.CollisionLog()]
    )


def periodic_gas(law: Any = ELASTIC, drift: float = 0.0) -> carom.Simulation:
    particles, box = carom.packings.random(40, 0.3, dimension=2, temperature=2.0, seed=4)
    moving = carom.Particles(particles.position, particles.velocity + drift)
    return carom.Simulation(carom.System(moving, box, law=law), observers=[carom.CollisionLog()])


def log_of(simulation: carom.Simulation) -> Any:
    return simulation.observers[0]


@pytest.mark.parametrize("drift", [0.0, 3.0])
def test_temperature_of_a_gas_that_may_drift(drift: float) -> None:
    """d (n − 1) degrees of freedom, relative to the centre of mass."""
    simulation = periodic_gas(drift=drift)
    assert simulation.degrees_of_freedom == 2 * 39
    assert simulation.temperature == pytest.approx(2.0, rel=1e-13)
    assert simulation.momentum == pytest.approx([40.0 * drift] * 2, abs=1e-12)
    simulation.run(until=1.0)
    assert simulation.mean_temperature == pytest.approx(2.0, rel=1e-12)


def test_temperature_between_walls() -> None:
    """d n degrees of freedom: walls hold the total momentum, so that it is thermal too."""
    simulation = walled_gas()
    particles = simulation.particles
    assert simulation.degrees_of_freedom == 2 * 40
    twice_kinetic = (particles.mass[:, None] * particles.velocity**2).sum()
    assert simulation.temperature == pytest.approx(twice_kinetic / 80.0, rel=1e-14)
    assert simulation.kinetic_energy == pytest.approx(twice_kinetic / 2.0, rel=1e-14)


@pytest.mark.parametrize(
    "forces",
    [
        {"gravity": [0.3, -1.0]},
        {"acceleration": np.random.default_rng(1).normal(size=(40, 2))},
    ],
    ids=["gravity", "acceleration"],
)
@pytest.mark.parametrize("law", [ELASTIC, LOSSY], ids=["elastic", "lossy"])
def test_energy_is_kept_or_accounted_for(forces: Any, law: Any) -> None:
    """Energies are rounded at each event of a particle, of which there are some 400."""
    simulation = walled_gas(law, law.coefficient, **forces)
    energy = simulation.energy
    simulation.run(collisions=200)
    assert simulation.counts.wall_collisions > 20
    lost = energy - simulation.energy
    scale = simulation.kinetic_energy + abs(simulation.potential_energy)
    assert lost == pytest.approx(simulation.dissipated_energy, abs=400 * EPSILON * scale)
    assert (simulation.dissipated_energy > 0.0) == (law is LOSSY)


@pytest.mark.parametrize("dimension", [2, 3])
def test_virial_theorem_between_walls(dimension: int) -> None:
    """The change of Σ m x.v is what kinetic energy, pairs and walls have contributed.

    d/dt Σ m x.v = Σ m v² + Σ F.x; for pairs F.x is impulse · distance, and walls push particles
    whose centres are at r and L − r along their axes.
    """
    simulation = walled_gas(dimension=dimension)

    def sum_of_m_x_v() -> float:
        particles = simulation.particles
        return float((particles.mass[:, None] * particles.position * particles.velocity).sum())

    before = sum_of_m_x_v()
    simulation.run(collisions=400)
    system, duration = simulation.system, simulation.averaged_duration
    assert system.sides is not None
    inside = simulation.pressure * dimension * system.volume * duration
    lengths = np.repeat(system.sides, 2)
    impulses = simulation.wall_pressures * (system.volume / lengths) * duration
    centres = np.where(np.arange(2 * dimension) % 2 == 0, 0.5, -(lengths - 0.5))
    assert simulation.counts.wall_collisions > 50
    # Some 500 events are summed, each rounded at the size of the sums.
    size = inside + (impulses * np.abs(centres)).sum()
    assert sum_of_m_x_v() - before == pytest.approx(
        inside + (impulses * centres).sum(), abs=500 * EPSILON * size
    )


def test_pressure_and_compressibility_from_the_collisions() -> None:
    simulation = periodic_gas(drift=1.5)
    assert math.isnan(simulation.pressure)
    assert math.isnan(simulation.mean_temperature)
    assert simulation.mean_free_time == math.inf
    simulation.run(collisions=500)
    log, duration, volume = log_of(simulation), simulation.time, simulation.system.volume
    distances = np.linalg.norm(log["separation"], axis=1)
    pairs = (log["impulse"] * distances).sum() / duration
    thermal = simulation.degrees_of_freedom * 2.0
    assert simulation.pressure == pytest.approx((thermal + pairs) / (2.0 * volume), rel=1e-12)
    expected = simulation.pressure * volume / (40 * simulation.mean_temperature)
    assert simulation.compressibility == pytest.approx(expected, rel=1e-14)
    assert simulation.mean_free_time == pytest.approx(duration * 40 / (2 * 500), rel=1e-14)


def test_averages_can_begin_anew() -> None:
    """The averages of two parts of a run, weighted with their durations, are that of the whole."""
    whole, parts = walled_gas(), walled_gas()
    whole.run(until=3.0)
    parts.run(until=1.0)
    first = [parts.pressure, *parts.wall_pressures, parts.mean_temperature]
    parts.reset_averages()
    assert parts.averaged_duration == 0.0
    parts.run(until=3.0)
    second = [parts.pressure, *parts.wall_pressures, parts.mean_temperature]
    together = (np.array(first) + 2.0 * np.array(second)) / 3.0
    expected = [whole.pressure, *whole.wall_pressures, whole.mean_temperature]
    assert together == pytest.approx(expected, rel=1e-12)


def test_pressure_on_walls_of_one_particle() -> None:
    """To and fro over a length of 4 at speed 2: ten impulses of 4 on each wall in 40."""
    particles = carom.Particles([[2.5, 1.5]], [[2.0, 0.0]])
    simulation = carom.Simulation(carom.System(particles, carom.Box([5.0, 3.0]), law=ELASTIC))
    simulation.run(until=40.0)
    assert simulation.wall_pressures == pytest.approx([1.0 / 3.0, 1.0 / 3.0, 0.0, 0.0], rel=1e-13)
    assert simulation.wall_pressure == pytest.approx(1.0 / 6.0, rel=1e-13)
    assert simulation.counts.wall_collisions == 20
    assert math.isnan(periodic_gas().wall_pressure)


def test_unwrapped_positions_know_how_often_the_box_was_crossed() -> None:
    velocity, start = np.array([[1.7, -0.9]]), np.array([[1.0, 9.5]])
    domain = carom.Periodic([10.0, 11.0])
    simulation = carom.Simulation(
        carom.System(carom.Particles(start, velocity), domain, law=ELASTIC)
    )
    for time in (1.0, 50.0, 500.0):
        simulation.run(until=time)
        seen = simulation.particles
        # A coordinate below 11 is rounded at each of some 130 crossings.
        allowed = (1 + simulation.counts.transfers) * EPSILON * 11.0
        np.testing.assert_allclose(
            seen.unwrapped, start + time * velocity, rtol=2 * EPSILON, atol=allowed
        )
        boxes = np.floor(seen.unwrapped / [10.0, 11.0])
        np.testing.assert_allclose(
            seen.unwrapped - seen.position, boxes * [10.0, 11.0], rtol=4 * EPSILON
        )
        assert ((seen.position >= 0.0) & (seen.position < [10.0, 11.0])).all()


def test_positions_stay_inside_the_box_where_rounding_reaches_its_end() -> None:
    """Just below zero the position nearest to x + L is L itself, which is outside [0, L)."""
    particles = carom.Particles([[-1e-20, 5.0], [5.0, 5.0]])
    simulation = carom.Simulation(carom.System(particles, carom.Periodic(10.0), law=ELASTIC))
    assert (simulation.particles.position < 10.0).all()


def test_the_log_has_every_collision() -> None:
    simulation = walled_gas(ELASTIC, 1.0, gravity=[0.0, -0.5])
    radius = simulation.particles.radius
    simulation.run(collisions=300)
    log = log_of(simulation)
    pair = log["j"] >= 0
    assert pair.sum() == simulation.counts.collisions == 300
    assert (~pair).sum() == simulation.counts.wall_collisions
    assert len(log) == len(log["time"]) == 300 + simulation.counts.wall_collisions
    assert (np.diff(log["time"]) >= 0.0).all()
    assert log["time"][-1] == simulation.time
    assert (log["i"][pair] < log["j"][pair]).all()
    assert set(log["j"][~pair]) == {-1, -2, -3, -4}
    assert (log["impulse"] > 0.0).all()
    distance = np.linalg.norm(log["separation"], axis=1)
    sigma = radius[log["i"]] + np.where(pair, radius[log["j"]], 0.0)
    # Coordinates of up to 14 are rounded in the separation.
    assert np.abs(distance - sigma).max() < 8 * EPSILON * 14.0
    # Lower and upper walls of x and y push along +x, -x, +y, -y.
    outward = {-1: [1.0, 0.0], -2: [-1.0, 0.0], -3: [0.0, 1.0], -4: [0.0, -1.0]}
    for wall, normal in outward.items():
        towards = log["separation"][log["j"] == wall] @ normal
        assert towards == pytest.approx(np.full(len(towards), 0.5), rel=1e-13)


def test_impulses_of_the_log_are_what_changed_the_velocities() -> None:
    simulation = periodic_gas()
    for _ in range(20):
        before = simulation.particles
        simulation.run(collisions=1)
        after, log = simulation.particles, log_of(simulation)
        i, j = log["i"][-1], log["j"][-1]
        normal = log["separation"][-1] / np.linalg.norm(log["separation"][-1])
        change = after.mass[:, None] * (after.velocity - before.velocity)
        expected = np.zeros_like(change)
        expected[i] = log["impulse"][-1] * normal
        expected[j] = -log["impulse"][-1] * normal
        assert np.abs(change - expected).max() <= 16 * EPSILON * log["impulse"][-1] + 1e-15


def test_the_log_holds_more_than_one_buffer() -> None:
    particles, box = carom.packings.lattice(200, 0.4, dimension=2, seed=1)
    log = carom.CollisionLog()
    simulation = carom.Simulation(carom.System(particles, box, law=ELASTIC), observers=[log])
    simulation.run(collisions=150_000)
    assert len(log) == 150_000
    assert (np.diff(log["time"]) >= 0.0).all()
    log.clear()
    assert len(log) == len(log["time"]) == 0
    simulation.run(collisions=10)
    assert len(log) == 10


def test_counts_and_components_are_recorded_by_name(tmp_path: Path) -> None:
    names = ("collisions", "steps", "stress_xy", "kinetic_stress_yy", "collisional_stress_yx")
    simulation = periodic_gas()
    record = carom.Record(1.0, *names)
    table = carom.Table(tmp_path / "log.csv", 1.0, *names)
    simulation = carom.Simulation(simulation.system, observers=[record, table])
    simulation.run(until=2.0)
    assert record["collisions"][-1] == simulation.counts.collisions > 0
    assert record["steps"].tolist() == [0, 0, 0]
    assert np.isnan(record["stress_xy"][0])  # before time has passed
    stresses = (simulation.stress, simulation.kinetic_stress, simulation.collisional_stress)
    places = ((0, 1), (1, 1), (1, 0))
    for name, stress, place in zip(names[2:], stresses, places, strict=True):
        assert record[name][-1] == stress[place] != 0.0
    header, *rows = (tmp_path / "log.csv").read_text().split()
    assert header == "time," + ",".join(names) + ",seconds"
    kept = [float(value) for value in rows[-1].split(",")[1:-1]]
    assert kept == [record[name][-1] for name in names]


def test_nothing_is_counted_below_zero_before_the_next_event() -> None:
    simulation = periodic_gas()
    simulation.set_velocities(2.0 * simulation.particles.velocity)
    assert min(simulation.counts) == 0
    simulation.run(collisions=10)
    before = simulation.counts.checks
    simulation.set_velocities(2.0 * simulation.particles.velocity)
    assert simulation.counts.checks == before
