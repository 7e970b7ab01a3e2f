"""How far apart the centres of two spheres are when they collide."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from carom.plotting.style import FAINT, PALETTE
from carom_studies.drawing import label, legend, panels
from carom_studies.entry import (
    Choice,
    Entry,
    Findings,
    Number,
    Size,
    Statement,
    Tell,
    is_so,
    judged,
)
from carom_studies.experiments.impacts import SEED, Impacts, N, clustered, fluid, impacts
from carom_studies.fits import least_squares
from carom_studies.sources import BANNERMAN_2014

DENSITIES = (0.1, 0.5, 0.8)  # N σ³ / V
RESTITUTIONS = (1.0, 0.9, 0.5)
COLLISIONS = {Size.QUICK: 500_000, Size.PAPER: 10**9}  # of each fluid
CLUSTERING = 1_500_000  # collisions before, of fluids that lose energy
HALF = 0.5  # "approximately half of all collisions" overlap
APPROXIMATELY = 0.05
INCREASED = 1.5  # times larger errors in inelastic systems are "significantly increased"
# What the paper's does, and beside it what a user gets who asks for nothing.
ALGORITHMS = {"heap": "heap", "auto": "default"}
REASONS = {
    "heap": "",
    "auto": "a contact may be predicted from either side, with different roundings, and the "
    "earlier time counts",
}
SHOWN = 10  # units of 2⁻⁵² to either side


Fluids = dict[tuple[float, float], Impacts]  # by density and restitution


def measure(size: Size, tell: Tell) -> Findings:
    """The separations at each impact, as numbers of floats from the diameter."""
    found: dict[str, Fluids] = {algorithm: {} for algorithm in ALGORITHMS}
    for k, density in enumerate(DENSITIES):
        start = fluid(density)
        for j, e in enumerate(RESTITUTIONS):
            tell((k + j / len(RESTITUTIONS)) / len(DENSITIES), f"density {density:g}, ε {e:g}")
            before = clustered(start, e, CLUSTERING if e < 1.0 else 0)
            for algorithm, fluids in found.items():
                fluids[density, e] = impacts(before, e, COLLISIONS[size], algorithm)
    return Findings(
        seed=SEED,
        parameters={
            "n": N,
            "collisions": COLLISIONS[size],
            "densities": DENSITIES,
            "algorithms": list(ALGORITHMS.values()),
        },
        data={
            "fluids": [
                {
                    "algorithm": algorithm,
                    "density": density,
                    "e": e,
                    "place": f.place,
                    "number": f.number,
                }
                for algorithm, fluids in found.items()
                for (density, e), f in fluids.items()
            ]
        },
        numbers=[
            Number(
                f"{ALGORITHMS[algorithm]}: share that overlaps, ρ = {density:g}, ε = {e:g}",
                HALF,
                f.overlapping,
                within=APPROXIMATELY,
                uncertainty=0.5 / math.sqrt(f.collisions),
                if_not=REASONS[algorithm],
            )
            for algorithm, fluids in found.items()
            for (density, e), f in fluids.items()
        ],
        statements=_statements(found["heap"]),
        choices=[
            Choice("densities", DENSITIES, "those of the figure are not in its text"),
            Choice("restitutions", RESTITUTIONS, "those of the figure are not in its text"),
            Choice(
                "algorithm",
                "heap, for the statements",
                "it predicts each contact once, as the paper's does",
            ),
            Choice(
                "collisions before",
                CLUSTERING,
                "two hundred per sphere, after which clusters have formed at ε = 0.5",
            ),
        ],
    )


def _statements(found: Fluids) -> list[Statement]:
    """What the text says of the figure, with ``"heap"``."""
    means = [judged(abs(f.mean), 1.0, f.spread / math.sqrt(f.collisions)) for f in found.values()]
    modes = [mode(f) for f in found.values()]
    more = {
        d: max(found[d, e].spread for e in RESTITUTIONS if e < 1.0) / found[d, 1.0].spread
        for d in DENSITIES
    }
    told = ", ".join(f"{ratio:.2f} at ρ = {d:g}" for d, ratio in more.items())
    return [
        Statement(
            "with heap the mean separation is the diameter: within one float, 2⁻⁵²", is_so(means)
        ),
        Statement(
            "with heap so is the most frequent one: within one float of it, if floats are weighted "
            "with the range that they stand for",
            max(np.abs(modes)) <= 1.0,
        ),
        Statement(
            "the errors are significantly increased in inelastic systems, with heap: "
            f"{INCREASED:g} times",
            min(more.values()) >= INCREASED,
            if_not=f"at most {told}: here gaps come from the rounding of coordinates, which grows "
            "with the box, and of times, which matters less the slower spheres become; a loss of "
            "energy adds to neither",
        ),
    ]


def mode(found: Impacts) -> float:
    """The most frequent separation less the diameter, in units of 2⁻⁵².

    Neighbouring floats are as frequent but for chance, so that the peak is where a parabola
    through the logarithms of the frequent ones has it.
    """
    high = found.density > 0.7 * found.density.max()
    gap = found.gap[high]
    # Weights: the logarithm of a number has the error 1 / √number.
    fit = least_squares(
        [gap**0, gap, gap**2], [math.log(each) for each in found.density[high]], found.number[high]
    )
    return -0.5 * fit.coefficients[1] / fit.coefficients[2]


def draw(data: Mapping[str, Any]) -> Figure:
    """A bar for each float, as wide as the range it stands for, with a dot at its top; dotted:
    the default algorithm."""
    figure, axes = panels(columns=len(RESTITUTIONS))
    for panel, e in zip(axes, RESTITUTIONS, strict=True):
        here = [one for one in data["fluids"] if one["e"] == e]
        for one in here:
            colour = PALETTE[DENSITIES.index(one["density"])]
            name = f"{ALGORITHMS[one['algorithm']]}, ρ = {one['density']}"
            found = Impacts(np.array(one["place"]), np.array(one["number"]))
            shown = np.abs(found.gap) <= SHOWN
            gap, height = found.gap[shown], found.density[shown]
            if one["algorithm"] == "heap":
                edges = np.append(gap - np.where(gap <= 0.0, 0.25, 0.5), gap[-1] + 0.5)
                panel.stairs(height, edges, color=colour, linewidth=1.0)
                panel.plot(gap, height, "o", color=colour, markersize=2, label=name)
            else:
                panel.plot(gap, height, ":", color=colour, linewidth=1.4, label=name)
        panel.axvline(0.0, color=FAINT, linewidth=0.6, zorder=0)
        panel.set(xlim=(-SHOWN, SHOWN), ylim=(0.0, 0.12), xticks=range(-SHOWN, SHOWN + 1, 5))
        label(
            panel,
            "|r$_{ij}$| − σ, in units of 2$^{-52}$ σ",
            "share of impacts per 2$^{-52}$ σ",
            f"ε = {e:g}",
        )
    legend(axes[0], loc="upper left")
    return figure


ENTRY = Entry(
    name="impact-separations",
    title="Separation of two spheres on impact",
    source=BANNERMAN_2014,
    figure="Fig. 3",
    compares="The share of impacts that overlap, mean and mode of the separations, and what "
    'inelasticity does to them, measured with algorithm="heap"; beside it the default algorithm.',
    minutes={Size.QUICK: 1, Size.PAPER: 1800},
    measure=measure,
    draw=draw,
)
