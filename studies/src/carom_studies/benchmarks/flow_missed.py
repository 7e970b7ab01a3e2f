"""What simpler schemes do not see: the table and the picture of a part of flows_2001.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from carom.plotting.style import PALETTE
from carom_studies.benchmarks.tables import Table
from carom_studies.drawing import label, legend, panels, plain_logarithms, points
from carom_studies.experiments.laden_fits import column
from carom_studies.experiments.laden_flows import TAYLOR_GREEN, TURBULENCE

EXACT = "exact"


def missed_tables(results: Mapping[str, Any]) -> list[Table]:
    """What each scheme does not see."""
    exact = {(run["flow"], run["dt"]): run for run in results.values() if run["scheme"] == EXACT}
    schemes = _simpler(results)
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


def missed_picture(results: Mapping[str, Any]) -> Figure:
    """The share of contacts that simpler schemes do not see, against the time step."""
    figure, both = panels(2)
    every = {run["dt"] for run in results.values()}
    for axes, flow in zip(both, (TAYLOR_GREEN, TURBULENCE), strict=True):
        for k, scheme in enumerate(_simpler(results)):
            runs = [
                run
                for run in results.values()
                if run["flow"] == flow and run["scheme"] == scheme and run["missed"] > 0
            ]
            missed = column(runs, "missed")
            share = 100.0 * missed / (missed + column(runs, "collisions"))
            style = {"marker": "os^"[k], "linestyle": "-", "linewidth": 0.9}
            points(axes, column(runs, "dt"), share, scheme, PALETTE[k], **style)
        axes.loglog()
        axes.set_xlim(0.8 * min(every), 1.25 * max(every))
        plain_logarithms(axes.xaxis)
        plain_logarithms(axes.yaxis, (1.0,))
        label(axes, "time step Δt", "contacts not seen, %", flow)
        legend(axes)
    return figure


def _simpler(results: Mapping[str, Any]) -> list[str]:
    """The schemes that are not exact, in the order of the results."""
    schemes = dict.fromkeys(run["scheme"] for run in results.values())
    return [scheme for scheme in schemes if scheme != EXACT]
