"""Runs on the workers of a Dask cluster, here or on many machines."""

from __future__ import annotations

import functools
import pickle
import uuid
from collections.abc import Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, Self

from carom.compiled.dispatch import registrations_of, take_over
from carom.errors import SweepError
from carom.interruption import Interrupt, heeding
from carom.progress import ReplicaProgress
from carom.sweeps.run import OneRun, Outcome, Work, carry_out
from carom.sweeps.sources import version
from carom.sweeps.threads import Finished, UnderWay

SECONDS_BETWEEN_COUNTS = 5.0  # of the threads of all workers
SECONDS_BETWEEN_QUESTIONS = 0.5  # of a worker, whether anybody still wants what it does
LONGEST_CALL = "10s"  # until a scheduler answers
LONGEST_OUTAGE = 60.0  # seconds without a connection to the scheduler
LOST = (
    "the connection to Dask's scheduler is lost. Rows that have come in are kept in the folder, if "
    "there is one; call the sweep again with a new client, and it goes on."
)


def distributed() -> Any:
    """The package dask.distributed; where it is missing, the words that install it."""
    try:
        import distributed  # only who has a cluster needs it
    except ImportError as error:
        raise ImportError(
            "to sweep on a cluster the package distributed of Dask is needed; install it with: "
            "pip install 'carom[sweep]'. Without client= the runs are carried out on this machine."
        ) from error
    return distributed


def client_of(given: Any) -> tuple[Any, bool]:
    """The client of what was given, a client, a cluster or an address; and whether it is new."""
    dask = distributed()
    if isinstance(given, dask.Client):
        return given, False
    if not (isinstance(given, str) or hasattr(given, "scheduler_address")):
        raise TypeError(
            "client must be a dask.distributed.Client, a cluster or the address of a scheduler "
            f"such as 'tcp://10.0.0.1:8786', not {given!r}."
        )
    try:
        return dask.Client(given, timeout=LONGEST_CALL, set_as_default=False), True
    except (OSError, TimeoutError, ValueError) as error:
        raise SweepError(
            f"there is no scheduler of Dask at {given!r} ({error}). Start one with: dask scheduler"
        ) from error


class Cluster:
    """Carries out runs on the workers that a client knows."""

    def __init__(self, client: Any, work: Work, runs: Sequence[OneRun]) -> None:
        self._client, self._client_is_ours = client_of(client)
        self._arrived: SimpleQueue[tuple[int, Any] | None] = SimpleQueue()
        self._finished: SimpleQueue[Finished] = SimpleQueue()
        self._left, self._is_over = len(runs), False
        self._threads, self._counted = 0, -SECONDS_BETWEEN_COUNTS
        self._connected = monotonic()
        token = uuid.uuid4().hex[:8]
        # A task rather than data: should all workers that hold it die, it is made again.
        shared = self._client.submit(bytes, _packed(work), key=f"work-{token}")
        keys = [f"run-{token}-{k}" for k in range(len(runs))]
        self._futures = self._client.map(_carry_out, runs, shared=shared, key=keys, retries=0)
        for k, future in enumerate(self._futures):
            future.add_done_callback(functools.partial(self._note, k))
        self._collector = Thread(target=self._collect, daemon=True)
        self._collector.start()

    def _note(self, number: int, future: Any) -> None:
        self._arrived.put((number, future))

    def _collect(self) -> None:
        """Fetch what is there: in a thread of its own, since workers may die while it waits."""
        while (first := self._arrived.get()) is not None:
            batch = [first]
            try:
                while (further := self._arrived.get_nowait()) is not None:
                    batch.append(further)
            except Empty:
                pass
            whole = [one for one in batch if one[1].status == "finished"]
            try:
                outcomes = self._client.gather([future for _, future in whole])
            except Exception:  # one of them failed or was lost: each by itself
                whole, outcomes = [], []
            for (number, _), outcome in zip(whole, outcomes, strict=True):
                self._finished.put(Finished(number, outcome))
            fetched = {number for number, _ in whole}
            for number, future in batch:
                if number not in fetched:
                    self._fetch(number, future)

    def _fetch(self, number: int, future: Any) -> None:
        """Fetch one by itself; what nobody carries out any more says nothing of the run."""
        if future.status == "cancelled" or self._client.status == "closed":
            if not self._is_over:
                self._finished.put(Finished(number, error=SweepError(LOST)))
            return
        self._finished.put(Finished(number, _outcome_of(future)))

    def finished(self, timeout: float) -> list[Finished]:
        """Those that are over, after waiting for the first."""
        found: list[Finished] = []
        try:
            found.append(self._finished.get(timeout=timeout))
            while True:
                found.append(self._finished.get_nowait())
        except Empty:
            pass
        for one in found:
            # A worker need not keep what is here.
            self._futures[one.number].release()
        self._left -= len(found)
        return found

    def _refuse_silence(self) -> None:
        """Refuse to wait for a scheduler that is gone."""
        if self._client.status == "running":
            self._connected = monotonic()
        silent = monotonic() - self._connected
        if self._client.status == "closed" or silent > LONGEST_OUTAGE:
            raise SweepError(LOST)

    def under_way(self) -> UnderWay:
        """How many may be running: as many as the workers have threads."""
        self._refuse_silence()
        if monotonic() - self._counted > SECONDS_BETWEEN_COUNTS:
            self._counted = monotonic()
            try:
                self._threads = sum(self._client.nthreads().values())
            except Exception:  # the scheduler does not answer at the moment
                self._threads = 0
        notice = "" if self._threads else "Waiting for workers of the cluster ..."
        return UnderWay(min(self._threads, self._left), 0.0, notice=notice)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        try:
            left = [future for future in self._futures if future.status == "pending"]
            if left and self._client.status == "running":
                self._client.cancel(left)  # workers notice, and keep checkpoints
        finally:
            self._arrived.put(None)
            if self._client_is_ours:
                self._client.close()


