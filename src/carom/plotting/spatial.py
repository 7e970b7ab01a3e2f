"""Spheres in space, seen from a corner: nearer ones in front, lit from above."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb

from carom.particles import Array
from carom.plotting.painted import Canvas, Paint
from carom.plotting.style import SMALLEST, Theme
from carom.plotting.walled import walls_between
from carom.raster import Lines, Spheres, Triangles, painted_solids

AZIMUTH, ELEVATION = math.radians(-62.0), math.radians(22.0)
EDGE = 0.8  # points, the width of the edges of a box
WALL_OPACITY = 0.14
GRAZING = 1.6  # how much more opaque walls are that are seen from the side
LINE_OPACITY = 0.6  # of the edges of walls
ROUNDING = 1e-6  # of a box: who is outside by less is inside


def paint_spheres(
    simulation: Any, colours: Array, corners: tuple[Array, Array], theme: Theme
) -> Paint:
    """What paints all spheres between two corners, with the edges and the walls of the box."""
    particles, system = simulation.particles, simulation.system
    lower, upper = corners
    screen = _screen()
    slack = ROUNDING * (upper - lower)
    place = particles.position
    inside = ((place >= lower - slack) & (place <= upper + slack)).all(axis=1)
    seen = place[inside] @ screen.T
    radius, colour = particles.radius[inside], colours[inside, :3]
    ends = np.array(list(_edges(lower, upper))) @ screen.T
    walls = walls_between(system, lower, upper)
    triangles, outlines = walls.triangles @ screen.T, walls.lines @ screen.T
    glass = np.hstack([np.tile(to_rgb(theme.ink), (len(triangles), 1)), _opacity(triangles)])
    faint = np.tile([*to_rgb(theme.faint), 1.0], (len(ends), 1))
    inked = np.tile([*to_rgb(theme.ink), LINE_OPACITY], (len(outlines), 1))
    lines, line_colours = np.concatenate([ends, outlines]), np.concatenate([faint, inked])
    span = float(ends[:, :, 2].max()), float(ends[:, :, 2].min())

    def paint(canvas: Canvas) -> Any:
        def placed(points: Array) -> Array:
            flat = canvas.pixels(points.reshape(-1, 3)[:, :2])
            depth = points.reshape(-1, 3)[:, 2:] * canvas.scale
            return np.hstack([flat, depth]).reshape(points.shape)

        return painted_solids(
            Spheres(placed(seen), radius * canvas.scale, colour),
            canvas.size,
            to_rgb(theme.paper),
            (span[0] * canvas.scale, span[1] * canvas.scale),
            SMALLEST * canvas.pixels_per_point,
            Triangles(placed(triangles), glass),
            Lines(placed(lines), line_colours, EDGE * canvas.pixels_per_point),
        )

    return paint


def extent(particles: Any, lower: Array, upper: Array) -> tuple[Array, Array]:
    """The corners (2,) on the screen of a box and of the spheres that reach out of it."""
    seen = np.array(list(_edges(lower, upper))).reshape(-1, 3) @ _screen()[:2].T
    # Spheres in a periodic box reach out of it by their radii.
    margin = min(float(particles.radius.max()), 0.5 * float((upper - lower).max()))
    return seen.min(axis=0) - margin, seen.max(axis=0) + margin


def _screen() -> Array:
    """Rows: to the right, upwards, and towards the eye, as unit vectors in space."""
    across = np.array([-math.sin(AZIMUTH), math.cos(AZIMUTH), 0.0])
    flat = np.array([math.cos(AZIMUTH), math.sin(AZIMUTH), 0.0])
    towards = math.cos(ELEVATION) * flat + np.array([0.0, 0.0, math.sin(ELEVATION)])
    return np.stack([across, np.cross(towards, across), towards])


def _edges(lower: Array, upper: Array) -> Any:
    """The ends (2, 3) of each edge of a box."""
    corners = [np.where(choice, upper, lower) for choice in itertools.product((0, 1), repeat=3)]
    for a, b in itertools.combinations(range(8), 2):
        if (a ^ b) in (1, 2, 4):
            yield np.array([corners[a], corners[b]])


def _opacity(triangles: Array) -> Array:
    """The opacity (m, 1) of walls on the screen: more where they are steep, as of glass."""
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    size = np.sqrt((normal * normal).sum(axis=1, keepdims=True))
    facing = np.abs(normal[:, 2:]) / np.where(size > 0.0, size, 1.0)
    return np.asarray(WALL_OPACITY * (1.0 + GRAZING * (1.0 - facing) ** 2))
