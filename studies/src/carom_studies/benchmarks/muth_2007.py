"""Computing time of the neighbour methods in the three series of Muth et al. 2007.

    python -m carom_studies.benchmarks.muth_2007  everything: some twenty minutes
    python -m carom_studies.benchmarks.muth_2007 --quick  without the largest: some two minutes
    python -m carom_studies.benchmarks.muth_2007 --only planar spatial fractured
    python -m carom_studies.benchmarks.muth_2007 --markdown docs/neighbour-methods.md

B. Muth, M.-K. Müller, P. Eberhard & S. Luding, Collision detection and administration methods for
many particles with different sizes, 2007. The methods are those of
carom_studies.experiments.muth_times, the systems those of muth_systems beside it. The figures of
the paper, with its methods only: `carom reproduce neighbours-2d neighbours-3d
neighbours-polydisperse`. One core; processor times of pieces that alternate between the methods.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from rich.console import Console

from carom_studies.benchmarks.measuring import circumstances
from carom_studies.benchmarks.tables import Table, show, write_into
from carom_studies.experiments.muth_systems import (
    FRACTURED,
    FRACTURED_CASES,
    PLANAR,
    PLANAR_CASES,
    SPATIAL,
    SPATIAL_CASES,
    Case,
    Series,
    thermal_speed,
    whole_and_fragments,
)
from carom_studies.experiments.muth_times import LISTS_KEPT, Point, growth, measured

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
        rise = (grid[-1].seconds / grid[-1].n) / (grid[0].seconds / grid[0].n)
        return (
            f"With R/r = {grid[-1].size_ratio} a particle costs {rise:.2f} times as much as with "
            "R/r = 1, with HC."
        )
    parts = []
    for method, points in found.items():
        large = points[len(points) // 2 :]
        parts.append(f"{method} {growth(points).exponent:.2f} ({growth(large).exponent:.2f})")
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
        points = measured(series, case, METHODS[series], arguments.pieces)
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
    console.print(machine)


if __name__ == "__main__":
    main()
