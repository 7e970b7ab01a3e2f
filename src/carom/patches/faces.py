"""Triangles without their edges and corners: solid from both sides."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, part
from carom.patches.flat import time_to_flat
from carom.patches.patch import (
    MARGIN,
    Nearest,
    is_out_of_reach,
    nearest_point,
    time_to_patch,
)
from carom.patches.path import most_along
from carom.types import Vector

POINT, NORMAL, SIDES, REACHES = 0, 3, 6, 15
COLUMNS = 18


class Faces(NamedTuple):
    """The middle of a triangle, its unit normal, and of each side the unit vector in the plane that
    points out of the triangle, and how far away from the middle it is."""

    rows: Any  # (k, 18)
    wall: Any  # (k,)


@time_to_patch.register(Faces)
@inner_kernel
def _(patches: Faces, k: int, path: Any, radius: float, before: float) -> float:
    rows = patches.rows
    return time_to_flat(patches, k, path, part(rows, k, POINT), part(rows, k, NORMAL), radius)


@is_out_of_reach.register(Faces)
@inner_kernel
def _(patches: Faces, k: int, path: Any, radius: float, duration: float) -> bool:
    """Where its foot stays beyond a side, or its height too large."""
    rows = patches.rows
    relative, margin = minus(path.x, part(rows, k, POINT)), MARGIN * radius
    for side in range(3):
        out = part(rows, k, SIDES + 3 * side)
        inward = (-out[0], -out[1], -out[2])
        beyond = dot(relative, out) - rows[k, REACHES + side] - margin
        if beyond > most_along(path, inward, duration):
            return True
    normal = part(rows, k, NORMAL)
    height = dot(normal, relative)
    if height > 0.0:
        normal = (-normal[0], -normal[1], -normal[2])
    return abs(height) - radius > most_along(path, normal, duration)


@nearest_point.register(Faces)
@inner_kernel
def _(patches: Faces, k: int, x: Vector, radius: float) -> Nearest:
    rows, normal = patches.rows, part(patches.rows, k, NORMAL)
    relative = minus(x, part(rows, k, POINT))
    margin = MARGIN * radius
    is_there = (
        dot(relative, part(rows, k, SIDES)) <= rows[k, REACHES] + margin
        and dot(relative, part(rows, k, SIDES + 3)) <= rows[k, REACHES + 1] + margin
        and dot(relative, part(rows, k, SIDES + 6)) <= rows[k, REACHES + 2] + margin
    )
    height = dot(normal, relative)
    away = (height * normal[0], height * normal[1], height * normal[2])
    return Nearest(away, is_there, -1.0 if height < 0.0 else 1.0)
