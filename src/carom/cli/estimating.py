"""``carom estimate``: how long a scene will take, from a few seconds of it."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

from carom.cli.building import start_of
from carom.cli.folder import Folder, RunRecord
from carom.cli.running import Passport, end_of, observers_of
from carom.cli.scene_files import read_scene
from carom.cli.summary import say
from carom.progress import progressed
from carom.simulation import Simulation

PARTS = 6  # of what was tried, whose speeds are compared
FEWEST_LOOKS = 3
CHANGING = 1.5  # times as fast in the second half as in the first: the speed is not constant


class Look(NamedTuple):
    """How far a run had come."""

    seconds: float  # by the clock, since the first look
    time: float  # simulated
    number: int  # of collisions or steps


class Estimate(NamedTuple):
    """How long a whole run takes, in seconds by the clock."""

    likely: float  # if it goes on as in the second half of what was tried
    least: float  # as in the fastest part
    most: float  # as in the slowest part
    number: float  # of collisions or steps
    change: float  # the speed in the second half over that in the first


class _Enough(Exception):
    """What was asked for has been tried."""


class _Trial:
    """Looks at a run after each piece, until it has been tried for long enough."""

    def __init__(self, simulation: Simulation, seconds: float) -> None:
        self._simulation = simulation
        self._seconds = seconds
        self._start = math.nan
        self.looks: list[Look] = []

    def look(self) -> None:
        """Note how far the run has come; ``_Enough`` when that will do."""
        if self._simulation.time == 0.0:
            return  # what moves them first may wait for the compiler: the clock starts after it
        if not self.looks:
            self._start = perf_counter()
        seconds = perf_counter() - self._start
        number, _ = progressed(self._simulation)
        self.looks.append(Look(seconds, self._simulation.time, number))
        if seconds >= self._seconds and len(self.looks) >= FEWEST_LOOKS:
            raise _Enough


def estimate_scene(given: str, until: float | None, seconds: float) -> None:
    """Try a scene for some seconds, with all that it writes, and say how long the whole takes."""
    file = read_scene(given)
    end = end_of(file, until)
    seed = file.scene.run.seed
    start = start_of(file, seed)
    passport = Passport(RunRecord(file.data, seed, start.sizes, finished=False))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        simulation = Simulation(
            start.system,
            method=start.method,
            actors=start.actors,
            seed=seed,
            observers=observers_of(file, Folder(Path(name)), passport),
        )
        trial = _Trial(simulation, seconds)
        try:
            simulation.run(until=end, progress=True, after_each_piece=trial.look)
        except _Enough:
            _tell(trial.looks, end, progressed(simulation)[1])
        else:
            seconds = trial.looks[-1].seconds if trial.looks else 0.0
            say(f"The whole run, up to t = {end:g}, takes {_duration(seconds)}.")
    say("Not counted: compilation, the picture at the end, and a film.", style="dim")


def estimated(looks: Sequence[Look], until: float) -> Estimate:
    """The whole of a run up to a time, from looks at its beginning."""
    seconds, times, numbers = (np.array(column, dtype=float) for column in zip(*looks, strict=True))
    last = len(looks) - 1
    marks = np.unique(np.linspace(0, last, min(PARTS, last) + 1).round().astype(int))
    speeds = np.diff(times[marks]) / np.diff(seconds[marks])
    middle = last // 2
    first = (times[middle] - times[0]) / (seconds[middle] - seconds[0])
    second = (times[-1] - times[middle]) / (seconds[-1] - seconds[middle])
    left = until - times[-1]
    density = (numbers[-1] - numbers[middle]) / (times[-1] - times[middle])
    likely, least, most = (
        float(seconds[-1] + left / speed) for speed in (second, speeds.max(), speeds.min())
    )
    number = float(numbers[-1] + left * density)
    return Estimate(likely, least, most, number, float(second / first))


def _tell(looks: Sequence[Look], until: float, noun: str) -> None:
    """Say what follows from the looks."""
    seconds, time, number = looks[-1]
    rate = (number - looks[0].number) / seconds
    say(f"Tried up to t = {time:.4g} of {until:g}: {rate:,.0f} {noun} in a second.")
    with np.errstate(divide="ignore", invalid="ignore"):
        found = estimated(looks, until)
    if not math.isfinite(found.likely):
        say("Time hardly goes on there; nothing can be said. Try longer: --seconds.")
        return
    most = _duration(found.most) if math.isfinite(found.most) else "much longer"
    say(
        f"The whole run takes some {_duration(found.likely)}, with {found.number:.2g} {noun}; "
        f"{_duration(found.least)} as in the fastest part of what was tried, {most} as in the "
        "slowest."
    )
    if not 1.0 / CHANGING < found.change < CHANGING:
        trend = "faster" if found.change > 1.0 else "slower"
        say(f"It is getting {trend}: a longer trial tells more (--seconds).")


def _duration(seconds: float) -> str:
    """A duration as people say it."""
    number, unit = seconds, "s"
    for length, name in ((60.0, "min"), (3600.0, "h"), (86400.0, "days")):
        if seconds >= 2.0 * length:
            number, unit = seconds / length, name
    return f"{number:,.0f} {unit}" if number >= 10.0 else f"{number:.1f} {unit}"
