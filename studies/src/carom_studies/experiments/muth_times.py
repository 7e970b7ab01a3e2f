"""Computing times of neighbour methods on the systems of Muth, Müller, Eberhard & Luding 2007.

VL, LC and LLL are the methods as published: lists of all within five of the largest radii, made
over all pairs every 100 steps; cells of the paper's size and the bounding boxes in sorted lists,
both at every step. Beside them, a grid for each size of particles (HC) and what carom does when
nothing is said (auto).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import carom
from carom.particles import Array
from carom_studies.entry import Choice, Tell
from carom_studies.experiments.muth_systems import (
    OVERLAP,
    Case,
    Series,
    solid_fraction,
    system_of,
    thermal_speed,
)
from carom_studies.fits import Power, fitted
from carom_studies.timing import seconds_each

AS_PUBLISHED = ("VL", "LC", "LLL")
LISTS_KEPT = 100  # steps between two lists of VL; pieces of as many contain one
SETTLING = 20  # steps before the first piece
SMALL_PIECES = 80_000  # over n, the pieces of small systems: theirs are short
SEED = 1  # of places and velocities


class Effort(NamedTuple):
    """How much is measured on each system."""

    methods: Sequence[str]
    pieces: int  # at least
    steps: int = LISTS_KEPT  # in a piece


class Point(NamedTuple):
    """One system with one method: seconds per step and what was counted, per list made."""

    n: int
    size_ratio: int
    solid_fraction: float
    seconds: float
    pair_tests: float
    swaps: float
    listed: float


def neighbours_of(method: str, series: Series) -> Any:
    """The neighbour method of this name for a series."""
    if method == "VL":
        return carom.VerletList(radius=5.0, every=LISTS_KEPT, build="all_pairs")
    if method == "LC":
        return carom.LinkedCells(cell_size=series.cell_size, skin=0.0)
    if method == "LLL":
        return carom.LinkedLinearList(skin=0.0)
    return carom.HierarchicalCells() if method == "HC" else "auto"


class Run:
    """A system with one neighbour method."""

    def __init__(self, system: carom.System, series: Series, method: str) -> None:
        self._dt = series.dt
        soft = carom.SoftContacts(
            stiffness=series.stiffness,
            damping=0.0,
            dt=series.dt,
            neighbours=neighbours_of(method, series),
        )
        self.simulation = carom.Simulation(system, method=soft)
        self.run(SETTLING)
        self._before = self.simulation.counts

    def begin(self) -> None:
        """It goes on from where it is."""

    def run(self, steps: int) -> None:
        """Go on for so many steps."""
        self.simulation.run(duration=steps * self._dt, progress=False)

    def per_list(self, name: str) -> float:
        """What was counted since the first piece, over the lists made, or NaN without any."""
        now, before = self.simulation.counts, self._before
        lists = now.rebuilds - before.rebuilds
        return (getattr(now, name) - getattr(before, name)) / lists if lists else float("nan")


def measured(
    series: Series, case: Case, methods: Sequence[str], pieces: int, steps: int = LISTS_KEPT
) -> dict[str, Point]:
    """Some methods on one system: the best of some pieces of so many steps."""
    system = system_of(series, case, SEED)
    runs = {method: Run(system, series, method) for method in methods}
    times = seconds_each(runs, steps, pieces)
    filled = solid_fraction(series, case, system.particles.radius)
    return {
        method: Point(
            case.n,
            case.size_ratio,
            filled,
            float(times[method].min()),
            *(run.per_list(name) for name in ("pair_tests", "swaps", "listed")),
        )
        for method, run in runs.items()
    }


def measured_all(
    series: Series, cases: Sequence[Case], effort: Effort, tell: Tell
) -> dict[str, list[Point]]:
    """Some methods on some systems."""
    found: dict[str, list[Point]] = {method: [] for method in effort.methods}
    particles, done = sum(case.n for case in cases), 0
    for case in cases:
        tell(done / particles, f"{case.n:,} particles")
        pieces = max(effort.pieces, SMALL_PIECES // case.n)
        for method, point in measured(series, case, effort.methods, pieces, effort.steps).items():
            found[method].append(point)
        done += case.n
    return found


def speed_of(series: Series) -> Choice:
    """The speed, which the paper does not give."""
    step = thermal_speed(series) * series.dt / series.radius
    return Choice(
        "thermal speed",
        f"{thermal_speed(series):.3g} m/s",
        f"with which particles overlap by {OVERLAP:.0%} of the radius when they meet; they move by "
        f"{step:.0e} radii in a step. Lists of five radii, kept for {LISTS_KEPT} steps as "
        "published, allow for more than that",
    )


def growth(points: Sequence[Point]) -> Power:
    """The power law of the time over the number of particles."""
    return fitted([point.n for point in points], [point.seconds for point in points])


def scaled(points: Sequence[Point]) -> Array:
    """Times over the first, as in the paper: its programs were in two languages on two machines."""
    seconds = np.array([point.seconds for point in points])
    return seconds / seconds[0]


def crossing(first: Sequence[Point], second: Sequence[Point]) -> float:
    """The size ratio from which on the first is slower; NaN if it is not slower in the end.

    The logarithm of the ratio of the times is taken as linear between the points.
    """
    sizes = [point.size_ratio for point in first]
    ratio = np.log([a.seconds / b.seconds for a, b in zip(first, second, strict=True)])
    if ratio[-1] <= 0.0:
        return float("nan")
    faster = np.flatnonzero(ratio <= 0.0)
    if len(faster) == 0:
        return float(sizes[0])
    k = faster[-1]
    return float(np.interp(0.0, ratio[k : k + 2], sizes[k : k + 2]))
