"""One large run in the Taylor–Green flow that can be killed at any time and continued."""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic, process_time
from typing import Any

from rich.console import Console

import carom
from carom_studies.benchmarks.flow_runs import keep_places, places_path
from carom_studies.benchmarks.measuring import circumstances
from carom_studies.experiments.laden_flows import (
    DURATION,
    TAYLOR_GREEN,
    at_rest,
    compile_for,
    method_of,
    outcome,
    scheme_options,
)

BETWEEN_CHECKPOINTS = 180.0  # seconds


class LargeRun:
    """A run with a checkpoint every few minutes, and the processor time of all its parts."""

    def __init__(self, n: int, folder: Path, console: Console) -> None:
        self._folder, self._console, self._n = folder, console, n
        self._checkpoint = folder / f"large_{n}.carom"
        self._clock = folder / f"large_{n}.json"
        self._spent = 0.0
        options = scheme_options("fixed", n)
        compile_for(TAYLOR_GREEN, options)
        if self._checkpoint.exists():
            self.simulation = carom.load(self._checkpoint)
            self._spent = json.loads(self._clock.read_text())["seconds"]
            console.print(f"n = {n:,} goes on at t = {self.simulation.time:.3f}")
        else:
            self.simulation = carom.Simulation(
                at_rest(n), method=method_of(TAYLOR_GREEN, **options)
            )
        self._begun = process_time()
        self._due = monotonic() + BETWEEN_CHECKPOINTS

    @property
    def seconds(self) -> float:
        """Processor time so far, over all parts of the run."""
        return self._spent + process_time() - self._begun

    def carry_out(self) -> dict[str, Any]:
        """Run to the end; what is kept of it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self.simulation.run(until=DURATION, progress=False, after_each_piece=self._after_piece)
        keep_places(self.simulation, places_path(self._folder, TAYLOR_GREEN, self._n))
        found = {**outcome(self.simulation, self.seconds), "machine": circumstances()}
        self._checkpoint.unlink(missing_ok=True)
        self._clock.unlink(missing_ok=True)
        return found

    def _after_piece(self) -> None:
        if monotonic() < self._due:
            return
        self.simulation.save(self._checkpoint)
        self._clock.write_text(json.dumps({"seconds": self.seconds}))
        self._console.print(
            f"n = {self._n:,}, t = {self.simulation.time:.3f}: "
            f"{self.simulation.counts.collisions:,} collisions in {self.seconds:,.0f} s"
        )
        self._due = monotonic() + BETWEEN_CHECKPOINTS
