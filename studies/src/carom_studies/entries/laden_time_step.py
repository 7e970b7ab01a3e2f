"""Computing time of disks in a flow against the time step."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from carom.particles import Array
from carom_studies.drawing import (
    OURS,
    label,
    legend,
    marked,
    panels,
    plain_logarithms,
    points,
    published_law,
)
from carom_studies.entry import Entry, Findings, Number, Size, Statement, Tell
from carom_studies.experiments.laden_fits import column, mean_collision_time
from carom_studies.experiments.laden_flows import (
    DURATION,
    SEED,
    TAYLOR_GREEN,
    TAYLOR_GREEN_CHOICES,
    method_of,
)
from carom_studies.experiments.laden_variants import N, fixed_cells, in_turns
from carom_studies.fits import Power, fitted
from carom_studies.sources import SIGURGEIRSSON_2001

STEPS = (5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4)
COLLISION_TIME = 7e-3  # published
PIECE = 0.1  # of time in each round
# From where on, and for how many rounds: small runs begin when disks have gathered.
BEGINNING = {Size.QUICK: 5.0, Size.PAPER: 0.0}
ROUNDS = {Size.QUICK: 10, Size.PAPER: 100}
INSENSITIVE = 1.5  # times as long is still about the same


def measure(size: Size, tell: Tell) -> Findings:
    """The processor time of 10 units of time, with each time step."""
    methods = {f"Δt = {dt:g}": method_of(TAYLOR_GREEN, **fixed_cells(dt=dt)) for dt in STEPS}
    runs = list(in_turns(methods, BEGINNING[size], PIECE, ROUNDS[size], tell).values())
    long = column([run for run in runs if run["dt"] > COLLISION_TIME], "seconds")
    return Findings(
        seed=SEED,
        parameters={"n": N, "steps": STEPS, "from": BEGINNING[size], "rounds": ROUNDS[size]},
        data={"runs": runs},
        numbers=[_exponent(runs), *(_collision_times(runs) if size is Size.PAPER else ())],
        statements=[
            Statement(
                "the cost is not sensitive to the time step as long as it is large enough: from "
                f"Δt = {min(dt for dt in STEPS if dt > COLLISION_TIME):g} to {max(STEPS):g} it "
                f"changes by a factor {long.max() / long.min():.2f} (below {INSENSITIVE:g})",
                bool(long.max() < INSENSITIVE * long.min()),
            )
        ],
        choices=TAYLOR_GREEN_CHOICES,
    )


def _exponent(runs: list[dict[str, Any]]) -> Number:
    """Of the cost as a power of the time step, where this is shortest: the median of the rounds."""
    dt = column(runs[-2:], "dt")
    each = [
        fitted(dt, seconds).exponent
        for seconds in zip(*(run["rounds"] for run in runs[-2:]), strict=True)
    ]
    return Number(
        f"exponent of the cost at Δt = {dt[-1]:g}",
        -1.0,
        float(np.median(each)),
        # Cost is a + b/Δt, (19), and a is a tenth and a twentieth of it at the last two steps.
        within=0.1,
        uncertainty=error_of_median(each),
    )


def error_of_median(values: Sequence[float]) -> float:
    """The standard error of a median, from the median distance: outliers do not count."""
    spread = 1.4826 * float(np.median(np.abs(np.array(values) - np.median(values))))
    return math.sqrt(math.pi / 2.0) * spread / math.sqrt(len(values))


def _collision_times(runs: list[dict[str, Any]]) -> list[Number]:
    run = next(run for run in runs if run["dt"] == 1e-2)
    return [
        Number(
            "mean free collision time",
            COLLISION_TIME,
            mean_collision_time(run),
            within=0.0005,  # half a digit
            by_choice=True,  # of τ
        )
    ]


def _overhead(dt: Array, seconds: Array) -> Array:
    """a and b of a cost a + b/Δt, (19): least squares of relative errors."""
    columns = np.stack([np.ones_like(dt), 1.0 / dt]) / seconds
    return np.asarray(np.linalg.lstsq(columns.T, np.ones_like(dt), rcond=None)[0])


def draw(data: Mapping[str, Any]) -> Figure:
    """Like Fig. 23, left; and beside it how many collisions there are."""
    figure, (left, right) = panels(2)
    runs = data["runs"]
    dt, seconds = column(runs, "dt"), column(runs, "seconds")
    fine = np.geomspace(dt.min(), dt.max(), 200)
    a, b = _overhead(dt, seconds)
    points(left, dt, seconds, f"{N:,} disks, fixed cells")
    left.plot(fine, a + b / fine, color=OURS, lw=1.2, label="fit a + b/Δt, (19)")
    short = fine[fine < COLLISION_TIME]
    through = Power(float(seconds[-1] * dt[-1]), -1.0)
    published_law(left, short, through, "published: ∝ 1/Δt")
    left.set_ylim(0.5 * seconds.min(), 2.0 * seconds.max())
    per_duration = column(runs, "collisions") * DURATION / column(runs, "time")
    points(right, dt, per_duration / 1e6, f"{N:,} disks, fixed cells")
    right.set_ylim(0.0, 1.2 * per_duration.max() / 1e6)
    for axes in (left, right):
        axes.set_xscale("log")
        plain_logarithms(axes.xaxis, (1.0,))
        marked(axes, x=COLLISION_TIME, name="published mean collision time")
    left.set_yscale("log")
    plain_logarithms(left.yaxis)
    label(left, "time step Δt", f"processor time of {DURATION:g} units, s", "Fig. 23, left")
    label(right, "time step Δt", f"collisions in {DURATION:g} units of time, millions")
    # On white: the mark passes behind.
    legend(left, frameon=True, framealpha=1.0, edgecolor="none")
    legend(right, frameon=True, framealpha=1.0, edgecolor="none", loc="lower left")
    return figure


ENTRY = Entry(
    name="laden-time-step",
    title="Computing time against the time step",
    source=SIGURGEIRSSON_2001,
    figure="Fig. 23, left",
    compares="Where the cost depends on the time step, and that it is then in proportion to 1/Δt.",
    minutes={Size.QUICK: 1, Size.PAPER: 9},
    measure=measure,
    draw=draw,
    takes_time=True,
)
