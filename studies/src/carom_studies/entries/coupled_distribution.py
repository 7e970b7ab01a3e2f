"""Where particles are in a flow that feels them: the bands of the one-way case break up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import carom
from carom.plotting.style import INK
from carom_studies.drawing import OTHER, OURS, label, legend, marked, panels, points
from carom_studies.entry import Entry, Findings, Size, Statement, Tell
from carom_studies.experiments.coupled_flow import (
    CHOICES,
    EVERYWHERE,
    NEAR,
    N,
    near_separatrices,
    setting_of,
)
from carom_studies.experiments.laden_flows import DURATION, SEED, TAYLOR_GREEN, TURBULENCE
from carom_studies.experiments.laden_panels import draw_occupied, occupied
from carom_studies.sources import SIGURGEIRSSON_2001

TIMES = np.arange(0.5, DURATION + 0.25, 0.5)
SHOWN = (2.0, 5.0, DURATION)
SAME_AT = 2.0  # "after two time units the distribution is the same as in the laden case"
SAME = 0.05  # by how much the shares near separatrices may then differ
BREAK_UP, AROUND = 5.0, 1.0  # "around five time units it breaks up"
BEGUN = 0.9  # the share over that of the laden case when the break-up has begun
SPREAD = 1.5  # at most this times the share of an even distribution: the bands are gone
LADEN, COUPLED, STOCHASTIC = "laden", "coupled", "stochastic"


def measure(size: Size, tell: Tell) -> Findings:
    """Shares of particles near the lines between vortices, and pictures of where they are."""
    setting = setting_of(TAYLOR_GREEN, N)
    begun = {
        LADEN: setting.one_way,
        COUPLED: setting.simulation,
        STOCHASTIC: setting_of(TURBULENCE, N).simulation,
    }
    near: dict[str, list[float]] = {}
    places: dict[str, Any] = {}
    for k, (name, begin) in enumerate(begun.items()):
        tell(k / len(begun), name)
        near[name], places[name] = _followed(begin())
    return Findings(
        seed=SEED,
        parameters={"n": N, "Δt": setting.dt, "α": "r", "time": DURATION},
        data={"times": TIMES, "near": near, "places": places},
        statements=_statements(near),
        choices=CHOICES,
    )


def _followed(simulation: carom.Simulation) -> tuple[list[float], dict[str, Any]]:
    near, places = [], {}
    for time in TIMES:
        simulation.run(until=float(time), progress=False)
        position = simulation.particles.position
        near.append(near_separatrices(position))
        if time in SHOWN:
            places[f"{time:g}"] = occupied(position)
    return near, places


def _statements(near: Mapping[str, list[float]]) -> list[Statement]:
    laden, coupled = np.array(near[LADEN]), np.array(near[COUPLED])
    apart = float(np.abs(coupled - laden)[TIMES == SAME_AT][0])
    begins = _first(coupled < BEGUN * laden)
    halfway = _first(coupled < 0.5 * (laden + EVERYWHERE))
    return [
        Statement(
            f"at t = {SAME_AT:g} the distribution is that of the laden case: shares near the "
            f"separatrices differ by {apart:.2f} (less than {SAME:g})",
            apart < SAME,
        ),
        Statement(
            f"around t = {BREAK_UP:g} it breaks up: the share falls to {BEGUN:g} of the laden one "
            f"at t = {begins:g} and is half way to an even one at t = {halfway:g} (at some time "
            f"between {BREAK_UP - AROUND:g} and {BREAK_UP + AROUND:g})",
            begins <= BREAK_UP + AROUND and halfway >= BREAK_UP - AROUND,
        ),
        Statement(
            f"at t = {DURATION:g} the bands between the vortices are gone: {coupled[-1]:.2f} of "
            f"the particles are less than {NEAR:g} from a separatrix, {EVERYWHERE:.2f} would be if "
            f"they were everywhere alike (at most {SPREAD:g} times that), and {laden[-1]:.2f} are "
            "in the laden case",
            bool(coupled[-1] <= SPREAD * EVERYWHERE),
        ),
    ]


def _first(is_so: Any) -> float:
    """The first time at which it is so; infinity if it never is."""
    found = np.flatnonzero(is_so)
    return float(TIMES[found[0]]) if len(found) else float("inf")


def draw(data: Mapping[str, Any]) -> Figure:
    """Above, how the bands break up; below, Fig. 25 and the shares near the separatrices."""
    figure, axes = panels(3, 2)
    shown = (
        (LADEN, DURATION, f"laden, t = {DURATION:g}"),
        (COUPLED, SHOWN[0], f"coupled, t = {SHOWN[0]:g}"),
        (COUPLED, SHOWN[1], f"coupled, t = {SHOWN[1]:g}"),
        (COUPLED, DURATION, f"Fig. 25, left: coupled, t = {DURATION:g}"),
        (STOCHASTIC, DURATION, f"Fig. 25, right: stochastic forcing, t = {DURATION:g}"),
    )
    for each, (name, time, title) in zip(axes, shown, strict=False):
        draw_occupied(each, data["places"][name][f"{time:g}"], title)
    last = axes[-1]
    for name, colour in ((LADEN, OTHER), (COUPLED, OURS)):
        points(last, data["times"], data["near"][name], name, colour, linestyle="-")
    marked(last, x=BREAK_UP, name="published: breaks up")
    last.axhline(EVERYWHERE, color=INK, lw=0.8, ls=":", zorder=0, label="everywhere alike")
    last.set_ylim(0.0, 1.05)
    label(last, "time t", "share of particles near a separatrix")
    legend(last, loc="center right", bbox_to_anchor=(1.0, 0.6))
    return figure


ENTRY = Entry(
    name="coupled-distribution",
    title="Particles in a coupled flow",
    source=SIGURGEIRSSON_2001,
    figure="Fig. 25",
    compares="Where particles are up to t = 10, coupled and one-way.",
    minutes={Size.QUICK: 1, Size.PAPER: 1},
    measure=measure,
    draw=draw,
)
