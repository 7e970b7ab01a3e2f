"""A ball that comes to rest on a plate, and what rounding makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import carom
from carom.functions import log
from carom.plotting.style import FAINT, INK, PALETTE
from carom_studies.drawing import OURS, PUBLISHED, label, legend, panels
from carom_studies.entry import Choice, Entry, Findings, Number, Size, Statement, Tell
from carom_studies.experiments.bouncing_ball import (
    MOST_EVENTS,
    RESTITUTION,
    Arithmetic,
    Bounces,
    bounces,
    exact_time_of_rest,
    naive_time,
    stable_time,
)
from carom_studies.sources import BANNERMAN_2014

PLATES = 10**6  # evenly in [0, 1]; a few seconds, so that both sizes are the paper's
GRAVITY = 1.0
CHOSEN = Arithmetic.FROM_SURFACE
# Measured from the plate all runs are one and the same, and none or all of them fail.
ORDERS = (Arithmetic.AS_PRINTED, Arithmetic.FROM_CONTACT, CHOSEN)
SHARE, EVENTS, OVERLAP = 0.50, 30, 1e-16  # "≈ 50 %", "≈ 30 events", "≈ 10⁻¹⁶ σ"
OPEN_SHARE, OPEN_EVENTS = 0.05, 5.0  # both are given to tens
# How late or early the ball may be at rest, for g = 1. After k bounces its speed is 2⁻ᵏ. It is at
# rest once a bounce is no higher than half a spacing of floats, 2⁻⁵³: from k = 26 on, when all
# flights that are left out would take 4 · 2⁻²⁶. A flight before that begins 2⁻⁵² too high or too
# low at most, the two roundings of a position below 2. To first order it then lasts longer by
# δ = 2⁻⁵² 2ᵏ, and lands faster, so that the next one lasts longer by δ, that after it by δ/2, and
# so on up to the 25th. All k from 1 to 25 together make 5/3 · 2⁻²⁶.
LATEST_REST = (4.0 + 5.0 / 3.0) * 2.0**-26
COLOURS = dict(zip((a.formula for a in (CHOSEN, *ORDERS[:2])), PALETTE, strict=False))
LOOKS = 400  # at the height of the ball that is drawn


def measure(size: Size, tell: Tell) -> Findings:
    """The naive formula in every order of evaluation, and the stable algorithm, on all plates."""
    plates = np.linspace(0.0, 1.0, PLATES)
    naive = {}
    for k, arithmetic in enumerate(ORDERS):
        tell(k / (len(ORDERS) + 2), f"naive, {arithmetic.formula}")
        naive[arithmetic] = bounces(naive_time, plates, GRAVITY, arithmetic)
    tell(0.7, "stable")
    stable = bounces(stable_time, plates, GRAVITY, CHOSEN)
    tell(0.9, "the ball that is drawn")
    time, height = one_ball()
    late = float(np.abs(stable.rest - exact_time_of_rest(GRAVITY)).max())
    return Findings(
        seed=0,
        parameters={"plates": PLATES, "restitution": RESTITUTION, "gravity": GRAVITY},
        data={
            "time": time.round(4),
            "height": height.round(5),
            "rest": exact_time_of_rest(GRAVITY),
            "running": {a.formula: still_running(found) for a, found in naive.items()},
            "running, stable": still_running(stable),
        },
        numbers=_numbers(naive[CHOSEN]),
        statements=[
            Statement(
                f"with the stable algorithm no run of {PLATES:,} has to be halted",
                not bool(stable.failed.any()),
            ),
            Statement(
                "the stable algorithm approximates the exact solution: the ball is at rest within "
                f"{LATEST_REST:.1e} of t_final, for which roundings allow (largest deviation "
                f"{late:.1e})",
                late <= LATEST_REST,
            ),
        ],
        choices=[
            Choice("gravity", GRAVITY, "the unit of time only, in exact arithmetic"),
            Choice(
                "order in which the gap is evaluated",
                CHOSEN.formula,
                "from the share of runs that are halted, ≈ 50 %; from left to right as printed it "
                f"is {100 * naive[Arithmetic.AS_PRINTED].failed.mean():.0f} %",
            ),
        ],
    )


def _numbers(found: Bounces) -> list[Number]:
    """What the paper says of the naive formula; each is given as a round number."""
    failed = found.failed
    events, depth = found.events[failed], -found.lowest[failed]
    return [
        Number(
            "share of runs that are halted",
            SHARE,
            float(failed.mean()),
            within=OPEN_SHARE,
            by_choice=True,  # of the order in which the gap is evaluated
        ),
        Number("events until then, mean", EVENTS, float(events.mean()), within=OPEN_EVENTS),
        # An order of magnitude, so that half a decade is open.
        Number(
            "logarithm of the overlap, median",
            log(OVERLAP) / log(10.0),
            log(np.median(depth)) / log(10.0),
            within=0.5,
        ),
    ]


def still_running(found: Bounces) -> list[float]:
    """The share of runs that were not halted before each number of events."""
    halted = np.bincount(found.events[found.failed], minlength=MOST_EVENTS + 1)
    share: list[float] = (1.0 - halted.cumsum() / len(found.events)).round(6).tolist()
    return share


def one_ball() -> tuple[Any, Any]:
    """Times, and heights of the ball's centre over the plate, from the event-driven method."""
    record = carom.Record(
        1.25 * exact_time_of_rest(GRAVITY) / LOOKS,
        height=lambda simulation: simulation.particles.position[0, 1],
    )
    system = carom.System(
        carom.Particles([[0.0, 1.0]], radius=0.5),
        gravity=(0.0, -GRAVITY),
        walls=[carom.Plane((0.0, 0.0), (0.0, 1.0), restitution=RESTITUTION)],
    )
    method = carom.EventDriven(resting=True)
    simulation = carom.Simulation(system, method=method, observers=[record])
    simulation.run(until=1.25 * exact_time_of_rest(GRAVITY), progress=False)
    return record["time"], record["height"]


