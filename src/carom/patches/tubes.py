"""Round tubes, finite or not: solid from both sides. Their ends are rims."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, part
from carom.patches.contacts import first_fall, minus_square, square_minus
from carom.patches.patch import MARGIN, Nearest, nearest_point, time_to_patch
from carom.patches.path import across, seen_from, squared, without
from carom.types import Vector

POINT, AXIS, RADIUS, LENGTH = 0, 3, 6, 7
COLUMNS = 8


class Tubes(NamedTuple):
    """The middle of a tube, its unit axis, radius, and half its length, which may be infinite."""

    rows: Any  # (k, 8)
    wall: Any  # (k,)


@time_to_patch.register(Tubes)
@inner_kernel
def _(patches: Tubes, k: int, path: Any, radius: float, before: float) -> float:
    relative = seen_from(path, part(patches.rows, k, POINT))
    f = squared(across(relative, part(patches.rows, k, AXIS)))
    reach = patches.rows[k, RADIUS]
    earliest = first_fall(path, patches, k, minus_square(path, f, reach + radius), radius, 1.0)
    if radius < reach:
        g = square_minus(path, f, reach - radius)
        earliest = min(earliest, first_fall(path, patches, k, g, radius, -1.0))
    return earliest


@nearest_point.register(Tubes)
@inner_kernel
def _(patches: Tubes, k: int, x: Vector, radius: float) -> Nearest:
    reach, axis = patches.rows[k, RADIUS], part(patches.rows, k, AXIS)
    relative = minus(x, part(patches.rows, k, POINT))
    from_axis = without(relative, axis)
    distance = math.sqrt(dot(from_axis, from_axis))
    if distance == 0.0:
        return Nearest((reach, 0.0, 0.0), False, -1.0)
    factor = (distance - reach) / distance
    away = (factor * from_axis[0], factor * from_axis[1], factor * from_axis[2])
    is_there = abs(dot(relative, axis)) <= patches.rows[k, LENGTH] + MARGIN * radius
    return Nearest(away, is_there, 1.0 if distance > reach else -1.0)
