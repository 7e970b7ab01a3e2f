"""Particles in a flow: the experiments of Sigurgeirsson, Stuart & Wan 2001, section 2.3.

    python -m carom_studies.benchmarks.flows_2001  all but the large run
    python -m carom_studies.benchmarks.flows_2001 --quick  small and short: some two minutes
    python -m carom_studies.benchmarks.flows_2001 --only missed  some of the parts
    python -m carom_studies.benchmarks.flows_2001 --pictures docs/pictures \\
        --markdown docs/flows/tried.md

H. Sigurgeirsson, A. Stuart & W.-L. Wan, Algorithms for particle-field simulations with collisions,
J. Comput. Phys. 172, 766 (2001). Parts, with the time they take on a machine that does nothing
else:

- taylor-green: events and cost against n (figures 16 to 18), fixed and adaptive cells, and a
  relaxation time that does not depend on n; ten minutes up to 40,000 disks (--sizes);
- turbulence: the same in synthetic turbulence (figures 20 to 22); eight minutes;
- parameters: what viscosity and relaxation time do to the exponents in turbulence; three minutes;
- missed: what simpler schemes do not see; three minutes;
- large: 200,000 disks in the Taylor–Green flow, 10⁹ collisions; forty minutes, only when asked
  for with --only. It writes a checkpoint every three minutes and goes on from there.

One core, processor times. Results are kept in --out; what is there is not measured again but
shown and drawn anew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from carom_studies.benchmarks import flow_pictures, flow_tables
from carom_studies.benchmarks.flow_large import LargeRun
from carom_studies.benchmarks.flow_runs import carried, places_path, told, without_cells
from carom_studies.benchmarks.kept import Kept
from carom_studies.benchmarks.tables import Table, show, write_into
from carom_studies.experiments.laden_flows import (
    DURATION,
    TAYLOR_GREEN,
    TURBULENCE,
    cells_for,
    scheme_options,
    turbulence,
)

SIZES = (10_000, 20_000, 40_000)
# Without cells, collisions in turbulence are found quickly.
SIZES_WITHOUT_CELLS = (10_000, 20_000, 40_000, 100_000, 150_000, 200_000)
LARGE = 200_000
N = 10_000  # where n does not change
FLOW_SEEDS = range(1, 9)
VISCOSITIES = (0.1, 0.01, 0.001)
FACTORS_TRIED = (35.0, 70.0, 140.0, 280.0)
MISSED_STEPS = (5e-2, 2e-2, 1e-2, 5e-3, 2e-3)
# Taylor–Green: until bands form, in which whoever overlaps collides again and again.
MISSED_UNTIL = {TAYLOR_GREEN: 1.0, TURBULENCE: DURATION}


class Scale:
    """How large and how long the runs are."""

    def __init__(self, quick: bool, sizes: Sequence[int] | None) -> None:
        self.sizes = tuple(sizes or ((500, 1000, 2000) if quick else SIZES))
        self.sizes_without_cells = (1000, 2000, 4000) if quick else SIZES_WITHOUT_CELLS
        self.n = 1000 if quick else N
        self.large = 4000 if quick else LARGE
        self.seeds = FLOW_SEEDS[:2] if quick else FLOW_SEEDS
        self.viscosities = VISCOSITIES[1:2] if quick else VISCOSITIES
        self.factors = FACTORS_TRIED[1:3] if quick else FACTORS_TRIED
        self.missed_steps = MISSED_STEPS[::2] if quick else MISSED_STEPS


def run_flow(flow: str, scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """Fixed and adaptive cells for each n; by name."""
    kept = Kept(folder / f"{flow}.json")
    for n in scale.sizes:
        for scheme in ("fixed", "adaptive"):
            keep = places_path(folder, flow, n) if scheme == "fixed" else None
            told(
                kept,
                f"{scheme}, {n}",
                lambda n=n, scheme=scheme, keep=keep: carried(
                    flow, n, keep=keep, **scheme_options(scheme, n)
                ),
                console,
            )
    return kept.results


def run_taylor_green(scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """Taylor–Green flow: events and cost against n, and a relaxation time independent of n."""
    run_flow(TAYLOR_GREEN, scale, folder, console)
    kept = Kept(folder / f"{TAYLOR_GREEN}.json")
    for n in scale.sizes:
        told(
            kept,
            f"constant, {n}",
            lambda n=n: carried(TAYLOR_GREEN, n, **scheme_options("constant", n)),
            console,
        )
    return kept.results


def run_turbulence(scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """Turbulence: events and cost against n, and several flows of the same kind."""
    run_flow(TURBULENCE, scale, folder, console)
    kept = Kept(folder / f"{TURBULENCE}.json")
    for n in scale.sizes_without_cells:
        told(kept, f"default, {n}", lambda n=n: carried(TURBULENCE, n), console)
    for seed in scale.seeds:
        told(
            kept,
            f"flow {seed}, {scale.n}",
            lambda seed=seed: carried(
                TURBULENCE,
                scale.n,
                fluid=turbulence(seed=seed),
                **scheme_options("fixed", scale.n),
            ),
            console,
        )
    return kept.results


def run_parameters(scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """Turbulence with several viscosities and relaxation times, at n and 4 n; by name."""
    kept = Kept(folder / "parameters.json")
    for viscosity in scale.viscosities:
        for factor in scale.factors:
            for n in (scale.n, 4 * scale.n):
                told(
                    kept,
                    f"viscosity {viscosity:g}, factor {factor:g}, {n}",
                    lambda n=n, viscosity=viscosity, factor=factor: {
                        "viscosity": viscosity,
                        "factor": factor,
                        **without_cells(n, turbulence(viscosity), factor),
                    },
                    console,
                )
    return kept.results


def run_missed(scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """Both flows with exact detection and the simpler ones, with several time steps; by name."""
    kept = Kept(folder / "missed.json")
    fine = {"cells_per_side": cells_for(scale.n)}
    schemes: dict[str, dict[str, Any]] = {
        "exact": {},
        "at end": {"search": "at_end"},
        "coarse cells": {"search": "without_transfers"},
        "fine cells": {"search": "without_transfers", **fine},
    }
    for flow, until in MISSED_UNTIL.items():
        for dt in scale.missed_steps:
            for scheme, options in schemes.items():
                told(
                    kept,
                    f"{flow}, {scheme}, dt {dt:g}",
                    lambda flow=flow, scheme=scheme, dt=dt, until=until, options=options: {
                        "flow": flow,
                        "scheme": scheme,
                        **carried(flow, scale.n, until, dt=dt, **options),
                    },
                    console,
                )
    return kept.results


def run_large(scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """The large run, beside those of taylor-green; by name."""
    kept = Kept(folder / f"{TAYLOR_GREEN}.json")
    name = f"fixed, {scale.large}"
    told(kept, name, lambda: LargeRun(scale.large, folder, console).carry_out(), console)
    return kept.results


RUNS: dict[str, Callable[[Scale, Path, Console], dict[str, Any]]] = {
    TAYLOR_GREEN: run_taylor_green,
    TURBULENCE: run_turbulence,
    "parameters": run_parameters,
    "missed": run_missed,
    "large": run_large,
}


def parsed(words: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small and short")
    parser.add_argument(
        "--only", nargs="+", choices=RUNS, default=[part for part in RUNS if part != "large"]
    )
    parser.add_argument("--sizes", nargs="+", type=int, help="numbers of disks with cells")
    parser.add_argument("--out", type=Path, help="folder for the results; out/flows_2001 if not")
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
    scale = Scale(arguments.quick, arguments.sizes)
    folder = arguments.out or Path("out", "flows_2001_quick" if arguments.quick else "flows_2001")
    for part in arguments.only:
        results = RUNS[part](scale, folder, console)
        report(flow_tables.TABLES[part](results), arguments, console)
        if arguments.pictures:
            flow_pictures.draw(part, results, folder, arguments.pictures)


if __name__ == "__main__":
    main()
