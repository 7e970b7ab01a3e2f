"""Sweeps: many runs that differ in parameters and seeds, here or on a cluster."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Protocol, Self

from carom.checks import check_whole
from carom.errors import CaromWarning, SweepError
from carom.interruption import Interrupt, deferred_interrupt
from carom.observers import Observer
from carom.progress import Line, own_line
from carom.simulation.simulation import Simulation
from carom.sweeps.cluster import Cluster
from carom.sweeps.plan import Plan, planned
from carom.sweeps.run import Outcome, carry_out
from carom.sweeps.table import dataset, refuse_other_names, xarray
from carom.sweeps.threads import Finished, Threads, UnderWay
from carom.types import Plain

SECONDS_BETWEEN_LOOKS = 0.1
SECONDS_BETWEEN_FLUSHES = 1.0


def sweep(
    build: Callable[..., Any],
    parameters: Any = None,
    *,
    run: Mapping[str, Any],
    measure: Callable[[Simulation], Mapping[str, Any]],
    replicas: int = 1,
    seed: int = 1,
    folder: str | Path | None = None,
    observers: Callable[[Path], Sequence[Observer]] | None = None,
    client: Any = None,
    workers: int | None = None,
    checkpoint_every: float = 120.0,
    progress: bool | None = None,
) -> Any:
    """Carry out runs for all parameters and replicas; what was measured, as ``xarray.Dataset``.

    - ``build``: a function of the parameters and of ``random``, a generator of random numbers, all
      by name. It makes a ``System``, a system and a method, or a ``Simulation``.
    - ``parameters``: a dictionary of lists, of which all combinations are run; or a list of
      dictionaries, or a pandas table, for points of your own. Values may be numbers, texts,
      None, tuples, laws and more.
    - ``run``: how far each run goes, ``{"until": 100.0}``, or ``duration`` or ``collisions``; with
      ``{"until": 100.0, "average_from": 20.0}`` averages such as ``mean_temperature`` begin later.
    - ``measure``: a function of the simulation at the end, which may run it further. It returns a
      dictionary of numbers, texts and arrays.
    - ``replicas``: how many runs for each point; ``seed``: of all random numbers. The seed of a run
      follows from this, its parameters and the number of the replica, and from nothing else.
    - ``folder``: where rows are kept as they come in, checkpoints, and ``table.nc``, the table for
      other programs. Called again, with more parameters or replicas perhaps, the sweep carries out
      what is missing.
    - ``observers``: a function that makes the observers of a run from a folder for their files.
    - ``client``: a ``dask.distributed.Client``, a cluster or the address of a scheduler; left out,
      the runs share this machine in threads, ``workers`` at a time.
    - ``checkpoint_every``: seconds of computing between the checkpoints of a run in ``folder``.
      Whoever carries it out after a kill goes on from the last one, bit for bit.

    A run that fails is a row whose ``error`` says why, and the others go on. Ctrl-C leaves all that
    has come in; so does a kill. See also :func:`carom.sweeps.over_replicas`.
    """
    xarray()  # before hours of computing, not after
    if workers is not None:
        check_whole("workers", workers, 1)
        if client is not None:
            raise ValueError("workers= is for runs on this machine; a cluster has its own.")
    plan = planned(
        build,
        parameters,
        replicas=replicas,
        seed=seed,
        run=run,
        measure=measure,
        observers=observers,
        folder=folder,
        checkpoint_every=checkpoint_every,
    )
    for sentence in plan.said:
        _warn(sentence)
    return dataset(plan.layout, carry_out_plan(plan, client, workers, progress))


def _warn(sentence: str) -> None:
    warnings.warn(f"sweep: {sentence}.", CaromWarning, stacklevel=3)


def carry_out_plan(
    plan: Plan, client: Any = None, workers: int | None = None, progress: bool | None = None
) -> list[Plain | None]:
    """Carry out what is missing of a plan; the rows of all runs, in order."""
    missing = plan.missing
    if missing:
        with ExitStack() as stack:
            if plan.folder is not None:
                stack.enter_context(plan.folder.alone())
                plan.folder.begin(plan.request(), plan.setting)
                stack.callback(_renew_table, plan)
                stack.callback(plan.folder.close)
            _carry_out(plan, missing, client, workers, progress)
    elif plan.folder is not None and plan.folder.remember(plan.request()):
        _renew_table(plan)
    return plan.rows_in_order


def _renew_table(plan: Plan) -> None:
    """Write the table for other programs; a sweep does without it where that is impossible."""
    assert plan.folder is not None
    try:
        table = dataset(plan.layout, plan.rows_in_order).assign_attrs(plan.attributes)
        plan.folder.table.renew(table)
    except SweepError:  # rows that make no table, as the sweep itself says
        pass
    except Exception as error:  # whatever a library finds in it
        _warn(
            f"{plan.folder.table.path} could not be written ({type(error).__name__}: {error}); "
            "the rows are kept, and carom.sweeps.read gives the table"
        )


class Place(Protocol):
    """Where runs are carried out."""

    def finished(self, timeout: float) -> list[Finished]:
        """Those that are over, after waiting for the first."""

    def under_way(self) -> UnderWay:
        """How far those have come that are not over."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


