"""Ctrl-C stops at an event and loses nothing."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
from typing import Any

import numpy as np
import pytest

import carom
from carom.methods.event_driven.fast.grid_plan import GridPlan
from carom.packings.growth_engine import GrowthEngine


def gas(observers: Any = ()) -> carom.Simulation:
    particles, box = carom.packings.lattice(500, 0.4, dimension=2, seed=2)
    system = carom.System(particles, box, law=carom.ConstantRestitution(1.0))
    return carom.Simulation(system, observers=observers)


def assert_goes_on_as_if_nothing_had_happened(interrupted: carom.Simulation) -> None:
    """Compare with a run that was never stopped, a thousand collisions later."""
    uninterrupted = gas()
    uninterrupted.run(collisions=interrupted.counts.collisions + 1000)
    interrupted.run(collisions=1000)
    assert interrupted.time == uninterrupted.time
    for name in ("position", "velocity", "unwrapped"):
        found = getattr(interrupted.particles, name)
        assert found.tobytes() == getattr(uninterrupted.particles, name).tobytes()


def test_an_interrupt_between_two_pieces() -> None:
    def interrupt_once(simulation: carom.Simulation) -> None:
        if simulation.time == 0.5:
            signal.raise_signal(signal.SIGINT)

    simulation = gas([carom.Call(0.25, interrupt_once)])
    with pytest.raises(KeyboardInterrupt, match=r"stopped at time 0\.5"):
        simulation.run(until=2.0)
    assert simulation.time == 0.5
    assert_goes_on_as_if_nothing_had_happened(simulation)


@pytest.mark.posix
def test_an_interrupt_in_the_middle_of_the_compiled_loop() -> None:
    simulation = gas()
    simulation.run(collisions=10)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt, match="stopped at time"):
        simulation.run(collisions=10**12)
    timer.join()
    assert simulation.counts.collisions > 10
    assert_goes_on_as_if_nothing_had_happened(simulation)


def test_the_handler_of_the_program_is_given_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    simulation = gas()
    simulation.run(collisions=10)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_interrupt_does_not_wait() -> None:
    def interrupt_twice(simulation: carom.Simulation) -> None:
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    simulation = gas([carom.Call(1.0, interrupt_twice)])
    with pytest.raises(KeyboardInterrupt):
        simulation.run(until=0.5)


def test_simulations_run_outside_the_main_thread() -> None:
    simulation = gas()
    thread = threading.Thread(target=simulation.run, kwargs={"collisions": 500})
    thread.start()
    thread.join()
    assert simulation.counts.collisions == 500
    assert_goes_on_as_if_nothing_had_happened(simulation)


DEAR = {
    "one cell": carom.EventDriven(cells_per_side=1),
    "heap in one cell": carom.EventDriven("heap", cells_per_side=1),
    "default": carom.EventDriven(),
}


@pytest.mark.parametrize("name", DEAR)
def test_a_call_of_compiled_code_ends_after_so_much_work(name: str) -> None:
    particles, box = carom.packings.lattice(3000, 0.4, dimension=2, seed=2)
    engine = DEAR[name].engine(carom.System(particles, box, law=carom.ConstantRestitution(1.0)))
    engine.prepare()
    for _ in range(3):
        before = engine.counts
        engine.advance(math.inf, 10**12)
        tests = engine.counts.pair_tests - before.pair_tests
        # The last event can go beyond, by two searches among all particles and their images.
        assert 0 < tests < 2_000_000 + 2 * 9 * len(particles)


def clump() -> carom.Simulation:
    particles, _ = carom.packings.lattice(500, 0.4, dimension=2, seed=2)
    small = carom.Particles(particles.position, particles.velocity, particles.radius)
    system = carom.System(
        small, carom.Periodic([5000.0, 5000.0]), law=carom.ConstantRestitution(1.0)
    )
    return carom.Simulation(system)


def test_an_interrupt_while_cells_are_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    make_room, calls = GridPlan.make_room, []

    def interrupted(plan: GridPlan, position: Any) -> None:
        calls.append(position)
        if len(calls) == 2:
            signal.raise_signal(signal.SIGINT)
        make_room(plan, position)

    monkeypatch.setattr(GridPlan, "make_room", interrupted)
    simulation = clump()
    with pytest.raises(KeyboardInterrupt):
        simulation.run(until=1.0)
    assert len(calls) == 2
    simulation.run(until=1.0)
    monkeypatch.undo()
    uninterrupted = clump()
    uninterrupted.run(until=1.0)
    assert simulation.counts == uninterrupted.counts
    found, expected = simulation.particles, uninterrupted.particles
    assert found.position.tobytes() == expected.position.tobytes()


def test_an_interrupt_while_particles_are_added(monkeypatch: pytest.MonkeyPatch) -> None:
    # The package has a function of that name.
    adding = sys.modules["carom.packings.random"]
    add, calls = adding._add, []

    def interrupted(*arguments: Any) -> int:
        calls.append(arguments)
        signal.raise_signal(signal.SIGINT)
        return int(add(*arguments))

    monkeypatch.setattr(adding, "_add", interrupted)
    # A process in the background may have been told to ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            carom.packings.random(2000, 0.1, dimension=2, seed=1)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(calls) == 1


def test_simple_refuses_what_would_take_seconds_for_each_event() -> None:
    particles, box = carom.packings.lattice(10_100, 0.1, dimension=2, seed=1)
    system = carom.System(particles, box)
    with pytest.raises(ValueError, match="leave algorithm out"):
        carom.Simulation(system, method=carom.EventDriven("simple"))


def test_an_interrupted_growth_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    stages = []
    unstopped = GrowthEngine.advance

    def advance(engine: GrowthEngine, until: float, collisions: int) -> int:
        stages.append(collisions)
        if len(stages) == 3:
            signal.raise_signal(signal.SIGINT)
        return unstopped(engine, until, collisions)

    monkeypatch.setattr(GrowthEngine, "advance", advance)
    with pytest.raises(KeyboardInterrupt, match=r"stopped at a packing fraction of 0\.") as caught:
        carom.packings.grow(60, 0.8, dimension=2, temperature=2.0, seed=1)
    error = caught.value
    assert isinstance(error, carom.GrowthInterrupted)
    # What it has is a packing that can be run: no overlaps, and the temperature asked for.
    simulation = carom.Simulation(carom.System(error.particles, error.box))
    assert 0.3 < simulation.system.packing_fraction < 0.8
    assert simulation.system.packing_fraction == pytest.approx(error.packing_fraction, rel=1e-12)
    assert simulation.temperature == pytest.approx(2.0, rel=1e-12)
    assert np.ptp(error.particles.radius) == 0.0
