"""The cost of billiards: in the plane, in space, and dilute in space."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from matplotlib.figure import Figure

from carom_studies.entry import Entry, Findings, Size, Statement, Tell
from carom_studies.experiments import collision_costs
from carom_studies.experiments.billiards import NARROW, SEED, Billiards, Effort, scans
from carom_studies.sources import SIGURGEIRSSON_2001

SIZES = (5_000, 7_500, 10_000, 15_000, 25_000, 35_000, 50_000, 75_000, 100_000)
PAPER_SIZES = range(5_000, 100_001, 5_000)


class Row(NamedTuple):
    """A figure: the billiards, the published exponent, and how much is run."""

    name: str
    title: str
    figure: str
    series: Billiards
    exponent: float
    collisions: int  # of a piece at quick size; twice as many at the paper's
    rate: int | None = None  # published, collisions in a second of the fewest particles

    @property
    def effort(self) -> Mapping[Size, Effort]:
        """How much is run."""
        return {
            Size.QUICK: Effort(SIZES, collisions=self.collisions, pieces=24),
            Size.PAPER: Effort(PAPER_SIZES, collisions=2 * self.collisions, pieces=40),
        }

    def measure(self, size: Size, tell: Tell) -> Findings:
        """What collisions cost with the best number of cells."""
        effort = self.effort[size]
        found = scans(self.series, effort, NARROW, tell)
        data = collision_costs.data_of(found)
        statements = [collision_costs.slightly_super_linear(data)]
        if self.rate is not None:
            ours = 1.0 / found[0].least
            statements.append(
                Statement(
                    f"{found[0].n:,} particles have no fewer than the {self.rate:,} collisions per "
                    f"second of a Pentium III (here {ours:,.0f})",
                    ours >= self.rate,
                )
            )
        return Findings(
            seed=SEED,
            parameters=self.series.parameters(effort),
            data=data,
            numbers=[collision_costs.exponent(self.exponent, data)],
            statements=statements,
            choices=self.series.choices,
        )

    def draw(self, data: Mapping[str, Any]) -> Figure:
        """Left: time over collisions; right: over n_c log n."""
        return collision_costs.draw(self.exponent, data)


ROWS = (
    Row(
        "cost-2d",
        "Cost in the plane",
        "Fig. 9",
        Billiards(dimension=2, packing_fraction=0.15),
        exponent=1.0017,
        collisions=3_000,
        rate=16_000,
    ),
    Row(
        "cost-3d",
        "Cost in space, 15 %",
        "Fig. 11",
        Billiards(dimension=3, packing_fraction=0.15),
        exponent=1.0488,
        collisions=3_000,
    ),
    Row(
        "cost-3d-dilute",
        "Cost in space, 1 %",
        "Fig. 13",
        Billiards(dimension=3, packing_fraction=0.01),
        exponent=1.0372,
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
        compares=f"How the computing time of {particles} grows with n_c log n, n_c collisions of n "
        f"{particles}.",
        minutes={Size.QUICK: 0.6, Size.PAPER: 5},
        measure=row.measure,
        draw=row.draw,
        takes_time=True,
    )


ENTRIES = tuple(entry(row) for row in ROWS)
