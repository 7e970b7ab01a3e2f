"""Flat rectangles, with a round hole or a rectangular one in the middle: solid from both sides."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, part
from carom.patches.flat import time_to_flat
from carom.patches.patch import MARGIN, Nearest, nearest_point, time_to_patch
from carom.types import Vector

CENTRE, NORMAL, LENGTHWISE, CROSSWISE, LENGTH, WIDTH, HOLE = 0, 3, 6, 9, 12, 13, 14
SLOT_LENGTH, SLOT_WIDTH = 15, 16
COLUMNS = 17


class Plates(NamedTuple):
    """Centre, unit normal, the unit vectors along the sides, half their lengths, the radius of a
    round hole, and half the sides of a rectangular one; 0 where there is none."""

    rows: Any  # (k, 17)
    wall: Any  # (k,)


@time_to_patch.register(Plates)
@inner_kernel
def _(patches: Plates, k: int, path: Any, radius: float, before: float) -> float:
    rows = patches.rows
    return time_to_flat(patches, k, path, part(rows, k, CENTRE), part(rows, k, NORMAL), radius)


@nearest_point.register(Plates)
@inner_kernel
def _(patches: Plates, k: int, x: Vector, radius: float) -> Nearest:
    rows, normal = patches.rows, part(patches.rows, k, NORMAL)
    relative = minus(x, part(rows, k, CENTRE))
    margin = MARGIN * radius
    a, b = dot(relative, part(rows, k, LENGTHWISE)), dot(relative, part(rows, k, CROSSWISE))
    hole = max(rows[k, HOLE] - margin, 0.0)
    is_in_slot = abs(a) < rows[k, SLOT_LENGTH] - margin and abs(b) < rows[k, SLOT_WIDTH] - margin
    is_there = (
        abs(a) <= rows[k, LENGTH] + margin
        and abs(b) <= rows[k, WIDTH] + margin
        and a * a + b * b >= hole * hole
        and not is_in_slot
    )
    height = dot(normal, relative)
    away = (height * normal[0], height * normal[1], height * normal[2])
    return Nearest(away, is_there, -1.0 if height < 0.0 else 1.0)
