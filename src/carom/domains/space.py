"""A domain as compiled code sees it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, part
from carom.domains.planes import Plane
from carom.domains.sliding_images import compiled_shear
from carom.types import Array, Flags, Vector


class Space(NamedTuple):
    """Side lengths (3,), which axes repeat (3,), and how images slide.

    Lengths matter only where axes repeat.
    """

    lengths: Array
    periodic: Flags
    shear: Any  # NoShear or Shear


# Columns of the rows that stand for walls: a point, the unit normal, the restitution (NaN asks the
# law), and the momentum that particles have given to it.
POINT, NORMAL, RESTITUTION, IMPULSE = 0, 3, 6, 7


def compiled_space(
    sides: tuple[float, ...] | None, periodic: tuple[bool, ...], shear_rate: float = 0.0
) -> Space:
    """The space for side lengths (None: open), periodic axes and a shear rate."""
    lengths = np.zeros(3)
    repeats = np.zeros(3, dtype=np.bool_)
    if sides is not None:
        lengths[: len(sides)] = sides
        repeats[: len(sides)] = periodic
    return Space(lengths, repeats, compiled_shear(sides, shear_rate))


class NoPlanes(NamedTuple):
    """There are no walls, and kernels need not be compiled for them."""


def compiled_planes(planes: list[Plane]) -> Any:
    """The planes as rows (k, 8)."""
    if not planes:
        return NoPlanes()
    rows = np.zeros((len(planes), 8))
    for k, plane in enumerate(planes):
        rows[k, POINT : POINT + len(plane.point)] = plane.point
        rows[k, NORMAL : NORMAL + len(plane.normal)] = plane.normal
        rows[k, RESTITUTION] = math.nan if plane.restitution is None else plane.restitution
    return rows


@inner_kernel
def height_over(planes: Array, k: int, position: Vector) -> float:
    """Signed distance of a point from plane k, along its normal."""
    return dot(part(planes, k, NORMAL), minus(position, part(planes, k, POINT)))
