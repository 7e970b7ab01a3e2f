"""Speed of the event-driven method: collisions per second, and how the cost grows with n.

    python benchmarks/event_driven.py                  a minute: 2D and 3D, three sizes
    python benchmarks/event_driven.py --full           more sizes, as in section 1.4 of
                                                       Sigurgeirsson, Stuart & Wan 2001
    python benchmarks/event_driven.py --cells          cells per side, as in their figure 8
    python benchmarks/event_driven.py --json out.json  also for machines to read

One core. Times are processor times, the best of several repetitions, so that other work on the
machine disturbs little. With the environment variable CAROM_PROTOTYPE naming a folder that holds
a module ``cell5``, its runs alternate with carom's at the points in space.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import os
import platform
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numba
import numpy as np
from rich.console import Console
from rich.table import Table

import carom

SIZES = (5_000, 20_000, 100_000)
FULL_SIZES = (5_000, 10_000, 20_000, 40_000, 60_000, 80_000, 100_000)
CELLS = (40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150)
SETTLING = 5  # collisions per particle before anything is timed
PROTOTYPE_CELL = 1.4  # edge in diameters, best at a packing fraction of 0.15


class Point(NamedTuple):
    """What is timed."""

    dimension: int
    n: int
    packing_fraction: float
    cells_per_side: int | None = None


def carom_fluid(point: Point) -> carom.Simulation:
    """A settled fluid in carom."""
    particles, box = carom.packings.lattice(
        point.n, point.packing_fraction, dimension=point.dimension, seed=1
    )
    method = carom.EventDriven(cells_per_side=point.cells_per_side)
    simulation = carom.Simulation(carom.System(particles, box), method=method)
    simulation.run(collisions=SETTLING * point.n // 2, progress=False)
    return simulation


def prototype_fluid(point: Point) -> Any:
    """The same fluid in the prototype; None without one, and in the plane."""
    folder = os.environ.get("CAROM_PROTOTYPE")
    if folder is None or point.dimension == 2:
        return None
    if folder not in sys.path:
        sys.path.insert(0, folder)
    prototype = importlib.import_module("cell5")
    fluid = prototype.make(point.n, point.packing_fraction, PROTOTYPE_CELL, eq=SETTLING / 2)
    fluid.run(1000)  # compiles
    return fluid


def seconds(run: Callable[[], Any]) -> float:
    """The processor time of a call."""
    start = process_time()
    run()
    return process_time() - start


def measured(point: Point, collisions: int, repetitions: int) -> dict[str, Any]:
    """One row: rates, the work per collision, and the prototype's rate if there is one."""
    fluid, prototype = carom_fluid(point), prototype_fluid(point)
    before = fluid.counts
    times, prototype_times = [], []
    for _ in range(repetitions):
        times.append(seconds(lambda: fluid.run(collisions=collisions, progress=False)))
        if prototype is not None:
            prototype_times.append(seconds(lambda: prototype.run(collisions)))
    work = {
        name: (getattr(fluid.counts, name) - getattr(before, name)) / (repetitions * collisions)
        for name in ("pair_tests", "transfers", "checks")
    }
    cost = min(times) / collisions
    row = point._asdict() | {"seconds_per_collision": cost, "rate": 1.0 / cost} | work
    if prototype_times:
        rate = collisions / min(prototype_times)
        row |= {"prototype_rate": rate, "over_prototype": row["rate"] / rate}
    return row


def filling_size(dimension: int, n: int) -> int:
    """In space the nearest number that fills a cubic lattice, which the prototype needs."""
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
    table = Table(title=f"Event-driven, packing fraction {arguments.packing_fraction:g}, one core")
    headings = ["d", "n", "collisions/s", "µs each", "tests", "events", "cost", "cost / log n"]
    if any("prototype_rate" in row for row in rows):
        headings += ["prototype/s", "ratio"]
    for heading in headings:
        table.add_column(heading, justify="right")
    for row in rows:
        cells = [f"{row['dimension']}", f"{row['n']:,}", f"{row['rate']:,.0f}"]
        cells.append(f"{1e6 * row['seconds_per_collision']:.2f}")
        events = 1.0 + row["transfers"] + row["checks"]
        cells += [f"{row['pair_tests']:.1f}", f"{events:.2f}"]
        cells += [f"{row['cost']:.2f}", f"{row['cost_over_log_n']:.2f}"]
        if "prototype_rate" in row:
            cells += [f"{row['prototype_rate']:,.0f}", f"{row['over_prototype']:.2f}"]
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


def circumstances() -> dict[str, str]:
    """Machine, date and versions."""
    processor = platform.processor() or platform.machine()
    described = Path("/proc/cpuinfo")
    if described.exists():
        names = [line for line in described.read_text().splitlines() if "model name" in line]
        processor = names[0].partition(":")[2].strip() if names else processor
    return {
        "processor": f"{processor}, {os.cpu_count()} cores",
        "system": platform.platform(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "carom": carom.__version__,
    }


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
