"""Round cones between two circles: solid from both sides. Their ends are rims, or a tip."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, part
from carom.patches.patch import MARGIN, Nearest, nearest_point, time_to_patch
from carom.patches.path import across, duration_of, gone_after, seen_from, squared, without
from carom.patches.turning import add_square, degree_of, first_closing, gap_to
from carom.types import Vector

POINT, AXIS, RADIUS, SLOPE, LENGTH = 0, 3, 6, 7, 8
COLUMNS = 9
_ON_AXIS = 1e-12


class Cones(NamedTuple):
    """The middle of the axis, its unit vector, the radius there, by how much the radius grows per
    length of the axis, and half of that length."""

    rows: Any  # (k, 9)
    wall: Any  # (k,)
    work: Any  # scratch memory


@time_to_patch.register(Cones)
@inner_kernel
def _(patches: Cones, k: int, path: Any, radius: float, before: float) -> float:
    """On both sides f = ρ² - (A + k z)², up to its sign: with ρ the distance from the axis, z that
    along it, k the slope, and A the radius widened by r √(1 + k²), or made narrower."""
    rows = patches.rows
    relative = seen_from(path, part(rows, k, POINT))
    half, slope = rows[k, LENGTH], rows[k, SLOPE]
    widest = rows[k, RADIUS] + abs(slope) * half
    size = math.sqrt(half * half + widest * widest)
    far = math.sqrt(dot(relative.x, relative.x))
    if duration_of(relative, max(far - size - radius, 0.0)) > before:
        return math.inf
    until = gone_after(relative, size + radius)
    if until == math.inf:
        return math.inf
    axis = part(rows, k, AXIS)
    p = squared(across(relative, axis))
    tilted = (slope * axis[0], slope * axis[1], slope * axis[2])
    earliest = math.inf
    for side in (1.0, -1.0):
        widened = rows[k, RADIUS] + side * radius * math.sqrt(1.0 + slope * slope)
        unit = 1.0
        for m in range(patches.work.shape[1]):
            patches.work[0, m] = 0.0
        for m in range(len(p)):
            patches.work[0, m] = p[m] * unit
            unit *= until
        add_square(patches.work, relative, tilted, widened, -1.0, until)
        degree = 2 * degree_of(path)
        t = first_closing(patches, k, path, radius, side, degree, until)
        earliest = min(earliest, t)
    return earliest


@inner_kernel
def _height_over(patches: Cones, k: int, x: Vector) -> Any:
    """The signed distance from the cone, outward; where its nearest point is along the axis; and
    the vector from the axis."""
    rows, axis = patches.rows, part(patches.rows, k, AXIS)
    relative = minus(x, part(rows, k, POINT))
    from_axis, z = without(relative, axis), dot(relative, axis)
    slope = rows[k, SLOPE]
    beyond = math.sqrt(dot(from_axis, from_axis)) - rows[k, RADIUS] - slope * z
    return (
        beyond / math.sqrt(1.0 + slope * slope),
        z + beyond * slope / (1.0 + slope * slope),
        from_axis,
    )


@gap_to.register(Cones)
@inner_kernel
def _(patches: Cones, k: int, x: Vector, radius: float, side: float) -> float:
    return side * _height_over(patches, k, x)[0] - radius


@nearest_point.register(Cones)
@inner_kernel
def _(patches: Cones, k: int, x: Vector, radius: float) -> Nearest:
    rows, axis = patches.rows, part(patches.rows, k, AXIS)
    height, foot, from_axis = _height_over(patches, k, x)
    slope, distance = rows[k, SLOPE], math.sqrt(dot(from_axis, from_axis))
    is_there = abs(foot) <= rows[k, LENGTH] + MARGIN * radius
    side = -1.0 if height < 0.0 else 1.0
    if distance <= _ON_AXIS * radius:
        # All of a circle is equally near, and pushes along the axis together.
        length = math.copysign(height, -slope * height)
        return Nearest((length * axis[0], length * axis[1], length * axis[2]), is_there, side)
    out, up = height / distance, -height * slope
    length = math.sqrt(1.0 + slope * slope)
    away = (
        (out * from_axis[0] + up * axis[0]) / length,
        (out * from_axis[1] + up * axis[1]) / length,
        (out * from_axis[2] + up * axis[2]) / length,
    )
    return Nearest(away, is_there, side)
