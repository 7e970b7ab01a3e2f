"""Ensembles: replicas of a run, side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np

from carom.actors import Actor
from carom.checks import check_seed, check_whole, several
from carom.errors import ReplicaFailed
from carom.interruption import Interrupt, deferred_interrupt, heeding
from carom.methods import Method
from carom.progress import Line, ReplicaProgress, own_line
from carom.simulation.simulation import Simulation
from carom.system import System

SECONDS_BETWEEN_LOOKS = 0.1

MakeSystem = Callable[[np.random.Generator], System]


def ensemble(
    systems: Iterable[System | MakeSystem],
    until: float | None = None,
    *,
    duration: float | None = None,
    collisions: int | None = None,
    method: Method | None = None,
    actors: Sequence[Actor] = (),
    measure: Callable[[Simulation], Any] | None = None,
    workers: int | None = None,
    seed: int | None = None,
    progress: bool | None = None,
) -> list[Any]:
    """Run each of the systems, side by side in threads; what was measured, in their order.

    - ``systems``: each a :class:`System`, or a function that makes one from a random generator, so
      that ``[make_gas] * 8`` are eight replicas that start differently.
    - ``until``, ``duration`` or ``collisions``: how far each runs, as in ``Simulation.run``.
    - ``measure``: a function of each finished simulation, which may run it further; the
      simulations themselves are returned when it is left out.
    - ``workers``: how many run at a time; one for each processor when left out.
    - ``seed``: of all random numbers. Each replica gets its own, whatever the number of workers.

    Ctrl-C stops all replicas. When one fails, the others are stopped and ``ReplicaFailed`` says
    which it was.
    """
    given = _checked_systems(systems)
    goals = {"until": until, "duration": duration, "collisions": collisions}
    goal = {name: value for name, value in goals.items() if value is not None}
    if len(goal) != 1:
        raise ValueError("ensemble needs exactly one of until=, duration= and collisions=.")
    if not (measure is None or callable(measure)):
        raise TypeError(f"measure must be a function of a simulation, not {measure!r}.")
    if workers is not None:
        check_whole("workers", workers, 1)
    if seed is not None:
        check_seed("ensemble", seed)
    seeds = np.random.SeedSequence(seed).spawn(len(given))
    task = _Task(goal, method, actors, measure, Interrupt())
    with (
        deferred_interrupt() as interrupt,
        own_line(progress) as line,
        ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool,
    ):
        replicas = [_Replica(*pair) for pair in zip(given, seeds, strict=True)]
        futures = [pool.submit(replica.carry_out, task) for replica in replicas]
        try:
            _watch(futures, replicas, interrupt, line)
        finally:
            # However it ended: nobody is to go on, and leaving the pool waits for all.
            task.stop.requested = True
            pool.shutdown(wait=False, cancel_futures=True)
    return [future.result() for future in futures]


def _checked_systems(systems: Iterable[System | MakeSystem]) -> list[System | MakeSystem]:
    if isinstance(systems, System) or callable(systems):
        raise TypeError("systems must be several, as in [system_or_function] * 8.")
    given = list(several("systems", systems))
    for k, system in enumerate(given):
        if not (isinstance(system, System) or callable(system)):
            raise TypeError(
                f"systems[{k}] must be a carom.System or a function that makes one from a random "
                f"generator, not {system!r}."
            )
    return given


class _Task(NamedTuple):
    """What every replica does."""

    goal: dict[str, Any]  # of ``Simulation.run``
    method: Method | None
    actors: Sequence[Actor]
    measure: Callable[[Simulation], Any] | None
    stop: Interrupt


class _Replica:
    """One of the runs."""

    def __init__(self, system: System | MakeSystem, seed: np.random.SeedSequence) -> None:
        self._system = system
        # The start and the run draw from streams of their own.
        self._seed_of_start, self._seed_of_run = seed.spawn(2)
        self.progress = ReplicaProgress()

    def carry_out(self, task: _Task) -> Any:
        """What was measured at the end of the run."""
        system = self._system
        if not isinstance(system, System):
            system = system(np.random.default_rng(self._seed_of_start))
        simulation = Simulation(
            system, method=task.method, actors=task.actors, seed=self._seed_of_run
        )
        with heeding(task.stop):
            simulation.run(**task.goal, progress=self.progress)
            return simulation if task.measure is None else task.measure(simulation)


def _watch(
    futures: list[Future[Any]], replicas: list[_Replica], interrupt: Interrupt, line: Line
) -> None:
    """Show how far the replicas have come until all are done; raise what ends them early."""
    announced = ""
    while True:
        wait(futures, timeout=SECONDS_BETWEEN_LOOKS, return_when="FIRST_EXCEPTION")
        states = [replica.progress for replica in replicas]
        notices = [state.notice for state in states if state.notice is not None]
        if notices and not announced:
            announced = notices[0]
            line.compiling(announced)
        finished = [future for future in futures if future.done()]
        line.show(
            f"{len(finished)} of {len(futures)} replicas",
            sum(state.number for state in states),
            sum(state.share for state in states) / max(len(states), 1),
            # All have the same method, but only those that have begun know what it counts.
            next((state.noun for state in states if state.number), "collisions"),
        )
        _refuse_failures(futures)
        if interrupt.requested:
            raise KeyboardInterrupt(f"stopped after {len(finished)} of {len(futures)} replicas")
        if len(finished) == len(futures):
            return


def _refuse_failures(futures: list[Future[Any]]) -> None:
    for k, future in enumerate(futures):
        error = future.exception() if future.done() else None
        if error is not None:
            raise ReplicaFailed(f"replica {k}: {type(error).__name__}: {error}", k) from error
