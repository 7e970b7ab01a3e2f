"""Actors act at their times, do what they say, and leave runs reproducible."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import assert_refused

import carom

EPSILON = float(np.finfo(np.float64).eps)
ROUNDING = 100 * EPSILON  # of a sum over as many particles
HEATING = carom.RandomKicks(strength=0.3, every=0.1)
BATH = carom.AndersenThermostat(temperature=1.5, every=0.07, rate=2.0)
SCALING = carom.RescalingThermostat(temperature=2.0, every=0.25)


@dataclass(frozen=True)
class Brake(carom.Actor):
    """An actor of a user's own, which takes note of its acts."""

    every: float
    factor: float
    acts: list[float] = field(default_factory=list)

    def velocities(self, particles: carom.Particles, random: np.random.Generator) -> Any:
        self.acts.append(particles.kinetic_energy)
        return self.factor * particles.velocity


def disks(restitution: float = 0.9) -> carom.System:
    """Disks of two masses."""
    mass = np.where(np.arange(100) < 30, 3.0, 1.0)
    particles, box = carom.packings.lattice(100, 0.3, dimension=2, mass=1.0, seed=3)
    particles = carom.Particles(particles.position, particles.velocity, 0.5, mass)
    return carom.System(particles, box, law=carom.ConstantRestitution(restitution))


def simulation_with(*actors: carom.Actor, observers: Any = (), seed: int = 8) -> carom.Simulation:
    return carom.Simulation(disks(), actors=actors, observers=observers, seed=seed)


def state(simulation: carom.Simulation) -> tuple[Any, ...]:
    """Every bit that the rest of a run depends on."""
    particles = simulation.particles
    return (
        particles.position.tobytes(),
        particles.velocity.tobytes(),
        simulation.time,
        simulation.work_done,
        simulation.dissipated_energy,
        simulation.counts.collisions,
        str(simulation.random.bit_generator.state),
    )


def resting_balls() -> carom.Simulation:
    floor = carom.Plane([0.0, 0.0], [0.0, 1.0], restitution=0.5)
    balls = carom.Particles([[0.0, 1.0]])
    system = carom.System(balls, gravity=[0.0, -1.0], walls=[floor])
    method = carom.EventDriven(resting=True)
    return carom.Simulation(system, method=method, actors=[SCALING])


@pytest.mark.parametrize(
    ("make", "parts"),
    [
        (lambda: carom.RescalingThermostat(1.0, every=0.0), ["every", "positive time", "0.0"]),
        (lambda: carom.RescalingThermostat(1.0, every=math.inf), ["every", "inf"]),
        (lambda: carom.RescalingThermostat(-1.0, 0.1), ["RescalingThermostat: temperature", "-1"]),
        (lambda: carom.AndersenThermostat(math.nan, 0.1, 1.0), ["temperature", "nan"]),
        (lambda: carom.AndersenThermostat(1.0, 0.1, rate=0.0), ["AndersenThermostat: rate", "0.0"]),
        (lambda: carom.RandomKicks(strength=math.inf, every=0.1), ["RandomKicks: strength", "inf"]),
        (resting_balls, ["actors", r"resting=True", "leave out"]),
    ],
)
def test_what_cannot_work_is_refused(make: Callable[[], Any], parts: list[str]) -> None:
    assert_refused(make, *parts)


def test_what_is_not_an_actor_is_refused() -> None:
    record = carom.Record(1.0)
    assert_refused(lambda: simulation_with(record), "actors", "Record", error=TypeError)  # type: ignore[arg-type]


def test_the_first_act_is_one_interval_after_the_start() -> None:
    brake = Brake(0.1, 1.0)
    simulation = simulation_with(brake)
    # 3 × 0.1 is more than 0.3 in floating point.
    for acts, end in enumerate((0.0, 0.1, 0.2, 0.3)):
        simulation.run(until=end)
        assert len(brake.acts) == acts


