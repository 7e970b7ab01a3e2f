"""Points: the corners of meshes, and the ends of segments and arcs."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import minus, part
from carom.patches.contacts import first_fall, minus_square
from carom.patches.patch import Nearest, nearest_point, time_to_patch
from carom.patches.path import seen_from, squared
from carom.types import Vector

COLUMNS = 3


class Corners(NamedTuple):
    """Points."""

    rows: Any  # (k, 3)
    wall: Any  # (k,)


@time_to_patch.register(Corners)
@inner_kernel
def _(patches: Corners, k: int, path: Any, radius: float, before: float) -> float:
    f = squared(seen_from(path, part(patches.rows, k, 0)))
    return first_fall(path, patches, k, minus_square(path, f, radius), radius, 1.0)


@nearest_point.register(Corners)
@inner_kernel
def _(patches: Corners, k: int, x: Vector, radius: float) -> Nearest:
    return Nearest(minus(x, part(patches.rows, k, 0)), True, 1.0)
