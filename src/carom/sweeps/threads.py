"""Runs side by side in threads of this process: compiled loops do not hold Python's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Self

from carom.interruption import Interrupt, heeding
from carom.progress import ReplicaProgress

Job = Callable[[ReplicaProgress], Any]


class Finished(NamedTuple):
    """A job that is over: its number, and what it gave or how it failed."""

    number: int
    result: Any = None
    error: BaseException | None = None


class UnderWay(NamedTuple):
    """How far those have come that are not over."""

    running: int
    share: float  # of runs, summed over those that are running
    number: int = 0  # of collisions or steps, of all jobs
    noun: str = "collisions"
    notice: str = ""  # what somebody waits for


class Threads:
    """Carries out jobs, so many at a time, in their order."""

    def __init__(self, jobs: Sequence[Job], workers: int | None) -> None:
        self._finished: SimpleQueue[Finished] = SimpleQueue()
        self._stop = Interrupt()
        self._progress: dict[int, ReplicaProgress] = {}
        self._number, self._noun = 0, "collisions"
        self._workers = workers or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self._workers)
        for k, job in enumerate(jobs):
            self._pool.submit(self._carry_out, k, job)

    def _carry_out(self, number: int, job: Job) -> None:
        if self._stop.requested:
            return
        progress = self._progress[number] = ReplicaProgress()
        with heeding(self._stop):
            try:
                finished = Finished(number, job(progress))
            except BaseException as error:  # Ctrl-C of the main thread, too
                finished = Finished(number, error=error)
        self._finished.put(finished)

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
            progress = self._progress.pop(one.number)
            self._number += progress.number
            self._noun = progress.noun
        return found

    def under_way(self) -> UnderWay:
        """How far those have come that are not over."""
        states = list(self._progress.values())
        return UnderWay(
            min(len(states), self._workers),  # others are over, and nobody has looked at them
            sum(state.share for state in states),
            self._number + sum(state.number for state in states),
            next((state.noun for state in states if state.number), self._noun),
            next((state.notice for state in states if state.notice), ""),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # However it ended: nobody is to go on, and all are waited for.
        self._stop.requested = True
        self._pool.shutdown(wait=True, cancel_futures=True)
