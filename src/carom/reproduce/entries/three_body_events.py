"""How often a sphere overlaps two others at once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from carom.plotting.style import PALETTE
from carom.reproduce.drawing import PUBLISHED, label, legend, panels, points
from carom.reproduce.entry import Choice, Entry, Findings, Number, Size, Statement, Tell
from carom.reproduce.experiments.impacts import SEED, N, ThreeBody, fluid, three_body
from carom.reproduce.sources import BANNERMAN_2014

DENSITIES = (0.1, 0.5, 0.9)  # N σ³ / V
RESTITUTIONS = (1.0, 0.9, 0.7, 0.5, 0.4, 0.3)
COLLISIONS = {Size.QUICK: 1_000_000, Size.PAPER: 10**9}  # of each fluid
DILUTE_ELASTIC = 1e-9  # "≈ 10⁻⁹ three-body events per event processed"
MORE = 3.0  # "increase the frequency … by three orders of magnitude"


def measure(size: Size, tell: Tell) -> Findings:
    """Three-body events that are met, and those to be expected by chance."""
    found: dict[tuple[float, float], ThreeBody] = {}
    for density in DENSITIES:
        start = fluid(density)
        for e in RESTITUTIONS:
            tell(len(found) / (len(DENSITIES) * len(RESTITUTIONS)), f"density {density:g}, ε {e:g}")
            found[density, e] = three_body(start, e, COLLISIONS[size])
    dilute = found[DENSITIES[0], 1.0].frequency
    decades = max(
        math.log10(one.frequency / found[d, 1.0].frequency) for (d, _), one in found.items()
    )
    return Findings(
        seed=SEED,
        parameters={"n": N, "collisions": COLLISIONS[size]},
        data={
            "fluids": [
                {"density": density, "e": e, **one._asdict()} for (density, e), one in found.items()
            ]
        },
        numbers=[
            # An order of magnitude is given, and "dilute" is not: a decade to either side.
            Number(
                "logarithm of three-body events per event, dilute and elastic",
                math.log10(DILUTE_ELASTIC),
                math.log10(dilute),
                within=1.0,
                if_not="none was met; what is expected by chance is the time that an overlap of "
                "10⁻¹⁵ diameters lasts over that between two collisions",
            )
        ],
        statements=[
            Statement(
                "clusters and partial collapses make them more frequent in inelastic systems, by "
                f"three orders of magnitude or more (here {decades:.0f})",
                decades >= MORE,
            )
        ],
        choices=[
            Choice("densities", DENSITIES, "those of the figure are not in its text"),
            Choice("restitutions", RESTITUTIONS, "those of the figure are not in its text"),
        ],
    )


def draw(data: Mapping[str, Any]) -> Figure:
    """Dots were met, lines are expected by chance, down to where a collapse ends the run."""
    figure, (axes,) = panels()
    for colour, density in zip(PALETTE, DENSITIES, strict=False):
        here = [one for one in data["fluids"] if one["density"] == density]
        lasting = [one for one in here if not one["collapsed"]]
        chance = [one["expected"] for one in lasting]
        name = f"by chance, ρ = {density:g}"
        axes.plot([one["e"] for one in lasting], chance, color=colour, lw=1.2, label=name)
        met = [one for one in here if one["doubly_overlapping"] > 0]
        share = [one["doubly_overlapping"] / one["collisions"] for one in met]
        if met:
            points(axes, [one["e"] for one in met], share, f"met, ρ = {density:g}", colour)
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
    compares="How frequent three-body events are in dilute elastic and in inelastic systems.",
    minutes={Size.QUICK: 0.8, Size.PAPER: 700},
    measure=measure,
    draw=draw,
)
