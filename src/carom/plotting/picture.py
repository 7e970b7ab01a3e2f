"""Pictures of a simulation and of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from carom.plotting.curves import Log, draw_curves
from carom.plotting.drawing import Colour, Content, Drawing, Region, checked_region, content_of
from carom.plotting.figures import ShownFigure
from carom.plotting.flow import FlowView
from carom.plotting.looks import checked_look
from carom.plotting.spatial import extent
from carom.plotting.style import DOTS_PER_INCH, Theme, ThemeName


def picture(
    simulation: Any,
    path: str | Path | None = None,
    *,
    colour: Colour = None,
    groups: Mapping[str, slice] | None = None,
    title: str | None = None,
    flow: FlowView | None = None,
    region: Region = None,
    theme: ThemeName = None,
) -> Figure:
    """The particles now, drawn to scale; saved when a path is given. In a notebook it shows itself.

    ``colour`` is ``"speed"``, ``"density"``, ``"species"``, ``"group"`` (with ``groups``: names and
    which particles each has), one value for each particle, or ``"plain"``; left out it is the
    speed, or plain over a ``flow``. That is drawn under the particles, of spheres in a slice.

    ``region`` shows a part, between two corners: ``((0, 0), (5, 5))``. In open space, what is far
    away from nearly all particles is left out, and counted in the title. ``theme`` is ``"light"``
    or ``"dark"``; left out, it is that of Matplotlib's figures.
    """
    content = content_of(colour, groups, title, flow, theme)
    content = content._replace(region=checked_region(region, checked_look(simulation)))
    figure = figure_of(*size_of_particles(simulation, 5.2, content), content.theme)
    Drawing(figure, figure.add_subplot(), simulation, content)
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
    theme: ThemeName = None,
) -> Figure:
    """The particles now beside columns of the log over time; saved when a path is given.

    ``plot`` names the columns; left out, what suits the system is drawn. Columns of very different
    sizes have axes of their own, one below the other.
    """
    content = content_of(colour, groups, title, flow, theme)
    width, height = size_of_particles(simulation, 5.0, content)
    figure = figure_of(width + 4.6, max(height, 3.4), content.theme)
    grid = figure.add_gridspec(1, 2, width_ratios=[width, 4.6], wspace=0.06)
    left = figure.add_subplot(grid[0])
    draw_curves(grid[1], simulation, log, plot, content.theme)
    Drawing(figure, left, simulation, content)
    return _saved(figure, path)


def figure_of(width: float, height: float, theme: Theme) -> Figure:
    """An empty figure of so many inches."""
    figure = ShownFigure(figsize=(width, height), facecolor=theme.paper)
    # For axes that keep their shape; colour scales get their height.
    figure.set_layout_engine("compressed", w_pad=0.08, h_pad=0.12)
    return figure


# Inches beside the particles for a colour scale, and above and below for title and legend.
BESIDE, ABOVE_AND_BELOW = 0.9, 0.8


def size_of_particles(look: Any, longer_side: float, content: Content) -> tuple[float, float]:
    """Width and height in inches for a picture of the particles."""
    look = checked_look(look)
    lower, upper = content.part_of(look)
    sides = upper - lower
    if look.system.dimension == 2:
        width, height = sides
    elif content.flow is not None:
        width, height = sides[content.flow.slice.kept]
    else:
        least, most = extent(look.particles, lower, upper)
        width, height = most - least
    shape = min(max(float(height / width), 0.4), 2.0)
    width, height = longer_side * min(1.0, 1.0 / shape), longer_side * min(1.0, shape)
    return width + max(content.scales, 1) * BESIDE, height + ABOVE_AND_BELOW


def _saved(figure: Figure, path: str | Path | None) -> Figure:
    if path is not None:
        figure.savefig(path, dpi=DOTS_PER_INCH)
    return figure
