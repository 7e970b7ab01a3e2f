"""Pictures of a simulation and of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from carom.plotting.colouring import Colouring, colouring
from carom.plotting.curves import Log, draw_curves
from carom.plotting.planar import draw_disks, view
from carom.plotting.spatial import draw_spheres
from carom.plotting.style import DOTS_PER_INCH, INK


def picture(
    simulation: Any,
    path: str | Path | None = None,
    *,
    colour: str | Sequence[float] = "speed",
    groups: Mapping[str, slice] | None = None,
    title: str | None = None,
) -> Figure:
    """The particles now, drawn to scale; saved when a path is given.

    ``colour`` is ``"speed"``, ``"density"``, ``"group"`` (with ``groups``: names and which
    particles each has), or one value for each particle.
    """
    figure = _figure(*_size(simulation, 5.2))
    _draw_particles(figure, figure.add_subplot(), simulation, colour, groups or {}, title)
    return _saved(figure, path)


def picture_of_run(
    simulation: Any,
    log: Log,
    path: str | Path | None = None,
    *,
    colour: str | Sequence[float] = "speed",
    groups: Mapping[str, slice] | None = None,
    title: str | None = None,
    plot: Sequence[str] | None = None,
) -> Figure:
    """The particles now beside columns of the log over time; saved when a path is given.

    ``plot`` names the columns; left out, what suits the system is drawn.
    """
    width, height = _size(simulation, 5.0)
    figure = _figure(width + 4.6, max(height, 3.4))
    grid = figure.add_gridspec(1, 2, width_ratios=[width, 4.6], wspace=0.06)
    left, right = figure.add_subplot(grid[0]), figure.add_subplot(grid[1])
    _draw_particles(figure, left, simulation, colour, groups or {}, title)
    draw_curves(right, simulation, log, plot)
    return _saved(figure, path)


def _figure(width: float, height: float) -> Figure:
    figure = Figure(figsize=(width, height))
    figure.set_layout_engine("constrained", w_pad=0.08, h_pad=0.12)
    return figure


# Inches beside the particles for the colour scale, and above and below for title and legend.
BESIDE, ABOVE_AND_BELOW = 0.9, 0.8


def _size(simulation: Any, longer_side: float) -> tuple[float, float]:
    """Width and height in inches for a picture of the particles."""
    lower, upper = view(simulation.system, simulation.particles)
    width, height = (upper - lower)[:2] if simulation.system.dimension == 2 else (1.0, 1.0)
    shape = min(max(float(height / width), 0.4), 2.0)
    width, height = longer_side * min(1.0, 1.0 / shape), longer_side * min(1.0, shape)
    return width + BESIDE, height + ABOVE_AND_BELOW


def _draw_particles(
    figure: Figure,
    axes: Any,
    simulation: Any,
    colour: str | Sequence[float],
    groups: Mapping[str, slice],
    title: str | None,
) -> None:
    chosen = colouring(simulation, colour, groups)
    if simulation.system.dimension == 2:
        draw_disks(axes, simulation, chosen.colours)
    else:
        draw_spheres(axes, simulation, chosen.colours)
    _explain_colours(figure, axes, chosen)
    heading = f"t = {simulation.time:.6g}"
    axes.set_title(f"{title}, {heading}" if title else heading, fontsize=10, color=INK)


def _explain_colours(figure: Figure, axes: Any, chosen: Colouring) -> None:
    if chosen.scale is not None:
        bar = figure.colorbar(chosen.scale, ax=axes, fraction=0.04, pad=0.02, aspect=30)
        bar.set_label(chosen.label, fontsize=9, color=INK)
        bar.ax.tick_params(labelsize=8, colors=INK, length=2)
        bar.outline.set_visible(False)  # type: ignore[operator]
    if chosen.legend:
        handles = [
            Line2D([], [], linestyle="", marker="o", color=colour, label=name)
            for name, colour in chosen.legend.items()
        ]
        axes.legend(
            handles=handles,
            loc="upper center",
            bbox_to_anchor=(0.5, -0.04),
            ncols=len(handles),
            fontsize=9,
            frameon=False,
        )


def _saved(figure: Figure, path: str | Path | None) -> Figure:
    if path is not None:
        figure.savefig(path, dpi=DOTS_PER_INCH)
    return figure
