"""The room that a packing fills: a box, or a part of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from carom.checks import numbers_in, several
from carom.domains import Box, Domain, Periodic, Plane
from carom.domains.lengths import AXES
from carom.particles import Array

# SciPy is imported where it is used: it would take a third of the time that ``import carom`` needs.

# Of volumes in front of planes: the last ones of SciPy's are not the same on every processor.
DIGITS = 10

# Two opposite corners, or planes in front of which particles are to be.
Region = Plane | Sequence[Plane] | Sequence[Sequence[float]]


class Room(NamedTuple):
    """Where particles may be: wholly between two corners, and where it is free.

    Along axes that repeat they may stick out at one end, since they come in at the other.
    """

    lower: Array
    upper: Array
    repeats: tuple[bool, ...]
    is_free: Callable[[Array, float], Any]  # (positions (k, d), radius) -> (k,) bool
    planes: tuple[Plane, ...] = ()  # it ends at them, and so says ``is_free``
    walled: bool = False  # whether it lies among walls, planes included

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return len(self.lower)

    @property
    def volume(self) -> float:
        """Volume (in the plane: area), planes taken into account."""
        if self.planes:
            return _volume_in_front(self.lower, self.upper, self.planes)
        return float(np.prod(self.upper - self.lower))

    @property
    def box(self) -> Periodic | Box:
        """A box of this size at the origin."""
        lengths = tuple(float(side) for side in self.upper - self.lower)
        if all(self.repeats):
            return Periodic(lengths)
        axes = (axis for axis, repeats in zip(AXES, self.repeats, strict=False) if repeats)
        return Box(lengths, "".join(axes))

    def moved_planes(self) -> list[Plane]:
        """The planes as they stand in ``box``."""
        points = ((np.array(plane.point) - self.lower).tolist() for plane in self.planes)
        normals = (plane.normal for plane in self.planes)
        return [Plane(*wall) for wall in zip(points, normals, strict=True)]

    def described(self) -> str:
        """The corners, for messages."""
        corners = " to ".join(
            "(" + ", ".join(f"{value:g}" for value in corner) + ")"
            for corner in (self.lower, self.upper)
        )
        of_planes = ""
        if self.planes:
            number = len(self.planes)
            of_planes = f" in front of {number} plane{'s' if number > 1 else ''}"
        return f"the region from {corners}{of_planes}"


def room_in(domain: Domain, region: Region | None, dimension: int | None) -> Room:
    """The room of a region of a domain, or of all of it."""
    if not isinstance(domain, Domain):
        raise TypeError(
            "domain must be carom.Periodic, carom.Box, carom.LeesEdwards or carom.Open, not "
            f"{domain!r}."
        )
    corners, planes = _corners_or_planes(region)
    dimension = _dimension_of(domain, corners, planes) if dimension is None else dimension
    sides, periodic = domain.sides(dimension), domain.periodic_axes(dimension)
    if sides is None and corners is None:
        raise ValueError(
            "open space has no size to be filled: give region=(lower corner, upper corner), or a "
            "domain with walls."
        )
    whole = np.zeros(dimension), np.array(sides)
    lower, upper = whole if corners is None else _checked_corners(corners, sides, dimension)
    repeats = tuple(
        bool(axis_repeats and low == 0.0 and high == side)
        for axis_repeats, low, high, side in zip(
            periodic, lower, upper, sides or (0.0,) * dimension, strict=True
        )
    )
    for k, plane in enumerate(planes):
        if len(plane.point) != dimension:
            raise ValueError(
                f"region[{k}] is a plane in {len(plane.point)} dimensions, but the particles are "
                f"in {dimension}."
            )
    return Room(
        lower,
        upper,
        repeats,
        lambda places, radius: in_front(planes, places, radius),
        planes,
        bool(planes or domain.walls(dimension)),
    )


def in_front(planes: Sequence[Plane], places: Array, radius: float) -> Any:
    """Whether particles at places (k, d) are wholly in front of all planes, (k,)."""
    free = np.ones(len(places), dtype=bool)
    for plane in planes:
        free &= plane.heights(places) >= radius
    return free


def _corners_or_planes(region: Region | None) -> tuple[Array | None, tuple[Plane, ...]]:
    if region is None:
        return None, ()
    if isinstance(region, Plane):
        return None, (region,)
    parts = several("region", region)
    if parts and all(isinstance(part, Plane) for part in parts):
        return None, parts
    are_corners = len(parts) == 2 and not any(isinstance(part, Plane) for part in parts)
    if not are_corners or not np.shape(parts[0]) == np.shape(parts[1]) in ((2,), (3,)):
        raise ValueError(
            "region must be two opposite corners, such as ([0, 0], [5, 2]), or planes in front of "
            f"which particles are to be, not {region!r}."
        )
    return numbers_in("region", parts), ()


def _dimension_of(domain: Domain, corners: Array | None, planes: Sequence[Plane]) -> int:
    """The dimension that domain and region speak of; 3, as everywhere, where they say nothing."""
    if corners is not None:
        return int(corners.shape[1])
    if planes:
        return len(planes[0].point)
    lengths: Any = getattr(domain, "lengths", ())
    return len(lengths) if len(lengths) > 1 else 3


def _checked_corners(
    corners: Array, sides: tuple[float, ...] | None, dimension: int
) -> tuple[Array, Array]:
    if corners.shape != (2, dimension) or not np.isfinite(corners).all():
        raise ValueError(
            f"region must be two corners of {dimension} finite numbers each, not "
            f"{corners.tolist()!r}."
        )
    lower, upper = corners.min(axis=0), corners.max(axis=0)
    ends = (np.inf,) * dimension if sides is None else sides
    for axis, low, high, side in zip(AXES, lower, upper, ends, strict=False):
        if low == high:
            raise ValueError(f"region has no extent along {axis}: both corners are at {low:g}.")
        if sides is not None and not (low >= 0.0 and high <= side):
            raise ValueError(
                f"region reaches from {low:g} to {high:g} along {axis}, but the box from 0 to "
                f"{side:g}."
            )
    return lower, upper


def _volume_in_front(lower: Array, upper: Array, planes: Sequence[Plane]) -> float:
    """The volume of the part of a box that is in front of all planes."""
    from scipy.optimize import linprog
    from scipy.spatial import ConvexHull, HalfspaceIntersection

    # Rows (a, b) stand for a.x + b <= 0. The middle of the largest sphere inside lies in front.
    axes = np.eye(len(lower))
    rows = [np.append(-axis, axis @ lower) for axis in axes]
    rows += [np.append(axis, -(axis @ upper)) for axis in axes]
    for plane in planes:
        normal = np.array(plane.normal)
        rows.append(np.append(-normal, normal @ np.array(plane.point)))
    halves = np.array(rows)
    sphere = linprog(
        np.append(np.zeros(len(lower)), -1.0),
        A_ub=np.column_stack([halves[:, :-1], np.ones(len(halves))]),
        b_ub=-halves[:, -1],
        bounds=[(None, None)] * len(lower) + [(0.0, None)],
    )
    if not (sphere.success and sphere.x[-1] > 1e-9 * (upper - lower).max()):
        raise ValueError(
            "no part of the box lies in front of all planes of region; their normals point to "
            "where the particles are to be."
        )
    volume = ConvexHull(HalfspaceIntersection(halves, sphere.x[:-1]).intersections).volume
    return float(f"{volume:.{DIGITS}g}")
