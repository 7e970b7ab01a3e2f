"""Ctrl-C stops at an event and loses nothing."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any

import numpy as np
import pytest

import carom
from carom.methods.event_driven.growth import GrowthEngine


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
