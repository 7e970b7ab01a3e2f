"""How long pictures and frames of films take.

    python -m carom_studies.benchmarks.films             some two minutes
    python -m carom_studies.benchmarks.films --quick     fewer frames, small pictures only
    python -m carom_studies.benchmarks.films --markdown docs/benchmarks.md

Processor time of this process and of ffmpeg together, so that it is as on one core, whatever else
the machine does; compilation is not counted. Films take the time for a long one less that for a
short one, for what happens once, and by themselves the time for the short one.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console

import carom
from carom.plotting import FlowView, Look, film, picture
from carom_studies.benchmarks.measuring import circumstances
from carom_studies.benchmarks.tables import Table, show, write_into

PACKING_FRACTION = {2: 0.5, 3: 0.3}
SUFFIXES = (".mp4", ".webm", ".gif")
PIECES = 3


class Case(NamedTuple):
    """So many particles in the plane or in space, perhaps over a flow that changes."""

    dimension: int
    number: int
    flow: FlowView | None = None

    @property
    def name(self) -> str:
        kind = "disks" if self.dimension == 2 else "spheres"
        over = "" if self.flow is None else f", {self.flow.lines} of a flow"
        return f"{self.number:,} {kind}{over}"


def wandering_vortices(points: Any, time: float) -> Any:
    """Velocities of vortices that move through the box."""
    x, y = 0.1 * points.T
    return np.stack([np.sin(x + time) * np.cos(y), -np.cos(x + time) * np.sin(y)], axis=1)


FILMS = (
    Case(2, 200),
    Case(2, 10_000),
    Case(2, 10_000, FlowView(wandering_vortices)),
    Case(2, 10_000, FlowView(wandering_vortices, lines="arrows")),
    Case(3, 10_000),
)
PICTURES = (Case(2, 10_000), Case(2, 1_000_000), Case(3, 10_000), Case(3, 100_000))
LARGEST_IF_QUICK = 100_000


def looks_at(case: Case, frames: int) -> list[Look]:
    """Looks at a gas that flies freely; pictures do not ask whether its particles collide."""
    particles, box = carom.packings.lattice(
        case.number,
        PACKING_FRACTION[case.dimension],
        dimension=case.dimension,
        temperature=1.0,
        seed=1,
    )
    system = carom.System(particles, box)
    sides = np.array(system.sides)
    return [
        Look(
            system,
            0.05 * k,
            carom.Particles(
                (particles.position + 0.05 * k * particles.velocity) % sides,
                particles.velocity,
                particles.radius,
                particles.mass,
            ),
        )
        for k in range(frames)
    ]


def seconds_of(work: Callable[[], Any]) -> float:
    """The processor time of this process and of those that it has waited for."""
    before = os.times()
    work()
    return sum(after - start for after, start in zip(os.times()[:4], before[:4], strict=True))


def film_rows(frames: int, folder: Path) -> list[list[str]]:
    """Milliseconds for a frame and frames per second, for each kind of film."""
    rows = []
    for case in FILMS:
        looks = looks_at(case, frames + 2)
        row = [case.name]
        for suffix in SUFFIXES:
            path = folder / f"film{suffix}"
            make = partial(film, path, flow=case.flow, progress=False)
            make(looks[:2])
            times = [
                seconds_of(lambda: make(looks))  # noqa: B023
                - seconds_of(lambda: make(looks[:2]))  # noqa: B023
                for _ in range(PIECES)
            ]
            each = float(np.median(times)) / frames
            row.append(f"{1e3 * each:.0f} ms, {1.0 / each:.0f} per second")
        rows.append(row)
    return rows


def picture_rows(cases: list[Case], folder: Path) -> list[list[str]]:
    """Seconds for a picture as a PNG of 150 dots per inch."""
    rows = []
    for case in cases:
        look = looks_at(case, 1)[0]
        path = folder / "picture.png"
        picture(look, path)
        times = [seconds_of(lambda: picture(look, path)) for _ in range(PIECES)]  # noqa: B023
        rows.append([case.name, f"{float(np.median(times)):.2f} s"])
    return rows


def tables(frames: int, quick: bool) -> list[Table]:
    """Measure."""
    cases = [case for case in PICTURES if not quick or case.number <= LARGEST_IF_QUICK]
    with TemporaryDirectory() as folder:
        note = f"Median of {PIECES} films of {frames} frames, some 600 pixels wide and high."
        return [
            Table(
                "film-frames",
                "A frame of a film",
                ["", *SUFFIXES],
                film_rows(frames, Path(folder)),
                note,
            ),
            Table(
                "film-pictures",
                "A picture",
                ["", "time"],
                picture_rows(cases, Path(folder)),
                f"Median of {PIECES} pictures, some 900 pixels wide and high, written as PNG.",
            ),
        ]


def main(words: list[str] | None = None) -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer frames, small pictures only")
    parser.add_argument("--markdown", type=Path, help="document to put the tables into")
    arguments = parser.parse_args(words)
    about = ", ".join(f"{name} {value}" for name, value in circumstances().items())
    for table in tables(20 if arguments.quick else 100, arguments.quick):
        show(table, Console())
        if arguments.markdown:
            write_into(arguments.markdown, table, f"{about[0].upper()}{about[1:]}.")


if __name__ == "__main__":
    main()