def draw(data: Mapping[str, Any]) -> Figure:
    """Left: the figure of the paper; right: how many runs go on, by number of events."""
    figure, (left, right) = panels(columns=2)
    left.plot(data["time"], data["height"], color=OURS, linewidth=1.4)
    left.axhline(0.5, color=FAINT, linewidth=0.8, linestyle=":")
    left.axvline(data["rest"], color=PUBLISHED, linewidth=1.2, linestyle="--")
    left.set_xticks([0.0, data["rest"]], ["0", "t$_{final}$"])
    left.set_yticks([0.0, 0.5, 1.0], ["r$_{plate}$", "r$_{plate}$ + σ/2", "r$_{plate}$ + 1"])
    left.set(xlim=(0.0, data["time"][-1]), ylim=(0.0, 1.05))
    label(left, "time t", "position r of the ball", "Fig. 7")
    style = {"fmt": "o", "color": PUBLISHED, "markersize": 4, "linewidth": 1.0, "capsize": 2}
    told = "the paper: ≈ 50 %, ≈ 30 events"
    right.errorbar([EVENTS], [1.0 - SHARE], OPEN_SHARE, OPEN_EVENTS, label=told, **style)
    for formula, share in data["running"].items():
        look = {"color": COLOURS[formula], "linewidth": 1.4, "label": f"naive, {_written(formula)}"}
        right.step(range(len(share)), share, where="post", **look)
    stable = data["running, stable"]
    right.step(range(len(stable)), stable, "--", where="post", color=INK, lw=1.4, label="stable")
    right.set(xlim=(0, MOST_EVENTS), ylim=(0.0, 1.05))
    label(right, "events", "share of runs that go on", "Section 5")
    legend(right, loc="lower left")
    return figure


def _written(formula: str) -> str:
    return formula.replace("r_plate", "r$_{plate}$")


ENTRY = Entry(
    name="bouncing-ball",
    title="A ball that bounces until it rests",
    source=BANNERMAN_2014,
    figure="Fig. 7",
    compares="How often, when and why the naive formula fails; the time of rest with the stable "
    "algorithm.",
    minutes={Size.QUICK: 0.1, Size.PAPER: 0.1},
    measure=measure,
    draw=draw,
)
