"""Pictures of lecture_03.py, from the results that it keeps."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from carom.plotting.style import DOTS_PER_INCH, FAINT, INK, PALETTE, soften
from carom_studies.benchmarks.lecture_tables import crossing, fastest_stepped
from carom_studies.experiments.stress_errors import by_system, overlap_exponent

FRACTION_MARKERS = "os^Dv<"
STEP_LABEL = "step γ Δt"


def draw(part: str, results: Any, folder: Path) -> None:
    """Save the picture of a part, if it has one."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures: dict[str, tuple[str, Callable[[Any], Figure]]] = {
        "stress": ("shear_overlaps", _overlaps),
        "time": ("shear_times", _times),
    }
    if part not in pictures:
        return
    name, make = pictures[part]
    figure = make(results)
    for axes in figure.axes:
        soften(axes)
    figure.savefig(folder / f"{name}.png", dpi=DOTS_PER_INCH)


def _overlaps(runs: Sequence[dict[str, Any]]) -> Figure:
    """Mean relative overlaps against the step, and against how far particles move in it."""
    systems = by_system(runs)
    figure = Figure(figsize=(8.0, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    exponents = [overlap_exponent(flows).exponent for flows in systems.values()]
    fractions = sorted({phi for _, phi in systems})
    for (e, phi), flows in systems.items():
        k = fractions.index(phi)
        style = {
            "color": PALETTE[k],
            "marker": FRACTION_MARKERS[k],
            "markersize": 4.5,
            "markerfacecolor": PALETTE[k] if e == 0.9 else "white",
        }
        dt = np.array([found["dt"] for found in flows.stepped])
        overlap = [found["overlap"] for found in flows.stepped]
        label = f"{phi:g}" if e == 0.9 else None
        left.loglog(dt, overlap, linewidth=0.8, label=label, **style)
        speed = math.sqrt(flows.exact["temperature"])
        right.loglog(speed * dt, overlap, linestyle="none", **style)
    moves = np.array(right.get_xlim())
    line = 0.5 * math.sqrt(math.pi) * moves
    right.loglog(moves, line, color=INK, linewidth=0.8, label="√π/2 · v Δt/d", zorder=0)
    left.set(xlabel=STEP_LABEL, ylabel="mean relative overlap δ/d")
    right.set(xlabel="v Δt / d,  v = √(T/m)")
    said = f"δ ∝ Δt$^p$, p = {min(exponents):.2f} to {max(exponents):.2f}"
    left.set_title(said, fontsize=9)
    right.set_title("filled: e = 0.9, open: e = 0.5", fontsize=9)
    left.legend(frameon=False, fontsize=8, title="solid fraction", title_fontsize=8)
    right.legend(frameon=False, fontsize=8)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def _times(results: Mapping[str, Any]) -> Figure:
    """Computing time per strain of both methods against the solid fraction."""
    numbers = sorted({one["n"] for one in results.values()})
    figure = Figure(figsize=(4.0 * len(numbers), 3.6), layout="constrained")
    panels = figure.subplots(1, len(numbers), squeeze=False, sharey=True)[0]
    for axes, n in zip(panels, numbers, strict=True):
        here = sorted(
            (one for one in results.values() if one["n"] == n), key=lambda one: one["phi"]
        )
        phi = [one["phi"] for one in here]
        scale = 1e6 / n  # to microseconds per particle
        curves = {
            "event-driven": [one["seconds"]["event-driven"] for one in here],
            "time-stepped, fastest list": [fastest_stepped(one) for one in here],
            "time-stepped, automatic": [one["seconds"]["auto"] for one in here],
        }
        for k, (label, seconds) in enumerate(curves.items()):
            times = scale * np.array(seconds)
            style = {"color": PALETTE[min(k, 1)], "linestyle": "--" if k == 2 else "-"}
            axes.semilogy(phi, times, marker="os^"[k], markersize=4.5, label=label, **style)
        where = crossing(results, n)
        if not math.isnan(where):
            axes.axvline(where, color=FAINT, linewidth=0.8)
        said = "no crossing" if math.isnan(where) else f"crossing at {where:.2f}"
        axes.set_title(f"{n:,} disks, e = 0.9: {said}", fontsize=9)
        axes.set_xlabel("solid fraction")
        axes.spines[["top", "right"]].set_visible(False)
    ticks = (1, 2, 5, 10, 20, 50, 100)
    low, high = panels[0].get_ylim()
    panels[0].set_yticks(ticks, [f"{tick}" for tick in ticks])
    panels[0].yaxis.set_minor_formatter(NullFormatter())
    panels[0].set_ylim(low, high)
    panels[0].set_ylabel("µs per particle and strain")
    panels[-1].legend(frameon=False, fontsize=8)
    return figure
