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
from carom.raster import Lines, Spheres, Triangles, painted_solids

AZIMUTH, ELEVATION = math.radians(-62.0), math.radians(22.0)
EDGE = 0.8  # points, the width of the edges of a box
WALL_OPACITY = 0.14
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
    triangles = _walls(system.further_planes, lower, upper).reshape(-1, 3, 3) @ screen.T
    ink = np.array([[*to_rgb(theme.ink), WALL_OPACITY]])
    faint = np.array([[*to_rgb(theme.faint), 1.0]])
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
            Triangles(placed(triangles), ink.repeat(len(triangles), axis=0)),
            Lines(placed(ends), faint.repeat(len(ends), axis=0), EDGE * canvas.pixels_per_point),
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


def _walls(walls: Any, lower: Array, upper: Array) -> Array:
    """The triangles (m, 3, 3) of plane walls inside a box."""
    triangles = []
    for wall in walls:
        outline = plane_in_box(np.array(wall.point), np.array(wall.normal), lower, upper)
        for k in range(1, len(outline) - 1):
            triangles.append(outline[[0, k, k + 1]])
    return np.array(triangles).reshape(-1, 3, 3)


def plane_in_box(point: Array, normal: Array, lower: Array, upper: Array) -> Array:
    """The corners (k, 3) of the part of a plane inside a box, in order around it."""
    first = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    reach = 2.0 * float(np.linalg.norm(upper - lower) + np.linalg.norm(point - lower))
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    corners = [point + reach * (a * first + b * second) for a, b in signs]
    for axis in range(3):
        for bound, side in ((lower[axis], 1.0), (upper[axis], -1.0)):
            corners = _cut(corners, axis, float(bound), side)
    return np.array(corners)


def _cut(corners: list[Array], axis: int, bound: float, side: float) -> list[Array]:
    """The part of a polygon on one side of a bound (Sutherland & Hodgman 1974)."""
    kept = []
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        height_a, height_b = side * (a[axis] - bound), side * (b[axis] - bound)
        if height_a >= 0.0:
            kept.append(a)
        if (height_a < 0.0) != (height_b < 0.0):
            kept.append(a + (b - a) * height_a / (height_a - height_b))
    return kept
