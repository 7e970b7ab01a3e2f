"""Speed of the default engine for hard spheres, and of what is switched on.

    python -m carom_studies.benchmarks.hard_spheres  everything: some forty minutes
    python -m carom_studies.benchmarks.hard_spheres --quick  small systems only: some three minutes
    python -m carom_studies.benchmarks.hard_spheres --only rates cost  some of the parts
    python -m carom_studies.benchmarks.hard_spheres --markdown docs/benchmarks.md
        also put the tables into the document
    python -m carom_studies.benchmarks.hard_spheres --picture docs/pictures/cost.png

One core. Times are processor times of pieces that alternate between what is compared; rates are
from the best piece, ratios are medians over the pieces. Beside other programs: ``peers``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console

import carom
from carom_studies.benchmarks import cost_against_size, start_up
from carom_studies.benchmarks.fluids import (
    RESTITUTION,
    Fluid,
    HardWhenSlow,
    between_walls,
    is_known,
    mixture,
    plain,
    unequal,
    with_law,
)
from carom_studies.benchmarks.measuring import circumstances, slowdown
from carom_studies.benchmarks.tables import Table, show, write_into
from carom_studies.timing import seconds_each

SIZES = (4_000, 108_000, 500_000)
PACKING_FRACTIONS = (0.05, 0.15, 0.30, 0.45)
MIXTURE_SIZE, QUICK_MIXTURE_SIZE = 100_100, 10_010
ALGORITHMS = ("auto", "cells", "lists")
FEATURES = ("radii", "walls, gravity", "e = 0.9", "own law", "2D")
PARTS = ("rates", "features", "mixture", "cost", "million", "start-up")


class Measurement:
    """What is measured, and how long."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.quick: bool = arguments.quick
        self.pieces: int = arguments.pieces
        self.collisions: int = arguments.collisions
        self.algorithms = [name for name in arguments.algorithms if is_known(name)]
        self.picture: Path | None = arguments.picture
        self.sizes = tuple(arguments.sizes or (SIZES[:1] if self.quick else SIZES))

    def points(self) -> Iterator[tuple[int, float]]:
        """All numbers of particles and packing fractions."""
        return ((n, phi) for n in self.sizes for phi in PACKING_FRACTIONS)

    def about_pieces(self) -> str:
        """How it was timed."""
        return f"{self.pieces} pieces of {self.collisions:,} collisions."


def rates(measurement: Measurement) -> Table:
    """Collisions per second of equal elastic spheres."""
    rows = []
    for n, phi in measurement.points():
        system = plain(n, phi)
        fluids = {name: Fluid(system, name) for name in measurement.algorithms}
        times = seconds_each(fluids, measurement.collisions, measurement.pieces)
        best = (f"{1e-6 / values.min():.2f}" for values in times.values())
        rows.append([f"{n:,}", f"{phi:.2f}", *best])
    headings = ["n", "φ", *(f"carom, {name}" for name in measurement.algorithms)]
    note = f"Millions of collisions per second; {measurement.about_pieces()}"
    return Table("rates", "Equal elastic spheres, periodic", headings, rows, note)


def featured(n: int, phi: float) -> dict[str, Fluid]:
    """The plain fluid and those with one feature more."""
    system = plain(n, phi)
    return {
        "plain": Fluid(system),
        "radii": Fluid(unequal(n, phi)),
        "walls, gravity": Fluid(between_walls(n, phi)),
        "e = 0.9": Fluid(with_law(system, carom.ConstantRestitution(RESTITUTION)), again=True),
        "own law": Fluid(with_law(system, HardWhenSlow(RESTITUTION, 1.0)), again=True),
        "2D": Fluid(plain(n, phi, dimension=2)),
    }


def features(measurement: Measurement) -> Table:
    """How many times slower the fluid is with a feature on."""
    rows = []
    for n, phi in measurement.points():
        times = seconds_each(featured(n, phi), measurement.collisions, measurement.pieces)
        ratios = (slowdown(times[name], times["plain"]) for name in FEATURES)
        plain_rate = 1e-6 / times["plain"].min()
        rows.append([f"{n:,}", f"{phi:.2f}", f"{plain_rate:.2f}"])
        rows[-1] += [f"{ratio:.2f}" for ratio in ratios]
    note = (
        "Time per collision over that of the plain fluid. Radii from 0.8 to 1.2 of the middle one; "
        "a floor, a ceiling and a weight that makes m g L the temperature, wall collisions not "
        "counted; the own law has restitution 0.9 above an approach speed of 1. The inelastic "
        "fluids start every piece from the same melted state. 2D is compared with 3D at the same "
        f"φ. {measurement.about_pieces()}"
    )
    headings = ("n", "φ", "plain, million/s", *FEATURES)
    return Table("features", "Features on", headings, rows, note)


def two_sizes(measurement: Measurement) -> Table:
    """How many times slower a mixture of two sizes is than equal spheres."""
    n, phi = (QUICK_MIXTURE_SIZE if measurement.quick else MIXTURE_SIZE), 0.30
    fluids = {"equal spheres": Fluid(plain(n, phi)), "10 : 1": Fluid(mixture(n, phi))}
    times = seconds_each(fluids, measurement.collisions, measurement.pieces)
    ratio = slowdown(times["10 : 1"], times["equal spheres"])
    rows = [[name, f"{1e-6 / values.min():.2f}"] for name, values in times.items()]
    note = (
        f"{n:,} spheres, φ = {phi:.2f}; diameters 10 : 1, half of the solid volume each, numbers "
        f"1 : 1000. A collision takes {ratio:.2f} times as long. {measurement.about_pieces()}"
    )
    return Table("mixture", "Two sizes", ("fluid", "million collisions/s"), rows, note)


def cost(measurement: Measurement) -> Table:
    """The cost per collision against the number of particles."""
    sizes = cost_against_size.QUICK_SIZES if measurement.quick else cost_against_size.SIZES
    return cost_against_size.growth(
        sizes, measurement.collisions, measurement.pieces, measurement.picture
    )


def million(measurement: Measurement) -> Table:
    """Set-up time and memory."""
    return start_up.million(108_000 if measurement.quick else 1_000_188)


def start(measurement: Measurement) -> Table:
    """Cold and warm processes."""
    return start_up.processes(1 if measurement.quick else 3)


MAKERS: dict[str, Callable[[Measurement], Table]] = dict(
    zip(PARTS, (rates, features, two_sizes, cost, million, start), strict=True)
)


def parsed(words: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small systems only")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="parts to run")
    parser.add_argument("--sizes", type=int, nargs="+", help="numbers of spheres, 4 k³ each")
    parser.add_argument("--algorithms", nargs="+", default=["auto"], choices=ALGORITHMS)
    parser.add_argument("--pieces", type=int, default=7)
    parser.add_argument("--collisions", type=int, default=200_000, help="per piece")
    parser.add_argument("--markdown", type=Path, help="document to put the tables into")
    parser.add_argument("--picture", type=Path, help="picture of the cost against the size")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> None:
    """Measure and report."""
    arguments = parsed(words)
    measurement = Measurement(arguments)
    # A file has no width of its own; 80 columns would cut the headings.
    console = Console(width=None if sys.stdout.isatty() else 110)
    about = ", ".join(f"{name} {value}" for name, value in circumstances().items())
    for part in arguments.only:
        with console.status(part):
            table = MAKERS[part](measurement)
        show(table, console)
        if arguments.markdown:
            write_into(arguments.markdown, table, f"{about[0].upper()}{about[1:]}.")
    console.print(about)


if __name__ == "__main__":
    main()
