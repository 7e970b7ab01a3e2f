"""Ensembles: replicas of a run, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from carom.actors import Actor
from carom.checks import check_seed, check_whole, several
from carom.errors import ReplicaFailed
from carom.interruption import deferred_interrupt
from carom.methods import Method
from carom.observers import Observer
from carom.progress import Line, ReplicaProgress, own_line
from carom.simulation.simulation import Simulation
from carom.sweeps.run import simulation_of
from carom.sweeps.threads import Threads
from carom.system import System

SECONDS_BETWEEN_LOOKS = 0.1

MakeSystem = Callable[..., System]


def ensemble(
    systems: Iterable[System | MakeSystem],
    until: float | None = None,
    *,
    duration: float | None = None,
    collisions: int | None = None,
    method: Method | Sequence[Method] | None = None,
    actors: Sequence[Actor] = (),
    observers: Callable[[], Sequence[Observer]] | None = None,
    parameters: Sequence[Mapping[str, Any]] | None = None,
    measure: Callable[[Simulation], Any] | None = None,
    workers: int | None = None,
    seed: int | None = None,
    progress: bool | None = None,
) -> list[Any]:
    """Run each of the systems, side by side in threads; what was measured, in their order.

    - ``systems``: each a :class:`System`, or a function that makes one from a random generator, so
      that ``[make_gas] * 8`` are eight replicas that start differently. It may make a system and
      its method, or a whole :class:`Simulation`.
    - ``until``, ``duration`` or ``collisions``: how far each runs, as in ``Simulation.run``.
    - ``method``: of all, or a list with one for each; ``actors``: of all.
    - ``observers``: a function that makes those of a replica, ``lambda: [carom.Record(...)]``;
      ``measure`` finds them in ``simulation.observers``.
    - ``parameters``: a list with a dictionary for each of the systems, which its function gets as
      further arguments: ``make_gas(random, restitution=0.9)``.
    - ``measure``: a function of each finished simulation, which may run it further; the
      simulations themselves are returned when it is left out.
    - ``workers``: how many run at a time; one for each processor when left out.
    - ``seed``: of all random numbers. Each replica gets its own, whatever the number of workers.

    Ctrl-C stops all replicas. When one fails, the others are stopped and ``ReplicaFailed`` says
    which it was. :func:`sweep` keeps what comes in, and goes on after failures.
    """
    given = _checked_systems(systems)
    goals = {"until": until, "duration": duration, "collisions": collisions}
    goal = {name: value for name, value in goals.items() if value is not None}
    if len(goal) != 1:
        raise ValueError("ensemble needs exactly one of until=, duration= and collisions=.")
    for name, function in (("measure", measure), ("observers", observers)):
        if not (function is None or callable(function)):
            of = "a simulation" if name == "measure" else "nothing that makes observers"
            raise TypeError(f"{name} must be a function of {of}, not {function!r}.")
    if workers is not None:
        check_whole("workers", workers, 1)
    if seed is not None:
        check_seed("ensemble", seed)
    task = _Task(goal, actors, observers, measure)
    replicas = [
        partial(_Replica(*parts).carry_out, task)
        for parts in zip(
            given,
            _each("method", method, given),
            _checked_parameters(parameters, given),
            np.random.SeedSequence(seed).spawn(len(given)),
            strict=True,
        )
    ]
    with (
        deferred_interrupt() as interrupt,
        own_line(progress) as line,
        Threads(replicas, workers) as threads,
    ):
        return _watch(threads, len(given), interrupt, line)


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


def _each(what: str, value: Any, systems: Sequence[Any]) -> list[Any]:
    """One for each of the systems."""
    if not isinstance(value, list | tuple) or hasattr(value, "_fields"):
        return [value] * len(systems)
    if len(value) != len(systems):
        raise ValueError(f"{what}: there are {len(value)} for {len(systems)} systems.")
    return list(value)


def _checked_parameters(parameters: Any, systems: Sequence[Any]) -> list[Mapping[str, Any]]:
    if parameters is None:
        return [{}] * len(systems)
    points = _each("parameters", list(several("parameters", parameters)), systems)
    for k, (point, system) in enumerate(zip(points, systems, strict=True)):
        if not isinstance(point, Mapping):
            raise TypeError(f"parameters[{k}] must be a dictionary, not {point!r}.")
        if point and isinstance(system, System):
            raise TypeError(
                f"parameters[{k}] are for a function that makes a system, but systems[{k}] is made "
                "already."
            )
    return points


class _Task(NamedTuple):
    """What every replica does."""

    goal: dict[str, Any]  # of ``Simulation.run``
    actors: Sequence[Actor]
    observers: Callable[[], Sequence[Observer]] | None
    measure: Callable[[Simulation], Any] | None


class _Replica(NamedTuple):
    """One of the runs."""

    system: System | MakeSystem
    method: Method | None
    parameters: Mapping[str, Any]
    seed: np.random.SeedSequence

    def carry_out(self, task: _Task, progress: ReplicaProgress) -> Any:
        """What was measured at the end of the run."""
        made: Any = self.system
        # The start and the run draw from streams of their own.
        of_start, of_run = self.seed.spawn(2)
        if not isinstance(made, System):
            made = made(np.random.default_rng(of_start), **self.parameters)
        simulation = simulation_of(made, of_run, self.method, task.actors)
        for observer in task.observers() if task.observers is not None else ():
            simulation.add_observer(observer)
        simulation.run(**task.goal, progress=progress)
        return simulation if task.measure is None else task.measure(simulation)


def _watch(threads: Threads, number: int, interrupt: Any, line: Line) -> list[Any]:
    """Show how far the replicas have come until all are done; raise what ends them early."""
    results: dict[int, Any] = {}
    announced = ""
    while True:
        for replica, result, error in threads.finished(SECONDS_BETWEEN_LOOKS if number else 0.0):
            if error is not None and not interrupt.requested:
                raise ReplicaFailed(
                    f"replica {replica}: {type(error).__name__}: {error}", replica
                ) from error
            results[replica] = result
        now = threads.under_way()
        if now.notice and not announced:
            announced = now.notice
            line.compiling(announced)
        line.show(
            f"{len(results)} of {number} replicas",
            now.number,
            (len(results) + now.share) / max(number, 1),
            now.noun,
        )
        if interrupt.requested:
            raise KeyboardInterrupt(f"stopped after {len(results)} of {number} replicas")
        if len(results) == number:
            return [results[k] for k in range(number)]
