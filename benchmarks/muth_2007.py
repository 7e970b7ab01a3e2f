"""Computing time of the neighbour methods in the three series of Muth et al. 2007.

    python benchmarks/muth_2007.py                 everything: some twenty minutes
    python benchmarks/muth_2007.py --quick         without the largest systems: some two minutes
    python benchmarks/muth_2007.py --only planar spatial fractured
    python benchmarks/muth_2007.py --markdown docs/neighbour-methods.md --pictures docs/pictures

B. Muth, M.-K. Müller, P. Eberhard & S. Luding, Collision detection and administration methods for
many particles with different sizes, 2007. VL, LC and LLL are the methods as published: lists of all
within five of the largest radii, made over all pairs every 100 steps; cells of the paper's size and
the bounding boxes in sorted lists, both at every step. Beside them, a grid for each size of
particles (HC) and what carom does when nothing is said. Speeds and places: see muth_systems.py.
One core; processor times of pieces that alternate between the methods.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console

import carom
import muth_pictures
from measuring import circumstances, seconds_each
from muth_systems import (
    FRACTURED,
    FRACTURED_CASES,
    PLANAR,
    PLANAR_CASES,
    SPATIAL,
    SPATIAL_CASES,
    Case,
    Series,
    solid_fraction,
    system_of,
    thermal_speed,
    whole_and_fragments,
)
from tables import Table, show, verdict, write_into

CASES = {PLANAR: PLANAR_CASES, SPATIAL: SPATIAL_CASES, FRACTURED: FRACTURED_CASES}
NAMES = {series.name: series for series in CASES}
QUICK = {PLANAR: 5, SPATIAL: 3, FRACTURED: 3}  # how many of the cases
# Where half of the particles are fractured, the paper compares LC and LLL only; VL's lists would
# hold five hundred pairs per particle.
METHODS = {
    PLANAR: ("VL", "LC", "LLL", "HC", "auto"),
    SPATIAL: ("VL", "LC", "LLL", "HC", "auto"),
    FRACTURED: ("LC", "LLL", "HC", "auto"),
}
LISTS_KEPT = 100  # steps between two lists of VL; pieces of as many contain one
SETTLING = 20  # steps before the first piece
PUBLISHED = {"VL": 1.8, "LC": 1.15, "LLL": 1.36}  # exponents of the spatial series, section 3.2
PUBLISHED_CROSSING = 2.5
GROWTH_LIMIT = 1.6  # of the cost per particle of HC from R/r = 1 to 5


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


def measured(series: Series, case: Case, pieces: int) -> dict[str, Point]:
    """All methods on one system."""
    system = system_of(series, case)
    runs = {method: Run(system, series, method) for method in METHODS[series]}
    times = seconds_each(runs, LISTS_KEPT, pieces)
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


def exponent(points: Sequence[Point]) -> float:
    """p of a time that grows like n^p, from a line through the logarithms."""
    n, seconds = [point.n for point in points], [point.seconds for point in points]
    return float(np.polyfit(np.log(n), np.log(seconds), 1)[0])


def crossing(first: Sequence[Point], second: Sequence[Point]) -> float:
    """The size ratio from which on the first is slower, between two points in proportion, or NaN.

    As published, times are scaled to start together; the logarithm of their ratio is taken as
    linear between the points.
    """
    ratio = np.log([a.seconds / b.seconds for a, b in zip(first, second, strict=True)])
    ratio -= ratio[0]
    for k in range(len(ratio) - 1):
        if ratio[k] < 0.0 < ratio[k + 1]:
            width = first[k + 1].size_ratio - first[k].size_ratio
            return first[k].size_ratio + width * float(ratio[k] / (ratio[k] - ratio[k + 1]))
    return float("nan")


def expected_tests(series: Series, case: Case) -> tuple[float, float]:
    """Distances that LC examines by equation 3, and that VL examines by equation 5."""
    number = float(np.prod(case.cells))
    per_cell = case.n / number
    in_cells = number * (3**series.dimension * per_cell**2 / 2.0 - per_cell / 2.0)
    return in_cells, 0.5 * case.n * (case.n - 1)


def times_table(series: Series, found: dict[str, list[Point]], note: str) -> Table:
    """Times per step and, where sizes differ, per particle."""
    rows = []
    for k, point in enumerate(next(iter(found.values()))):
        name = f"{point.n:,}"
        if series is FRACTURED:
            whole, fragments = whole_and_fragments(point.n, point.size_ratio)
            name += f" = {whole:,} + {fragments:,}"
        scale = 1e6 / point.n if series is FRACTURED else 1e3
        cells = [f"{scale * points[k].seconds:.3g}" for points in found.values()]
        rows.append([name, f"{point.solid_fraction:.3f}", *cells])
    unit = "µs per particle and step" if series is FRACTURED else "ms per step"
    headings = ("n", "fraction", *found)
    title = f"Section {series.section}, {series.name}: {unit}"
    return Table(f"muth-{series.name}", title, headings, rows, note)


def counts_table(series: Series, found: dict[str, list[Point]]) -> Table:
    """What was counted, beside what the equations say."""
    rows = []
    for k, case in enumerate(CASES[series][: len(found["LC"])]):
        in_cells, in_pairs = expected_tests(series, case)
        cells, boxes = found["LC"][k], found["LLL"][k]
        numbers = [cells.pair_tests, in_cells, cells.listed, boxes.swaps, boxes.listed]
        if "VL" in found:
            numbers += [found["VL"][k].pair_tests, in_pairs, found["VL"][k].listed]
        rows.append([f"{case.n:,}", *(f"{number:,.0f}" for number in numbers)])
    headings = ["n", "LC: tests", "eq. 3", "pairs", "LLL: swaps", "pairs"]
    note = "Per list made, which LC and LLL do at every step"
    if "VL" in found:
        headings += ["VL: tests", "eq. 5", "pairs"]
        note += f" and VL every {LISTS_KEPT}"
    note += ". Equation 3 takes all cells as inner ones."
    if series.dimension == 2:
        note += " Equation 4, 4.5 n n_c, is n / 2 more."
    return Table(f"muth-{series.name}-counts", "Counted", headings, rows, note)


def remarks(series: Series, found: dict[str, list[Point]]) -> str:
    """What follows from the times."""
    if series is FRACTURED:
        grid = found["HC"]
        growth = (grid[-1].seconds / grid[-1].n) / (grid[0].seconds / grid[0].n)
        where = crossing(found["LC"], found["LLL"])
        place = "nowhere" if math.isnan(where) else f"at R/r = {where:.2f}"
        return (
            "With times scaled to start together, as published, LC becomes slower than LLL "
            f"{place} (published: {PUBLISHED_CROSSING:g}). The cost "
            f"per particle of HC grows {growth:.2f} times from R/r = 1 to {grid[-1].size_ratio}; "
            f"demanded: at most {GROWTH_LIMIT:g}: {verdict(growth, GROWTH_LIMIT)}."
        )
    parts = []
    for method, points in found.items():
        large = points[len(points) // 2 :]
        said = f", published {PUBLISHED[method]:g}" if method in PUBLISHED else ""
        said = said if series is SPATIAL else ""
        parts.append(f"{method} {exponent(points):.2f} ({exponent(large):.2f}{said})")
    return (
        "Exponents of n, from all points and in parentheses from the larger half: "
        f"{'; '.join(parts)}."
    )


def about(series: Series, pieces: int) -> str:
    """The choices that the paper leaves open."""
    speed = thermal_speed(series)
    return (
        f"Thermal speed {speed:.3g} m/s, {speed * series.dt / series.radius:.1g} radii per step. "
        f"Best of {pieces} pieces of {LISTS_KEPT} steps."
    )


def run_series(
    series: Series, arguments: argparse.Namespace, console: Console
) -> dict[str, list[Point]]:
    """All cases of a series."""
    cases = CASES[series][: QUICK[series]] if arguments.quick else CASES[series]
    found: dict[str, list[Point]] = {method: [] for method in METHODS[series]}
    for case in cases:
        points = measured(series, case, arguments.pieces)
        for method, point in points.items():
            found[method].append(point)
        times = ", ".join(f"{m} {1e3 * point.seconds:.3g} ms" for m, point in points.items())
        console.print(f"{series.name}, {case.n:,} particles: {times}")
    return found


def parsed(words: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="without the largest systems")
    parser.add_argument("--only", nargs="+", choices=tuple(NAMES), default=tuple(NAMES))
    parser.add_argument("--pieces", type=int, default=3)
    parser.add_argument("--markdown", type=Path, help="document to put the tables into")
    parser.add_argument("--pictures", type=Path, help="folder for the pictures")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> None:
    """Measure and report."""
    arguments = parsed(words)
    # A file has no width of its own; 80 columns would cut the headings.
    console = Console(width=None if sys.stdout.isatty() else 130)
    machine = ", ".join(f"{name} {value}" for name, value in circumstances().items())
    for series in (NAMES[name] for name in arguments.only):
        found = run_series(series, arguments, console)
        note = f"{remarks(series, found)} {about(series, arguments.pieces)}"
        for table in (times_table(series, found, note), counts_table(series, found)):
            show(table, console)
            if arguments.markdown:
                write_into(arguments.markdown, table, f"{machine[0].upper()}{machine[1:]}.")
        if arguments.pictures:
            muth_pictures.draw(series, found, arguments.pictures)
    console.print(machine)


if __name__ == "__main__":
    main()