def test_observers_look_after_the_actors() -> None:
    record = carom.Record(0.5, "temperature")
    scaling = carom.RescalingThermostat(temperature=2.0, every=1.0)
    simulation_with(scaling, observers=[record]).run(until=2.0)
    start, before, at, after, at_again = record["temperature"]
    assert start > before  # collisions cool it, nobody has acted yet
    assert at == pytest.approx(2.0, rel=ROUNDING)
    assert after < 2.0 - 1e-3
    assert at_again == pytest.approx(2.0, rel=ROUNDING)


def test_actors_act_in_the_order_given() -> None:
    scaling = carom.RescalingThermostat(temperature=2.0, every=0.1)
    last, first = simulation_with(HEATING, scaling), simulation_with(scaling, HEATING)
    for simulation in (last, first):
        simulation.run(until=0.1)
    assert last.temperature == pytest.approx(2.0, rel=ROUNDING)
    assert abs(first.temperature - 2.0) > 1e-3


def test_the_energy_is_accounted_for() -> None:
    simulation = simulation_with(HEATING, BATH, SCALING)
    start = simulation.kinetic_energy
    simulation.run(until=5.0)
    counts, acts = simulation.counts, 50 + 71 + 20
    assert simulation.dissipated_energy > 10.0
    gained = simulation.kinetic_energy - start
    turnover = abs(simulation.work_done) + simulation.dissipated_energy + start
    # Each collision and each act rounds the two sums and, of the velocities, the energy itself.
    roundings = 4 * (counts.collisions + acts * len(simulation.particles))
    expected = simulation.work_done - simulation.dissipated_energy
    assert gained == pytest.approx(expected, abs=roundings * EPSILON * turnover)


def test_the_total_momentum_stays_unless_a_bath_changes_it() -> None:
    moving = disks()
    particles = carom.Particles(
        moving.particles.position,
        np.add(moving.particles.velocity, [0.7, -0.2]),
        0.5,
        moving.particles.mass,
    )
    system = carom.System(particles, moving.domain, law=moving.law)
    simulation = carom.Simulation(system, actors=[HEATING, SCALING], seed=1)
    before = simulation.momentum
    simulation.run(until=1.0)
    mass = particles.mass.sum()
    # At each of 14 acts every velocity, none above 8, is rounded.
    assert np.abs(simulation.momentum - before).max() < 14 * 8.0 * EPSILON * mass
    assert simulation.degrees_of_freedom == 2 * 99
    assert simulation.temperature == pytest.approx(2.0, rel=ROUNDING)

    bath = carom.Simulation(system, actors=[BATH], seed=1)
    bath.run(until=1.0)
    assert np.abs(bath.momentum - before).max() > 1.0
    assert bath.degrees_of_freedom == 2 * 100


