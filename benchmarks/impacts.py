"""How exactly hard spheres meet: figures 3 and 5 of Bannerman et al. 2014.

    python benchmarks/impacts.py                        both, some five minutes
    python benchmarks/impacts.py --quick                both with few collisions, under a minute
    python benchmarks/impacts.py --only separations     figure 3: impact separations
    python benchmarks/impacts.py --only three-body      figure 5: doubly overlapping events
    python benchmarks/impacts.py --pictures docs/pictures --markdown docs/verification.md

13,500 spheres of diameter 1 in a periodic box, melted elastically before anything is counted.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from rich.console import Console

import carom
from carom.plotting.style import DOTS_PER_INCH, PALETTE, soften
from fluids import plain, with_law
from impact_statistics import chance_of_three_body, last_places
from tables import Table, show, write_into

N = 13_500
DENSITIES = (0.1, 0.5, 0.8)  # N σ³ / V
RESTITUTIONS = (1.0, 0.9)
THREE_BODY_DENSITIES = (0.1, 0.5, 0.9)
THREE_BODY_RESTITUTIONS = (1.0, 0.9, 0.7, 0.5, 0.4, 0.3)
PIECE = 200_000  # collisions held in memory at a time
STRETCHES = 10  # of a run, after each of which the chance of three-body events is looked at
LOGGED = 10  # a log is kept of one in so many collisions
SHOWN = 25  # last places to either side in the picture


class Separations(NamedTuple):
    """Impact separations of one fluid, as numbers of floats from the diameter."""

    density: float
    restitution: float
    numbers: Counter[int]

    @property
    def collisions(self) -> int:
        """How many impacts there are."""
        return sum(self.numbers.values())

    def share(self, wanted: Sequence[int] | range) -> float:
        """The share of impacts at these separations."""
        return sum(self.numbers[k] for k in wanted) / self.collisions


class ThreeBody(NamedTuple):
    """How often a sphere overlapped two others, and what became of it."""

    density: float
    restitution: float
    collisions: int
    doubly_overlapping: int
    expected: float  # per collision
    stabilising: int
    ended: str


def law_of(coefficient: float) -> carom.Elastic | carom.ConstantRestitution:
    """The law with this coefficient of restitution."""
    return carom.Elastic() if coefficient == 1.0 else carom.ConstantRestitution(coefficient)


def packing_fraction(density: float) -> float:
    """The share of space that spheres of diameter 1 fill at a number density."""
    return density * math.pi / 6.0


def separations(fluid: carom.System, density: float, e: float, collisions: int) -> Separations:
    """Figure 3: where the centres are when two spheres collide."""
    log = carom.CollisionLog()
    simulation = carom.Simulation(with_law(fluid, law_of(e)), observers=[log])
    numbers: Counter[int] = Counter()
    for _ in range(collisions // PIECE):
        simulation.run(collisions=PIECE, progress=False)
        places, times = np.unique(last_places(log["separation"]), return_counts=True)
        numbers.update(dict(zip(places.tolist(), times.tolist(), strict=True)))
        log.clear()
    return Separations(density, e, numbers)


def three_body(fluid: carom.System, density: float, e: float, collisions: int) -> ThreeBody:
    """Figure 5: how often a sphere overlaps two others at once."""
    method = carom.EventDriven(three_body=True)
    simulation = carom.Simulation(with_law(fluid, law_of(e)), method=method)
    chances = []
    ended = "no"
    try:
        for _ in range(STRETCHES):
            simulation.run(collisions=collisions // STRETCHES, progress=False)
            chances.append(chance_now(simulation, e, collisions // STRETCHES // LOGGED))
    except carom.InelasticCollapse:
        ended = "yes"
    counts = simulation.counts
    found = (counts.three_body, float(np.mean(chances or [math.nan])), counts.stabilising)
    return ThreeBody(density, e, counts.collisions, *found, ended)


def chance_now(simulation: carom.Simulation, e: float, collisions: int) -> float:
    """Three-body collisions to be expected per collision; a copy of the simulation keeps a log."""
    system, log = simulation.system, carom.CollisionLog()
    here = carom.System(simulation.particles, system.domain, law=system.law)
    copy = carom.Simulation(here, method=simulation.method, observers=[log])
    with contextlib.suppress(carom.InelasticCollapse):  # what happened before counts
        copy.run(collisions=collisions, progress=False)
    return chance_of_three_body(log, len(here.particles), e)


def separations_table(results: Sequence[Separations]) -> Table:
    """Shares and extremes of impact separations."""
    rows = [
        [
            f"{found.density:g}",
            f"{found.restitution:g}",
            f"{found.collisions:,}",
            f"{100 * found.share(range(min(found.numbers), 0)):.1f} %",
            f"{100 * found.share([0]):.1f} %",
            f"{-min(found.numbers)}",
            f"{max(found.numbers)}",
        ]
        for found in results
    ]
    headings = ("density", "ε", "impacts", "overlap", "at σ exactly", "deepest", "widest")
    note = (
        f"{N:,} spheres. Deepest and widest in floats from the diameter σ = 1; below it they are "
        "2⁻⁵³ apart, above 2⁻⁵²."
    )
    return Table("impact separations", "Impact separations", headings, rows, note)


def three_body_table(results: Sequence[ThreeBody]) -> Table:
    """Frequencies of three-body events."""
    rows = [
        [
            f"{found.density:g}",
            f"{found.restitution:g}",
            f"{found.collisions:,}",
            frequency(found.doubly_overlapping, found.collisions),
            # In a collapse speeds tend to zero, and nothing is left to chance.
            "" if found.ended == "yes" else f"{found.expected:.0e}",
            frequency(found.stabilising, found.collisions),
            found.ended,
        ]
        for found in results
    ]
    headings = ("density", "ε", "collisions", "found", "expected", "stabilising", "collapse")
    note = (
        f"{N:,} spheres, cooling freely where ε < 1. Doubly overlapping events per "
        "collision, found, and expected if they happened by chance; stabilising collisions; "
        "whether the run ended in an inelastic collapse, in which most of them happen."
    )
    return Table("three-body events", "Three-body events", headings, rows, note)


def frequency(events: int, collisions: int) -> str:
    """Events per collision, or an upper limit when there were none."""
    if events == 0:
        return f"below {1.0 / collisions:.0e}"
    return f"{events / collisions:.1e} ({events})"


def draw_separations(results: Sequence[Separations], path: Path) -> None:
    """Save histograms, one bar for each floating-point number."""
    figure = Figure(figsize=(7, 3.2), layout="constrained")
    axes = figure.subplots(1, len(RESTITUTIONS), sharey=True)
    places = np.arange(-2 * SHOWN, SHOWN + 1)
    spacing = np.where(places < 0, 2.0**-53, 2.0**-52)
    for panel, e in zip(axes, RESTITUTIONS, strict=True):
        of_one = [one for one in results if one.restitution == e]
        for colour, found in zip(PALETTE, of_one, strict=False):
            share = np.array([found.share([int(k)]) for k in places])
            # The diameter itself stands for half a spacing to either side.
            density = share / np.where(places == 0, 0.75, spacing / 2.0**-52)
            label = f"density {found.density:g}"
            panel.step(places * spacing / 2.0**-52, density, where="mid", color=colour, label=label)
        panel.axvline(0.0, color="#b8b8b8", linewidth=0.6)
        panel.set(title=f"ε = {e:g}", xlabel="separation − σ, in units of 2⁻⁵²", yscale="log")
        panel.title.set_fontsize(9)
        soften(panel)
    axes[0].set_ylabel("share of impacts per 2⁻⁵²")
    axes[0].legend(frameon=False, fontsize=8)
    figure.savefig(path, dpi=DOTS_PER_INCH)


def draw_three_body(results: Sequence[ThreeBody], path: Path) -> None:
    """Save the frequencies: dots were found, lines are expected where nothing collapsed."""
    figure = Figure(figsize=(5, 3.4), layout="constrained")
    axes = figure.add_subplot(xlabel="coefficient of restitution ε", yscale="log")
    axes.set_ylabel("doubly overlapping events per collision")
    for colour, density in zip(PALETTE, THREE_BODY_DENSITIES, strict=False):
        here = [one for one in results if one.density == density]
        lasting = [one for one in here if one.ended == "no"]
        chance = [one.expected for one in lasting]
        label = f"density {density:g}"
        axes.plot([one.restitution for one in lasting], chance, "--", color=colour, label=label)
        met = [one for one in here if one.doubly_overlapping > 0]
        share = [one.doubly_overlapping / one.collisions for one in met]
        axes.plot([one.restitution for one in met], share, "o", color=colour, markersize=4)
    axes.legend(frameon=False, fontsize=8, title="dots: found, lines: expected", title_fontsize=7)
    soften(axes)
    figure.savefig(path, dpi=DOTS_PER_INCH)


def parsed(words: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parts = ("separations", "three-body")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts)
    parser.add_argument("--quick", action="store_true", help="a tenth of the collisions")
    parser.add_argument("--collisions", type=int, default=10_000_000, help="of each fluid")
    parser.add_argument("--pictures", type=Path, help="folder to save pictures in")
    parser.add_argument("--markdown", type=Path, help="document to put the tables into")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> None:
    """Measure and report."""
    arguments = parsed(words)
    console = Console(width=None if sys.stdout.isatty() else 110)
    collisions = arguments.collisions // (10 if arguments.quick else 1)
    tables = []
    if "separations" in arguments.only:
        impacts = []
        for density in DENSITIES:
            fluid = plain(N, packing_fraction(density))
            impacts += [separations(fluid, density, e, collisions) for e in RESTITUTIONS]
        tables.append(separations_table(impacts))
        if arguments.pictures:
            draw_separations(impacts, arguments.pictures / "impact_separations.png")
    if "three-body" in arguments.only:
        events = []
        for density in THREE_BODY_DENSITIES:
            fluid = plain(N, packing_fraction(density))
            events += [three_body(fluid, density, e, collisions) for e in THREE_BODY_RESTITUTIONS]
        tables.append(three_body_table(events))
        if arguments.pictures:
            draw_three_body(events, arguments.pictures / "three_body_events.png")
    for table in tables:
        show(table, console)
        if arguments.markdown:
            write_into(arguments.markdown, table, "")


if __name__ == "__main__":
    main()