def _packed(work: Work) -> bytes:
    """What workers need, functions and classes of a script included."""
    import cloudpickle

    try:
        packed: bytes = cloudpickle.dumps((registrations_of("__main__"), work))
    except Exception as error:
        raise SweepError(
            "build, measure or observers cannot be sent to workers: "
            f"{type(error).__name__}: {error}. They may use functions, numbers and arrays from "
            "outside, but no open files, locks or pools."
        ) from error
    return packed


@functools.lru_cache(maxsize=4)
def _unpacked(packed: bytes) -> Work:
    """The same in the process of a worker, once."""
    registrations, work = pickle.loads(packed)
    take_over(registrations)
    return work  # type: ignore[no-any-return]


def _carry_out(run: OneRun, shared: bytes) -> Outcome:
    """Carry out a run on a worker."""
    work = _unpacked(shared)
    if work.version != version():
        return Outcome(
            None,
            f"SweepError: a worker has carom {version()}, and the sweep is of carom "
            f"{work.version}; both need the same",
            passes=True,
        )
    with heeding(_NotWanted()):
        try:
            return carry_out(work, run, ReplicaProgress())
        except KeyboardInterrupt:
            return Outcome(None, "stopped", passes=True)


class _NotWanted(Interrupt):
    """Asks a run to stop when whoever wanted it has gone, or has pressed Ctrl-C."""

    def __init__(self) -> None:
        self._worker = distributed().get_worker()
        self._key = self._worker.get_current_task()
        self._asked, self._answer = monotonic(), False

    @property
    def requested(self) -> bool:  # type: ignore[override]
        """Whether nobody wants what this thread does."""
        if monotonic() - self._asked > SECONDS_BETWEEN_QUESTIONS:
            self._asked = monotonic()
            task = self._worker.state.tasks.get(self._key)
            self._answer = task is None or task.state == "cancelled"
        return self._answer


def _outcome_of(future: Any) -> Outcome:
    """What a run came to by itself, when it could not be fetched with others."""
    try:
        outcome: Outcome = future.result()
    except BaseException as error:  # the worker died too often, or the scheduler let it go
        return Outcome(None, f"{type(error).__name__}: {error}", passes=True)
    return outcome
