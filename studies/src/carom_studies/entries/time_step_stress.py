"""Stresses of sheared disks against the time step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from carom.plotting.style import INK, PALETTE
from carom_studies.drawing import label, panels
from carom_studies.entry import (
    Choice,
    Entry,
    Findings,
    Number,
    Size,
    Statement,
    Tell,
    above,
    is_so,
    judged,
)
from carom_studies.experiments.shear_steps import MOVES, SEED, Scale, flow
from carom_studies.experiments.steady_shear import SOLID_MASS_DENSITY
from carom_studies.experiments.stress_errors import (
    COMPONENTS,
    LIMIT,
    SMALL_OVERLAP,
    Flows,
    by_system,
    errors,
    overlap_exponent,
    overlap_per_dt,
)
from carom_studies.sources import LECTURE_03

# With the shortest step so long that all errors are known to the limit of 2.5 %.
SCALES = {
    Size.QUICK: Scale(
        n=500, exact_strain=3000.0, strain=200.0, shortest_strain=1000.0, shortest=0.0002
    ),
    Size.PAPER: Scale(
        n=2000, exact_strain=2000.0, strain=500.0, shortest_strain=500.0, shortest=0.0002
    ),
}
RESTITUTION = 0.9
FRACTIONS = (0.1, 0.5)  # panels a and b
PARTS = ("kinetic", "collisional")
MARKERS = {"xx": "s", "−xy": "^", "yy": "D"}  # squares, triangles and diamonds, as in the lecture
COLOURS = dict(zip(COMPONENTS, PALETTE, strict=False))
SHOWN = {0.1: (0.08, 12.0), 0.5: (0.2, 6.0)}  # stresses
TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10)
SIZE = (9.2, 5.6)  # inches


def measure(size: Size, tell: Tell) -> Findings:
    """Kinetic and collisional stresses, event-driven and with every step."""
    runs = []
    for k, phi in enumerate(FRACTIONS):
        tell(k / len(FRACTIONS), f"solid fraction {phi:g}")
        runs += flow(SCALES[size], phi, RESTITUTION)
    systems = by_system(runs)
    return Findings(
        seed=SEED,
        parameters={"e": RESTITUTION, "v Δt/d": MOVES, **SCALES[size]._asdict()},
        data={"runs": runs},
        numbers=[
            # "Proportional" is said of an estimate; the fit ends at an overlap of 3 %, where disks
            # have begun to be hotter.
            Number(
                f"exponent p of overlap ∝ Δt^p below {SMALL_OVERLAP:g}, solid fraction {phi:g}",
                1.0,
                overlap_exponent(flows).exponent,
                within=0.05,
                uncertainty=overlap_exponent(flows).error,
            )
            for (_, phi), flows in systems.items()
        ],
        statements=_statements(systems.values()),
        choices=[Choice("disks", SCALES[size].n, "so few that neither clusters nor bands form")],
    )


def _statements(flows: Any) -> list[Statement]:
    """What the lecture says under the figure."""
    all_errors = [
        errors(each, name, part) for each in flows for name in COMPONENTS for part in PARTS
    ]
    smallest = [judged(abs(each.percent[0]), LIMIT, each.uncertainty[0]) for each in all_errors]
    largest = [above(abs(each.percent[-1]), each.uncertainty[-1], LIMIT) for each in all_errors]
    worst = max(all_errors, key=lambda each: abs(each.percent[0]))
    return [
        Statement(
            "for sufficiently small steps the stresses approach an asymptotic value, that of the "
            f"event-driven method: with the smallest step all are within {LIMIT:g} % of it (the "
            f"farthest is off by {worst.percent[0]:+.1f} ± {worst.uncertainty[0]:.1f} %)",
            is_so(smallest),
        ),
        Statement(
            f"the error increases with the step: with the largest all err by over {LIMIT:g} %",
            False if False in largest else None if None in largest else True,
        ),
    ]


def draw(data: Mapping[str, Any]) -> Figure:
    """Open symbols are kinetic stresses, closed ones collisional; lines are event-driven."""
    systems = by_system(data["runs"])
    figure, axes = panels(columns=len(FRACTIONS))
    figure.set_size_inches(*SIZE)
    for panel, letter, phi in zip(axes, "ab", FRACTIONS, strict=True):
        flows = systems[RESTITUTION, phi]
        for part in PARTS:
            for name in COMPONENTS:
                _against_step(panel, flows, name, part)
        panel.set(xscale="log", yscale="log")
        panel.set_yticks(TICKS, [f"{tick:g}" for tick in TICKS])
        panel.yaxis.set_minor_formatter(NullFormatter())
        panel.set_ylim(*SHOWN[phi])
        title = f"({letter})  solid fraction {phi:g}, e = {RESTITUTION:g}"
        label(panel, "step γ Δt", "stress / ρ$_p$ d² γ²", title)
        _overlap_scale(panel, flows)
    handles = [
        axes[0].plot([], [], **_style(name, part), label=f"{name}, {part}")[0]
        for name in COMPONENTS
        for part in PARTS
    ]
    lines = axes[0].plot([], [], color=INK, linewidth=0.8, label=f"event-driven, ±{LIMIT:g} %")
    figure.legend(
        handles=[*handles, *lines], loc="outside lower center", ncols=4, frameon=False, fontsize=8
    )
    return figure


def _overlap_scale(axes: Any, flows: Flows) -> None:
    """A second scale above: the mean relative overlap, which is proportional to the step."""
    per_dt = overlap_per_dt(flows)
    scale = (lambda dt: per_dt * dt, lambda overlap: overlap / per_dt)
    above = axes.secondary_xaxis("top", functions=scale)
    above.set_xlabel("mean relative overlap δ/d", fontsize=8, color=INK)
    above.tick_params(labelsize=8, colors=INK, length=3, width=0.6)


def _style(name: str, part: str) -> dict[str, Any]:
    """How symbols of a component look."""
    colour = COLOURS[name]
    return {
        "marker": MARKERS[name],
        "color": colour,
        "markerfacecolor": colour if part == "collisional" else "white",
        "markersize": 5,
        "linestyle": "none",
    }


def _against_step(axes: Any, flows: Flows, name: str, part: str) -> None:
    """One component: symbols with two standard errors, the event-driven value and its band."""
    i, j = COMPONENTS[name]
    scale = (-1.0 if i != j else 1.0) / SOLID_MASS_DENSITY
    dt = [found["dt"] for found in flows.stepped]
    value = scale * np.array([found[part][i][j] for found in flows.stepped])
    error = 2.0 * abs(scale) * np.array([found[f"{part}_error"][i][j] for found in flows.stepped])
    exact = scale * flows.exact[part][i][j]
    width = LIMIT / 100.0 * exact
    axes.axhspan(exact - width, exact + width, color=COLOURS[name], alpha=0.18, linewidth=0)
    axes.axhline(exact, color=COLOURS[name], linewidth=0.8)
    axes.errorbar(dt, value, error, capsize=2, linewidth=0.8, **_style(name, part))


ENTRY = Entry(
    name="time-step-stress",
    title="Stresses of sheared disks against the time step",
    source=LECTURE_03,
    figure="Time Step vs. Event Driven, 2nd slide",
    compares="Kinetic and collisional stresses with the step, their asymptotic values, and how "
    "overlaps grow.",
    minutes={Size.QUICK: 1, Size.PAPER: 8},
    measure=measure,
    draw=draw,
)
