"""Time-stepped against event-driven hard disks in shear: what a lecture on DEM leaves open.

    carom reproduce time-step-error --size paper -o docs/reproduction   first: ten minutes
    python -m carom_studies.benchmarks.lecture_03  everything: some ten minutes
    python -m carom_studies.benchmarks.lecture_03 --quick  small and short: a minute
    python -m carom_studies.benchmarks.lecture_03 --only stress theory time
    python -m carom_studies.benchmarks.lecture_03 --pictures docs/pictures --markdown docs/shear.md

"DEM Modeling, Lecture 03: The Hard-Particle Algorithm" shows results of W. R. Ketterhagen, J. S.
Curtis & C. R. Wassgren, Phys. Rev. E 71, 061307 (2005): smooth disks in simple shear between
Lees-Edwards boundaries. Its figures are entries of ``carom reproduce``. Parts:

- stress: tables of the runs of time-step-error, and their overlaps;
- theory: disks and spheres against kinetic theory, at solid fraction 0.1;
- time: computing time of both methods at the step that errs by 2.5 % in these runs; one core,
  processor times of pieces that alternate; for a machine that does nothing else.

Results of theory and time are kept in --out; what is there is not measured again but drawn anew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

import carom
from carom_studies.benchmarks import lecture_pictures, lecture_tables, shear_times
from carom_studies.benchmarks.kept import Kept
from carom_studies.benchmarks.tables import Table, show, write_into
from carom_studies.experiments.steady_shear import flowing, measured
from carom_studies.report import read_report

N_THEORY = 1000  # few enough that neither clusters nor bands of shear form
SIZES = (250, N_THEORY, 4000)  # of disks, to see what their number does
SETTLING = 60.0  # strains before anything is measured
PARTS = ("stress", "theory", "time")
REPORTS = Path("docs", "reproduction")


class Scale:
    """How large and how long the runs are."""

    def __init__(self, quick: bool) -> None:
        self.strain = 200.0 if quick else 3000.0
        self.sizes = (N_THEORY,) if quick else SIZES


def stepped_runs(folder: Path) -> list[dict[str, Any]]:
    """The runs that ``carom reproduce time-step-error`` has left in the folder."""
    report = read_report(folder, "time-step-error")
    if report is None:
        raise SystemExit(
            f"There is no report in {folder}. Make it with "
            f"`carom reproduce time-step-error --size paper -o {folder}`, or name its folder with "
            "--reports."
        )
    runs: list[dict[str, Any]] = report["data"]["runs"]
    return runs


def run_theory(scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """Event-driven disks and spheres at solid fraction 0.1; by name."""
    kept = Kept(folder / "theory.json")
    systems = [(2, n) for n in scale.sizes] + [(3, N_THEORY)]
    for dimension, n in systems:
        strain = scale.strain * min(1.0, N_THEORY / n)
        for e in (0.98, 0.9):
            name = f"{n} {'disks' if dimension == 2 else 'spheres'}, e {e:g}"
            found = kept.result(
                name, lambda d=dimension, n=n, e=e, strain=strain: against_theory(d, n, e, strain)
            )
            console.print(f"{name}: −xy {-found['stress'][0][1]:.4g}, T {found['temperature']:.4g}")
    return kept.results


def against_theory(dimension: int, n: int, e: float, strain: float) -> dict[str, Any]:
    """One flow at solid fraction 0.1, event-driven."""
    simulation = carom.Simulation(flowing(n, 0.1, e, dimension))
    found = measured(simulation, SETTLING, strain)
    return found | {"phi": 0.1, "e": e, "n": n, "dimension": dimension}


def parsed(words: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small and short")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--reports", type=Path, default=REPORTS, help="of carom reproduce")
    parser.add_argument("--out", type=Path, help="folder for the results; out/lecture_03 if not")
    parser.add_argument("--markdown", type=Path, help="document to put the tables into")
    parser.add_argument("--pictures", type=Path, help="folder for the pictures")
    return parser.parse_args(words)


def report(tables: Sequence[Table], arguments: argparse.Namespace, console: Console) -> None:
    """Print tables and put them into the document, if there is one."""
    for table in tables:
        show(table, console)
        if arguments.markdown:
            write_into(arguments.markdown, table, "")


def main(words: list[str] | None = None) -> None:
    """Measure and report."""
    arguments = parsed(words)
    # A file has no width of its own; 80 columns would cut the headings.
    console = Console(width=None if sys.stdout.isatty() else 130)
    scale = Scale(arguments.quick)
    folder = arguments.out or Path("out", "lecture_03_quick" if arguments.quick else "lecture_03")
    for part in arguments.only:
        results: Any
        if part == "theory":
            results = run_theory(scale, folder, console)
        else:
            results = stepped_runs(arguments.reports)
            if part == "time":
                results = shear_times.run(arguments.quick, results, folder, console)
        report(lecture_tables.TABLES[part](results), arguments, console)
        if arguments.pictures:
            lecture_pictures.draw(part, results, arguments.pictures)


if __name__ == "__main__":
    main()
