"""Flat rings, and disks, which are rings without a hole: solid from both sides, without rims."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, part
from carom.patches.flat import time_to_flat
from carom.patches.patch import MARGIN, Nearest, nearest_point, time_to_patch
from carom.patches.path import without
from carom.types import Vector

CENTRE, NORMAL, INNER, OUTER = 0, 3, 6, 7
COLUMNS = 8


class Rings(NamedTuple):
    """Centre, unit normal, inner and outer radius."""

    rows: Any  # (k, 8)
    wall: Any  # (k,)


@time_to_patch.register(Rings)
@inner_kernel
def _(patches: Rings, k: int, path: Any, radius: float, before: float) -> float:
    rows = patches.rows
    return time_to_flat(patches, k, path, part(rows, k, CENTRE), part(rows, k, NORMAL), radius)


@nearest_point.register(Rings)
@inner_kernel
def _(patches: Rings, k: int, x: Vector, radius: float) -> Nearest:
    rows, normal = patches.rows, part(patches.rows, k, NORMAL)
    relative = minus(x, part(rows, k, CENTRE))
    in_plane = without(relative, normal)
    square, margin = dot(in_plane, in_plane), MARGIN * radius
    inner, outer = max(rows[k, INNER] - margin, 0.0), rows[k, OUTER] + margin
    height = dot(normal, relative)
    away = (height * normal[0], height * normal[1], height * normal[2])
    is_there = inner * inner <= square <= outer * outer
    return Nearest(away, is_there, -1.0 if height < 0.0 else 1.0)
