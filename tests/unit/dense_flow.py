"""The discrete equations of a coupled flow as dense matrices, written anew and solved directly."""

from __future__ import annotations

from typing import Any

import numpy as np

Lengths = tuple[float, float]


def hats(position: Any, shape: tuple[int, int], lengths: Lengths) -> Any:
    """S (p, n m): the bilinear basis functions of all nodes at the particles."""
    along = []
    for axis in range(2):
        step = lengths[axis] / shape[axis]
        away = position[:, axis, None] - step * np.arange(shape[axis])
        away -= lengths[axis] * np.round(away / lengths[axis])
        along.append(np.maximum(1.0 - np.abs(away) / step, 0.0))
    return (along[0][:, :, None] * along[1][:, None, :]).reshape(len(position), -1)


def laplacian(shape: tuple[int, int], lengths: Lengths) -> Any:
    """A (n m, n m): the periodic five-point Laplacian, with the sign of a positive matrix."""
    nodes = shape[0] * shape[1]
    unit = np.eye(nodes).reshape(*shape, nodes)
    total = np.zeros_like(unit)
    for axis in range(2):
        step = lengths[axis] / shape[axis]
        around = np.roll(unit, 1, axis) + np.roll(unit, -1, axis)
        total += (2.0 * unit - around) / step**2
    return total.reshape(nodes, nodes)


class DenseFlow:
    """One step of each scheme by direct solution; fields are (n, m, 2)."""

    def __init__(self, shape: tuple[int, int], lengths: Lengths, viscosity: float) -> None:
        self.shape, self.lengths, self.viscosity = shape, lengths, viscosity
        self.cell = lengths[0] * lengths[1] / (shape[0] * shape[1])
        self.diffusion = viscosity * laplacian(shape, lengths)

    def step(self, scheme: str, dt: float, u: Any, force: Any, particles: Any) -> Any:
        """The field after the step, and the velocities of the particles after the exchange."""
        position, velocity, strength, rate = particles
        s = hats(position, self.shape, self.lengths)
        u, force = u.reshape(-1, 2), force.reshape(-1, 2)
        one = np.eye(len(u))
        pull = s.T * strength / self.cell  # forces on the nodes of particles with velocity 1
        left = one / dt + self.diffusion
        right = u / dt + force + pull @ velocity
        if scheme == "explicit":
            after = np.linalg.solve(left, right - pull @ s @ u)
        elif scheme == "implicit":
            after = np.linalg.solve(left + pull @ s, right)
        else:
            # Unknown are the field and the velocities of the particles after the step, together:
            # u'/Δt + ν A u' = u/Δt + f + pull (v' − S u') and (v' − v) / Δt = rate (S u' − v').
            p = len(position)
            whole = np.block(
                [
                    [left + pull @ s, -pull],
                    [-rate[:, None] * s, np.diag(1.0 / dt + rate)],
                ]
            )
            both = np.linalg.solve(whole, np.concatenate([u / dt + force, velocity / dt]))
            return both[:-p].reshape(*self.shape, 2), both[-p:]
        return after.reshape(*self.shape, 2), None
