"""Errors of the stresses of sheared disks against the time step, for many solid fractions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from carom.plotting.style import FAINT, INK, PALETTE
from carom_studies.drawing import label, panels
from carom_studies.entry import (
    STANDARD_ERRORS,
    Choice,
    Entry,
    Findings,
    Size,
    Statement,
    Tell,
    is_so,
    judged,
)
from carom_studies.experiments.shear_steps import MOVES, SEED, Scale, flow
from carom_studies.experiments.stress_errors import (
    COMPONENTS,
    LIMIT,
    Flows,
    allowed_step,
    by_system,
    errors,
    mean_remainder,
)
from carom_studies.sources import LECTURE_03

SCALES = {
    Size.QUICK: Scale(
        n=500, exact_strain=1000.0, strain=100.0, shortest_strain=100.0, shortest=0.0018
    ),
    Size.PAPER: Scale(
        n=2000, exact_strain=1000.0, strain=500.0, shortest_strain=500.0, shortest=0.0009
    ),
}
RESAMPLED = 200  # times, to tell what chance does to the steps that are allowed
SURE = 0.975  # the share of these of which something has to be so
RESTITUTIONS = (0.9, 0.5)  # panels a and b
FRACTIONS = {Size.QUICK: (0.1, 0.3, 0.5, 0.6), Size.PAPER: (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)}
SHOWN = ("−xy", "yy")
MARKERS = {0.1: "o", 0.2: "s", 0.3: "^", 0.4: "D", 0.5: "v", 0.6: "<"}
COLOURS = dict(zip(MARKERS, PALETTE, strict=True))
RANGE = (-100.0, 300.0)  # percent
TICKS = (-100, -50, -20, -10, -5, -LIMIT, 0, LIMIT, 5, 10, 20, 50, 100, 200)


def measure(size: Size, tell: Tell) -> Findings:
    """Stresses with every step, for every solid fraction and restitution."""
    flows = [(e, phi) for e in RESTITUTIONS for phi in FRACTIONS[size]]
    runs = []
    for k, (e, phi) in enumerate(flows):
        tell(k / len(flows), f"e = {e:g}, solid fraction {phi:g}")
        runs += flow(SCALES[size], phi, e)
    systems = by_system(runs)
    return Findings(
        seed=SEED,
        parameters={
            "restitutions": RESTITUTIONS,
            "solid fractions": FRACTIONS[size],
            "v Δt/d": MOVES,
            **SCALES[size]._asdict(),
        },
        data={"runs": runs},
        statements=[_asymptotic(systems), _with_step(systems), _with_fraction(systems)],
        choices=[
            Choice("disks", SCALES[size].n, "so few that neither clusters nor bands form"),
            Choice("solid fractions", FRACTIONS[size], "a range that holds the 0.1 and 0.5 before"),
        ],
    )


def _asymptotic(systems: Mapping[tuple[float, float], Flows]) -> Statement:
    left = {name: mean_remainder(systems.values(), name) for name in COMPONENTS}
    told = ", ".join(
        f"{value:+.1f} ± {error:.1f} % in {name}" for name, (value, error) in left.items()
    )
    return Statement(
        "as the step decreases, results approach the event-driven ones: errors extrapolated to no "
        f"step are within {LIMIT:g} %, in the mean over the flows ({told})",
        is_so(judged(abs(value), LIMIT, error) for value, error in left.values()),
    )


def _with_step(systems: Mapping[tuple[float, float], Flows]) -> Statement:
    """That one of the stresses at least is wrong in each flow."""
    beyond = []
    for flows in systems.values():
        last = [errors(flows, name) for name in COMPONENTS]
        beyond.append(max(abs(e.percent[-1]) - STANDARD_ERRORS * e.uncertainty[-1] for e in last))
    return Statement(
        f"errors increase with the step: with the largest they are above {LIMIT:g} % in all flows",
        min(beyond) > LIMIT,
    )


def _with_fraction(systems: Mapping[tuple[float, float], Flows]) -> Statement:
    """Over the distance that particles move in a step, because dilute flows are hotter."""
    random = np.random.default_rng(SEED)
    told, less = [], []
    for e in RESTITUTIONS:
        fractions = sorted(phi for other, phi in systems if other == e)
        dilute, dense = systems[e, fractions[0]], systems[e, fractions[-1]]
        drawn = [
            allowed_move(dense, random) < allowed_move(dilute, random) for _ in range(RESAMPLED)
        ]
        share = sum(drawn) / RESAMPLED
        less.append(True if share >= SURE else False if share <= 1.0 - SURE else None)
        told.append(f"e = {e:g}: {allowed_move(dilute):.3f} and {allowed_move(dense):.3f}")
    return Statement(
        f"errors increase with the solid fraction: the way v Δt/d that a particle may move in a "
        f"step for {LIMIT:g} % is shorter at the largest than at the smallest "
        f"({'; '.join(told)})",
        False if False in less else None if None in less else True,
    )


def allowed_move(flows: Flows, random: np.random.Generator | None = None) -> float:
    """The way of a particle with the thermal speed in the step that errs by the limit."""
    return allowed_step(flows, random) * math.sqrt(flows.exact["temperature"])


def draw(data: Mapping[str, Any]) -> Figure:
    """Percent errors of two stresses against the step, by solid fraction."""
    systems = by_system(data["runs"])
    figure, axes = panels(columns=len(RESTITUTIONS), rows=len(SHOWN))
    for k, panel in enumerate(axes):
        row, column = divmod(k, len(RESTITUTIONS))
        e, name = RESTITUTIONS[column], SHOWN[row]
        panel.axhspan(-LIMIT, LIMIT, color=FAINT, alpha=0.35, linewidth=0)
        panel.axhline(0.0, color=INK, linewidth=0.6)
        for phi in sorted(phi for other, phi in systems if other == e):
            found = errors(systems[e, phi], name)
            look = {"color": COLOURS[phi], "marker": MARKERS[phi], "markersize": 4}
            panel.errorbar(
                found.dt,
                found.percent,
                2.0 * found.uncertainty,
                capsize=2,
                linewidth=0.9,
                label=f"{phi:g}",
                **look,
            )
        panel.set_xscale("log")
        panel.set_yscale("symlog", linthresh=5.0, linscale=1.0)
        panel.set_ylim(*RANGE)
        panel.set_yticks(TICKS, [f"{tick:g}" for tick in TICKS])
        panel.yaxis.set_minor_locator(NullLocator())
        title = f"({'ab'[column]})  e = {e:g}" if row == 0 else ""
        below = "step γ Δt" if row == len(SHOWN) - 1 else ""
        label(panel, below, f"error of the stress {name}, %", title)
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(
        handles,
        [f"solid fraction {name}" for name in names],
        loc="outside lower center",
        ncols=len(names) if len(names) <= 4 else 3,
        frameon=False,
        fontsize=8,
    )
    return figure


ENTRY = Entry(
    name="time-step-error",
    title="Errors of the stresses of sheared disks against the time step",
    source=LECTURE_03,
    figure="Time Step vs. Event Driven, 3rd slide",
    compares="Errors of the stresses with the step for e = 0.9 and 0.5 and a range of solid "
    "fractions.",
    minutes={Size.QUICK: 0.8, Size.PAPER: 25},
    measure=measure,
    draw=draw,
)
