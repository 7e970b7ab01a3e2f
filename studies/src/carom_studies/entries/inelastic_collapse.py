"""At which restitutions and solid fractions disks collapse."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from carom.plotting.style import COLOUR_MAP, INK
from carom_studies.drawing import PUBLISHED, label, panels
from carom_studies.entry import (
    Choice,
    Entry,
    Findings,
    Number,
    Size,
    Statement,
    Tell,
    above,
)
from carom_studies.experiments.collapse import KINDS, LIMIT, MELTING, N, until_collapse
from carom_studies.sources import LECTURE_03

RESTITUTIONS = {
    Size.QUICK: tuple(round(0.4 + 0.05 * k, 3) for k in range(6)),
    Size.PAPER: tuple(round(0.3 + 0.025 * k, 3) for k in range(21)),
}
FRACTIONS = {
    Size.QUICK: (0.1, 0.3, 0.5, 0.7),
    Size.PAPER: (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7),
}
SEEDS = {Size.QUICK: (1, 2, 3, 4, 5, 6), Size.PAPER: (1, 2, 3, 4)}
LIKELY_BELOW = 0.6  # "e.g. ε_N < ≈ 0.6"
OPEN = 0.05  # one digit is given, "≈" before it
LONGEST = 3.3  # logarithm of collisions per particle, of the colours

Runs = Sequence[Mapping[str, Any]]


def measure(size: Size, tell: Tell) -> Findings:
    """Collisions per particle until the collapse, for each flow and several starts."""
    flows = [
        (kind, phi, e) for kind in KINDS for phi in FRACTIONS[size] for e in RESTITUTIONS[size]
    ]
    runs = []
    for k, (kind, phi, e) in enumerate(flows):
        tell(k / len(flows), f"{kind}, solid fraction {phi:g}, e = {e:g}")
        until = [until_collapse(kind, phi, e, seed) for seed in SEEDS[size]]
        runs.append({"kind": kind, "phi": phi, "e": e, "until": until})
    even, error = even_chance([one for one in runs if one["kind"] == "cooling"])
    return Findings(
        seed=SEEDS[size][0],
        parameters={
            "n": N,
            "melting": MELTING,
            "collisions per particle": LIMIT,
            "seeds": SEEDS[size],
        },
        data={"runs": runs},
        numbers=[
            Number(
                "e below which more than half of the runs collapse, cooling freely, over all solid "
                "fractions",
                LIKELY_BELOW,
                even,
                OPEN,
                error,
            )
        ],
        statements=_statements(runs),
        choices=[
            Choice("disks", N, "any: the lecture names neither number nor dimension"),
            Choice("collisions per particle", LIMIT, "what is computed within minutes"),
        ],
    )


def even_chance(runs: Runs) -> tuple[float, float]:
    """The restitution at which the share of runs that collapse falls below a half, and its error.

    The share is taken as linear between those that were tried, whose distance is a part of the
    error. NaN if there is no such restitution.
    """
    tried = sorted({one["e"] for one in runs})
    shares = [float(np.mean(_collapsed(runs, e=e))) for e in tried]
    for (e, share), (e_next, share_next) in pairwise(zip(tried, shares, strict=True)):
        if share >= 0.5 > share_next:
            step, fall = e_next - e, share - share_next
            number = len(_collapsed(runs, e=e))
            by_chance = math.sqrt(0.25 / number) * step / fall
            return e + step * (share - 0.5) / fall, math.hypot(by_chance, step / math.sqrt(12.0))
    return math.nan, math.nan


def _statements(runs: Runs) -> list[Statement]:
    """What the lecture says of restitution and solid fraction, of runs that differ in nothing
    else."""
    e, phi = (sorted({one[name] for one in runs}) for name in ("e", "phi"))
    by_e, error_e = _rise(runs, e=(e[-1], e[0]))
    by_phi, error_phi = _rise(runs, phi=(phi[0], phi[-1]))
    return [
        Statement(
            "a collapse is more likely when the restitution is small: the share of runs that "
            f"collapse changes by {100 * by_e:+.0f} ± {100 * error_e:.0f} % from e = {e[-1]:g} to "
            f"{e[0]:g}",
            above(by_e, error_e),
        ),
        Statement(
            "and when the solid fraction is large: the share changes by "
            f"{100 * by_phi:+.0f} ± {100 * error_phi:.0f} % from {phi[0]:g} to {phi[-1]:g}",
            above(by_phi, error_phi),
        ),
        Statement(
            "the solid fraction is less significant than the restitution",
            above(by_e - by_phi, math.hypot(error_e, error_phi)),
        ),
    ]


def _collapsed(runs: Runs, **wanted: float) -> list[bool]:
    """Whether each run with these values has collapsed, in the order of the others."""
    here = [one for one in runs if all(one[name] == value for name, value in wanted.items())]
    return [until is not None for one in here for until in one["until"]]


def _rise(runs: Runs, **ends: tuple[float, float]) -> tuple[float, float]:
    """The mean change of what happens from one value to another, run by run, and its error."""
    ((name, (first, last)),) = ends.items()
    before, after = (_collapsed(runs, **{name: value}) for value in (first, last))
    changes = np.array(after, dtype=float) - before
    return float(changes.mean()), float(changes.std(ddof=1)) / math.sqrt(len(changes))


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
    minutes={Size.QUICK: 1, Size.PAPER: 25},
    measure=measure,
    draw=draw,
)
