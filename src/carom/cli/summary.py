"""What ``carom run`` says on the terminal beside its progress."""

from __future__ import annotations

import math
from typing import Any

from rich.console import Console
from rich.table import Table

from carom.cli.folder import Folder

console = Console(stderr=True, highlight=False)


def say(message: str, style: str = "") -> None:
    """Print a line for the user, whatever it holds."""
    console.print(message, style=style, markup=False, soft_wrap=True)


def show_summary(simulation: Any, folder: Folder, rate: float) -> None:
    """Print where the run has come to and what it has left."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    counts = simulation.counts
    table.add_row("time", f"{simulation.time:g}")
    table.add_row("collisions", _collisions(counts))
    if not math.isnan(rate):
        table.add_row("rate", f"{rate:,.0f} collisions/s")
    table.add_row("energy", f"{simulation.energy:.6g}")
    table.add_row("temperature", f"{simulation.temperature:.6g}")
    table.add_row("picture", str(folder.picture))
    table.add_row("trajectory", f"{folder.trajectory}  (open it in OVITO)")
    table.add_row("log", str(folder.log))
    table.add_row("checkpoint", f"{folder.checkpoint}  (--resume --until T goes on)")
    result = Console(highlight=False)
    result.print()
    result.print(table)


def _collisions(counts: Any) -> str:
    text = f"{counts.collisions:,}"
    if counts.wall_collisions:
        text += f", and {counts.wall_collisions:,} with walls"
    if counts.resting:
        text += f"; {counts.resting:,} particles at rest"
    return text
