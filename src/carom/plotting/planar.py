"""Disks in the plane, drawn to scale."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.patches import Rectangle

from carom.domains.images import images_around
from carom.html.thumbnail import crowd
from carom.particles import Array
from carom.plotting.painted import Canvas, Paint
from carom.plotting.style import RIM, SMALLEST, SMALLEST_ON_FLOW, Theme, mixed, soften
from carom.raster import Disks, painted_disks
from carom.system import System
from carom.walls.surface import spanned

# Room around what has no periodic border, as a share of the longer side.
MARGIN = 0.02


def paint_disks(
    simulation: Any, colours: Array, theme: Theme, over_flow: bool, rims: Array | None = None
) -> Paint:
    """What paints all disks, with their images; rims without a colour are darker or lighter."""
    particles, system = simulation.particles, simulation.system
    offset = system.offset(simulation.time)
    position, own = with_images(system, particles.position, particles.radius, offset)
    radius, inside = particles.radius[own], colours[own, :3]
    rims = mixed(colours[:, :3], *theme.rim) if rims is None else rims
    least = SMALLEST_ON_FLOW if over_flow else SMALLEST

    def paint(canvas: Canvas) -> Any:
        width, height = canvas.size
        window = np.array([0.0, 0.0, width, height])
        if system.sides is not None:
            corners = canvas.pixels(np.array([[0.0, 0.0], system.sides]))
            (window[0], window[3]), (window[2], window[1]) = corners
        points = canvas.pixels_per_point
        disks = Disks(
            canvas.pixels(position), radius * canvas.scale, inside, rims[own], RIM * points
        )
        return painted_disks(disks, canvas.size, window, least * points)

    return paint


def draw_surroundings(
    axes: Any, system: System, corners: tuple[Array, Array], theme: Theme
) -> None:
    """Draw the box and the walls; corners are those of what is shown."""
    _draw_shapes(axes, system, corners, theme)
    for wall in system.further_planes:
        along = (-wall.normal[1], wall.normal[0])
        second = tuple(p + a for p, a in zip(wall.point, along, strict=True))
        drawn = axes.axline(wall.point, second, color=theme.ink, linewidth=1.6)
        if system.sides is not None:
            drawn.set_clip_path(Rectangle((0.0, 0.0), *system.sides, transform=axes.transData))
    _draw_borders(axes, system, theme)


def _draw_shapes(axes: Any, system: System, corners: tuple[Array, Array], theme: Theme) -> None:
    """Draw the outlines of shapes as one line, with gaps where one ends and another begins."""
    lines = [shape.surface(*corners).lines[:, :, :2] for shape in system.shapes]
    if not lines:
        return
    ends = np.concatenate(lines)
    if len(ends) == 0:
        return
    apart = 1 + np.flatnonzero((ends[1:, 0] != ends[:-1, 1]).any(axis=1))
    points = [
        np.vstack([part[:, 0], part[-1:, 1], [[np.nan, np.nan]]]) for part in np.split(ends, apart)
    ]
    x, y = np.concatenate(points).T
    drawn = axes.plot(x, y, color=theme.ink, linewidth=1.6, solid_capstyle="round")[0]
    if system.sides is not None:
        drawn.set_clip_path(Rectangle((0.0, 0.0), *system.sides, transform=axes.transData))


def show_part(axes: Any, lower: Array, upper: Array, theme: Theme) -> None:
    """Limit axes to what is between two corners, with equal scales."""
    axes.set_xlim(lower[0], upper[0])
    axes.set_ylim(lower[1], upper[1])
    axes.set_aspect("equal")
    soften(axes, theme)
    for spine in axes.spines.values():
        spine.set_visible(False)


def view(system: System, particles: Any) -> tuple[Array, Array]:
    """The corners of what is shown: the box, or in open space the particles and their walls, but
    for the few that are far away from most."""
    if system.sides is not None:
        lower, upper = np.zeros(system.dimension), np.array(system.sides)
    else:
        lower, upper, within = crowd(particles.position, particles.radius)
        feet = [_foot(wall, particles.position[within]) for wall in system.further_planes]
        lower, upper = np.min([lower, *feet], axis=0), np.max([upper, *feet], axis=0)
        lower, upper = spanned(system.shapes, lower, upper)
    margin = MARGIN * float((upper - lower).max())
    return lower - margin, upper + margin


def _foot(wall: Any, position: Array) -> Array:
    """The point (d,) of a wall that is nearest to any particle."""
    height = (position - np.array(wall.point)) @ np.array(wall.normal)
    nearest = int(np.argmin(np.abs(height)))
    return np.asarray(position[nearest] - height[nearest] * np.array(wall.normal))


def number_outside(simulation: Any, lower: Array, upper: Array) -> int:
    """How many particles of open space are not between two corners."""
    if simulation.system.sides is not None:
        return 0
    position = simulation.particles.position
    return int(((position < lower) | (position > upper)).any(axis=1).sum())


def with_images(
    system: System, position: Array, radius: Array, offset: float = 0.0
) -> tuple[Array, Any]:
    """Positions with those images that reach into the box, and the particle each belongs to.

    ``offset`` is the displacement of the images above in a sheared box.
    """
    if system.sides is None:
        return position, np.arange(len(position))
    places, owners, _ = images_around(position, radius, system.sides, system.periodic, offset)
    return places, owners


def _draw_borders(axes: Any, system: System, theme: Theme) -> None:
    """Walls as solid lines, periodic borders as faint broken ones."""
    if system.sides is None:
        return
    (width, height), (x_repeats, y_repeats) = system.sides, system.periodic
    wall = {"color": theme.ink, "linewidth": 1.6, "solid_capstyle": "projecting"}
    seam = {"color": theme.faint, "linewidth": 0.8, "linestyle": (0, (4, 3))}
    for x in (0.0, width):
        axes.plot([x, x], [0.0, height], **(seam if x_repeats else wall))
    for y in (0.0, height):
        axes.plot([0.0, width], [y, y], **(seam if y_repeats else wall))