def _carry_out(
    plan: Plan, missing: list[int], client: Any, workers: int | None, progress: bool | None
) -> None:
    runs = [plan.runs[k] for k in missing]
    with deferred_interrupt() as interrupt, own_line(progress) as line:
        rows = _Rows(plan, missing, line)
        place: Place
        if client is None:
            place = Threads([partial(carry_out, plan.work, run) for run in runs], workers)
        else:
            place = Cluster(client, plan.work, runs)
        try:
            with place:
                _watch(place, rows, interrupt)
        finally:
            # What came in while all were asked to stop.
            rows.take(place.finished(0.0))
        if rows.left:  # Ctrl-C, or a run that ended as if somebody had pressed it
            again = "call it again to go on" if plan.folder else "without folder= they are lost"
            raise KeyboardInterrupt(
                f"stopped after {len(plan.rows)} of {len(plan.runs)} runs; {again}"
            )


def _watch(place: Place, rows: _Rows, interrupt: Interrupt) -> None:
    while rows.left and not (interrupt.requested or rows.stopped):
        rows.take(place.finished(SECONDS_BETWEEN_LOOKS))
        rows.show(place.under_way())


class _Rows:
    """Keeps rows as they come in, and shows how many there are."""

    def __init__(self, plan: Plan, missing: list[int], line: Line) -> None:
        self._plan, self._missing, self._line = plan, missing, line
        self._pattern = next((row for row in plan.rows.values() if row["values"]), None)
        self._failed = sum(1 for row in plan.rows.values() if row["values"] is None)
        self._announced: set[str] = set()
        self._flushed = monotonic()
        self.left = len(missing)
        self.stopped = False  # by somebody who interrupts a run

    def take(self, finished: list[Finished]) -> None:
        """Keep what has come in; ``SweepError`` if it measures other things than before."""
        for number, outcome, error in finished:
            if isinstance(error, KeyboardInterrupt):
                self.stopped = True  # it was asked to stop
                continue
            if error is not None:
                raise error
            self._keep(self._missing[number], outcome)
        folder = self._plan.folder
        if folder is None:
            return
        if monotonic() - self._flushed > SECONDS_BETWEEN_FLUSHES:
            folder.flush()
            self._flushed = monotonic()
        if finished and folder.table.is_due:
            _renew_table(self._plan)

    def _keep(self, number: int, outcome: Outcome) -> None:
        run = self._plan.runs[number]
        row: Plain = {
            "run": run.name,
            "place": run.place,
            "shown": self._plan.shown(number),
            "values": outcome.values,
            "seconds": round(outcome.seconds, 3),
        }
        if outcome.values is None:
            row |= {"error": outcome.error, "traceback": outcome.traceback}
            self._failed += 1
        if outcome.passes:
            row["passes"] = True
        self.left -= 1
        self._plan.rows[run.name] = row
        if self._plan.folder is not None:
            self._plan.folder.add(row)
        for note in outcome.notes:
            self._say_once(note)
        if outcome.values is not None:
            self._pattern = self._pattern or row
            refuse_other_names(self._pattern, row)

    def _say_once(self, note: str) -> None:
        kind = note.partition(":")[0]
        if kind not in self._announced:
            self._announced.add(kind)
            _warn(note)

    def show(self, now: UnderWay) -> None:
        """Show how many runs are over, running and failed."""
        if now.notice and now.notice not in self._announced:
            self._announced.add(now.notice)
            self._line.compiling(now.notice)
        whole = len(self._plan.runs)
        done = whole - self.left
        text = f"{done} of {whole} runs done, {now.running} running, {self._failed} failed"
        self._line.show(text, done, (done + now.share) / whole, "")
