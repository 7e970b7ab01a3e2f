"""A symmetric matrix that couples a node of a periodic grid to the eight around it.

Particles exchange momentum with the four nodes around them, so that D = Sᵀ diag(w) S couples only
nodes that are corners of one cell of the grid: put together once in a step, it is applied without
looking at the particles again. The five-point Laplacian fits into the same pattern.

``stencil`` (n, m, 5) holds, for every node, the factors of the node itself and of four others; the
other four are theirs, because the matrix is symmetric.
"""

from __future__ import annotations

from typing import Any

from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.compiled.views import borrowed
from carom.fluids.gridded.grid import corners
from carom.fluids.solved.bands import in_bands
from carom.fluids.solved.momentum_sources import scatter
from carom.types import Array

# Which node a factor is for, seen from node (i, j).
ITSELF = 0
ALONG_Y = 1  # (i, j + 1)
ALONG_X = 2  # (i + 1, j)
ACROSS = 3  # (i + 1, j + 1)
BACK_ACROSS = 4  # (i + 1, j − 1)


@in_bands
def fill(rows: Any, stencil: Array, spreading: Array) -> None:
    """Let the stencil be 1 + spreading · A.

    A is the five-point Laplacian with the sign of a positive matrix, in units of the node distance;
    ``spreading`` are its factors ν Δt / Δx² and ν Δt / Δy².
    """
    stencil = borrowed(stencil)
    for i in range(rows[0], rows[1]):
        for j in range(stencil.shape[1]):
            stencil[i, j, ITSELF] = 1.0 + 2.0 * (spreading[0] + spreading[1])
            stencil[i, j, ALONG_Y] = -spreading[1]
            stencil[i, j, ALONG_X] = -spreading[0]
            stencil[i, j, ACROSS] = 0.0
            stencil[i, j, BACK_ACROSS] = 0.0


@inner_kernel
def couple(stencil: Array, at: Any, weight: float) -> None:
    """Add weight · φ φᵀ, with the shares φ of the four nodes around a particle."""
    stencil[at.x0, at.y0, ITSELF] += weight * at.w00 * at.w00
    stencil[at.x0, at.y1, ITSELF] += weight * at.w01 * at.w01
    stencil[at.x1, at.y0, ITSELF] += weight * at.w10 * at.w10
    stencil[at.x1, at.y1, ITSELF] += weight * at.w11 * at.w11
    stencil[at.x0, at.y0, ALONG_Y] += weight * at.w00 * at.w01
    stencil[at.x1, at.y0, ALONG_Y] += weight * at.w10 * at.w11
    stencil[at.x0, at.y0, ALONG_X] += weight * at.w00 * at.w10
    stencil[at.x0, at.y1, ALONG_X] += weight * at.w01 * at.w11
    stencil[at.x0, at.y0, ACROSS] += weight * at.w00 * at.w11
    stencil[at.x0, at.y1, BACK_ACROSS] += weight * at.w01 * at.w10


@entry_point
def add_particles(
    position: Array,
    per_length: Array,
    velocity: Array,
    weight: Array,
    stencil: Array,
    out: Array,
) -> None:
    """Add D to the stencil, and the sources Sᵀ diag(weight) v to ``out``."""
    position, velocity, weight = borrowed((position, velocity, weight))
    stencil, out = borrowed((stencil, out))
    for k in range(len(position)):
        at = corners(position[k, 0], position[k, 1], per_length, stencil.shape)
        couple(stencil, at, weight[k])
        scatter(out, at, 0, weight[k] * velocity[k, 0])
        scatter(out, at, 1, weight[k] * velocity[k, 1])


@inner_kernel
def applied(c: Array, u: Array, rows: Any, columns: Any, axis: int) -> float:
    """A component of the matrix times u at the middle one of three rows and of three columns."""
    a, i, b = rows
    d, j, e = columns
    middle = c[i, d, ALONG_Y] * u[i, d, axis] + c[i, j, ALONG_Y] * u[i, e, axis]
    before = (
        c[a, d, ACROSS] * u[a, d, axis]
        + c[a, j, ALONG_X] * u[a, j, axis]
        + c[a, e, BACK_ACROSS] * u[a, e, axis]
    )
    after = (
        c[i, j, BACK_ACROSS] * u[b, d, axis]
        + c[i, j, ALONG_X] * u[b, j, axis]
        + c[i, j, ACROSS] * u[b, e, axis]
    )
    return c[i, j, ITSELF] * u[i, j, axis] + middle + (before + after)


@inner_kernel
def apply_at(c: Array, u: Array, out: Array, rows: Any, columns: Any, sums: Any) -> Any:
    """Write the matrix times u at a node into ``out``; two sums, with its product with u added.

    One for each component: two sums are made in the time of one.
    """
    i, j = rows[1], columns[1]
    x = applied(c, u, rows, columns, 0)
    y = applied(c, u, rows, columns, 1)
    out[i, j, 0] = x
    out[i, j, 1] = y
    return sums[0] + u[i, j, 0] * x, sums[1] + u[i, j, 1] * y


@in_bands
def apply(rows: Any, stencil: Array, field: Array, out: Array) -> float:
    """Write the matrix times a field (n, m, 2) into ``out``; their inner product is returned."""
    stencil, field, out = borrowed((stencil, field, out))
    n, m = stencil.shape[0], stencil.shape[1]
    product = 0.0
    for i in range(rows[0], rows[1]):
        three = (i - 1 if i > 0 else n - 1, i, i + 1 if i < n - 1 else 0)
        sums = apply_at(stencil, field, out, three, (m - 1, 0, 1 if m > 1 else 0), (0.0, 0.0))
        # Away from the ends of a row no node has to ask where its neighbours are.
        for j in range(1, m - 1):
            sums = apply_at(stencil, field, out, three, (j - 1, j, j + 1), sums)
        if m > 1:
            sums = apply_at(stencil, field, out, three, (m - 2, m - 1, 0), sums)
        product += sums[0] + sums[1]
    return product
