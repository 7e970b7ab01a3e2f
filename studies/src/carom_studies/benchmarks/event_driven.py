"""Speed of ``algorithm="heap"``: collisions per second, and how the cost grows with n.

    python -m carom_studies.benchmarks.event_driven  a minute: 2D and 3D, three sizes
    python -m carom_studies.benchmarks.event_driven --full  more sizes, as in section 1.4 of
        Sigurgeirsson, Stuart & Wan 2001
    python -m carom_studies.benchmarks.event_driven --cells  cells per side, as in their figure 8
    python -m carom_studies.benchmarks.event_driven --json out.json  also for machines to read

One core. Times are processor times, the best of several repetitions, so that other work on the
machine disturbs little. The default algorithm is measured by ``hard_spheres.py``.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

import carom
from carom_studies.benchmarks.measuring import circumstances
from carom_studies.timing import seconds_each

SIZES = (5_000, 20_000, 100_000)
FULL_SIZES = (5_000, 10_000, 20_000, 40_000, 60_000, 80_000, 100_000)
CELLS = (40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150)
SETTLING = 5  # collisions per particle before anything is timed


class Point(NamedTuple):
    """What is timed."""

    dimension: int
    n: int
    packing_fraction: float
    cells_per_side: int | None = None


class Settled:
    """A fluid that has left its lattice."""

    def __init__(self, point: Point) -> None:
        particles, box = carom.packings.lattice(
            point.n, point.packing_fraction, dimension=point.dimension, seed=1
        )
        method = carom.EventDriven(algorithm="heap", cells_per_side=point.cells_per_side)
        self.simulation = carom.Simulation(carom.System(particles, box), method=method)
        self.run(SETTLING * point.n // 2)

    def begin(self) -> None:
        """It is ready."""

    def run(self, collisions: int) -> None:
        """Go on for so many collisions."""
        self.simulation.run(collisions=collisions, progress=False)


def measured(point: Point, collisions: int, repetitions: int) -> dict[str, Any]:
    """One row: rates and the work per collision."""
    fluid = Settled(point)
    before = fluid.simulation.counts
    cost = float(seconds_each({"heap": fluid}, collisions, repetitions)["heap"].min())
    work = {
        name: (getattr(fluid.simulation.counts, name) - getattr(before, name))
        / (repetitions * collisions)
        for name in ("pair_tests", "transfers", "checks")
    }
    return point._asdict() | {"seconds_per_collision": cost, "rate": 1.0 / cost} | work


def filling_size(dimension: int, n: int) -> int:
    """In space the nearest number that fills a cubic lattice."""
    return n if dimension == 2 else 4 * round((n / 4) ** (1 / 3)) ** 3


def scaling(arguments: argparse.Namespace, console: Console) -> list[dict[str, Any]]:
    """Measure all sizes, print a table, and return its rows."""
    rows = []
    for dimension in arguments.dimension:
        first: dict[str, Any] | None = None
        for size in arguments.sizes or (FULL_SIZES if arguments.full else SIZES):
            n = filling_size(dimension, size)
            with console.status(f"{dimension}D, {n} particles"):
                point = Point(dimension, n, arguments.packing_fraction)
                row = measured(point, arguments.collisions, arguments.repetitions)
            first = row if first is None else first
            row["cost"] = row["seconds_per_collision"] / first["seconds_per_collision"]
            row["cost_over_log_n"] = row["cost"] * math.log(first["n"]) / math.log(n)
            rows.append(row)
    table = Table(
        title=f"Cells and a heap, packing fraction {arguments.packing_fraction:g}, one core"
    )
    headings = ["d", "n", "collisions/s", "µs each", "tests", "events", "cost", "cost / log n"]
    for heading in headings:
        table.add_column(heading, justify="right")
    for row in rows:
        cells = [f"{row['dimension']}", f"{row['n']:,}", f"{row['rate']:,.0f}"]
        cells.append(f"{1e6 * row['seconds_per_collision']:.2f}")
        events = 1.0 + row["transfers"] + row["checks"]
        cells += [f"{row['pair_tests']:.1f}", f"{events:.2f}"]
        cells += [f"{row['cost']:.2f}", f"{row['cost_over_log_n']:.2f}"]
        table.add_row(*cells)
    console.print(table)
    console.print("Pair tests and events are per collision, costs relative to the smallest n.")
    console.print("A cost / log n of at most 1 means that the cost grows no faster than log n.")
    return rows


def cells_sweep(arguments: argparse.Namespace, console: Console) -> list[dict[str, Any]]:
    """Measure numbers of cells at n = 5,000 in the plane, print a table, and return its rows."""
    rows = []
    for cells in (None, *CELLS):
        with console.status(f"{cells or 'automatic'} cells per side"):
            point = Point(2, SIZES[0], arguments.packing_fraction, cells)
            rows.append(measured(point, arguments.collisions, arguments.repetitions))
    table = Table(title=f"Cells per side, 2D, n = {SIZES[0]:,} (the paper's best: about 90)")
    for heading in ("cells per side", "collisions/s", "time over least"):
        table.add_column(heading, justify="right")
    least = min(row["seconds_per_collision"] for row in rows)
    for row in rows:
        relative = row["seconds_per_collision"] / least
        cells = str(row["cells_per_side"] or "automatic")
        table.add_row(cells, f"{row['rate']:,.0f}", f"{relative:.2f}")
    console.print(table)
    return rows


def parsed(words: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--dimension", type=int, nargs="+", choices=(2, 3), default=[2, 3])
    parser.add_argument("--sizes", type=int, nargs="+", help="numbers of particles")
    parser.add_argument("--full", action="store_true", help="more sizes")
    parser.add_argument("--cells", action="store_true", help="sweep the cells per side instead")
    parser.add_argument("--packing-fraction", type=float, default=0.15)
    parser.add_argument("--collisions", type=int, default=200_000, help="per repetition")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--json", type=Path, help="also write the results here")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> None:
    """Measure and report."""
    # A file has no width of its own; 80 columns would cut the headings.
    console = Console(width=None if sys.stdout.isatty() else 110)
    arguments = parsed(words)
    about = circumstances()
    rows = (cells_sweep if arguments.cells else scaling)(arguments, console)
    console.print(", ".join(f"{name} {value}" for name, value in about.items()))
    if arguments.json:
        report = {"circumstances": about, "results": rows}
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
