"""The best number of cells for billiards: in the plane, in space, and dilute in space."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from matplotlib.figure import Figure

from carom_studies.entry import Entry, Findings, Size, Tell
from carom_studies.experiments import best_cells
from carom_studies.experiments.billiards import SEED, WIDE, Billiards, Effort, scans
from carom_studies.fits import Power
from carom_studies.sources import SIGURGEIRSSON_2001

SIZES = (5_000, 10_000, 20_000, 50_000, 100_000)
PAPER_SIZES = range(5_000, 100_001, 5_000)


class Row(NamedTuple):
    """A figure: the billiards, what is published of them, and how much is run."""

    name: str
    title: str
    figure: str
    series: Billiards
    published: best_cells.Published
    collisions: int  # of a piece at quick size; twice as many at the paper's
    has_minimum: bool = True  # else the time falls as far as particles fit into cells

    @property
    def effort(self) -> Mapping[Size, Effort]:
        """How much is run.

        At the paper's size so many pieces that the error of the best number of cells is below what
        is allowed.
        """
        return {
            Size.QUICK: Effort(SIZES, collisions=self.collisions, pieces=24),
            Size.PAPER: Effort(
                PAPER_SIZES, collisions=2 * self.collisions, pieces=80, small_pieces=2_400_000
            ),
        }

    def measure(self, size: Size, tell: Tell) -> Findings:
        """What a collision costs with different numbers of cells."""
        effort = self.effort[size]
        found = scans(self.series, effort, WIDE, tell)
        shape = best_cells.clear_minimum if self.has_minimum else best_cells.smallest_possible
        return Findings(
            seed=SEED,
            parameters=self.series.parameters(effort),
            data=best_cells.data_of(self.published, found),
            numbers=best_cells.numbers(self.published, found),
            statements=[
                shape(self.published, found),
                best_cells.cheap_with_published(self.published, found),
            ],
            choices=self.series.choices,
        )

    def draw(self, data: Mapping[str, Any]) -> Figure:
        """Left: time over m for one number of particles; right: the best m over n."""
        return best_cells.draw(self.published, data)


ROWS = (
    Row(
        "cell-size-2d",
        "Best number of cells in the plane",
        "Fig. 8",
        Billiards(dimension=2, packing_fraction=0.15),
        best_cells.Published(
            n=5_000,
            best=90,
            best_within=10,  # "around", of a flat curve
            law=Power(0.7476, 0.5620),
            exponent_within=0.062,  # as far from the prediction 1/2, to which it is "quite close"
        ),
        collisions=3_000,
    ),
    Row(
        "cell-size-3d",
        "Best number of cells in space, 15 %",
        "Fig. 10",
        Billiards(dimension=3, packing_fraction=0.15),
        best_cells.Published(
            n=50_000,
            best=55,
            best_within=3,  # the distance of the last two that are tried here; 55 is the last
            # Printed as a = 0.3406, which would make m = 13 for 50,000; as log a it makes 54.6.
            law=Power(math.exp(0.3406), 0.3382),
            exponent_within=0.01,  # whole numbers of cells move it from 1/3 by half as much
        ),
        collisions=3_000,
        has_minimum=False,
    ),
    Row(
        "cell-size-3d-dilute",
        "Best number of cells in space, 1 %",
        "Fig. 12",
        Billiards(dimension=3, packing_fraction=0.01),
        best_cells.Published(
            n=50_000,
            best=50,
            best_within=10,  # "around", of a flat curve
            law=Power(0.7626, 0.3904),
            exponent_within=0.057,  # as far from the prediction 1/3
        ),
        collisions=1_000,
    ),
)


def entry(row: Row) -> Entry:
    """The entry of a row."""
    particles = "disks" if row.series.dimension == 2 else "spheres"
    return Entry(
        name=row.name,
        title=row.title,
        source=SIGURGEIRSSON_2001,
        figure=row.figure,
        compares=f"With how many cells per side {particles} cost least, over the number of "
        f"{particles}.",
        minutes={Size.QUICK: 0.7, Size.PAPER: 20},
        measure=row.measure,
        draw=row.draw,
        takes_time=True,
    )


ENTRIES = tuple(entry(row) for row in ROWS)
