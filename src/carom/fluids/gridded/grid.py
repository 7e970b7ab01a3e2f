"""Velocities at the nodes of a periodic grid, and linear interpolation between them.

Node (i, j) of an n × m grid lies at (i L_x / n, j L_y / m): the first node of an axis is also the
one after its last.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from carom.checks import is_whole
from carom.compiled.kernels import inner_kernel, kernel
from carom.fluids.flow import Place, velocity
from carom.types import Array, Vector

# A wave needs three nodes; with two, a node would have the same neighbour on both sides.
FEWEST_NODES = 3
MOST_NODES = 10**9  # in all; far beyond any memory


class PlanarGrid(NamedTuple):
    """A planar flow that is bilinear between its nodes."""

    velocity: Array  # (n, m, 2)
    per_length: tuple[float, float]  # 1 / L along each axis


class SpatialGrid(NamedTuple):
    """A flow in three dimensions that is trilinear between its nodes."""

    velocity: Array  # (n, m, l, 3)
    per_length: tuple[float, float, float]  # 1 / L along each axis


def new_grid(shape: Sequence[int], lengths: Sequence[float]) -> PlanarGrid | SpatialGrid:
    """A grid of ``shape`` nodes in a period with these lengths; the fluid is at rest."""
    rest = np.zeros((*shape, len(shape)))
    per_length = tuple(1.0 / length for length in lengths)
    return PlanarGrid(rest, per_length) if len(shape) == 2 else SpatialGrid(rest, per_length)  # type: ignore[arg-type]


def checked_shape(owner: str, grid: Any, dimension: int) -> tuple[int, ...]:
    """The number of nodes along each axis; one number stands for every axis."""
    shape = tuple(grid) if isinstance(grid, Sequence) else (grid,) * dimension
    whole = all(is_whole(n) and n >= FEWEST_NODES for n in shape)
    if len(shape) != dimension or not whole:
        raise ValueError(
            f"{owner}: grid={grid!r} must be a whole number of nodes, at least {FEWEST_NODES}, or "
            f"{dimension} of them."
        )
    if math.prod(int(n) for n in shape) > MOST_NODES:
        raise ValueError(f"{owner}: grid={grid!r} has more than the {MOST_NODES:,} nodes possible.")
    return tuple(int(n) for n in shape)


@inner_kernel
def between(coordinate: float, per_length: float, nodes: int) -> Any:
    """The node before a coordinate, the one after, and the share of the way to that one."""
    periods = coordinate * per_length
    way = (periods - np.floor(periods)) * nodes
    if way < nodes:
        before = int(way)
        share = way - before
    else:  # rounded up to the end; or not a number, and then the velocity is none either
        before = 0
        share = 0.0 * way
    after = before + 1
    if after == nodes:
        after = 0
    return before, after, share


class Corners(NamedTuple):
    """The four nodes around a place in the plane, and their shares in what is between them.

    The same shares interpolate velocities and spread sources, so that either is the adjoint of the
    other.
    """

    x0: int
    x1: int
    y0: int
    y1: int
    w00: float
    w01: float
    w10: float
    w11: float


@inner_kernel
def corners(x: float, y: float, per_length: Any, nodes: Any) -> Any:
    """The nodes around (x, y) in a grid with so many ``nodes`` along each axis."""
    x0, x1, a = between(x, per_length[0], nodes[0])
    y0, y1, b = between(y, per_length[1], nodes[1])
    return Corners(x0, x1, y0, y1, (1.0 - a) * (1.0 - b), (1.0 - a) * b, a * (1.0 - b), a * b)


@inner_kernel
def interpolated(u: Array, at: Any, axis: int) -> float:
    """A component of u (n, m, 2) between its nodes."""
    return (
        at.w00 * u[at.x0, at.y0, axis]
        + at.w01 * u[at.x0, at.y1, axis]
        + at.w10 * u[at.x1, at.y0, axis]
        + at.w11 * u[at.x1, at.y1, axis]
    )


@velocity.register(PlanarGrid)
@kernel
def _(place: Place, flow: PlanarGrid) -> Vector:
    u = flow.velocity
    at = corners(place.position[0], place.position[1], flow.per_length, u.shape)
    return (interpolated(u, at, 0), interpolated(u, at, 1), 0.0)


@inner_kernel
def along_z(u: Array, i: int, j: int, span: Any) -> Any:
    """The velocity between two nodes of one line along z."""
    z0, z1, z = span
    return (
        (1.0 - z) * u[i, j, z0, 0] + z * u[i, j, z1, 0],
        (1.0 - z) * u[i, j, z0, 1] + z * u[i, j, z1, 1],
        (1.0 - z) * u[i, j, z0, 2] + z * u[i, j, z1, 2],
    )


@inner_kernel
def mixed(a: Any, b: Any, share: float) -> Any:
    """The vector that is this share of the way from a to b."""
    rest = 1.0 - share
    return (
        rest * a[0] + share * b[0],
        rest * a[1] + share * b[1],
        rest * a[2] + share * b[2],
    )


@velocity.register(SpatialGrid)
@kernel
def _(place: Place, flow: SpatialGrid) -> Vector:
    u = flow.velocity
    x0, x1, x = between(place.position[0], flow.per_length[0], u.shape[0])
    y0, y1, y = between(place.position[1], flow.per_length[1], u.shape[1])
    span = between(place.position[2], flow.per_length[2], u.shape[2])
    lower = mixed(along_z(u, x0, y0, span), along_z(u, x0, y1, span), y)
    upper = mixed(along_z(u, x1, y0, span), along_z(u, x1, y1, span), y)
    return mixed(lower, upper, x)
