"""Contacts with a piece of a plane, from both of its sides."""

from __future__ import annotations

import math
from typing import Any

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot
from carom.detection.stable import time_to_close
from carom.patches.patch import nearest_point
from carom.patches.path import Line, Parabola, place_on, seen_from
from carom.types import Vector


@dispatch_on("path")
def _pull_along(path: Any, normal: Vector) -> float:
    """The acceleration along a normal."""


@_pull_along.register(Line)
@inner_kernel
def _(path: Line, normal: Vector) -> float:
    return 0.0


@_pull_along.register(Parabola)
@inner_kernel
def _(path: Parabola, normal: Vector) -> float:
    return dot(path.a, normal)


@inner_kernel
def time_to_flat(
    patches: Any, k: int, path: Any, point: Vector, normal: Vector, radius: float
) -> float:
    """How long until a sphere touches flat patch k, in the plane through a point with a normal.

    Algorithm 2 of Bannerman et al. (2014) for each side. The height over a plane falls to the
    radius once at most, as it rises to minus the radius, be it before or after the particle has
    flown round the patch.
    """
    relative = seen_from(path, point)
    height, rate = dot(normal, relative.x), dot(normal, relative.v)
    pull = _pull_along(path, normal)
    earliest = math.inf
    for side in (1.0, -1.0):
        t = time_to_close(side * height - radius, side * rate, side * pull)
        if t < earliest:
            seen = nearest_point(patches, k, place_on(path, t), radius)
            if seen.is_there and seen.side == side:
                earliest = t
    return earliest
