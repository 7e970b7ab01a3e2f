"""Tables of coupled_2001.py, from the results that it keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from carom_studies.benchmarks.tables import Table
from carom_studies.experiments.coupled_fits import (
    BLOWN_UP,
    COLLISIONS,
    COSTS,
    first_above,
    outbursts,
    with_logarithm,
)
from carom_studies.experiments.coupled_flow import EVERYWHERE, NEAR, VISCOSITY
from carom_studies.experiments.laden_flows import FACTORS, TAYLOR_GREEN, cells_for
from carom_studies.fits import fitted

FORCINGS = {"taylor-green": "Taylor–Green", "turbulence": "stochastic"}

Results = Mapping[str, Any]


def _time(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def blow_up_tables(results: Results) -> list[Table]:
    """Which runs blow up, beside what linear theory says."""
    rows = []
    for found in results.values():
        times, exchange, ratio = np.array(found["stability"]).T
        energy = found["energy"]
        rows.append(
            [
                found["scheme"],
                f"{found['strength']:g}",
                f"{found['fraction']:g}",
                _tau(found),
                f"{found['lengthened']:g}",
                found["starts"],
                f"{found['close_packed']:.2f}",
                f"{exchange.max():.2f}",
                f"{ratio.max():.2f}",
                _time(first_above(times, ratio, 1.0)),
                _time(first_above(found["dt"] * np.arange(len(energy)), energy, BLOWN_UP)),
                str(outbursts(energy)),
                f"{max(energy):.3g}",
            ]
        )
    one = next(iter(results.values()))
    until = (len(one["energy"]) - 1) * one["dt"]
    headings = (
        "scheme", "α/r", "φ", "τ", "Δt √n", "fluid starts", "Δt D close-packed", "Δt D", "ratio",
        "ratio > 1 at", "blows up at", "times", "largest energy",
    )  # fmt: skip
    note = (
        f"{one['n']:,} particles up to t = {until:.3g}. Δt D: its largest eigenvalue if disks were "
        "close-packed over many nodes, and the largest found in the run. Ratio: the largest in the "
        f"run of the instability's eigenvalue, above 1 unstable. Blown up: an energy above "
        f"{BLOWN_UP:g}; the Taylor–Green flow has 0.25."
    )
    return [Table("coupled blow-up", "Energy of the fluid", headings, rows, note)]


def groups(results: Results) -> dict[tuple[str, str], list[Results]]:
    """Runs that differ in their size only, by forcing and start."""
    found: dict[tuple[str, str], list[Results]] = {}
    for one in sorted(results.values(), key=lambda one: one["n"]):
        found.setdefault((one["forcing"], one["starts"]), []).append(one)
    return found


def _of_size(n: int, runs: list[Results], forcing: str) -> list[str]:
    """Cells for runs of one size: means, if there are several, and how they scatter."""
    collisions = np.array([one["collisions"] for one in runs]) / 1e6
    spread = f" ± {collisions.std(ddof=1):.2g}" if len(runs) > 1 else ""
    mean = {
        name: np.mean([one[name] for one in runs])
        for name in ("iterations", "collision_seconds", "fluid_seconds")
    }
    return [
        f"{n:,}",
        f"{collisions.mean():.4g}{spread}",
        f"{1e6 * collisions.mean() / COLLISIONS[forcing](n):.2f}",
        *(f"{value:.1f}" for value in mean.values()),
    ]


def series_tables(results: Results) -> list[Table]:
    """Numbers against the size, and exponents."""
    rows, fits = [], []
    for (forcing, starts), runs in groups(results).items():
        rows += [
            [
                FORCINGS[forcing],
                starts,
                *_of_size(n, [one for one in runs if one["n"] == n], forcing),
            ]
            for n in sorted({one["n"] for one in runs})
        ]
        n = [one["n"] for one in runs]
        collisions = fitted(n, [one["collisions"] for one in runs])
        ours, paper_fit = collisions.told("n"), COLLISIONS[forcing].told("n")
        cells = [f"{ours} ± {collisions.error:.2f} ({paper_fit})"]
        for name, paper in COSTS[forcing].items():
            cost = fitted(n, with_logarithm(n, [one[f"{name}_seconds"] for one in runs]))
            cells.append(f"{cost.exponent:.2f} ± {cost.error:.2f} ({paper})")
        fits.append([FORCINGS[forcing], starts, *cells])
    one = next(iter(results.values()))
    sizes = sorted({one["n"] for one in results.values()})
    return [
        Table(
            "coupled series",
            "Collisions and costs",
            ("forcing", "fluid starts", "n", "10⁶ collisions", "over the paper's fit",
             "iterations in a step", "collisions, s", "fluid, s"),
            rows,
            f"Up to t = {one['until']:g}; processor time on a machine that others used, too. After "
            "±: the standard deviation between realisations of the stochastic force.",
        ),
        Table(
            "coupled exponents",
            "Exponents",
            ("forcing", "fluid starts", "n_c", "b of collisions ~ n^b log n",
             "b of fluid ~ n^b log n"),
            fits,
            f"Fits from n = {sizes[0]:,} to {sizes[-1]:,}; in parentheses the paper's.",
        ),
    ]  # fmt: skip


def parameter_tables(results: Results) -> list[Table]:
    """Collisions of coupled and of one-way runs, one row for each choice of parameters."""
    one_way = [found for name, found in results.items() if name.startswith("one-way")]
    alike: dict[str, list[Results]] = {}
    for name, found in sorted(results.items(), key=lambda item: item[1]["n"]):
        if not name.startswith("one-way"):
            _, _, differs = name.partition(", ")
            alike.setdefault(differs, []).append(found)
    return [_coupled(list(alike.values())), _carried(one_way)]


def _coupled(alike: list[list[Results]]) -> Table:
    """A row for runs that differ in their size only."""
    rows = []
    for runs in alike:
        one = runs[0]
        n, collisions = ([run[name] for run in runs] for name in ("n", "collisions"))
        near = [
            share for time, share in zip(one["times"], runs[-1]["near"], strict=True) if time > 2
        ]
        rows.append(
            [
                f"{one['strength']:g}",
                f"{one['fraction']:g}",
                _tau(one),
                "1/(8π²)" if one["viscosity"] == VISCOSITY else f"{one['viscosity']:g}",
                one["starts"],
                *(
                    f"{c / COLLISIONS[TAYLOR_GREEN](k):.2f}"
                    for k, c in zip(n, collisions, strict=True)
                ),
                f"{fitted(n, collisions).exponent:.2f}",
                " ".join(f"{share:.2f}" for share in near),
                f"{runs[-1]['ratio']:.2f}",
            ]
        )
    shown = ", ".join(f"{time:g}" for time in one["times"] if time > 2)
    note = (
        f"Collisions over the published {COLLISIONS[TAYLOR_GREEN].told('n')}, and the exponent. "
        f"Near: share of {n[-1]:,} particles less than {NEAR:g} from a separatrix at t = {shown}; "
        f"{EVERYWHERE:.2f} if they were everywhere alike. Ratio: that of the instability at t = 2 "
        "or 4; above 1 the explicit scheme would be unstable."
    )
    sizes = (f"n = {k:,}" for k in n)
    headings = ("α/r", "φ", "τ", "ν", "fluid starts", *sizes, "exponent", "near", "ratio")
    return Table("coupled parameters", "What the parameters do", headings, rows, note)


def _tau(run: Results) -> str:
    """The relaxation time, in words."""
    fixed = run["relaxation_time"]
    return f"{run['relaxation']:g} r" if fixed is None else f"{fixed:g}"


def _carried(runs: list[Results]) -> Table:
    rows = [
        [
            f"{one['fraction']:g}",
            f"{one['relaxation']:g}",
            f"{one['collisions'] / 1e6:.2f}",
            f"{one['transfers'] / (one['n'] * cells_for(one['n'])):.2f}",
        ]
        for one in runs
    ]
    note = (
        f"n = {runs[0]['n']:,}, one-way, with the paper's m = 3√n cells along a side. Published at "
        f"10,000: about 7.5 million collisions and n_t = 5.82 nm; taken are φ = 0.05 and "
        f"τ = {FACTORS[TAYLOR_GREEN]:g} r."
    )
    headings = ("φ", "τ/r", "10⁶ collisions", "transfers/(nm)")
    return Table("coupled one-way", "One-way runs", headings, rows, note)


TABLES: dict[str, Callable[[Results], list[Table]]] = {
    "blow-up": blow_up_tables,
    "series": series_tables,
    "parameters": parameter_tables,
}
