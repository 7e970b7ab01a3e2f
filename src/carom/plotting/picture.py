"""Pictures of a simulation and of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from carom.plotting.curves import Log, draw_curves
from carom.plotting.drawing import Colour, Content, content_of, draw_look
from carom.plotting.flow import FlowView
from carom.plotting.looks import checked_look
from carom.plotting.planar import view
from carom.plotting.style import DOTS_PER_INCH


def picture(
    simulation: Any,
    path: str | Path | None = None,
    *,
    colour: Colour = None,
    groups: Mapping[str, slice] | None = None,
    title: str | None = None,
    flow: FlowView | None = None,
) -> Figure:
    """The particles now, drawn to scale; saved when a path is given.

    ``colour`` is ``"speed"``, ``"density"``, ``"species"``, ``"group"`` (with ``groups``: names and
    which particles each has), one value for each particle, or ``"plain"``; left out it is the
    speed, or plain over a ``flow``. That is drawn under the particles, of spheres in a slice.
    """
    content = content_of(colour, groups, title, flow)
    figure = figure_of(*size_of_particles(simulation, 5.2, content))
    draw_look(figure, figure.add_subplot(), simulation, content)
    return _saved(figure, path)


def picture_of_run(
    simulation: Any,
    log: Log,
    path: str | Path | None = None,
    *,
    colour: Colour = None,
    groups: Mapping[str, slice] | None = None,
    title: str | None = None,
    plot: Sequence[str] | None = None,
    flow: FlowView | None = None,
) -> Figure:
    """The particles now beside columns of the log over time; saved when a path is given.

    ``plot`` names the columns; left out, what suits the system is drawn.
    """
    content = content_of(colour, groups, title, flow)
    width, height = size_of_particles(simulation, 5.0, content)
    figure = figure_of(width + 4.6, max(height, 3.4))
    grid = figure.add_gridspec(1, 2, width_ratios=[width, 4.6], wspace=0.06)
    left, right = figure.add_subplot(grid[0]), figure.add_subplot(grid[1])
    draw_look(figure, left, simulation, content)
    draw_curves(right, simulation, log, plot)
    return _saved(figure, path)


def figure_of(width: float, height: float) -> Figure:
    """An empty figure of so many inches."""
    figure = Figure(figsize=(width, height))
    # For axes that keep their shape; colour scales get their height.
    figure.set_layout_engine("compressed", w_pad=0.08, h_pad=0.12)
    return figure


# Inches beside the particles for a colour scale, and above and below for title and legend.
BESIDE, ABOVE_AND_BELOW = 0.9, 0.8


def size_of_particles(look: Any, longer_side: float, content: Content) -> tuple[float, float]:
    """Width and height in inches for a picture of the particles."""
    look = checked_look(look)
    lower, upper = view(look.system, look.particles) if content.corners is None else content.corners
    extent = upper - lower
    if look.system.dimension == 2:
        width, height = extent
    elif content.flow is not None:
        width, height = extent[content.flow.slice.kept]
    else:
        width, height = 1.0, 1.0
    shape = min(max(float(height / width), 0.4), 2.0)
    width, height = longer_side * min(1.0, 1.0 / shape), longer_side * min(1.0, shape)
    return width + max(content.scales, 1) * BESIDE, height + ABOVE_AND_BELOW


def _saved(figure: Figure, path: str | Path | None) -> Figure:
    if path is not None:
        figure.savefig(path, dpi=DOTS_PER_INCH)
    return figure
