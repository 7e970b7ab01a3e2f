"""When the explicit exchange of momentum, (A.5) of Sigurgeirsson, Stuart & Wan 2001, is unstable.

Let particles stay where they are. Perturbations grow when something can change its sign in a step
and keep its size: u → −u, v → −v. The step of the fluid and that of the particles, with θ = Δt / τ,

    (1 + ν Δt A) u' = (1 − Δt D) u + Δt Sᵀ α v / (Δx Δy),  (1 + θ) v' = v + θ S u',

then demand v = θ / (2 + θ) S u, and so

    2 / (2 + θ) Δt D u = (2 + ν Δt A) u.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from scipy.sparse.linalg import LinearOperator, eigsh

from carom.particles import Array
from carom_studies.experiments.coupled_flow import Setting

CLOSEST = math.pi / math.sqrt(12.0)  # the share of the plane that close-packed disks fill


class Stability(NamedTuple):
    """Where a run stands."""

    exchange: float  # the largest eigenvalue of Δt D
    ratio: float  # that of (2 + ν Δt A)⁻¹ Δt D · 2 / (2 + θ): above 1, perturbations grow


def stability(setting: Setting, position: Array) -> Stability:
    """Where a run with particles at these positions (n, 2) stands."""
    nodes, dt = setting.nodes, setting.dt
    shares = bilinear_shares(position, nodes)
    factor = dt * setting.strength * setting.radius * nodes**2
    exchange = factor * (shares.T @ shares)
    waves = 4.0 * (nodes * np.sin(np.pi * np.arange(nodes) / nodes)) ** 2
    damping = 2.0 + setting.viscosity * dt * (waves[:, None] + waves)
    slip = 2.0 / (2.0 + dt / setting.tau)

    def filtered(field: Array) -> Array:
        """(2 + ν Δt A)^(−1/2) times a field; on both sides it keeps the matrix symmetric."""
        modes = np.fft.fft2(field.reshape(nodes, nodes)) / np.sqrt(damping)
        return np.real(np.fft.ifft2(modes)).ravel()

    whole = LinearOperator(
        exchange.shape, matvec=lambda field: slip * filtered(exchange @ filtered(field))
    )
    return Stability(_largest(exchange), _largest(whole))


def bilinear_shares(position: Array, nodes: int) -> Any:
    """The matrix (n, nodes²) that interpolates from a grid in the periodic unit square."""
    place = np.asarray(position) * nodes
    corner = np.floor(place).astype(int)
    share = place - corner
    rows = np.arange(len(place))
    parts = []
    for i in (0, 1):
        for j in (0, 1):
            weight = np.abs(1 - i - share[:, 0]) * np.abs(1 - j - share[:, 1])
            column = (corner[:, 0] + i) % nodes * nodes + (corner[:, 1] + j) % nodes
            parts.append(scipy.sparse.coo_matrix((weight, (rows, column)), (len(place), nodes**2)))
    return sum(parts[1:], parts[0]).tocsr()


def _largest(matrix: Any) -> float:
    """The largest eigenvalue of a symmetric matrix; the start is fixed, as the result should be."""
    start = np.random.default_rng(0).random(matrix.shape[0])
    return float(eigsh(matrix, 1, which="LA", tol=1e-4, v0=start, return_eigenvectors=False)[0])


def close_packed(setting: Setting) -> float:
    """The eigenvalue of Δt D where disks are packed as closely as can be over many nodes: the
    force of so many particles on a fluid that moves as one."""
    per_area = CLOSEST / (math.pi * setting.radius**2)
    return setting.dt * setting.strength * setting.radius * per_area
