"""What a wall looks like: triangles and lines, for pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from carom.functions import cos, sin
from carom.particles import Array

AROUND = 64  # pieces of a circle


class Surface(NamedTuple):
    """Triangles (m, 3, 3), and the lines (k, 2, 3) that are drawn along its edges; in the plane
    there are lines only, and their third components are 0."""

    triangles: Array
    lines: Array


NO_TRIANGLES = np.zeros((0, 3, 3))
NO_LINES = np.zeros((0, 2, 3))
NOTHING = Surface(NO_TRIANGLES, NO_LINES)


def directions(start: float, end: float, pieces: int = AROUND) -> Array:
    """Unit vectors (pieces + 1, 2) from one angle to another; a full turn ends as it begins."""
    angles = np.linspace(start, end, pieces + 1)
    found = np.stack([cos(angles), sin(angles)], axis=1)
    if end - start == 2.0 * math.pi:
        found[-1] = found[0]
    return found


def chained(points: Any) -> Array:
    """The lines (k - 1, 2, 3) from one of k points to the next."""
    points = np.asarray(points, dtype=np.float64)
    return np.stack([points[:-1], points[1:]], axis=1)


def arc_lines(centre: Sequence[float], radius: float, start: float, end: float) -> Array:
    """The lines of a part of a circle in the plane."""
    points = np.zeros((AROUND + 1, 3))
    points[:, :2] = np.asarray(centre) + radius * directions(start, end)
    return chained(points)


def strip(one: Array, other: Array) -> Array:
    """The triangles between two rows of points (k, 3); those without an area are left out."""
    below = np.stack([one[:-1], one[1:], other[:-1]], axis=1)
    above = np.stack([one[1:], other[1:], other[:-1]], axis=1)
    both = np.concatenate([below, above])
    crossed = np.cross(both[:, 1] - both[:, 0], both[:, 2] - both[:, 0])
    return both[crossed.any(axis=1)]


def revolved(
    point: Sequence[float], axis: Sequence[float], profile: Sequence[tuple[float, float]]
) -> list[Array]:
    """The circles (k + 1, 3) around an axis through a point, for pairs of how far along it they are
    and how wide."""
    along = np.asarray(axis, dtype=np.float64)
    first, second = across(along)
    turns = directions(0.0, 2.0 * math.pi)
    around = turns[:, :1] * first + turns[:, 1:] * second
    return [np.asarray(point) + height * along + radius * around for height, radius in profile]


def round_surface(circles: list[Array], rims: Sequence[int], struts: int = 0) -> Surface:
    """The surface between circles, with lines along some of them and struts between them."""
    triangles = np.concatenate([NO_TRIANGLES, *(strip(a, b) for a, b in pairwise(circles))])
    lines = [chained(circles[k]) for k in rims]
    places = [k * AROUND // struts for k in range(struts)]
    lines += [chained([circle[place] for circle in circles]) for place in places]
    found = np.concatenate([NO_LINES, *lines])
    return Surface(triangles, found[(found[:, 0] != found[:, 1]).any(axis=1)])


def across(axis: Array) -> tuple[Array, Array]:
    """Two unit vectors that make a right-handed frame with an axis."""
    first = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    first /= np.sqrt((first * first).sum())
    return first, np.cross(axis, first)


def spanned(shapes: Sequence[Any], lower: Array, upper: Array) -> tuple[Array, Array]:
    """Two corners (d,), moved apart until all shapes that have an end are between them."""
    axes = range(len(lower))
    for shape in shapes:
        surface = shape.surface(lower, upper)
        points = np.concatenate([surface.triangles.reshape(-1, 3), surface.lines.reshape(-1, 3)])
        if len(points) and not shape.is_endless:
            lower = np.minimum(lower, points[:, axes].min(axis=0))
            upper = np.maximum(upper, points[:, axes].max(axis=0))
    return lower, upper
