"""The cost of billiards in the plane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from carom_studies.entry import Entry, Findings, Size, Statement, Tell
from carom_studies.experiments import collision_costs
from carom_studies.experiments.billiards import NARROW, SEED, Billiards, Effort, scans
from carom_studies.sources import SIGURGEIRSSON_2001

SERIES = Billiards(dimension=2, packing_fraction=0.15)
EFFORT = {
    Size.QUICK: Effort(
        (5_000, 7_500, 10_000, 15_000, 25_000, 35_000, 50_000, 75_000, 100_000),
        collisions=3_000,
        pieces=24,
    ),
    Size.PAPER: Effort(range(5_000, 100_001, 5_000), collisions=6_000, pieces=40),
}
EXPONENT = 1.0017
PENTIUM = 16_000  # collisions in a second, of 5,000 particles


def measure(size: Size, tell: Tell) -> Findings:
    """What collisions cost with the best number of cells."""
    found = scans(SERIES, EFFORT[size], NARROW, tell)
    data = collision_costs.data_of(found)
    rate = 1.0 / found[0].least
    return Findings(
        seed=SEED,
        parameters=SERIES.parameters(EFFORT[size]),
        data=data,
        numbers=[collision_costs.exponent(EXPONENT, data)],
        statements=[
            collision_costs.slightly_super_linear(data),
            Statement(
                f"{found[0].n:,} particles have no fewer than the {PENTIUM:,} collisions per "
                f"second of a Pentium III (here {rate:,.0f})",
                rate >= PENTIUM,
            ),
        ],
        choices=SERIES.choices,
    )


def draw(data: Mapping[str, Any]) -> Figure:
    """Left: time over collisions; right: over n_c log n."""
    return collision_costs.draw(EXPONENT, data)


ENTRY = Entry(
    name="cost-2d",
    title="Cost in the plane",
    source=SIGURGEIRSSON_2001,
    figure="Fig. 9",
    compares="How the computing time of disks grows with n_c log n, n_c collisions of n disks.",
    minutes={Size.QUICK: 0.6, Size.PAPER: 5},
    measure=measure,
    draw=draw,
    takes_time=True,
)
