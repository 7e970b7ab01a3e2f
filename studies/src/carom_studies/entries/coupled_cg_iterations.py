"""Iterations of conjugate gradients in a step of a fluid that feels its particles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from carom_studies.drawing import label, panels, points
from carom_studies.entry import Entry, Findings, Size, Statement, Tell
from carom_studies.experiments.coupled_flow import (
    SIZES,
    TITLES,
    findings_of,
    series,
    without_times,
)
from carom_studies.sources import SIGURGEIRSSON_2001

RUNS = {Size.QUICK: (1024, 1600, 2500, 4900), Size.PAPER: SIZES}
FEW = 15  # iterations: "only a few"
ROUGHLY = 1.3  # the largest over the smallest: "roughly independent of N"


def measure(size: Size, tell: Tell) -> Findings:
    """Iterations over steps, of whole runs."""
    runs = without_times(series(RUNS[size], tell))
    statements = []
    for forcing, found in runs.items():
        means = [run["iterations"] for run in found]
        statements += [
            Statement(
                f"{TITLES[forcing]}: only a few iterations in a step, {min(means):.1f} to "
                f"{max(means):.1f} (at most {FEW})",
                max(means) <= FEW,
            ),
            Statement(
                f"{TITLES[forcing]}: their number is roughly independent of n, from "
                f"{RUNS[size][0]:,} to {RUNS[size][-1]:,} particles it changes by the factor "
                f"{max(means) / min(means):.2f} (at most {ROUGHLY:g})",
                max(means) <= ROUGHLY * min(means),
            ),
        ]
    return findings_of(runs, statements=statements)


def draw(data: Mapping[str, Any]) -> Figure:
    """Left: Taylor–Green forcing; right: stochastic."""
    figure, both = panels(2)
    for axes, (forcing, runs), side in zip(both, data.items(), ("left", "right"), strict=True):
        points(
            axes, [run["n"] for run in runs], [run["iterations"] for run in runs], "", linestyle="-"
        )
        axes.set_xlim(left=0)
        axes.set_ylim(0, FEW)
        label(axes, "particles n", "iterations in a step", f"Fig. 24, {side}: {TITLES[forcing]}")
    return figure


ENTRY = Entry(
    name="coupled-cg-iterations",
    title="Iterations of the solver in a coupled flow",
    source=SIGURGEIRSSON_2001,
    figure="Fig. 24",
    compares="The average number of CG iterations in a time step against n.",
    minutes={Size.QUICK: 1, Size.PAPER: 20},
    measure=measure,
    draw=draw,
)
