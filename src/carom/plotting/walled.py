"""Walls as triangles and lines between the corners of what is shown."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.particles import Array
from carom.walls import Surface


def walls_between(system: Any, lower: Array, upper: Array) -> Surface:
    """All walls but those of the box, as far as they are between two corners (3,)."""
    surfaces = [shape.surface(lower, upper) for shape in system.shapes]
    triangles = [_planes(system.further_planes, lower, upper)]
    triangles += [_polygons_between(one.triangles, lower, upper) for one in surfaces]
    lines = [np.zeros((0, 2, 3)), *(_lines_between(one.lines, lower, upper) for one in surfaces)]
    return Surface(np.concatenate(triangles), np.concatenate(lines))


def _planes(walls: Any, lower: Array, upper: Array) -> Array:
    """The triangles (m, 3, 3) of plane walls inside a box."""
    outlines = [
        plane_in_box(np.array(wall.point), np.array(wall.normal), lower, upper) for wall in walls
    ]
    return _fans(outlines)


def _fans(outlines: list[Array]) -> Array:
    """The triangles (m, 3, 3) of polygons."""
    triangles = [line[[0, k, k + 1]] for line in outlines for k in range(1, len(line) - 1)]
    return np.array(triangles).reshape(-1, 3, 3)


def _polygons_between(triangles: Array, lower: Array, upper: Array) -> Array:
    """The parts of triangles (m, 3, 3) between two corners."""
    whole, cut = _kept(triangles, lower, upper)
    parts = [_between(list(triangles[k]), lower, upper) for k in np.flatnonzero(cut)]
    return np.concatenate([triangles[whole], _fans(parts)])


def _lines_between(lines: Array, lower: Array, upper: Array) -> Array:
    """The parts of lines (m, 2, 3) between two corners."""
    whole, cut = _kept(lines, lower, upper)
    ends = lines[cut]
    along = ends[:, 1] - ends[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = ((bound - ends[:, 0]) / along for bound in (lower, upper))
    inside = (ends[:, 0] >= lower) & (ends[:, 0] <= upper)
    free = np.where(inside, -np.inf, np.inf)  # of lines across an axis
    enters = np.where(along == 0.0, free, np.minimum(one, other))
    leaves = np.where(along == 0.0, -free, np.maximum(one, other))
    shares = np.stack([enters.max(axis=1).clip(0.0), leaves.min(axis=1).clip(None, 1.0)], axis=1)
    parts = ends[:, :1] + shares[:, :, None] * along[:, None]
    return np.concatenate([lines[whole], parts[shares[:, 0] < shares[:, 1]]])


def _kept(figures: Array, lower: Array, upper: Array) -> tuple[Any, Any]:
    """Which figures (m, k, 3) are between two corners, and which may be so in part."""
    whole = ((figures >= lower) & (figures <= upper)).all(axis=(1, 2))
    beyond = (figures < lower).all(axis=1) | (figures > upper).all(axis=1)
    return whole, ~(whole | np.asarray(beyond).any(axis=1))


def plane_in_box(point: Array, normal: Array, lower: Array, upper: Array) -> Array:
    """The corners (k, 3) of the part of a plane inside a box, in order around it."""
    first = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    reach = 2.0 * float(np.linalg.norm(upper - lower) + np.linalg.norm(point - lower))
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return _between([point + reach * (a * first + b * second) for a, b in signs], lower, upper)


def _between(corners: list[Array], lower: Array, upper: Array) -> Array:
    """The corners (k, 3) of the part of a polygon inside a box."""
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
