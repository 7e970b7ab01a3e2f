"""Tables of flows_2001.py about time steps, paths of several steps, and simpler schemes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from flow_fits import mean_collision_time, series
from tables import Table


def machine_of(runs: Sequence[Mapping[str, Any]]) -> str:
    """Where and when the last of some runs was timed."""
    machine = runs[-1]["machine"]
    return f"Processor {machine['processor']}, {machine['date']}, numba {machine['numba']}."


def step_tables(results: Mapping[str, Any]) -> list[Table]:
    """Cost and collisions against the time step."""
    runs = {scheme: series(results, scheme) for scheme in ("fixed", "default")}
    for each in runs.values():
        each.sort(key=lambda run: -run["dt"])
    rows = [
        [
            f"{fixed['dt']:g}",
            f"{fixed['seconds']:.3g}",
            f"{default['seconds']:.3g}",
            f"{fixed['collisions']:,}",
            f"{default['collisions']:,}",
            f"{1e3 * fixed['false_predictions'] / fixed['collisions']:.2f}",
        ]
        for fixed, default in zip(runs["fixed"], runs["default"], strict=True)
    ]
    slopes = {
        scheme: math.log(each[-1]["seconds"] / each[-2]["seconds"])
        / math.log(each[-1]["dt"] / each[-2]["dt"])
        for scheme, each in runs.items()
    }
    said = ", ".join(f"{scheme} {slope:.2f}" for scheme, slope in slopes.items())
    fixed = runs["fixed"]
    note = (
        f"n = {fixed[0]['n']:,}. Mean collision time {mean_collision_time(fixed[-1]):.1e}. "
        f"Exponents of the cost between the last two steps: {said}. {machine_of(fixed)}"
    )
    headings = (
        "Δt", "fixed cells, s", "default, s", "collisions, fixed", "collisions, default",
        "false, ‰ of n_c",
    )  # fmt: skip
    return [Table("flows step", "Time step", headings, rows, note)]


def paths_tables(results: Mapping[str, Any]) -> list[Table]:
    """Cost against the number of steps looked at at once."""
    runs = sorted(results.values(), key=lambda run: run["paths"])
    least = min(run["seconds"] for run in runs)
    rows = [
        [
            f"{run['paths']}",
            f"{run['seconds']:.3g}",
            f"{run['seconds'] / least:.2f}",
            f"{run['collisions']:,}",
            f"{run['pair_tests'] / run['collisions']:.1f}",
            f"{run['checks'] / run['collisions']:.3f}",
        ]
        for run in runs
    ]
    note = f"n = {runs[0]['n']:,}, Δt = {runs[0]['dt']:g}, fixed cells. {machine_of(runs)}"
    headings = ("k", "s", "over the least", "collisions", "pair tests/n_c", "checks/n_c")
    return [Table("flows paths", "Paths of k steps", headings, rows, note)]


def missed_tables(results: Mapping[str, Any]) -> list[Table]:
    """What each scheme does not see."""
    exact = {(run["flow"], run["dt"]): run for run in results.values() if run["scheme"] == "exact"}
    schemes = list(dict.fromkeys(run["scheme"] for run in results.values()))[1:]
    rows = []
    for (flow, dt), reference in exact.items():
        cells = []
        for scheme in schemes:
            run = results[f"{flow}, {scheme}, dt {dt:g}"]
            seen = run["collisions"] / reference["collisions"]
            missed = run["missed"] / (run["missed"] + run["collisions"])
            cells += [f"{100.0 * missed:.2f} %", f"{seen:.3f}"]
        rows.append([flow, f"{dt:g}", f"{reference['collisions']:,}", *cells])
    headings = [f"{scheme}: {what}" for scheme in schemes for what in ("missed", "collisions")]
    first = next(iter(exact.values()))
    note = (
        f"n = {first['n']:,}; share of the contacts that a scheme does not see, and its collisions "
        "over those of exact detection."
    )
    table = Table("flows missed", "Missed", ("flow", "Δt", "n_c, exact", *headings), rows, note)
    return [table]
