"""Pictures of coupled_2001.py, from the results that it keeps."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from carom.plotting.style import DOTS_PER_INCH, FAINT, PALETTE, soften
from coupled_tables import energy_rows, groups


def draw(part: str, results: Mapping[str, Any], kept: Path, folder: Path) -> None:
    """Save the pictures of a part; those of particles were left in the folder of the results."""
    folder.mkdir(parents=True, exist_ok=True)
    if part == "distribution":
        for path in kept.glob("coupled_vortices_*.png"):
            shutil.copy(path, folder / path.name)
        return
    figure = _energies(results) if part == "blow-up" else _series(results)
    for axes in figure.axes:
        soften(axes)
    figure.savefig(folder / f"coupled_{part.replace('-', '_')}.png", dpi=DOTS_PER_INCH)


def _energies(results: Mapping[str, Any]) -> Figure:
    """Energies of the fluid above, and how far the explicit scheme is from its limit below."""
    figure = Figure(figsize=(8.0, 5.2), layout="constrained")
    panels = figure.subplots(2, 3, sharex=True, sharey="row")
    usual = [
        found
        for name, found in results.items()
        if not name.startswith("iterations") and found["starts"] == "vortices"
    ]
    for found in usual:
        if found["fraction"] != usual[0]["fraction"] or found["lengthened"] != 1.0:
            continue
        column = round(found["strength"]) - 1
        explicit = found["scheme"] == "explicit"
        look = {"color": PALETTE[3 if explicit else 0], "ls": "--" if explicit else "-", "lw": 1.1}
        label = "explicit, (A.5)" if explicit else "implicit, (A.6)"
        panels[0, column].semilogy(*zip(*energy_rows(found), strict=True), label=label, **look)
        times, _, ratios = zip(*found["stability"], strict=True)
        panels[1, column].plot(times, ratios, **look)
        panels[0, column].set_title(f"α = {found['strength']:g} r", fontsize=9)
    for axes in panels[1]:
        axes.axhline(1.0, color=FAINT, lw=0.8, zorder=0)
        axes.set_xlabel("time")
    panels[0, 0].set_ylabel("energy of the fluid")
    panels[1, 0].set_ylabel("instability, unstable above 1")
    panels[0, 0].legend(frameon=False, fontsize=8)
    return figure


def _series(results: Mapping[str, Any]) -> Figure:
    """Collisions, and processor time, against the number of particles."""
    figure = Figure(figsize=(8.0, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    for colour, ((forcing, starts), runs) in zip(PALETTE, groups(results).items(), strict=False):
        n = [one["n"] for one in runs]
        label = f"{forcing}, {starts}"
        left.loglog(n, [one["collisions"] for one in runs], "o-", color=colour, ms=4, label=label)
        for name, line in (("collision_seconds", "o-"), ("fluid_seconds", "s--")):
            right.loglog(n, [one[name] for one in runs], line, color=colour, ms=4)
    left.set(xlabel="particles", ylabel="collisions")
    right.set(xlabel="particles", ylabel="seconds: collisions —, fluid - -")
    left.legend(frameon=False, fontsize=8)
    return figure
