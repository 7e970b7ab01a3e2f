"""Times of the neighbour methods in space, equal sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from carom.plotting.style import PALETTE
from carom_studies.drawing import label, legend, panels
from carom_studies.entry import Choice, Entry, Findings, Number, Size, Statement, Tell
from carom_studies.experiments.muth_systems import SPATIAL, SPATIAL_CASES
from carom_studies.experiments.muth_times import (
    AS_PUBLISHED,
    SEED,
    Effort,
    growth,
    measured_all,
    scaled,
    speed_of,
)
from carom_studies.fits import Power
from carom_studies.sources import MUTH_2007

CASES = {Size.QUICK: SPATIAL_CASES[:-2], Size.PAPER: SPATIAL_CASES}
EFFORT = {
    Size.QUICK: Effort(AS_PUBLISHED, pieces=2),
    Size.PAPER: Effort(AS_PUBLISHED, pieces=3),
}
# Published as (0.027 x)^1.8, (0.2 x)^1.15 and (0.12 x)^1.36.
LAWS = {
    "VL": Power(0.027**1.8, 1.8),
    "LC": Power(0.2**1.15, 1.15),
    "LLL": Power(0.12**1.36, 1.36),
}
EXPONENT_WITHIN = 0.1  # "roughly similar" curves
REASONS = {
    "VL": "a part of the time is that of the lists' pairs, in proportion to n",
    "LC": "the work per particle is the same in all systems (equation 3), and here particles are "
    "copied in the order of their cells; what made it grow there is not said",
    "LLL": "exchanges in the lists grow like n^1.6, but at this speed few are due in a step; with "
    "thirty times the speed it was 1.2, and the published speed is not known",
}
COLOURS = dict(zip(AS_PUBLISHED, PALETTE, strict=False))


def measure(size: Size, tell: Tell) -> Findings:
    """Times per step of the three methods, as published."""
    cases = CASES[size]
    found = measured_all(SPATIAL, cases, EFFORT[size], tell)
    fits = {method: growth(points) for method, points in found.items()}
    exponents = {method: fit.exponent for method, fit in fits.items()}
    return Findings(
        seed=SEED,
        parameters={
            "n": [case.n for case in cases],
            "stiffness": SPATIAL.stiffness,
            "dt": SPATIAL.dt,
            "cell size": SPATIAL.cell_size,
        },
        data={
            "n": [case.n for case in cases],
            "scaled": {method: scaled(points) for method, points in found.items()},
            "seconds": {method: [p.seconds for p in points] for method, points in found.items()},
        },
        numbers=[
            Number(
                f"exponent of {method}",
                law.exponent,
                fits[method].exponent,
                EXPONENT_WITHIN,
                fits[method].error,
                REASONS[method],
            )
            for method, law in LAWS.items()
        ],
        statements=[
            Statement(
                "VL grows fastest, LC slowest",
                exponents["VL"] > exponents["LLL"] > exponents["LC"],
            )
        ],
        choices=[
            speed_of(SPATIAL),
            Choice(
                "containers",
                "5³ to 24³ cells",
                "whole numbers of cells with about four spheres each; about three are recommended",
            ),
        ],
    )


def draw(data: Mapping[str, Any]) -> Figure:
    """Times over n, both logarithmic, with the published curves as they are given."""
    figure, (axes,) = panels()
    n = np.array(data["n"], dtype=float)
    # Scaled to start together, as published: there, where the three published curves start.
    start = float(np.prod([law(n[0]) for law in LAWS.values()]) ** (1.0 / len(LAWS)))
    for method, law in LAWS.items():
        times = start * np.array(data["scaled"][method])
        colour = COLOURS[method]
        axes.loglog(n, times, "o-", color=colour, markersize=4, label=method)
        axes.loglog(n, law(n), "--", color=colour, lw=1.0, label=f"{method}, published")
    label(axes, "number of particles", "time, scaled to start together")
    legend(axes)
    return figure


ENTRY = Entry(
    name="neighbours-3d",
    title="Neighbour methods in space",
    source=MUTH_2007,
    figure="Fig. 14",
    compares="How the times of Verlet lists, linked cells and linked linear lists grow with n.",
    minutes={Size.QUICK: 0.5, Size.PAPER: 3},
    measure=measure,
    draw=draw,
    takes_time=True,
)
