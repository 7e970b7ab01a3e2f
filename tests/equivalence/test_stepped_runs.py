"""Runs in fixed steps: nobody's look changes them, they go on after a pause bit for bit, and all
neighbour methods lead to the same forces."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starts import mixture

import carom
from carom.methods.stepped import blocks, course, new_world, skin

DT = 0.002
STIFFNESS = 2000.0


def soft(neighbours: Any = "auto", **options: Any) -> carom.SoftContacts:
    options = {"restitution": 0.6, "friction": 0.4, "dt": DT} | options
    return carom.SoftContacts(STIFFNESS, neighbours=neighbours, **options)


def hard(neighbours: Any = "auto", simultaneous: str = "backtrack") -> carom.TimeStepped:
    return carom.TimeStepped(dt=DT, simultaneous=simultaneous, neighbours=neighbours)


def hard_in_sequence(neighbours: Any = "auto") -> carom.TimeStepped:
    return hard(neighbours, "sequence")


@functools.cache
def falling(seed: int = 1, n: int = 45) -> carom.System:
    """Disks that fall on the floor of a box that repeats sideways, and pile up."""
    domain = carom.Box([9.0, 14.0], periodic="x", restitution={"y": (None, 0.9)})
    particles = mixture(n, domain, np.random.default_rng(seed), 2)
    law = carom.RoughRestitution(0.8, 0.3)
    return carom.System(particles, domain, law=law, gravity=[0.7, -3.0])


@functools.cache
def sheared(seed: int = 1, n: int = 45) -> carom.System:
    """Disks in a sheared box; they change rows several times."""
    domain = carom.LeesEdwards([11.0, 10.0], 1.5)
    particles = mixture(n, domain, np.random.default_rng(seed), 2)
    particles.velocity += domain.flow(particles.position)
    return carom.System(particles, domain, law=carom.ConstantRestitution(0.8))


CASES: dict[str, tuple[Callable[[], carom.System], Callable[..., Any]]] = {
    "soft, falling": (falling, soft),
    "soft, sheared": (sheared, soft),
    "hard, falling": (falling, hard),
    "hard, sheared": (sheared, hard_in_sequence),
}
NEIGHBOURS = {
    "auto": "auto",
    "all pairs": carom.AllPairs(),
    "Verlet": carom.VerletList(),
    "Verlet over all pairs": carom.VerletList(build="all_pairs"),
    "cells": carom.LinkedCells(),
    "linear list": carom.LinkedLinearList(),
    "hierarchy": carom.HierarchicalCells(),
}
each_case = pytest.mark.parametrize("name", CASES)
each_method = pytest.mark.parametrize("neighbours", NEIGHBOURS)
END = 1.5


def simulation_of(name: str, neighbours: Any = "auto", **options: Any) -> carom.Simulation:
    make, method = CASES[name]
    return carom.Simulation(make(), method=method(neighbours), seed=3, **options)


def assert_same_state(found: carom.Simulation, expected: carom.Simulation) -> None:
    """Bit for bit."""
    ours, theirs = found.particles, expected.particles
    for name in ("position", "velocity", "unwrapped", "angular_velocity"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), name)
    assert found.counts == expected.counts
    for name in ("time", "energy", "dissipated_energy", "shear_work", "work_done", "mean_overlap"):
        assert getattr(found, name) == getattr(expected, name), name
    np.testing.assert_array_equal(found.stress, expected.stress)
    np.testing.assert_array_equal(found._engine.wall_impulse, expected._engine.wall_impulse)


@each_case
def test_looking_never_changes_a_run(name: str, tmp_path: Path) -> None:
    undisturbed = simulation_of(name)
    undisturbed.run(until=END)
    assert undisturbed.counts.collisions > 50
    record = carom.Record(0.0173, "energy", "temperature", "pressure", "mean_overlap")
    looked_at = simulation_of(name, observers=[record])
    for time in np.sort(np.random.default_rng(1).uniform(0.0, END, 20)):
        looked_at.run(until=time)
        assert np.isfinite(looked_at.particles.position).all()
        assert np.isfinite(looked_at.elastic_energy)
    looked_at.save(tmp_path / "state.carom")
    looked_at.run(until=END)
    looked_at.run(until=END)
    assert record.looks > 80
    assert_same_state(looked_at, undisturbed)


@each_case
@each_method
def test_saved_runs_go_on_bit_for_bit(name: str, neighbours: str, tmp_path: Path) -> None:
    undisturbed = simulation_of(name, NEIGHBOURS[neighbours])
    undisturbed.run(until=END)
    saved = simulation_of(name, NEIGHBOURS[neighbours])
    in_block = 0
    for k, time in enumerate((0.0, 0.5013, 0.9 + DT / 3.0)):
        saved.run(until=time)
        in_block += int(saved._engine.world.tally[0].block_from >= 0)
        saved.save(tmp_path / f"{k}.carom")
        saved = carom.load(tmp_path / f"{k}.carom")
        assert saved.time == time
    assert in_block > 0
    saved.run(until=END)
    assert_same_state(saved, undisturbed)


def test_a_saved_run_with_published_lists_goes_on_bit_for_bit(tmp_path: Path) -> None:
    """Lists of Muth et al.: made anew after so many steps, here in the middle of a list."""
    neighbours = carom.VerletList(radius=5.0, every=20)
    undisturbed = simulation_of("soft, falling", neighbours)
    undisturbed.run(until=END)
    assert undisturbed.counts.rebuilds == pytest.approx(END / DT / 20, abs=1)
    saved = simulation_of("soft, falling", neighbours)
    saved.run(until=0.9013)
    saved.save(tmp_path / "state.carom")
    saved = carom.load(tmp_path / "state.carom")
    saved.run(until=END)
    assert_same_state(saved, undisturbed)
    # They miss nothing as long as nobody moves a quarter of 5 R within 20 steps: the same run.
    other = simulation_of("soft, falling")
    other.run(until=0.2)
    again = simulation_of("soft, falling", neighbours)
    again.run(until=0.2)
    assert again.counts.collisions == other.counts.collisions
    np.testing.assert_allclose(again.particles.position, other.particles.position, 0.0, 1e-9)


def shaken(system: carom.System, size: float) -> carom.System:
    """The same system with positions that are off by so much."""
    rng = np.random.default_rng(8)
    old = system.particles
    position = old.position + size * rng.choice([-1.0, 1.0], old.position.shape)
    particles = carom.Particles(position, old.velocity, old.radius, old.mass)
    return carom.System(
        particles, system.domain, law=system.law, gravity=system.gravity, walls=system.walls
    )


STEPS_TOGETHER = 150


@each_case
def test_all_neighbour_methods_lead_to_the_same_trajectory(name: str) -> None:
    """They list pairs in another order, and sums round differently.

    How far that may bring them apart shows a run whose positions were off by 1e-13, some hundred
    roundings of a number of 10.
    """
    make, method = CASES[name]
    until = STEPS_TOGETHER * DT

    def end(system: carom.System, neighbours: Any) -> carom.Simulation:
        simulation = carom.Simulation(system, method=method(neighbours))
        simulation.run(until=until)
        return simulation

    expected = end(make(), carom.AllPairs())
    assert expected.counts.contacts > 10
    twin = end(shaken(make(), 1e-13), carom.AllPairs()).particles
    apart = np.abs(twin.unwrapped - expected.particles.unwrapped).max()
    faster = np.abs(twin.velocity - expected.particles.velocity).max()
    assert apart < 1e-8
    for label, neighbours in NEIGHBOURS.items():
        found = end(make(), neighbours)
        assert found.counts.contacts == expected.counts.contacts, label
        assert found.counts.collisions == expected.counts.collisions, label
        ours = found.particles
        np.testing.assert_allclose(
            ours.unwrapped, expected.particles.unwrapped, 0.0, apart, err_msg=label
        )
        np.testing.assert_allclose(
            ours.velocity, expected.particles.velocity, 0.0, faster, err_msg=label
        )


@pytest.mark.parametrize("name", ["soft, falling", "soft, sheared"])
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_checked_lists_are_right_over_thousands_of_steps(name: str, data: Any) -> None:
    kinds = [
        carom.VerletList(check=True),
        carom.LinkedCells(check=True),
        carom.LinkedLinearList(check=True),
        carom.HierarchicalCells(check=True),
    ]
    neighbours = data.draw(st.sampled_from(kinds))
    seed, n = data.draw(st.integers(0, 1000)), data.draw(st.sampled_from([10, 45]))
    make = CASES[name][0]
    system = make(seed, n)  # type: ignore[call-arg]
    simulation = carom.Simulation(system, method=soft(neighbours))
    simulation.run(until=2000 * DT)
    assert simulation.counts.steps == 2000
    assert simulation.counts.rebuilds > 5


@each_case
def test_nobody_is_faster_than_the_bound(name: str) -> None:
    """Blocks and lists last as long as a bound on all speeds allows; under shear it is one on
    speeds relative to the flow, which change in free flight."""
    simulation = simulation_of(name)
    for time in np.linspace(0.0, END, 60)[1:]:
        simulation.run(until=time)
        world = course.copied(simulation._engine.world)
        bound = float(world.tally[0].fastest)
        blocks.close_block(world)
        d = simulation.system.dimension
        velocity = world.flock.velocity[:, :d].copy()
        if name.endswith("sheared"):
            velocity -= simulation.system.domain.flow(world.flock.sphere[:, :d])
        assert np.linalg.norm(velocity, axis=1).max() <= bound * (1.0 + 1e-12)


@pytest.mark.parametrize("name", ["soft, falling", "hard, sheared"])
def test_a_wrong_list_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = course.all_found

    def all_but_one(*arguments: Any) -> Any:
        search, pairs = found(*arguments)
        pairs.number[0] -= 1
        return search, pairs

    simulation = simulation_of(name, carom.LinkedCells(check=True))
    simulation.run(until=10 * DT)
    monkeypatch.setattr(course, "all_found", all_but_one)
    with pytest.raises(carom.NeighbourError, match=r"LinkedCells.*AllPairs.*particles \d+ and \d+"):
        simulation.run(until=END)


@each_case
def test_renumbering_keeps_the_names(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After every list, instead of every fifty; stretched springs stay with their particles."""
    expected = simulation_of(name)
    until = STEPS_TOGETHER * DT
    expected.run(until=until)
    monkeypatch.setattr(new_world, "LISTS_PER_NUMBERING", 1)
    monkeypatch.setattr(skin, "SKINS", (0.2,))  # for many lists
    renumbered = simulation_of(name)
    renumbered.run(until=until)
    make, method = CASES[name]
    twin = carom.Simulation(shaken(make(), 1e-13), method=method())
    twin.run(until=until)
    np.testing.assert_array_equal(renumbered.particles.mass, expected.particles.mass)
    np.testing.assert_array_equal(renumbered.particles.radius, expected.particles.radius)
    assert renumbered.counts.contacts == expected.counts.contacts
    for what in ("unwrapped", "velocity"):
        ours, theirs = getattr(renumbered.particles, what), getattr(expected.particles, what)
        allowed = np.abs(getattr(twin.particles, what) - theirs).max()
        np.testing.assert_allclose(ours, theirs, 0.0, allowed)
    assert not np.array_equal(renumbered._engine.world.flock.name, np.arange(len(ours)))
    # And over many lists it runs on, to the same rest or flow.
    renumbered.run(until=END)
    assert renumbered.counts.rebuilds > 10
    np.testing.assert_array_equal(renumbered.particles.mass, expected.particles.mass)


@each_case
def test_thermostats_act_on_stepped_runs(name: str) -> None:
    """At steps, so that what they set is what there is; peculiar velocities under shear."""
    record = carom.Record(20 * DT, "temperature")
    thermostat = carom.RescalingThermostat(temperature=2.0, every=20 * DT)
    simulation = simulation_of(name, actors=[thermostat], observers=[record])
    simulation.run(until=0.5)
    assert record.looks > 10
    # Velocities of half a step before are found in four rounds, each of which leaves d dt / μ of
    # the last error, some 2 %. With walls, other degrees of freedom are counted.
    if name.endswith("sheared"):
        np.testing.assert_allclose(record["temperature"][1:], 2.0, rtol=1e-6)
    assert simulation.work_done != 0.0
    assert simulation.counts.collisions > 10


@pytest.mark.parametrize("name", ["soft, falling"])
def test_soft_contacts_have_no_log(name: str) -> None:
    with pytest.raises(ValueError, match=r"SoftContacts has no collisions to log"):
        simulation_of(name, observers=[carom.CollisionLog()])