def test_what_the_bath_and_the_kicks_draw() -> None:
    n, random = 20_000, np.random.default_rng(11)
    mass = np.where(np.arange(n) < n // 2, 1.0, 4.0)
    particles = carom.Particles(np.zeros((n, 3)), np.full((n, 3), 9.0), mass=mass)
    after = BATH.velocities(particles, random)
    met = (after != particles.velocity).any(axis=1)
    chance = 1.0 - math.exp(-2.0 * 0.07)
    # Five standard errors, as below.
    assert abs(met.mean() - chance) < 5.0 * math.sqrt(chance * (1.0 - chance) / n)
    for kind in (1.0, 4.0):
        drawn = after[met & (mass == kind)]
        error = 5.0 * math.sqrt(2.0 / drawn.size)
        assert kind * (drawn**2).mean() == pytest.approx(1.5, rel=error)
    kicks = HEATING.velocities(particles, random) - 9.0
    assert np.abs((mass[:, None] * kicks).sum(axis=0)).max() < n * 4.0 * 9.0 * EPSILON
    assert (kicks**2).mean() == pytest.approx(0.3 * 0.1, rel=5.0 * math.sqrt(2.0 / kicks.size))


def test_the_seed_alone_decides() -> None:
    runs = [simulation_with(HEATING, BATH, seed=seed) for seed in (1, 1, 2)]
    for simulation in runs:
        simulation.run(until=1.0)
    first, again, other = map(state, runs)
    assert first == again
    assert first != other


def test_nothing_that_looks_changes_a_run(tmp_path: Path) -> None:
    actors = (HEATING, BATH, SCALING)
    reference = simulation_with(*actors)
    reference.run(until=2.0)
    saves = carom.Call(0.19, lambda simulation: simulation.save(tmp_path / "middle.carom"))
    looks = [carom.Record(0.05, "temperature", "work_done"), carom.CollisionLog(), saves]
    watched = simulation_with(*actors, observers=looks)
    watched.run(until=2.0, after_each_piece=lambda: watched.temperature)
    assert state(watched) == state(reference)

    pieces = simulation_with(*actors)
    pieces.run(until=0.1)
    while pieces.time < 0.5:
        pieces.run(collisions=1)
    pieces.run(duration=0.0)
    pieces.run(until=1.03)
    pieces.run(until=2.0)
    assert state(pieces) == state(reference)


def test_checkpoints_from_any_moment_go_on_bit_for_bit(tmp_path: Path) -> None:
    actors = (HEATING, BATH, SCALING)
    paths: list[Path] = []

    def save() -> None:
        paths.append(tmp_path / f"{len(paths)}.carom")
        simulation.save(paths[-1])

    simulation = simulation_with(*actors, observers=[carom.Call(0.1, lambda _: save())])
    # After a piece the actors that are due have not acted yet; when observers look, they have.
    simulation.run(until=1.0, after_each_piece=save)
    expected = state(simulation)
    assert len(paths) > 30
    for path in paths:
        loaded = carom.load(path, observers=[])
        assert loaded.actors == actors
        loaded.run(until=1.0)
        assert state(loaded) == expected


def test_actors_of_ones_own_are_handed_over_again(tmp_path: Path) -> None:
    path = tmp_path / "state.carom"
    simulation = simulation_with(Brake(0.1, 0.9), HEATING)
    simulation.run(until=0.5)
    simulation.save(path)
    with pytest.raises(carom.CheckpointError, match=r"of your own, Brake; hand all .*actors=\[Br"):
        carom.load(path)
    acts = list(simulation.actors[0].acts)  # type: ignore[attr-defined]
    with pytest.raises(carom.CheckpointError, match=r"the actors \[Brake.*would not continue"):
        carom.load(path, actors=[Brake(0.1, 0.8, acts), HEATING])
    loaded = carom.load(path, actors=[Brake(0.1, 0.9, acts), HEATING])
    for either in (simulation, loaded):
        either.run(until=1.0)
    assert state(loaded) == state(simulation)


def test_particles_at_rest_wait_for_a_kick() -> None:
    system = carom.System(carom.Particles([[2.0, 2.0], [6.0, 6.0]]), carom.Periodic([8.0, 8.0]))
    with pytest.raises(carom.NothingAhead):
        carom.Simulation(system).run(collisions=1)
    kicked = carom.Simulation(system, actors=[HEATING], seed=2)
    kicked.run(collisions=3)
    assert kicked.counts.collisions == 3
    assert kicked.time > 0.1


def test_nothing_can_be_scaled_when_nothing_moves() -> None:
    system = carom.System(carom.Particles([[2.0, 2.0], [6.0, 6.0]]), carom.Periodic([8.0, 8.0]))
    simulation = carom.Simulation(system, actors=[SCALING])
    with pytest.raises(ValueError, match=r"no velocities to scale; start with a temperature"):
        simulation.run(until=1.0)
    assert simulation.time == 0.25
    assert simulation.work_done == 0.0
