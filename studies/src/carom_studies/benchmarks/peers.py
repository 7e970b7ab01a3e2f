"""carom beside EDMD, DynamO and LAMMPS, in one run on one machine.

    python -m carom_studies.benchmarks.peers  everything that is there
    python -m carom_studies.benchmarks.peers --quick  small systems only
    python -m carom_studies.benchmarks.peers --only hard  without soft spheres
    python -m carom_studies.benchmarks.peers --markdown docs/benchmarks.md

The folders of the others are named by CAROM_EDMD and CAROM_DYNAMO (see ``other_programs``) and
CAROM_LAMMPS (see ``lammps_granular``); those that are not there are left out. Hard spheres: equal
and elastic, in a periodic cube, one core each, in pieces that take turns. Rates are from the best
piece, the ratio is the median over the pieces. Soft spheres: ``soft_contacts``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from time import process_time

import numpy as np
from rich.console import Console

import carom
from carom_studies.benchmarks import soft_contacts
from carom_studies.benchmarks.fluids import Fluid, plain
from carom_studies.benchmarks.measuring import circumstances, slowdown
from carom_studies.benchmarks.other_programs import Program, programs
from carom_studies.benchmarks.tables import Table, show, write_into

SIZES, QUICK_SIZES = (4_000, 108_000, 500_000), (4_000,)
PACKING_FRACTIONS = (0.05, 0.15, 0.30, 0.45)
PARTS = ("hard", "soft")
SOFT_PARTS = ("speed", "jammed", "friction")


class Carom:
    """The same fluid in carom."""

    def __init__(self, system: carom.System) -> None:
        self._fluid = Fluid(system)
        self._fluid.begin()

    def seconds_each(self, collisions: int) -> float:
        """The processor time per collision of a piece."""
        start = process_time()
        self._fluid.run(collisions)
        return (process_time() - start) / collisions

    def close(self) -> None:
        """Nothing is to be done."""


def in_turns(
    subjects: Mapping[str, Program], collisions: int, pieces: int
) -> dict[str, np.ndarray]:
    """Seconds per collision in each piece, by name."""
    rounds = [[each.seconds_each(collisions) for each in subjects.values()] for _ in range(pieces)]
    return dict(zip(subjects, np.array(rounds).T, strict=True))


def hard(sizes: tuple[int, ...], collisions: int, pieces: int) -> Table:
    """Collisions per second of equal elastic spheres in all programs."""
    rows: list[list[str]] = []
    names: list[str] = []
    for n in sizes:
        for phi in PACKING_FRACTIONS:
            system = plain(n, phi)
            subjects: dict[str, Program] = {"carom": Carom(system), **programs(system, phi)}
            times = in_turns(subjects, collisions, pieces)
            for subject in subjects.values():
                subject.close()
            names = list(times)
            rows.append([f"{n:,}", f"{phi:.2f}", *_told(times)])
    headings = ["n", "φ", *names, "carom over the best other"]
    note = f"Millions of collisions per second; {pieces} pieces of {collisions:,} collisions."
    return Table("peers", "Equal elastic spheres, periodic", headings, rows, note)


def _told(times: Mapping[str, np.ndarray]) -> list[str]:
    """Rates, and how many times faster carom is than the fastest other."""
    # Of programs that are stopped and go on, single pieces can come out too short.
    rates = [f"{1e-6 / np.median(seconds):.2f}" for seconds in times.values()]
    others = [seconds for name, seconds in times.items() if name != "carom"]
    best = min(others, key=lambda seconds: float(np.median(seconds)), default=None)
    return [*rates, "–" if best is None else f"{slowdown(best, times['carom']):.2f}"]


def parsed(words: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small systems only")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="parts to run")
    parser.add_argument("--pieces", type=int, default=7)
    parser.add_argument("--collisions", type=int, default=200_000, help="per piece")
    parser.add_argument("--markdown", type=Path, help="document to put the tables into")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> None:
    """Measure and report."""
    arguments = parsed(words)
    console = Console(width=None if sys.stdout.isatty() else 120)
    if "hard" in arguments.only:
        sizes = QUICK_SIZES if arguments.quick else SIZES
        table = hard(sizes, arguments.collisions, arguments.pieces)
        show(table, console)
        about = ", ".join(f"{name} {value}" for name, value in circumstances().items())
        console.print(about)
        if arguments.markdown:
            write_into(arguments.markdown, table, f"{about[0].upper()}{about[1:]}.")
    if "soft" in arguments.only:
        options = ["--quick"] if arguments.quick else []
        if arguments.markdown:
            options += ["--markdown", str(arguments.markdown)]
        soft_contacts.main([*options, "--only", *SOFT_PARTS])


if __name__ == "__main__":
    main()
