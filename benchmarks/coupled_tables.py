"""Tables of coupled_2001.py, from the results that it keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from coupled_runs import NEAR
from tables import Table

# Energy over that of the Taylor–Green flow, which no forcing exceeds without an instability.
BLOWN_UP = 0.3
PUBLISHED = {
    "Taylor–Green": ("1.87", "1.92", "1.68"),
    "stochastic": ("1.33", "1.67", "1.63"),
}


def first_time(rows: list[tuple[float, float]], limit: float) -> str:
    """The first time at which a value exceeds a limit, or a dash."""
    return next((f"{time:.2f}" for time, value in rows if value > limit), "–")


def energy_rows(found: Mapping[str, Any]) -> list[tuple[float, float]]:
    """Times and energies."""
    return [(k * found["dt"], energy) for k, energy in enumerate(found["energy"])]


def outbursts(found: Mapping[str, Any]) -> int:
    """How often the energy rises above what forcing can do."""
    above = np.array(found["energy"]) > BLOWN_UP
    return int((above[1:] & ~above[:-1]).sum())


def blow_up_tables(results: Mapping[str, Any]) -> list[Table]:
    """Which runs blow up, beside what linear theory says; and iterations."""
    rows, sizes = [], []
    for name, found in results.items():
        if name.startswith("iterations"):
            sizes.append([f"{found['n']:,}", f"{found['iterations']:.2f}"])
            continue
        looks = [(row[0], row[2]) for row in found["stability"]]
        rows.append(
            [
                found["scheme"],
                f"{found['strength']:g}",
                f"{found['fraction']:g}",
                f"{found['lengthened']:g}",
                found["starts"],
                f"{found['close_packed']:.2f}",
                f"{max(row[1] for row in found['stability']):.2f}",
                f"{max(value for _, value in looks):.2f}",
                first_time(looks, 1.0),
                first_time(energy_rows(found), BLOWN_UP),
                str(outbursts(found)),
                f"{max(found['energy']):.3g}",
                f"{found['iterations']:.1f}" if found["scheme"] == "implicit" else "–",
            ]
        )
    one = next(iter(results.values()))
    until = (len(one["energy"]) - 1) * one["dt"]
    headings = (
        "scheme", "α/r", "φ", "Δt √n", "fluid starts", "Δt D close-packed", "Δt D", "ratio",
        "ratio > 1 at", "blows up at", "times", "largest energy", "iterations",
    )  # fmt: skip
    note = (
        f"{one['n']:,} particles up to t = {until:.3g}. Δt D: its largest eigenvalue if disks were "
        "close-packed over many nodes, and the largest found in the run. Ratio: the largest in the "
        f"run of the instability's eigenvalue, above 1 unstable. Blown up: an energy above "
        f"{BLOWN_UP:g}; the Taylor–Green flow has 0.25."
    )
    return [
        Table("coupled blow-up", "Energy of the fluid", headings, rows, note),
        Table(
            "coupled iterations",
            "Iterations in a step",
            ("n", "iterations"),
            sizes,
            "Means up to t = 1, tolerance 10⁻⁸, α = r; the fluid starts as the Taylor–Green flow.",
        ),
    ]


def distribution_tables(results: Mapping[str, Any]) -> list[Table]:
    """Shares near the separatrices."""
    times = next(iter(results.values()))["times"]
    rows = [
        [found["starts"], *(f"{share:.2f}" for share in found["near"])]
        for found in results.values()
    ]
    everywhere = 1.0 - (1.0 - 4.0 * NEAR) ** 2
    note = (
        f"Share of particles less than {NEAR:g} from a separatrix of the forcing's vortices; "
        f"{everywhere:.2f} if they were everywhere alike."
    )
    headings = ("fluid starts", *(f"t = {time:g}" for time in times))
    return [Table("coupled distribution", "Where particles are", headings, rows, note)]


def groups(results: Mapping[str, Any]) -> dict[tuple[str, str], list[Mapping[str, Any]]]:
    """Runs that differ in their size only, by forcing and start."""
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for one in sorted(results.values(), key=lambda one: one["n"]):
        found.setdefault((one["forcing"], one["starts"]), []).append(one)
    return found


def exponent(runs: list[Mapping[str, Any]], name: str, with_logarithm: bool) -> float:
    """b of a fit a n^b, or a n^b log n."""
    n = np.array([one["n"] for one in runs], dtype=float)
    value = np.array([one[name] for one in runs], dtype=float)
    return float(
        np.polyfit(np.log(n), np.log(value / np.log(n) if with_logarithm else value), 1)[0]
    )


def series_tables(results: Mapping[str, Any]) -> list[Table]:
    """Numbers against the size, and exponents."""
    rows, fits = [], []
    for (forcing, starts), runs in groups(results).items():
        for one in runs:
            seconds = (one["collision_seconds"], one["fluid_seconds"])
            rows.append(
                [
                    forcing,
                    starts,
                    f"{one['n']:,}",
                    f"{one['collisions'] / 1e6:.3f}",
                    *(f"{value:.1f}" for value in seconds),
                    f"{one['iterations']:.1f}",
                ]
            )
        exponents = (
            exponent(runs, "collisions", False),
            exponent(runs, "collision_seconds", True),
            exponent(runs, "fluid_seconds", True),
        )
        cells = [
            f"{ours:.2f} ({paper})"
            for ours, paper in zip(exponents, PUBLISHED[forcing], strict=True)
        ]
        fits.append([forcing, starts, *cells])
    until = next(iter(results.values()))["until"]
    sizes = sorted({one["n"] for one in results.values()})
    return [
        Table(
            "coupled series",
            "Collisions and costs",
            ("forcing", "fluid starts", "n", "10⁶ collisions", "collisions, s", "fluid, s",
             "iterations"),
            rows,
            f"Up to t = {until:g}; processor time on a machine that others used, too.",
        ),
        Table(
            "coupled exponents",
            "Exponents",
            ("forcing", "fluid starts", "n_c ~ n^b", "collisions ~ n^b log n", "fluid ~ n^b log n"),
            fits,
            f"Fits from n = {sizes[0]:,} to {sizes[-1]:,}; in parentheses the paper's.",
        ),
    ]  # fmt: skip


TABLES: dict[str, Callable[[Mapping[str, Any]], list[Table]]] = {
    "blow-up": blow_up_tables,
    "distribution": distribution_tables,
    "series": series_tables,
}
