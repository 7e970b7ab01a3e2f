"""At which restitutions and solid fractions disks collapse."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from carom.plotting.style import COLOUR_MAP, INK
from carom.reproduce.drawing import PUBLISHED, label, panels
from carom.reproduce.entry import Choice, Entry, Findings, Number, Size, Statement, Tell
from carom.reproduce.experiments.collapse import KINDS, LIMIT, MELTING, N, until_collapse
from carom.reproduce.sources import LECTURE_03

RESTITUTIONS = {
    Size.QUICK: tuple(round(0.3 + 0.1 * k, 2) for k in range(6)),
    Size.PAPER: tuple(round(0.3 + 0.05 * k, 2) for k in range(14)),
}
FRACTIONS = {
    Size.QUICK: (0.1, 0.3, 0.5, 0.7),
    Size.PAPER: (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7),
}
SEEDS = {Size.QUICK: (1,), Size.PAPER: (1, 2)}
LIKELY_BELOW = 0.6  # "e.g. ε_N < ≈ 0.6"
LONGEST = 3.3  # logarithm of collisions per particle, of the colours


def measure(size: Size, tell: Tell) -> Findings:
    """Collisions per particle until the collapse, for each flow."""
    flows = [
        (kind, phi, e) for kind in KINDS for phi in FRACTIONS[size] for e in RESTITUTIONS[size]
    ]
    runs = []
    for k, (kind, phi, e) in enumerate(flows):
        tell(k / len(flows), f"{kind}, solid fraction {phi:g}, e = {e:g}")
        until = [until_collapse(kind, phi, e, seed) for seed in SEEDS[size]]
        runs.append({"kind": kind, "phi": phi, "e": e, "until": until})
    largest = [onset(runs, "cooling", phi) for phi in FRACTIONS[size]]
    step = RESTITUTIONS[size][1] - RESTITUTIONS[size][0]
    return Findings(
        seed=SEEDS[size][0],
        parameters={"n": N, "melting": MELTING, "collisions per particle": LIMIT},
        data={"runs": runs},
        numbers=[
            # One digit is given, "≈" before it, and restitutions here are a step apart.
            Number(
                "largest e with a collapse, cooling freely, median over solid fractions",
                LIKELY_BELOW,
                float(np.median(largest)),
                within=0.05 + 0.5 * step,
            )
        ],
        statements=_statements(runs, FRACTIONS[size]),
        choices=[
            Choice("disks", N, "any: the lecture names neither number nor dimension"),
            Choice("collisions per particle", LIMIT, "what is computed within minutes"),
        ],
    )


def _statements(runs: Sequence[Mapping[str, Any]], phi: Sequence[float]) -> list[Statement]:
    """What the lecture says of restitution and solid fraction."""
    share = {e: _share(runs, e=e) for e in sorted({one["e"] for one in runs})}
    dilute, dense = (_share(runs, phi=phi[k]) for k in (0, -1))
    values = list(share.values())
    by_e, by_phi = values[0] - values[-1], dense - dilute
    return [
        Statement(
            "a collapse is more likely when the restitution is small: the share of runs that "
            "collapse never rises with e",
            all(a >= b for a, b in pairwise(values)),
        ),
        Statement(
            f"and when the solid fraction is large: {100 * dilute:.0f} % of the runs at "
            f"{phi[0]:g}, {100 * dense:.0f} % at {phi[-1]:g}",
            dense > dilute,
        ),
        Statement(
            "the solid fraction is less significant: over its range the share changes by "
            f"{100 * by_phi:.0f} %, over that of the restitution by {100 * by_e:.0f} %",
            by_phi < by_e,
        ),
    ]


def onset(runs: Sequence[Mapping[str, Any]], kind: str, phi: float) -> float:
    """The largest e with a collapse in one of the runs; zero if there is none."""
    here = [one for one in runs if one["kind"] == kind and one["phi"] == phi]
    return max((one["e"] for one in here if any(u is not None for u in one["until"])), default=0.0)


def _share(runs: Sequence[Mapping[str, Any]], **wanted: float) -> float:
    """The share of runs that collapse, of those with this e or solid fraction."""
    here = [one for one in runs if all(one[name] == value for name, value in wanted.items())]
    return float(np.mean([until is not None for one in here for until in one["until"]]))


def draw(data: Mapping[str, Any]) -> Figure:
    """Maps of the collisions per particle until a collapse; cells tell if not all runs have one."""
    runs = data["runs"]
    fractions = sorted({one["phi"] for one in runs})
    restitutions = sorted({one["e"] for one in runs})
    figure, axes = panels(columns=len(KINDS))
    shown: Any = None
    for panel, kind in zip(axes, KINDS, strict=True):
        until = np.full((len(restitutions), len(fractions)), np.nan)
        for one in runs:
            at = restitutions.index(one["e"]), fractions.index(one["phi"])
            met = [value for value in one["until"] if value is not None]
            if one["kind"] == kind and met:
                until[at] = np.median(met)
                if len(met) < len(one["until"]):
                    share = f"{len(met)}/{len(one['until'])}"
                    panel.text(at[1], at[0] - 0.3, share, **_in_cell(until[at]))
        shown = panel.imshow(
            np.log10(until), origin="lower", aspect="auto", cmap=COLOUR_MAP, vmin=0.0, vmax=LONGEST
        )
        where = np.interp(LIKELY_BELOW, restitutions, np.arange(len(restitutions)))
        panel.axhline(where, color=PUBLISHED, linewidth=1.2, linestyle="--")
        panel.text(-0.4, where + 0.08, "the lecture: e ≈ 0.6", fontsize=8, color=PUBLISHED)
        panel.set_xticks(range(len(fractions)), [f"{phi:g}" for phi in fractions])
        panel.set_yticks(range(len(restitutions)), [f"{e:g}" for e in restitutions])
        name = "cooling freely" if kind == "cooling" else "sheared"
        label(panel, "solid fraction", "coefficient of restitution e", name)
    bar = figure.colorbar(shown, ax=axes, ticks=[0, 1, 2, 3], pad=0.02)
    bar.ax.set_yticklabels(["1", "10", "100", "1000"], fontsize=8, color=INK)
    bar.set_label("collisions per particle until the collapse", fontsize=9, color=INK)
    return figure


def _in_cell(until: float) -> dict[str, Any]:
    """How the share of collapsed runs is written on its colour."""
    dark = math.log10(until) < 0.6 * LONGEST
    return {"fontsize": 6, "color": "white" if dark else INK, "ha": "center", "va": "center"}


ENTRY = Entry(
    name="inelastic-collapse",
    title="Where disks collapse",
    source=LECTURE_03,
    figure="Inelastic Collapse",
    compares="The restitution below which a collapse is likely, and what the solid fraction does.",
    minutes={Size.QUICK: 0.7, Size.PAPER: 6},
    measure=measure,
    draw=draw,
)
