"""How often a sphere overlaps two others at once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from carom.plotting.style import INK, PALETTE
from carom_studies.drawing import PUBLISHED, label, legend, panels, points
from carom_studies.entry import (
    NONE_MET,
    Choice,
    Entry,
    Findings,
    Number,
    Size,
    Statement,
    Tell,
)
from carom_studies.experiments.impacts import SEED, N, ThreeBody, fluid, three_body
from carom_studies.sources import BANNERMAN_2014

DENSITIES = (0.1, 0.5, 0.9)  # N σ³ / V
RESTITUTIONS = (1.0, 0.9, 0.7, 0.5, 0.4, 0.3)
# Of each fluid; of elastic ones more, in which none may be met. The dilute elastic one at the
# paper's size: if none is met, a tenth of the published frequency is ruled out.
COLLISIONS = {Size.QUICK: 1_000_000, Size.PAPER: 10**8}
ELASTIC = {Size.QUICK: 4_000_000, Size.PAPER: 10**8}
DILUTE = {Size.QUICK: 4_000_000, Size.PAPER: 3 * 10**10}
DILUTE_ELASTIC = 1e-9  # "≈ 10⁻⁹ three-body events per event processed"
MORE = 3.0  # "increase the frequency … by three orders of magnitude"


def collisions_of(size: Size, density: float, e: float) -> int:
    """How long a fluid is run."""
    if e < 1.0:
        return COLLISIONS[size]
    return DILUTE[size] if density == DENSITIES[0] else ELASTIC[size]


def measure(size: Size, tell: Tell) -> Findings:
    """Three-body events that are met; beside them, what a formula expects by chance."""
    found: dict[tuple[float, float], ThreeBody] = {}
    for density in DENSITIES:
        start = fluid(density)
        for e in RESTITUTIONS:
            tell(len(found) / (len(DENSITIES) * len(RESTITUTIONS)), f"density {density:g}, ε {e:g}")
            found[density, e] = three_body(start, e, collisions_of(size, density, e))
    return Findings(
        seed=SEED,
        parameters={
            "n": N,
            "collisions": COLLISIONS[size],
            "collisions, elastic": ELASTIC[size],
            "collisions, dilute and elastic": DILUTE[size],
        },
        data={
            "fluids": [
                {"density": density, "e": e, **one._asdict()} for (density, e), one in found.items()
            ]
        },
        numbers=[_dilute_and_elastic(found[DENSITIES[0], 1.0])],
        statements=[_more_frequent(found)],
        choices=[
            Choice("densities", DENSITIES, "those of the figure are not in its text"),
            Choice("restitutions", RESTITUTIONS, "those of the figure are not in its text"),
        ],
    )


def _dilute_and_elastic(one: ThreeBody) -> Number:
    """How many were met per event."""
    met = one.doubly_overlapping
    return Number(
        f"logarithm of three-body events per event, dilute and elastic ({met} met in "
        f"{one.collisions:,})",
        math.log10(DILUTE_ELASTIC),
        math.log10(met / one.collisions if met else one.most),
        within=1.0,  # an order of magnitude is given, and "dilute" is not: a decade to either side
        uncertainty=1.0 / (math.log(10.0) * math.sqrt(met)) if met else 0.0,
        if_not=f"not measured, but by a formula, chance makes {one.expected:.0e}: the time that an "
        "overlap of 10⁻¹⁵ diameters lasts over that between two collisions",
        at_most=met == 0,
    )


def _more_frequent(found: Mapping[tuple[float, float], ThreeBody]) -> Statement:
    """By how many decades more are met in inelastic than in elastic fluids of the same density."""
    ratio, density = max(
        (one.least / found[density, 1.0].most, density) for (density, _), one in found.items()
    )
    decades = math.log10(ratio) if ratio > 0.0 else 0.0
    was_met = found[density, 1.0].doubly_overlapping > 0
    return Statement(
        "clusters and partial collapses make them more frequent in inelastic systems, by three "
        f"orders of magnitude or more (here, by those that were met, {decades:.1f} or more at "
        f"ρ = {density:g})",
        # Where none is met without dissipation, the ratio is only known to be larger than that.
        True if decades >= MORE else False if was_met else None,
    )


def draw(data: Mapping[str, Any]) -> Figure:
    """Dots were met, triangles are upper bounds where none was; lines are a formula, by chance,
    down to where a collapse ends the run."""
    figure, (axes,) = panels()
    for colour, density in zip(PALETTE, DENSITIES, strict=False):
        here = [one for one in data["fluids"] if one["density"] == density]
        lasting = [one for one in here if not one["collapsed"]]
        chance = [one["expected"] for one in lasting]
        name = f"formula: by chance, ρ = {density:g}"
        axes.plot([one["e"] for one in lasting], chance, color=colour, lw=1.2, label=name)
        met = [one for one in here if one["doubly_overlapping"] > 0]
        share = [one["doubly_overlapping"] / one["collisions"] for one in met]
        if met:
            points(axes, [one["e"] for one in met], share, f"met, ρ = {density:g}", colour)
    none = [one for one in data["fluids"] if one["doubly_overlapping"] == 0]
    bounds = [NONE_MET / one["collisions"] for one in none]
    style = {"marker": "v", "markersize": 3, "fillstyle": "none"}
    points(axes, [one["e"] for one in none], bounds, "none met: below this", INK, **style)
    paper = {"color": PUBLISHED, "linestyle": "none", "markersize": 6}
    axes.plot([1.0], [DILUTE_ELASTIC], marker="*", label="the paper, dilute", **paper)
    more = [DILUTE_ELASTIC * 10.0**MORE]
    axes.plot([RESTITUTIONS[-1]], more, marker="<", label="the paper, inelastic", **paper)
    axes.set(yscale="log", ylim=(1e-16, 1e0), xlim=(0.27, 1.03))
    label(axes, "coefficient of restitution ε", "three-body events per event")
    legend(axes, ncols=2, loc="upper right", fontsize=7)
    return figure


ENTRY = Entry(
    name="three-body-events",
    title="Spheres that overlap two others",
    source=BANNERMAN_2014,
    figure="Fig. 5",
    compares="How many three-body events are met in dilute elastic and in inelastic systems.",
    minutes={Size.QUICK: 0.9, Size.PAPER: 1250},
    measure=measure,
    draw=draw,
)
