"""Circles of wire without thickness: the edges of openings, and of tubes, cones and disks.

A sphere touches one where its centre is on a torus, a surface of degree four.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, part
from carom.patches.patch import Nearest, nearest_point, time_to_patch
from carom.patches.path import across, duration_of, gone_after, seen_from, squared, without
from carom.patches.turning import degree_of, first_closing, gap_to
from carom.types import Vector

CENTRE, AXIS, RADIUS = 0, 3, 6
COLUMNS = 7
# Nearer to the axis than this part of the radius a sphere touches the whole rim.
_ON_AXIS = 1e-12


class Rims(NamedTuple):
    """Centre, unit axis and radius."""

    rows: Any  # (k, 7)
    wall: Any  # (k,)
    work: Any  # scratch memory


@time_to_patch.register(Rims)
@inner_kernel
def _(patches: Rims, k: int, path: Any, radius: float, before: float) -> float:
    """f = (|s|² + R² - r²)² - 4 R² ρ², with the distance ρ of s from the axis."""
    reach = patches.rows[k, RADIUS]
    relative = seen_from(path, part(patches.rows, k, CENTRE))
    far = math.sqrt(dot(relative.x, relative.x))
    if duration_of(relative, max(far - reach - radius, 0.0)) > before:
        return math.inf
    until = gone_after(relative, reach + radius)
    if until == math.inf:
        return math.inf
    p = squared(across(relative, part(patches.rows, k, AXIS)))
    q = squared(relative)
    _write(patches.work, p, q, reach, radius, until)
    return first_closing(patches, k, path, radius, 1.0, 4 * degree_of(path), until)


@inner_kernel
def _write(work: Any, p: Any, q: Any, reach: float, radius: float, until: float) -> None:
    """Write f as a polynomial of time in units of ``until`` into the first row."""
    for m in range(work.shape[1]):
        work[0, m] = 0.0
    # (|s| - r)(|s| + r) + R²: far apart and touching, no digits are to be lost.
    constant = (reach - radius) * (reach + radius)
    unit = 1.0
    for m in range(len(q)):
        first = q[m] + (constant if m == 0 else 0.0)
        work[0, m] -= 4.0 * reach * reach * p[m] * unit
        power = unit
        for n in range(len(q)):
            second = q[n] + (constant if n == 0 else 0.0)
            work[0, m + n] += first * second * power
            power *= until
        unit *= until


@gap_to.register(Rims)
@inner_kernel
def _(patches: Rims, k: int, x: Vector, radius: float, side: float) -> float:
    axis = part(patches.rows, k, AXIS)
    relative = minus(x, part(patches.rows, k, CENTRE))
    from_axis = without(relative, axis)
    inward = math.sqrt(dot(from_axis, from_axis)) - patches.rows[k, RADIUS]
    return math.sqrt(inward * inward + dot(relative, axis) ** 2) - radius


@nearest_point.register(Rims)
@inner_kernel
def _(patches: Rims, k: int, x: Vector, radius: float) -> Nearest:
    reach, axis = patches.rows[k, RADIUS], part(patches.rows, k, AXIS)
    relative = minus(x, part(patches.rows, k, CENTRE))
    from_axis, height = without(relative, axis), dot(relative, axis)
    distance = math.sqrt(dot(from_axis, from_axis))
    if distance <= _ON_AXIS * reach:
        # All of the rim is equally near, and pushes along the axis together.
        length = math.copysign(math.sqrt(reach * reach + height * height), height)
        return Nearest((length * axis[0], length * axis[1], length * axis[2]), True, 1.0)
    factor = (distance - reach) / distance
    away = (
        factor * from_axis[0] + height * axis[0],
        factor * from_axis[1] + height * axis[1],
        factor * from_axis[2] + height * axis[2],
    )
    return Nearest(away, True, 1.0)
