"""Particles and a fluid that act on each other: section 3 of Sigurgeirsson, Stuart & Wan 2001.

    python -m carom_studies.benchmarks.coupled_2001  everything: an hour
    python -m carom_studies.benchmarks.coupled_2001 --quick  small and short: two minutes
    python -m carom_studies.benchmarks.coupled_2001 --only blow-up series parameters
    python -m carom_studies.benchmarks.coupled_2001 --pictures docs/pictures
        --markdown docs/flows/coupled-tried.md  tables and pictures into the manual

J. Comput. Phys. 172, 766. ``carom reproduce`` draws its figures 24 to 28; the parts here look
behind them, for docs/flows/coupled-tried.md:

- blow-up: energy of the fluid with the explicit scheme (A.5) and the implicit one (A.6), Fig. 28,
  beside what linear theory says of particles that stay where they are;
- series: collisions, iterations and processor time against the number of particles, Figs. 24, 26
  and 27;
- parameters: what those that the paper does not state do to the number of collisions, coupled and
  one-way.

Results are kept in --out; what is there is not measured again.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

from carom_studies.benchmarks import coupled_tables
from carom_studies.benchmarks.kept import Kept
from carom_studies.benchmarks.tables import show, write_into
from carom_studies.drawing import save_picture
from carom_studies.entries import coupled_collisions, coupled_cost
from carom_studies.experiments.coupled_flow import (
    SIZES,
    N,
    Setting,
    costs,
    near_separatrices,
    setting_of,
    steps_of,
)
from carom_studies.experiments.exchange_stability import close_packed, stability
from carom_studies.experiments.laden_flows import (
    CONSTANT_TIME,
    DT,
    DURATION,
    TAYLOR_GREEN,
    TURBULENCE,
    scheme_options,
)

REALISATIONS = 4  # of the stochastic force
LOOKS = 4  # steps between two looks at the stability
TIMES = (2.0, 4.0, 5.0, 6.0, 7.0, DURATION)  # at which places are looked at
CROWDED = TIMES[:2]  # and the stability, before the bands break up
# Coupled runs: α / r, φ, τ, ν and the start of the fluid, one after the other and some together.
VARIED: tuple[dict[str, Any], ...] = (
    {},
    {"strength": 0.5},
    {"strength": 2.0},
    {"strength": 3.0},
    {"starts": "at rest"},
    {"relaxation_time": CONSTANT_TIME},
    {"relaxation": 17.5},
    {"viscosity": 0.03},
    {"viscosity": 0.05},
    {"viscosity": 0.05, "strength": 2.0},
    {"fraction": 0.03, "relaxation": 27.1},
    {"fraction": 0.03, "relaxation": 27.1, "strength": 2.0},
    {"fraction": 0.03, "relaxation": 27.1, "strength": 3.0},
    {"fraction": 0.02, "relaxation": 22.1},
    {"fraction": 0.02, "relaxation": 22.1, "strength": 2.0},
    {"fraction": 0.02, "relaxation": 22.1, "strength": 3.0},
)
# One-way runs: φ and τ / r.
CARRIED = ((0.0125, 17.5), (0.02, 22.1), (0.02, 35.0), (0.03, 27.1), (0.03, 40.0), (0.05, 35.0),
           (0.05, 50.0), (0.07, 41.0))  # fmt: skip


class Scale:
    """How large and how long the runs are."""

    def __init__(self, quick: bool) -> None:
        self.n = 1024 if quick else N
        self.blow_up_until = 2.0 if quick else 4.0
        self.sizes = (400, 1024) if quick else SIZES
        self.until = 2.0 if quick else DURATION
        self.varied_sizes = (400, 625, 1024) if quick else (2500, 5184, 10_000)
        self.carried = 400 if quick else 10_000


def run_blow_up(scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """Energies of the fluid, by name."""
    n = scale.n
    settings = [
        *(Setting(n, "explicit", a, s) for s in ("vortices", "at rest") for a in (1.0, 2.0, 3.0)),
        *(Setting(n, "implicit", a) for a in (1.0, 2.0, 3.0)),
        *(Setting(n, "explicit", fraction=phi) for phi in (0.02, 0.01)),
        Setting(n, "explicit", lengthened=2.0),
        Setting(n, "explicit", 3.0, fraction=0.02, relaxation=22.1),
    ]
    kept = Kept(folder / "blow-up.json")
    for one in settings:
        found = kept.result(one.name, lambda one=one: watched(one, scale.blow_up_until))
        console.print(f"{one.name}: energy up to {max(found['energy']):.3g}")
    return kept.results


def watched(setting: Setting, until: float) -> dict[str, Any]:
    """The energy of the fluid after each step, and the stability after every few."""
    simulation = setting.simulation()
    energy, looks = [simulation.fluid.energy], []
    for step in steps_of(simulation, until):
        energy.append(simulation.fluid.energy)
        if step % LOOKS == 0:
            seen = stability(setting, simulation.particles.position)
            looks.append([step * setting.dt, *seen])
    return setting._asdict() | {
        "dt": setting.dt,
        "energy": energy,
        "stability": looks,
        "close_packed": close_packed(setting),
    }


def run_series(scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """Collisions and costs, by name."""
    kept = Kept(folder / "series.json")
    for n in scale.sizes:
        stochastic = setting_of(TURBULENCE, n)
        for one in (
            Setting(n),
            Setting(n, starts="at rest"),
            *(stochastic._replace(realisation=k) for k in range(REALISATIONS)),
        ):
            found = kept.result(one.name, lambda one=one: one._asdict() | costs(one, scale.until))
            console.print(f"{one.name}: {found['collisions']:,} collisions")
    return kept.results


def run_parameters(scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """Numbers of collisions, by name."""
    kept = Kept(folder / "parameters.json")
    for options in VARIED:
        for n in scale.varied_sizes:
            one = Setting(n, **options)
            found = kept.result(one.name, lambda one=one: varied(one, scale.until))
            console.print(f"{one.name}: {found['collisions']:,} collisions")
    for fraction, relaxation in CARRIED:
        one = Setting(scale.carried, fraction=fraction, relaxation=relaxation)
        found = kept.result(f"one-way, {one.name}", lambda one=one: carried(one, scale.until))
        console.print(f"one-way, {one.name}: {found['collisions']:,} collisions")
    return kept.results


def varied(setting: Setting, until: float) -> dict[str, Any]:
    """Collisions, where particles are, and the stability while they are crowded."""
    simulation = setting.simulation()
    near, ratios = [], []
    for time in TIMES:
        if time <= until:
            simulation.run(until=time, progress=False)
            position = simulation.particles.position
            near.append(near_separatrices(position))
            if time in CROWDED:
                ratios.append(stability(setting, position).ratio)
    return setting._asdict() | {
        "collisions": simulation.counts.collisions,
        "times": TIMES[: len(near)],
        "near": near,
        "ratio": max(ratios),
    }


def carried(setting: Setting, until: float) -> dict[str, Any]:
    """Collisions and transfers of a run whose flow does not feel the particles, as in section 2.3
    of the paper."""
    simulation = setting.one_way(dt=DT, **scheme_options("fixed", setting.n))
    simulation.run(until=until, progress=False)
    counts = simulation.counts
    return setting._asdict() | {"collisions": counts.collisions, "transfers": counts.transfers}


def parsed(words: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small and short")
    parser.add_argument("--only", nargs="+", choices=RUNS, default=tuple(RUNS))
    parser.add_argument("--out", type=Path, help="folder for the results; out/coupled_2001 if not")
    parser.add_argument("--markdown", type=Path, help="document to put the tables into")
    parser.add_argument("--pictures", type=Path, help="folder for Figs. 26 and 27")
    return parser.parse_args(words)


def draw_series(results: dict[str, Any], folder: Path) -> None:
    """Save the figures of a series as ``carom reproduce`` draws them."""
    runs = coupled_tables.groups(results)
    data = {
        TAYLOR_GREEN: runs[TAYLOR_GREEN, "vortices"],
        TURBULENCE: runs[TURBULENCE, "at rest"],
    }
    folder.mkdir(parents=True, exist_ok=True)
    for entry in (coupled_collisions.ENTRY, coupled_cost.ENTRY):
        save_picture(entry.draw(data), folder / f"{entry.name.replace('-', '_')}.png")


RUNS = {"blow-up": run_blow_up, "series": run_series, "parameters": run_parameters}


def main(words: list[str] | None = None) -> None:
    """Measure and report."""
    arguments = parsed(words)
    console = Console(width=None if sys.stdout.isatty() else 130)
    quick = "coupled_2001_quick" if arguments.quick else "coupled_2001"
    folder = arguments.out or Path("out", quick)
    for part in arguments.only:
        results = RUNS[part](Scale(arguments.quick), folder, console)
        for table in coupled_tables.TABLES[part](results):
            show(table, console)
            if arguments.markdown:
                write_into(arguments.markdown, table, "")
        if arguments.pictures and part == "series":
            draw_series(results, arguments.pictures)


if __name__ == "__main__":
    main()
