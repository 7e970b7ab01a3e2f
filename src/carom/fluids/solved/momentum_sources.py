"""What particles take from the nodes of a periodic planar grid, and what they give to them.

S interpolates a field u (n, m, 2) to particles: (S u)_k = Σ_j φ_j(x_k) u_j, with the bilinear
shares φ_j of the four nodes around x_k. Its adjoint Sᵀ spreads sources of particles to the nodes.
All loops go through the particles in their order, so that sums are the same in every run.
"""

from __future__ import annotations

from typing import Any

from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.compiled.views import borrowed
from carom.fluids.gridded.grid import corners, interpolated
from carom.types import Array


@inner_kernel
def scatter(field: Array, at: Any, axis: int, value: float) -> None:
    """Add a value to a component of a field, shared out among four nodes."""
    field[at.x0, at.y0, axis] += at.w00 * value
    field[at.x0, at.y1, axis] += at.w01 * value
    field[at.x1, at.y0, axis] += at.w10 * value
    field[at.x1, at.y1, axis] += at.w11 * value


@entry_point
def interpolate(position: Array, per_length: Array, field: Array, out: Array) -> None:
    """Write S u, the velocities (p, 2) of the field at the positions, into ``out``."""
    position, field, out = borrowed((position, field, out))
    for k in range(len(position)):
        at = corners(position[k, 0], position[k, 1], per_length, field.shape)
        out[k, 0] = interpolated(field, at, 0)
        out[k, 1] = interpolated(field, at, 1)


@entry_point
def spread(position: Array, per_length: Array, strength: Array, out: Array) -> None:
    """Add Sᵀ s, the vectors ``strength`` (p, 2) of particles, to the nodes of ``out``."""
    position, strength, out = borrowed((position, strength, out))
    for k in range(len(position)):
        at = corners(position[k, 0], position[k, 1], per_length, out.shape)
        scatter(out, at, 0, strength[k, 0])
        scatter(out, at, 1, strength[k, 1])
