"""Particles and a fluid that act on each other: section 3 of Sigurgeirsson, Stuart & Wan 2001.

    python benchmarks/coupled_2001.py                     everything: some ten minutes
    python benchmarks/coupled_2001.py --full              with 40,000 particles: more than an hour
    python benchmarks/coupled_2001.py --quick             small and short: one minute
    python benchmarks/coupled_2001.py --only blow-up distribution series
    python benchmarks/coupled_2001.py --pictures docs/pictures --markdown docs/coupled-flow.md

J. Comput. Phys. 172, 766. Parts:

- blow-up: energy of the fluid with the explicit scheme (A.5) and the implicit one (A.6), Fig. 28,
  beside what linear theory says of particles that stay where they are; iterations, Fig. 24;
- distribution: where particles are, Fig. 25;
- series: collisions and processor time against the number of particles, Figs. 26 and 27.

Results are kept in --out; what is there is not measured again but drawn anew.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

import coupled_pictures
import coupled_tables
from carom.plotting import FlowView, picture
from coupled_runs import Setting, costs, energies, near_separatrices
from kept import Kept
from tables import show, write_into

PARTS = ("blow-up", "distribution", "series")
TIMES = (2.0, 4.0, 5.0, 6.0, 7.0, 10.0)
SHOWN = (4.0, 10.0)
LOOKS = 4  # steps between two looks at the stability


class Scale:
    """How large and how long the runs are."""

    def __init__(self, quick: bool, full: bool) -> None:
        self.n = 1024 if quick else 10_814
        self.blow_up_until = 2.0 if quick else 4.0
        self.times = TIMES[:2] if quick else TIMES
        self.sizes = (400, 1024) if quick else (2500, 5041, 10_000)
        self.iteration_sizes = (400, 1024) if quick else (2500, 10_000, 40_000)
        if full:
            self.sizes = (*self.sizes, 20_164, 40_000)
        self.series_until = 1.0 if quick else 10.0


def run_blow_up(scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """Energies of the fluid, by name."""
    n = scale.n
    settings = [
        *(Setting(n, "explicit", a, s) for s in ("vortices", "at rest") for a in (1.0, 2.0, 3.0)),
        *(Setting(n, "implicit", a) for a in (1.0, 2.0, 3.0)),
        *(Setting(n, "explicit", fraction=phi) for phi in (0.02, 0.01)),
        Setting(n, "explicit", lengthened=2.0),
    ]
    kept = Kept(folder / "blow-up.json")
    for one in settings:
        found = kept.result(one.name, lambda one=one: energies(one, scale.blow_up_until, LOOKS))
        console.print(f"{one.name}: energy up to {max(found['energy']):.3g}")
    for size in scale.iteration_sizes:
        one = Setting(size)
        found = kept.result(f"iterations, {one.name}", lambda one=one: energies(one, 1.0, 0))
        console.print(f"{one.name}: {found['iterations']:.2f} iterations in a step")
    return kept.results


def run_distribution(scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """Shares of particles near the separatrices, by the name of the run; pictures are left."""
    kept = Kept(folder / "distribution.json")
    for starts in ("vortices", "at rest"):
        one = Setting(scale.n, starts=starts)
        found = kept.result(one.name, lambda one=one: distribution(one, scale.times, folder))
        console.print(f"{one.name}: {found['near']}")
    return kept.results


def distribution(setting: Setting, times: tuple[float, ...], folder: Path) -> dict[str, Any]:
    """The shares at some times; at some of these a picture."""
    simulation = setting.simulation()
    near = []
    for time in times:
        simulation.run(until=time, progress=False)
        near.append(near_separatrices(simulation.particles.position))
        if time in SHOWN:
            name = f"coupled_{setting.starts.replace(' ', '_')}_{time:g}.png"
            picture(simulation, folder / name, flow=FlowView(show="vorticity"))
    return setting._asdict() | {"times": times, "near": near}


def run_series(scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """Collisions and costs, by name."""
    kept = Kept(folder / "series.json")
    for n in scale.sizes:
        for one in (
            Setting(n),
            Setting(n, starts="at rest"),
            Setting(n, starts="at rest", forcing="stochastic"),
        ):
            found = kept.result(one.name, lambda one=one: costs(one, scale.series_until))
            console.print(f"{one.name}: {found['collisions']:,} collisions")
    return kept.results


def parsed(words: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small and short")
    parser.add_argument("--full", action="store_true", help="up to 40,000 particles")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--out", type=Path, help="folder for the results; out/coupled_2001 if not")
    parser.add_argument("--markdown", type=Path, help="document to put the tables into")
    parser.add_argument("--pictures", type=Path, help="folder for the pictures")
    return parser.parse_args(words)


RUNS = {"blow-up": run_blow_up, "distribution": run_distribution, "series": run_series}


def main(words: list[str] | None = None) -> None:
    """Measure and report."""
    arguments = parsed(words)
    console = Console(width=None if sys.stdout.isatty() else 130)
    scale = Scale(arguments.quick, arguments.full)
    quick = "coupled_2001_quick" if arguments.quick else "coupled_2001"
    folder = arguments.out or Path("out", quick)
    folder.mkdir(parents=True, exist_ok=True)
    for part in arguments.only:
        results = RUNS[part](scale, folder, console)
        for table in coupled_tables.TABLES[part](results):
            show(table, console)
            if arguments.markdown:
                write_into(arguments.markdown, table, "")
        if arguments.pictures:
            coupled_pictures.draw(part, results, folder, arguments.pictures)


if __name__ == "__main__":
    main()
