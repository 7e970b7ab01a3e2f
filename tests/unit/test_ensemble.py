"""Replicas side by side give what they give one after the other."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from refusals import assert_refused

import carom

BATH = carom.AndersenThermostat(temperature=1.0, every=0.3, rate=1.0)
WITHOUT_END = {"collisions": 10**15}


def gas(random: np.random.Generator, n: int = 100) -> carom.System:
    """A gas that starts at random."""
    seed = int(random.integers(2**32))
    particles, box = carom.packings.lattice(n, 0.3, dimension=2, seed=seed)
    return carom.System(particles, box, law=carom.ConstantRestitution(0.95))


def gas_of(n: int) -> carom.System:
    return gas(np.random.default_rng(n), n)


def state(simulation: carom.Simulation) -> tuple[Any, ...]:
    """Every bit of the particles, and of the random numbers to come."""
    particles = simulation.particles
    return (
        particles.position.tobytes(),
        particles.velocity.tobytes(),
        simulation.counts,
        str(simulation.random.bit_generator.state),
    )


def one_after_the_other(systems: list[Any], seed: int, until: float) -> list[Any]:
    found = []
    for system, own in zip(systems, np.random.SeedSequence(seed).spawn(len(systems)), strict=True):
        of_start, of_run = own.spawn(2)
        if not isinstance(system, carom.System):
            system = system(np.random.default_rng(of_start))
        simulation = carom.Simulation(system, actors=[BATH], seed=of_run)
        simulation.run(until=until)
        found.append(state(simulation))
    return found


@pytest.mark.parametrize("workers", [1, 2, 5, None])
def test_the_number_of_workers_changes_no_bit(workers: int | None) -> None:
    systems = [gas, gas, gas_of(60), gas, gas_of(60)]
    found = carom.ensemble(
        systems, until=3.0, actors=[BATH], measure=state, workers=workers, seed=4
    )
    assert found == one_after_the_other(systems, 4, 3.0)


def test_results_stand_in_the_order_of_the_systems() -> None:
    sizes = [400, 20, 100, 50]  # the first takes longest
    systems = [gas_of(n) for n in sizes]
    simulations = carom.ensemble(systems, duration=2.0, workers=4)
    assert [len(simulation.particles) for simulation in simulations] == sizes
    assert [simulation.system for simulation in simulations] == systems
    assert all(simulation.time == 2.0 for simulation in simulations)
    assert carom.ensemble([], 1.0) == []


def test_every_replica_has_random_numbers_of_its_own() -> None:
    def starts(seed: int | None) -> list[Any]:
        return carom.ensemble([gas] * 4, until=0.0, measure=state, seed=seed)

    first = starts(1)
    assert len(set(first)) == 4
    assert starts(1) == first
    assert not set(starts(2)) & set(first)
    assert not set(starts(None)) & set(starts(None))
    # The same start, but a bath of its own.
    same = carom.ensemble([gas_of(50)] * 3, until=2.0, actors=[BATH], measure=state, seed=1)
    assert len(set(same)) == 3


def test_what_is_measured_may_run_on(capsys: Any) -> None:
    def measure(simulation: carom.Simulation) -> float:
        simulation.reset_averages()
        simulation.run(collisions=200)
        return simulation.compressibility

    method = carom.EventDriven(cells_per_side=2)
    found = carom.ensemble(
        [gas] * 3, collisions=100, method=method, measure=measure, seed=1, progress=True
    )
    assert all(value > 1.0 for value in found)
    assert "3 of 3 replicas" in capsys.readouterr().err


def fails(random: np.random.Generator) -> carom.System:
    raise ZeroDivisionError("no gas today")


def test_a_failure_names_the_replica_and_stops_the_others() -> None:
    threads = threading.active_count()
    # The others would run for ever, the last would never begin.
    with pytest.raises(carom.ReplicaFailed, match=r"replica 1: .*no gas today") as caught:
        carom.ensemble([gas, fails, gas], **WITHOUT_END, workers=2)
    assert caught.value.replica == 1
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert threading.active_count() == threads


def presses_ctrl_c(random: np.random.Generator) -> carom.System:
    os.kill(os.getpid(), signal.SIGINT)
    return gas(random)


@pytest.mark.posix
def test_ctrl_c_stops_all() -> None:
    before, threads = signal.getsignal(signal.SIGINT), threading.active_count()
    with pytest.raises(KeyboardInterrupt, match="stopped after 0 of 4 replicas"):
        carom.ensemble([gas, presses_ctrl_c, gas, gas], **WITHOUT_END, workers=3)
    assert threading.active_count() == threads
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.posix
def test_ctrl_c_stops_what_is_measured_too() -> None:
    def measure(simulation: carom.Simulation) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        simulation.run(**WITHOUT_END)

    threads = threading.active_count()
    with pytest.raises(KeyboardInterrupt, match="stopped after"):
        carom.ensemble([gas], until=0.1, measure=measure)
    assert threading.active_count() == threads


@pytest.mark.parametrize(
    ("make", "parts", "error"),
    [
        (lambda: carom.ensemble(gas, until=1.0), ["several", r"\* 8"], TypeError),  # type: ignore[arg-type]
        (lambda: carom.ensemble([3], until=1.0), [r"systems\[0\]", "3"], TypeError),  # type: ignore[list-item]
        (lambda: carom.ensemble([gas]), ["exactly one", "until"], ValueError),
        (lambda: carom.ensemble([gas], 1.0, duration=1.0), ["exactly one", "until"], ValueError),
        (
            lambda: carom.ensemble([gas], until=1.0, workers=0),
            ["workers", "0"],
            ValueError,
        ),
    ],
)
def test_what_cannot_work_is_refused(
    make: Callable[[], Any], parts: list[str], error: type[Exception]
) -> None:
    assert_refused(make, *parts, error=error)


def test_what_measures_is_refused_before_the_run_if_it_is_no_function() -> None:
    def make(random: np.random.Generator) -> carom.System:
        raise AssertionError("nothing was to be made")

    with pytest.raises(TypeError, match="measure must be a function"):
        carom.ensemble([make], until=1.0, measure="energy")  # type: ignore[arg-type]
