"""Times of two neighbour methods when half of the spheres break into smaller and smaller ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from carom.plotting.style import PALETTE
from carom_studies.drawing import label, legend, marked, panels
from carom_studies.entry import Choice, Entry, Findings, Number, Size, Statement, Tell
from carom_studies.experiments.muth_systems import FRACTURED, FRACTURED_CASES
from carom_studies.experiments.muth_times import (
    SEED,
    Effort,
    crossing,
    measured_all,
    speed_of,
)
from carom_studies.sources import MUTH_2007

METHODS = ("LC", "LLL")
EFFORT = {
    Size.QUICK: Effort(METHODS, pieces=2, steps=20),
    Size.PAPER: Effort(METHODS, pieces=5, steps=100),
}
CROSSING = 2.5
CROSSING_WITHIN = 0.5  # "about", of curves with points at whole ratios
COLOURS = {"LC": PALETTE[1], "LLL": PALETTE[2]}  # as in the entries of Figs. 12 to 14


def measure(size: Size, tell: Tell) -> Findings:
    """Times per step and particle with linked cells and linked linear lists."""
    found = measured_all(FRACTURED, FRACTURED_CASES, EFFORT[size], tell)
    cost = {
        method: [1e6 * point.seconds / point.n for point in points]
        for method, points in found.items()
    }
    span = FRACTURED_CASES[-1].size_ratio - FRACTURED_CASES[0].size_ratio
    gradient = {method: (each[-1] / each[0] - 1.0) / span for method, each in cost.items()}
    start = cost["LC"][0] / cost["LLL"][0]
    return Findings(
        seed=SEED,
        parameters={
            "n": [case.n for case in FRACTURED_CASES],
            "volume fraction": round(found["LC"][0].solid_fraction, 4),
            "stiffness": FRACTURED.stiffness,
            "dt": FRACTURED.dt,
            "cell size": FRACTURED.cell_size,
        },
        data={"ratio": [case.size_ratio for case in FRACTURED_CASES], "cost": cost},
        numbers=[
            Number(
                "R/r from which on LC is slower than LLL",
                CROSSING,
                crossing(found["LC"], found["LLL"]),
                CROSSING_WITHIN,
                if_not=f"it depends on where the curves start: here, in one program, LC takes "
                f"{start:.2f} times as long as LLL for equal spheres; there the two were programs "
                "in different languages on different machines",
            )
        ],
        statements=[
            Statement(
                "the gradient of LC is a lot higher than that of LLL: at least twice, with times "
                f"scaled to start together (here {gradient['LC']:.2f} and {gradient['LLL']:.2f})",
                gradient["LC"] >= 2.0 * gradient["LLL"],
            )
        ],
        choices=[
            speed_of(FRACTURED),
            Choice("container", "10³ cells", "which the spheres fill to the published 0.12"),
        ],
    )


def draw(data: Mapping[str, Any]) -> Figure:
    """Times per particle over R/r: as measured, and scaled to start together as published."""
    figure, axes = panels(2)
    ratio = data["ratio"]
    for method in METHODS:
        cost = np.array(data["cost"][method])
        for panel, times in zip(axes, (cost / cost[0], cost), strict=True):
            panel.plot(ratio, times, "o-", color=COLOURS[method], markersize=4, label=method)
    label(axes[0], "R/r", "time per particle, that of equal spheres = 1", "scaled, as published")
    label(axes[1], "R/r", "µs per particle and step", "as measured")
    marked(axes[1], x=CROSSING, name="published crossing")
    for panel in axes:
        panel.set(xticks=ratio, ylim=(0, None))
        legend(panel)
    return figure


ENTRY = Entry(
    name="neighbours-polydisperse",
    title="Neighbour methods for different sizes",
    source=MUTH_2007,
    figure="Fig. 16",
    compares="How the times per particle of linked cells and linked linear lists grow with R/r.",
    minutes={Size.QUICK: 0.3, Size.PAPER: 2},
    measure=measure,
    draw=draw,
    takes_time=True,
)
