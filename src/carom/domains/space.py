"""A domain as compiled code sees it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom._jit import inner_kernel
from carom.domains.planes import Plane
from carom.vectors import dot, minus, row


class Space(NamedTuple):
    """Side lengths (3,) and which axes repeat (3,). Lengths matter only where they repeat."""

    lengths: Any
    periodic: Any


class Planes(NamedTuple):
    """Points (k, 3), unit normals (k, 3) and restitutions (k,) of all walls; NaN asks the law."""

    point: Any
    normal: Any
    restitution: Any


def compiled_space(sides: tuple[float, ...] | None, periodic: tuple[bool, ...]) -> Space:
    """The space for side lengths (None: open) and periodic axes."""
    lengths = np.zeros(3)
    repeats = np.zeros(3, dtype=np.bool_)
    if sides is not None:
        lengths[: len(sides)] = sides
        repeats[: len(sides)] = periodic
    return Space(lengths, repeats)


def compiled_planes(planes: list[Plane]) -> Planes:
    """The planes as arrays."""
    point = np.zeros((len(planes), 3))
    normal = np.zeros((len(planes), 3))
    restitution = np.zeros(len(planes))
    for k, plane in enumerate(planes):
        point[k, : len(plane.point)] = plane.point
        normal[k, : len(plane.normal)] = plane.normal
        restitution[k] = math.nan if plane.restitution is None else plane.restitution
    return Planes(point, normal, restitution)


@inner_kernel
def height_over(planes: Planes, k: int, position: Any) -> float:
    """Signed distance of a point from plane k, along its normal."""
    return dot(row(planes.normal, k), minus(position, row(planes.point, k)))
