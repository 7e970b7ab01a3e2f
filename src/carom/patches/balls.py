"""Spheres and circles, or the part of one around a direction: solid from both sides."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, part
from carom.patches.contacts import first_fall, minus_square, square_minus
from carom.patches.patch import MARGIN, Nearest, nearest_point, time_to_patch
from carom.patches.path import seen_from, squared
from carom.types import Vector

CENTRE, RADIUS, MIDDLE, COSINE = 0, 3, 4, 7
COLUMNS = 8


class Balls(NamedTuple):
    """Centre, radius, the unit vector to the middle of the part that is there, and the cosine of
    the angle up to which it is: -1 for all of it. A circle is one of a planar system."""

    rows: Any  # (k, 8)
    wall: Any  # (k,)


@time_to_patch.register(Balls)
@inner_kernel
def _(patches: Balls, k: int, path: Any, radius: float, before: float) -> float:
    relative = seen_from(path, part(patches.rows, k, CENTRE))
    reach, f = patches.rows[k, RADIUS], squared(relative)
    earliest = first_fall(path, patches, k, minus_square(path, f, reach + radius), radius, 1.0)
    if radius < reach:
        g = square_minus(path, f, reach - radius)
        earliest = min(earliest, first_fall(path, patches, k, g, radius, -1.0))
    return earliest


@nearest_point.register(Balls)
@inner_kernel
def _(patches: Balls, k: int, x: Vector, radius: float) -> Nearest:
    reach = patches.rows[k, RADIUS]
    from_centre = minus(x, part(patches.rows, k, CENTRE))
    distance = math.sqrt(dot(from_centre, from_centre))
    if distance == 0.0:
        return Nearest((reach, 0.0, 0.0), False, -1.0)
    cosine = dot(from_centre, part(patches.rows, k, MIDDLE)) / distance
    factor = (distance - reach) / distance
    away = (factor * from_centre[0], factor * from_centre[1], factor * from_centre[2])
    is_there = cosine >= patches.rows[k, COSINE] - MARGIN * radius / reach
    return Nearest(away, is_there, 1.0 if distance > reach else -1.0)
