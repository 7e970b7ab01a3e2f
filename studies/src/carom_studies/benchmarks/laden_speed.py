"""Speed of particles in a flow.

    python -m carom_studies.benchmarks.laden_speed  both parts
    python -m carom_studies.benchmarks.laden_speed --only taylor-green  collisions per second
    python -m carom_studies.benchmarks.laden_speed --only turbulence  particle-steps per second
    python -m carom_studies.benchmarks.laden_speed --markdown docs/benchmarks.md

One core. Processor times, in pieces in which the subjects take turns; rates are from all pieces.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

from rich.console import Console

import carom
from carom.fluids import SyntheticTurbulence, TaylorGreen
from carom_studies.benchmarks.measuring import circumstances
from carom_studies.benchmarks.tables import Table, show, write_into
from carom_studies.experiments.laden_flows import (
    DT,
    FACTORS,
    FRACTION,
    TAYLOR_GREEN,
    at_rest,
)
from carom_studies.timing import seconds_each

FACTOR = FACTORS[TAYLOR_GREEN]  # relaxation time over radius, in both flows
PIECES = 10
# Published are 1.39 (n m)^1.04 transfers up to t = 10: 3.0 n m at n = 200,000. They follow from the
# mean of |u_x| + |u_y|, and this from the speed. The length is that of one wave in the box.
SPEED = 0.27
LENGTH_SCALE = 0.5 / math.pi


class Ours:
    """carom, from a state on; ``begin`` goes on where the last piece ended."""

    def __init__(self, system: carom.System, fluid: Any, until: float, **options: Any) -> None:
        tau = carom.PowerOfRadius(FACTOR, 1.0)
        method = carom.Laden(fluid=fluid, dt=DT, relaxation_time=tau, **options)
        self.simulation = carom.Simulation(system, method=method)
        self.simulation.run(until=until)
        self.steps = round(until / DT)

    def begin(self) -> None:
        """It goes on."""

    def run(self, steps: int) -> None:
        """Carry out so many steps."""
        self.steps += steps
        self.simulation.run(until=self.steps * DT)

    @property
    def collisions(self) -> int:
        """Since the start."""
        return self.simulation.counts.collisions


def compared(name: str, subjects: dict[str, Any], steps: int, pieces: int, n: int) -> Table:
    """A table of the rates of all subjects."""
    before = {key: subject.collisions for key, subject in subjects.items()}
    times = seconds_each(subjects, steps, pieces)
    done = {key: subject.collisions - before[key] for key, subject in subjects.items()}
    rows = []
    for key, each in times.items():
        total = float(each.sum()) * steps
        rates = (done[key] / total / 1e6, n * steps * pieces / total / 1e6)
        rows.append([key, f"{done[key]:,}", f"{rates[0]:.3f}", f"{rates[1]:.2f}"])
    return Table(
        f"laden {name}",
        f"{name}, {n:,} disks",
        ["", "collisions", "million/s", "million particle-steps/s"],
        rows,
        f"{pieces} pieces of {steps} steps of {DT:g}, φ = {FRACTION:g}, τ = {FACTOR:g} r.",
    )


def taylor_green(n: int, start: float) -> Table:
    """Dense bands: collisions per second from a time on for one unit of time."""
    subjects: dict[str, Any] = {"carom": Ours(at_rest(n), TaylorGreen(), start)}
    subjects["carom, cells"] = Ours(at_rest(n), TaylorGreen(), start, algorithm="cells")
    return compared("taylor-green", subjects, round(1.0 / DT) // PIECES, PIECES, n)


def turbulence(n: int, start: float) -> Table:
    """Few collisions: particle-steps per second."""
    fluid = SyntheticTurbulence(speed=SPEED, length_scale=LENGTH_SCALE, seed=5)
    subjects: dict[str, Any] = {"carom": Ours(at_rest(n), fluid, start)}
    return compared("turbulence", subjects, 1, 3 * PIECES, n)


PARTS = {"taylor-green": (taylor_green, 40_000, 5.0), "turbulence": (turbulence, 200_000, 1.0)}


def main() -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(description="Speed of particles in a flow.")
    parser.add_argument("--only", choices=PARTS, nargs="+", default=list(PARTS))
    parser.add_argument("--quick", action="store_true", help="a tenth of the particles")
    parser.add_argument("--markdown", type=Path, help="document to put the tables into")
    arguments = parser.parse_args()
    console = Console()
    about = ", ".join(f"{name} {value}" for name, value in circumstances().items())
    for name in arguments.only:
        measure, n, start = PARTS[name]
        table = measure(n // 10 if arguments.quick else n, start)
        show(table, console)
        if arguments.markdown:
            write_into(arguments.markdown, table, f"{about[0].upper()}{about[1:]}.")
    console.print(about)


if __name__ == "__main__":
    main()
