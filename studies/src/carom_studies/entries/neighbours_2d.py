"""Times of the neighbour methods in the plane, sizes spread by a half."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from carom.plotting.style import PALETTE
from carom_studies.drawing import PUBLISHED, label, legend, panels
from carom_studies.entry import Choice, Entry, Findings, Number, Size, Statement, Tell
from carom_studies.experiments.muth_systems import PLANAR, PLANAR_CASES
from carom_studies.experiments.muth_times import (
    AS_PUBLISHED,
    SEED,
    Effort,
    growth,
    measured_all,
    scaled,
    speed_of,
)
from carom_studies.sources import MUTH_2007

EFFORT = {
    Size.QUICK: Effort(AS_PUBLISHED, pieces=3),
    Size.PAPER: Effort(AS_PUBLISHED, pieces=20),
}
GRADIENT = 2.0  # of the time when n doubles
GRADIENT_WITHIN = 0.2  # "approximately"
ALIKE = 0.15  # exponents of two curves of "a very similar behaviour"
STRAIGHT = 1950  # up to so many disks the line of Fig. 13 follows both curves
COLOURS = dict(zip(AS_PUBLISHED, PALETTE, strict=False))


def measure(size: Size, tell: Tell) -> Findings:
    """Times per step of the three methods, as published, on the six systems."""
    found = measured_all(PLANAR, PLANAR_CASES, EFFORT[size], tell)
    fits = {method: growth(points) for method, points in found.items()}
    first = next(iter(found.values()))
    return Findings(
        seed=SEED,
        parameters={
            "n": [case.n for case in PLANAR_CASES],
            "area fraction": [round(point.solid_fraction, 4) for point in first],
            "stiffness": PLANAR.stiffness,
            "dt": PLANAR.dt,
            "cell size": PLANAR.cell_size,
        },
        data={
            "n": [case.n for case in PLANAR_CASES],
            "scaled": {method: scaled(points) for method, points in found.items()},
            "seconds": {method: [p.seconds for p in points] for method, points in found.items()},
        },
        numbers=[
            Number(
                f"{method}: time when n doubles",
                GRADIENT,
                2.0 ** fits[method].exponent,
                GRADIENT_WITHIN,
                2.0 ** fits[method].exponent * math.log(2.0) * fits[method].error,
            )
            for method in ("LC", "LLL")
        ],
        statements=[
            Statement(
                "VL is the steepest",
                fits["VL"].exponent > max(fits["LC"].exponent, fits["LLL"].exponent),
            ),
            Statement(
                f"LC and LLL are alike: their exponents differ by at most {ALIKE:g} "
                f"(here {fits['LC'].exponent:.2f} and {fits['LLL'].exponent:.2f})",
                abs(fits["LC"].exponent - fits["LLL"].exponent) <= ALIKE,
            ),
        ],
        choices=[
            speed_of(PLANAR),
            Choice(
                "containers",
                "5 × 5 to 20 × 40 cells",
                "whole numbers of cells in which the disks fill the published 0.670 to 0.678",
            ),
        ],
    )


def draw(data: Mapping[str, Any]) -> Figure:
    """Left: all methods (Fig. 12); right: LLL and LC with a straight line (Fig. 13)."""
    figure, axes = panels(2)
    n, times = data["n"], data["scaled"]
    for panel, methods in zip(axes, (AS_PUBLISHED, ("LC", "LLL")), strict=True):
        for method in methods:
            panel.plot(n, times[method], "o-", color=COLOURS[method], markersize=4, label=method)
        label(panel, "number of particles", f"time, that of {n[0]} particles = 1")
    few = n.index(STRAIGHT)
    slope = sum((times[m][few] - 1.0) / (n[few] - n[0]) for m in ("LC", "LLL")) / 2.0
    line = [1.0 + slope * (each - n[0]) for each in n]
    axes[1].plot(n, line, "--", color=PUBLISHED, lw=1.2, label=f"straight below {STRAIGHT:,}")
    for panel in axes:
        panel.set(xlim=(0, None), ylim=(0, None))
        legend(panel)
    return figure


ENTRY = Entry(
    name="neighbours-2d",
    title="Neighbour methods in the plane",
    source=MUTH_2007,
    figure="Figs. 12, 13",
    compares="How the times of Verlet lists, linked cells and linked linear lists grow with n.",
    minutes={Size.QUICK: 0.2, Size.PAPER: 1},
    measure=measure,
    draw=draw,
    takes_time=True,
)
