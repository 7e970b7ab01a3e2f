"""Straight edges between two points, where none or up to two faces join; also segments."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, part
from carom.patches.contacts import first_fall, minus_square
from carom.patches.patch import (
    MARGIN,
    Nearest,
    nearest_point,
    time_to_patch,
)
from carom.patches.path import across, seen_from, squared, without
from carom.types import Vector

POINT, AXIS, LENGTH, FIRST, SECOND = 0, 3, 6, 7, 10
COLUMNS = 13


class Edges(NamedTuple):
    """The middle of an edge, its unit axis, half its length, and for each face that joins there the
    unit vector in its plane that points away from it; 0 where there is none.

    A place with a negative part along such a vector is nearer to that face than to the edge.
    """

    rows: Any  # (k, 13)
    wall: Any  # (k,)


@time_to_patch.register(Edges)
@inner_kernel
def _(patches: Edges, k: int, path: Any, radius: float, before: float) -> float:
    relative = seen_from(path, part(patches.rows, k, POINT))
    f = squared(across(relative, part(patches.rows, k, AXIS)))
    return first_fall(path, patches, k, minus_square(path, f, radius), radius, 1.0)


@nearest_point.register(Edges)
@inner_kernel
def _(patches: Edges, k: int, x: Vector, radius: float) -> Nearest:
    axis = part(patches.rows, k, AXIS)
    relative = minus(x, part(patches.rows, k, POINT))
    away = without(relative, axis)
    is_there = (
        abs(dot(relative, axis)) <= patches.rows[k, LENGTH] + MARGIN * radius
        and dot(away, part(patches.rows, k, FIRST)) >= 0.0
        and dot(away, part(patches.rows, k, SECOND)) >= 0.0
    )
    return Nearest(away, is_there, 1.0)
