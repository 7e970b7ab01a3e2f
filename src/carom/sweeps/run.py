"""One run of a sweep: made, carried on from a checkpoint where there is one, and measured.

What a run comes to is a function of ``build``, ``measure``, the parameters, the seed and the
version of carom; when and where it is carried out, and in how many attempts, changes no bit.
"""

from __future__ import annotations

import traceback
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from carom.actors import Actor
from carom.errors import CaromError, CheckpointError
from carom.methods import Method
from carom.observers import Observer
from carom.progress import Progress
from carom.simulation.loading import going_on
from carom.simulation.simulation import Simulation
from carom.sweeps.folder import checkpoints_in
from carom.sweeps.measured import plain_values
from carom.sweeps.memory import Memory, remembering
from carom.system import System
from carom.types import Plain

AVERAGE_FROM = "average_from"  # a time, beside the goal of ``Simulation.run``
LEAST_WORTH_KEEPING = 2.0  # seconds of a run that is stopped
# Failures that say something of the machine at that moment, and nothing of the run.
PASSING = (MemoryError, OSError, ImportError)


class Work(NamedTuple):
    """What all runs of a sweep share."""

    build: Callable[..., Any]
    goal: Plain  # of ``Simulation.run``
    measure: Callable[[Simulation], Any]
    observers: Callable[[Path], Sequence[Observer]] | None
    checkpoint_every: float
    version: str


class OneRun(NamedTuple):
    """One of the runs."""

    name: str
    place: str
    point: Plain
    seed: tuple[int, ...]
    folder: str | None


class Outcome(NamedTuple):
    """What a run came to."""

    values: Plain | None  # what was measured; None where it failed
    error: str = ""
    traceback: str = ""
    passes: bool = False  # whether the failure is one of the machine, and worth another attempt
    seconds: float = 0.0
    notes: tuple[str, ...] = ()


def seeds_of(seed: int, place: bytes) -> tuple[int, ...]:
    """The seed of a run: whatever else is in the sweep, it is that of its place."""
    return seed, *np.frombuffer(place, dtype="<u4").tolist()


def carry_out(work: Work, run: OneRun, progress: Progress | bool) -> Outcome:
    """Carry out a run; a failure is an outcome, but Ctrl-C is none."""
    start = perf_counter()
    attempt = _Attempt(work, run)
    try:
        values = plain_values(attempt.measured(progress), run.point)
    except (Exception, SystemExit) as error:  # whoever calls exit() ends a run, no worker
        return Outcome(
            None,
            f"{type(error).__name__}: {error}",
            traceback.format_exc(),
            isinstance(error, PASSING) and not isinstance(error, CaromError),
            perf_counter() - start,
            tuple(attempt.notes),
        )
    seconds = perf_counter() - start
    return Outcome(values, seconds=seconds, notes=tuple(attempt.notes))


