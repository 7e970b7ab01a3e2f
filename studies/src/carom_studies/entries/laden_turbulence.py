"""Disks in synthetic turbulence: where they go, how often they collide, what it costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import carom
from carom_studies.drawing import panels
from carom_studies.entry import Entry, Findings, Number, Size, Statement, Tell
from carom_studies.experiments.laden_fits import (
    COLLISIONS_TURBULENCE,
    SECOND_HALF,
    TRANSFERS_TURBULENCE,
    collisions_fit,
    column,
    cost_fit,
    transfers_fit,
)
from carom_studies.experiments.laden_flows import (
    DT,
    DURATION,
    FLOW_SEED,
    SEED,
    SIZES,
    SQUARES,
    TURBULENCE,
    TURBULENCE_CHOICES,
    carried_out,
    scheme_options,
    turbulence,
    unevenness,
)
from carom_studies.experiments.laden_panels import (
    DISKS,
    Unit,
    draw_cost,
    draw_fit,
    draw_places,
    draw_published,
    draw_runs,
    draw_transfers,
    finish,
    seen_places,
)
from carom_studies.sources import SIGURGEIRSSON_2001

# Numbers of disks by scheme.
RUNS: dict[Size, dict[str, Sequence[int]]] = {
    Size.QUICK: {"fixed": (10_000, 20_000), "adaptive": (10_000, 20_000), "default": (40_000,)},
    Size.PAPER: {"fixed": SIZES, "adaptive": SIZES, "default": SIZES[4::5]},
}
DRAWN = {Size.QUICK: 20_000, Size.PAPER: 50_000}
# Flows of the same kind differ; so many others are asked for transfers.
N_OTHERS = 10_000
OTHERS = {Size.QUICK: (1, 2, 3), Size.PAPER: (1, 2, 3, 5, 6, 7, 8)}
COST_OVER_LOG = 1.54  # exponent, in the second half
LARGEST = SIZES[-1]


def measure(size: Size, tell: Tell) -> Findings:
    """Runs from rest with all schemes, in one flow, and in others with fixed cells."""
    planned = [(scheme, n, FLOW_SEED) for scheme, sizes in RUNS[size].items() for n in sizes]
    planned += [("other", N_OTHERS, seed) for seed in OTHERS[size]]
    runs: dict[str, list[Any]] = {scheme: [] for scheme in (*RUNS[size], "other")}
    total, done = sum(n**1.5 for _, n, _ in planned), 0.0
    drawn: carom.Simulation | None = None
    for scheme, n, seed in planned:
        tell(done / total, f"{n:,} disks, {scheme}")
        options = scheme_options("fixed" if scheme == "other" else scheme, n)
        simulation, run = carried_out(TURBULENCE, n, fluid=turbulence(seed=seed), **options)
        runs[scheme].append(run)
        done += n**1.5
        if (scheme, n) == ("fixed", DRAWN[size]):
            drawn = simulation
    assert drawn is not None
    start, end = drawn.system.particles.position, drawn.particles.position
    return Findings(
        seed=SEED,
        parameters={"Δt": DT, "time": DURATION, "m": "3 √n", "flow": FLOW_SEED},
        data={"runs": runs, "places": seen_places(start, end)},
        numbers=[*_transfers(runs), *(_second_half(runs) if size is Size.PAPER else ())],
        statements=[
            _distribution(unevenness(start), unevenness(end)),
            *_growth(runs),
            _adapted(runs),
            *(_large(runs) if size is Size.PAPER else ()),
        ],
        choices=TURBULENCE_CHOICES,
    )


def _transfers(runs: Mapping[str, Sequence[Any]]) -> list[Number]:
    """How many transfers there are, in the mean over flows, and how their number grows, where it
    is known how well the runs tell."""
    first = runs["fixed"][0]
    together = first["n"] * first["cells"]
    each = column([first, *runs["other"]], "transfers") / together
    numbers = [
        Number(
            f"n_t / (nm), n = {first['n']:,}",
            float(TRANSFERS_TURBULENCE(together)) / together,
            float(each.mean()),
            within=TRANSFERS_TURBULENCE.rounding(together) / together,
            uncertainty=float(each.std(ddof=1)) / len(each) ** 0.5,
        )
    ]
    growth = transfers_fit(runs["fixed"])
    if math.isfinite(growth.error):
        # Half a digit, and as much for how the fit is weighted; τ was chosen by it.
        within = 0.01
        numbers.append(
            Number("exponent of n_t", 1.04, growth.exponent, within, growth.error, by_choice=True)
        )
    return numbers


def _second_half(runs: Mapping[str, Sequence[Any]]) -> list[Number]:
    """Exponents of the fits to the second half of the runs."""
    half = [run for run in runs["fixed"] if run["n"] >= SECOND_HALF]
    collisions, cost = collisions_fit(half), cost_fit(half, "n", True)
    return [
        # Flows differ: four of them have 0.76 to 0.84 between 100,000 and 200,000 disks.
        Number(
            "exponent of n_c",
            0.82,
            collisions.exponent,
            0.1,
            collisions.error,
            by_choice=True,  # of ν
        ),
        # As in the Taylor–Green flow, what the machine adds to the exponent of the theory.
        Number(
            "exponent of cost / log n",
            COST_OVER_LOG,
            cost.exponent,
            0.13,
            cost.error,
            if_not="most of the time goes into moving disks and into making the queue of each "
            "step, which is linear in n; transfers, which go with n^1.5, cost little here",
        ),
    ]


def _distribution(start: float, end: float) -> Statement:
    return Statement(
        f"the distribution is not uniform: in {SQUARES}² squares the variance of the number of "
        f"disks is {start:.2f} times its mean at first (below 1.2), and {end:.1f} times at "
        f"t = {DURATION:g} (above 3)",
        start < 1.2 and end > 3.0,
    )


def _growth(runs: Mapping[str, Sequence[Any]]) -> list[Statement]:
    collisions, transfers = collisions_fit(_counted(runs)), transfers_fit(runs["fixed"])
    return [
        Statement(
            f"collisions grow far less than with n^1.5: n^{collisions.exponent:.2f} (below n^1.1)",
            collisions.exponent < 1.1,
        ),
        Statement(
            f"transfers are very nearly linear in n m: (nm)^{transfers.exponent:.2f} (within 0.05)",
            abs(transfers.exponent - 1.0) < 0.05,
        ),
    ]


def _large(runs: Mapping[str, Sequence[Any]]) -> list[Statement]:
    """What the text says of 200,000 disks."""
    largest = runs["fixed"][-1]
    return [
        Statement(
            f"{LARGEST:,} disks collide more than a million times (by which ν was chosen): "
            f"{largest['collisions']:,}",
            largest["collisions"] > 1_000_000,
        )
    ]


def _adapted(runs: Mapping[str, Sequence[Any]]) -> Statement:
    fixed, adaptive = (sum(run["seconds"] for run in runs[s]) for s in ("fixed", "adaptive"))
    return Statement(
        f"the adaptive scheme is faster than the fixed one: {adaptive:.0f} s for all n, "
        f"{fixed:.0f} s with fixed cells",
        adaptive < fixed,
    )


def _counted(runs: Mapping[str, Sequence[Any]]) -> list[Any]:
    """Runs with fixed cells, and of the default those beyond: both miss no collision."""
    fixed = list(runs["fixed"])
    return fixed + [run for run in runs["default"] if run["n"] > fixed[-1]["n"]]


def draw(data: Mapping[str, Any]) -> Figure:
    """Like Figs. 20 to 22, one a row."""
    figure, axes = panels(2, 3)
    runs = data["runs"]
    timed = {scheme: runs[scheme] for scheme in ("fixed", "adaptive", "default")}
    draw_places(axes[:2], data["places"], "Fig. 20")
    _draw_collisions(axes[2], runs)
    draw_transfers(axes[3], runs["fixed"], TRANSFERS_TURBULENCE, 9.0, "Fig. 21, right")

    def law_of(each: Sequence[Any]) -> Any:
        n = column(each, "n")
        return n**COST_OVER_LOG * np.log(n)

    draw_cost(
        axes[4],
        timed,
        lambda each: column(each, "collisions"),
        None,
        "",
        Unit("collisions $n_c$, millions", 1e6, 1.2),
        "Fig. 22, left",
    )
    draw_cost(
        axes[5],
        timed,
        lambda each: column(each, "n") * np.log(column(each, "n")),
        law_of,
        rf"$n^{{{COST_OVER_LOG}}} \log n$",
        Unit(r"$n \log n$, millions", 1e6, 2.5),
        "Fig. 22, right",
    )
    return figure


def _draw_collisions(axes: Any, runs: Mapping[str, Sequence[Any]]) -> None:
    up = Unit("collisions $n_c$, millions", 1e6, 1.4)
    for scheme in ("fixed", "default"):
        n, collisions = column(runs[scheme], "n"), column(runs[scheme], "collisions")
        draw_runs(axes, scheme, n, collisions, DISKS, up)
    counted = _counted(runs)
    half = [run for run in counted if run["n"] >= SECOND_HALF]
    fitted = half if len(half) > 1 else counted
    n = column(fitted, "n")
    draw_fit(axes, "fixed", n, collisions_fit(fitted), "n", DISKS, up)
    said = rf"∝ $n^{{{COLLISIONS_TURBULENCE.exponent:.2f}}}$"
    draw_published(axes, (SECOND_HALF, LARGEST), COLLISIONS_TURBULENCE, said, DISKS, up)
    finish(axes, column(counted, "n"), DISKS, up, "Fig. 21, left")


ENTRY = Entry(
    name="laden-turbulence",
    title="Disks in synthetic turbulence",
    source=SIGURGEIRSSON_2001,
    figure="Figs. 20–22",
    compares="Where disks go; collisions, transfers and computing time against their number.",
    minutes={Size.QUICK: 1, Size.PAPER: 120},
    measure=measure,
    draw=draw,
    takes_time=True,
)
