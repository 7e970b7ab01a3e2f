"""What ``carom run`` says on the terminal beside its progress."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table

from carom.cli.folder import Folder
from carom.progress import progressed

console = Console(stderr=True, highlight=False)


def say(message: str, style: str = "") -> None:
    """Print a line for the user, whatever it holds."""
    console.print(message, style=style, markup=False, soft_wrap=True)


def show_summary(simulation: Any, folder: Folder, rate: float) -> None:
    """Print where the run has come to and what it has left."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    rows = [("time", f"{simulation.time:g}"), *_method(simulation)]
    rows += [*_particles(simulation), ("collisions", _collisions(simulation.counts))]
    if not math.isnan(rate):
        rows.append(("rate", f"{rate:,.0f} {progressed(simulation)[1]}/s"))
    rows += [*_energies(simulation), *_shear(simulation)]
    films = [path for path in folder.films.values() if path.exists()]
    rows += [
        ("picture", str(folder.picture)),
        *(("film", str(path)) for path in films),
        ("trajectory", f"{folder.trajectory}  (open it in OVITO)"),
        ("log", str(folder.log)),
        ("checkpoint", f"{folder.checkpoint}  (--resume --until T goes on)"),
    ]
    for row in rows:
        table.add_row(*row)
    result = Console(highlight=False)
    result.print()
    result.print(table)


def _method(simulation: Any) -> Iterator[tuple[str, str]]:
    """The method and its steps, where it takes any."""
    if math.isnan(simulation.dt):
        return
    counts = simulation.counts
    yield "method", f"{type(simulation.method).__name__}, dt = {simulation.dt:.3g}"
    yield "steps", f"{counts.steps:,}, neighbours found anew {counts.rebuilds:,} times"


def _particles(simulation: Any) -> Iterator[tuple[str, str]]:
    """How many there are, where some come and go."""
    if simulation.number_changes:
        said = (
            f"{simulation.number:,}; {simulation.entered:,} came in, {simulation.left:,} went out"
        )
        yield "particles", said + (f", {simulation.waiting:,} wait" if simulation.waiting else "")


def _energies(simulation: Any) -> Iterator[tuple[str, str]]:
    energy, elastic = f"{simulation.energy:.6g}", simulation.elastic_energy
    if elastic:
        energy += f", of which {elastic:.3g} in contacts"
    if simulation.dissipated_energy:
        energy += f"; {simulation.dissipated_energy:.6g} dissipated"
    yield "energy", energy
    yield "temperature", f"{simulation.temperature:.6g}"
    for name, mean, largest in (
        ("overlaps", simulation.mean_overlap, simulation.largest_overlap),
        ("at impact", simulation.mean_impact_overlap, simulation.largest_impact_overlap),
    ):
        if largest > 0.0:
            yield name, f"mean {mean:.2%}, largest {largest:.2%} of the sum of two radii"


def _shear(simulation: Any) -> Iterator[tuple[str, str]]:
    """Stress and viscosity of a sheared box."""
    if simulation.system.shear_rate == 0.0:
        return
    stress = simulation.stress
    xx, xy, yy = (float(stress[place]) for place in ((0, 0), (0, 1), (1, 1)))
    yield "mean stress", f"xx {xx:.4g}, xy {xy:.4g}, yy {yy:.4g}"
    yield "viscosity", f"{simulation.shear_viscosity:.4g}"


def _collisions(counts: Any) -> str:
    text = f"{counts.collisions:,}"
    if counts.wall_collisions:
        text += f", and {counts.wall_collisions:,} with walls"
    if counts.resting:
        text += f"; {counts.resting:,} particles at rest"
    return text