class _Attempt:
    """One attempt at a run; others may have been interrupted before."""

    def __init__(self, work: Work, run: OneRun) -> None:
        self._work, self._run = work, run
        self.notes: list[str] = []
        self._begin = self._last = perf_counter()
        self._folder = self._visible_folder()
        self._path: Path | None = None  # of the checkpoints of this attempt
        self._came_from: Path | None = None  # of one before
        self._goal: _Goal | None = None
        self._simulation: Simulation | None = None

    def measured(self, progress: Progress | bool) -> Any:
        """What ``measure`` gives at the end of the run."""
        simulation = self._simulation = self._going_on() or self._from_the_start()
        try:
            self._settle(simulation, progress)
            assert self._goal is not None
            left = self._goal.left(simulation)
            simulation.run(**left, progress=progress, after_each_piece=self._tick)
        except KeyboardInterrupt:
            if perf_counter() - self._begin > LEAST_WORTH_KEEPING:
                self._keep()
            raise
        # Whoever measures finds the observers that they know of.
        known = (one for one in simulation.observers if not isinstance(one, Memory))
        simulation._observers = tuple(known)
        return self._work.measure(simulation)

    def _settle(self, simulation: Simulation, progress: Progress | bool) -> None:
        """Run up to where averages begin, if they begin later than the run."""
        beginning = self._work.goal.get(AVERAGE_FROM, 0.0)
        if simulation.time <= beginning > 0.0:
            simulation.run(beginning, progress=progress, after_each_piece=self._tick)
            simulation.reset_averages()

    def _visible_folder(self) -> Path | None:
        if self._run.folder is None:
            return None
        folder = Path(self._run.folder)
        if not (folder.parent.parent / "sweep.json").is_file():
            self.notes.append(
                "a worker does not see the folder of the sweep: runs have no checkpoints there, "
                "and begin again when their worker dies"
            )
            return None
        return folder

    def _made(self) -> Simulation:
        seed = np.random.SeedSequence(self._run.seed)
        of_start, of_run = seed.spawn(2)
        made = self._work.build(random=np.random.default_rng(of_start), **self._run.point)
        simulation = simulation_of(made, of_run)
        self._goal = _goal_from(self._work.goal, simulation)
        return simulation

    def _observers(self) -> Sequence[Observer]:
        if self._work.observers is None:
            return []
        assert self._run.folder is not None
        folder = Path(self._run.folder)
        folder.mkdir(parents=True, exist_ok=True)
        return self._work.observers(folder)

    def _from_the_start(self) -> Simulation:
        simulation = self._made()
        if _writes_files(simulation):
            self.notes.append(
                "observers that build hands over write files: runs have no checkpoints, and begin "
                "again when they are interrupted. Hand them over with observers="
            )
        elif self._folder is not None:
            self._path = self._new_path()
        observers = self._observers()
        for observer in [*observers, *remembering([*simulation.observers, *observers])]:
            simulation.add_observer(observer)
        return simulation

    def _going_on(self) -> Simulation | None:
        """The simulation of an earlier attempt, from the latest checkpoint that is whole."""
        for path in checkpoints_in(self._folder) if self._folder is not None else ():
            made = self._made()
            try:
                observers = self._observers()
                memory = remembering([*made.observers, *observers])
                simulation = going_on(made, path, [*observers, *memory])
            except (CheckpointError, OSError, ValueError) as error:
                self.notes.append(f"a checkpoint could not be gone on from: {error}")
                continue
            self._path, self._came_from = self._new_path(), path
            return simulation
        return None

    def _new_path(self) -> Path:
        """A name that no other attempt has: one whose worker is only out of reach may go on."""
        assert self._folder is not None
        return self._folder / f"state-{uuid.uuid4().hex[:8]}.carom"

    def _tick(self) -> None:
        if perf_counter() - self._last >= self._work.checkpoint_every:
            self._keep()
            self._last = perf_counter()

    def _keep(self) -> None:
        """Write a checkpoint; where that is impossible the run goes on without."""
        if self._path is None or self._simulation is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._simulation.save(self._path)
            if self._came_from is not None:
                self._came_from.unlink(missing_ok=True)
                self._came_from = None
        except (CheckpointError, OSError, TypeError) as error:
            self.notes.append(f"a checkpoint could not be written: {error}")
            if not isinstance(error, OSError):
                self._path = None


class _Goal(NamedTuple):
    """Where a run ends, as seen from its start."""

    until: float | None
    collisions: int | None  # of all that were ever counted

    def left(self, simulation: Simulation) -> Plain:
        """What is left to run."""
        if self.collisions is None:
            return {"until": self.until}
        return {"collisions": self.collisions - simulation.counts.collisions}


def _goal_from(goal: Plain, start: Simulation) -> _Goal:
    """The goal of ``Simulation.run`` for a simulation that is about to start."""
    if "collisions" in goal:
        return _Goal(None, start.counts.collisions + goal["collisions"])
    return _Goal(goal["until"] if "until" in goal else start.time + goal["duration"], None)


def _writes_files(simulation: Simulation) -> bool:
    return any(isinstance(getattr(one, "path", None), Path) for one in simulation.observers)


def simulation_of(
    made: Any,
    seed: np.random.SeedSequence,
    method: Method | None = None,
    actors: Sequence[Actor] = (),
    observers: Sequence[Observer] = (),
) -> Simulation:
    """The simulation of what ``build`` has made: that itself, or one of a system and a method."""
    if isinstance(made, Simulation):
        # Whatever seed it has: a run that began with one of the machine would never come back.
        made.random = np.random.default_rng(seed)
        return made
    if isinstance(made, tuple) and len(made) == 2 and isinstance(made[0], System):
        made, method = made
    if not isinstance(made, System):
        raise TypeError(
            "build must return a carom.Simulation, a carom.System, or a system and a method, not "
            f"{made!r}."
        )
    return Simulation(made, method=method, actors=actors, observers=observers, seed=seed)
