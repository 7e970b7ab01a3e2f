"""The explicit exchange of momentum blows up where particles crowd, the implicit one does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from carom_studies.drawing import OTHER, OURS, label, legend, marked, panels
from carom_studies.entry import Choice, Entry, Findings, Number, Size, Statement, Tell
from carom_studies.experiments.coupled_fits import BLOWN_UP, first_above, outbursts
from carom_studies.experiments.coupled_flow import (
    TAYLOR_GREEN_CHOICES_COUPLED,
    N,
    Setting,
    energies,
)
from carom_studies.experiments.laden_flows import SEED
from carom_studies.sources import SIGURGEIRSSON_2001

STATED, STRONGER = 1.0, 3.0  # α / r
UNTIL = {Size.QUICK: 4.0, Size.PAPER: 10.0}
BLOW_UP = 1.0  # "around time t = 1"
AROUND = 0.25
# "Initially comparable": so long, and within this factor.
INITIALLY, COMPARABLE = 0.5, 2.0
STYLES = {"implicit": ("(A.6), implicit", OURS, "-"), "explicit": ("(A.5), explicit", OTHER, "--")}


def measure(size: Size, tell: Tell) -> Findings:
    """Energies of the fluid in each step, for two strengths of the exchange."""
    planned = [(scheme, alpha) for alpha in (STATED, STRONGER) for scheme in STYLES]
    runs: dict[str, list[float]] = {}
    for k, (scheme, alpha) in enumerate(planned):
        tell(k / len(planned), f"{STYLES[scheme][0]}, α = {alpha:g} r")
        runs[_name(scheme, alpha)] = energies(Setting(N, scheme, alpha), UNTIL[size])
    dt = Setting(N).dt
    return Findings(
        seed=SEED,
        parameters={"n": N, "Δt": dt, "α/r": [STATED, STRONGER], "time": UNTIL[size]},
        data={"dt": dt, "energy": runs},
        numbers=[_blow_up(runs, dt)],
        statements=[_as_stated(runs, dt), *_as_shown(runs, dt)],
        choices=[
            *TAYLOR_GREEN_CHOICES_COUPLED,
            Choice("α/r of the runs compared", STRONGER, "(A.5) blows up around t = 1 (Fig. 28)"),
        ],
    )


def _name(scheme: str, alpha: float) -> str:
    return f"{scheme}, {alpha:g} r"


def _time_of_blow_up(energy: Sequence[float], dt: float) -> float | None:
    times = [dt * step for step in range(len(energy))]
    return first_above(times, energy, BLOWN_UP)


def _blow_up(runs: Mapping[str, Sequence[float]], dt: float) -> Number:
    time = _time_of_blow_up(runs[_name("explicit", STRONGER)], dt)
    return Number(
        f"time at which (A.5) blows up, α = {STRONGER:g} r",
        BLOW_UP,
        float("nan") if time is None else time,
        AROUND,
        by_choice=True,  # of α / r
    )


def _as_stated(runs: Mapping[str, Sequence[float]], dt: float) -> Statement:
    """Whether it blows up with α = r."""
    energy = runs[_name("explicit", STATED)]
    return Statement(
        f"with α = r, as stated, (A.5) blows up: after the first step the energy is at most "
        f"{max(energy[1:]):.3g} (above {BLOWN_UP:g})",
        _time_of_blow_up(energy, dt) is not None,
        "hard disks cannot be packed closely enough: the largest eigenvalue of Δt D would have to "
        "exceed 2 + Δt/τ = 2.2 and more for narrow bands, close-packed disks have 2.3; the α or "
        "the step of Fig. 28 must have been larger, see docs/flows/coupled-tried.md",
    )


def _as_shown(runs: Mapping[str, Sequence[float]], dt: float) -> list[Statement]:
    """What Fig. 28 shows."""
    explicit, implicit = (np.array(runs[_name(s, STRONGER)]) for s in ("explicit", "implicit"))
    first = round(INITIALLY / dt)
    apart = np.exp(np.abs(np.log(explicit[:first] / implicit[:first])).max())
    times = outbursts(explicit)
    return [
        Statement(
            f"the methods are initially comparable: up to t = {INITIALLY:g} their energies differ "
            f"by the factor {apart:.2f} at most (less than {COMPARABLE:g})",
            bool(apart < COMPARABLE),
        ),
        Statement(
            f"with (A.5) the energy repeatedly blows up and decreases again: {times} times above "
            f"{BLOWN_UP:g} (at least 3)",
            times >= 3,
        ),
        Statement(
            f"(A.6) cures the instability: its energy never exceeds that of the start, "
            f"{implicit.max():.3g}",
            bool(implicit.max() <= implicit[0]),
        ),
    ]


def draw(data: Mapping[str, Any]) -> Figure:
    """Energies on a small and on a large scale, and with the exchange that the paper states."""
    figure, (small, large, stated) = panels(3)
    for name, energy in data["energy"].items():
        scheme, _, alpha = name.partition(", ")
        said, colour, line = STYLES[scheme]
        style: dict[str, Any] = {"color": colour, "ls": line, "lw": 1.0, "label": said}
        for axes in (stated,) if alpha == f"{STATED:g} r" else (small, large):
            axes.plot(data["dt"] * np.arange(len(energy)), energy, **style)
    titles = (
        f"Fig. 28, left: α = {STRONGER:g} r",
        f"Fig. 28, right: α = {STRONGER:g} r",
        "α = r, as stated",
    )
    for axes, title in zip((small, large, stated), titles, strict=True):
        label(axes, "time t", "energy of the fluid", title)
        marked(axes, x=BLOW_UP, name="published: (A.5) blows up")
    legend(stated)
    for axes in (small, stated):
        axes.set_ylim(0.0, BLOWN_UP)
    return figure


ENTRY = Entry(
    name="coupled-instability",
    title="An instability where particles crowd",
    source=SIGURGEIRSSON_2001,
    figure="Fig. 28",
    compares="The energy of the fluid with the explicit and with the implicit scheme.",
    minutes={Size.QUICK: 1, Size.PAPER: 3},
    measure=measure,
    draw=draw,
)
