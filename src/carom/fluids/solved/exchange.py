"""Momentum that particles and a fluid exchange in one step: three schemes.

With the fluid's density as unit of density, a particle with strength α pulls at the fluid with the
force α (v − u(x)), and gives it in a step the impulse

- ``"explicit"``: J = α Δt (v^k − S u^k). With many particles in a cell of the grid it is unstable;
- ``"implicit"``: J = α Δt (v^k − S u^(k+1)), linearly implicit and stable for any step;
- ``"conserving"``: J = α Δt (v^(k+1) − S u^(k+1)), where v^(k+1) is the velocity after the particle
  has given up that very impulse, ατ (v^(k+1) − v^k) = −J. With θ = Δt / τ this is
  v^(k+1) = (v^k + θ S u^(k+1)) / (1 + θ), and J = α Δt (v^k − S u^(k+1)) / (1 + θ): the implicit
  equations with a weaker α.

S interpolates to the positions at the start of the step. (A.5) and (A.6) of Sigurgeirsson, Stuart &
Wan 2001 are the first two. The field after the step solves

    (1 + spreading · A) u^(k+1) = u^k + forcing + Sᵀ J / (Δx Δy).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom.compiled.entry_points import entry_point
from carom.compiled.views import borrowed
from carom.fluids.gridded.grid import corners, interpolated
from carom.fluids.solved.bands import in_bands
from carom.fluids.solved.momentum_sources import scatter
from carom.fluids.solved.nine_point import add_particles, fill
from carom.fluids.solved.solvers import ConjugateGradients, Filter
from carom.fluids.solved.sums import totals
from carom.particles import Array

SCHEMES = ("implicit", "explicit", "conserving")


class Fluid(NamedTuple):
    """The equations of a fluid in one step, without particles: 1 / filter · u^(k+1) = right."""

    start: Array  # (n, m, 2) the field that particles feel before the step
    right: Array  # (n, m, 2)
    spreading: tuple[float, float]  # ν Δt / Δx² and ν Δt / Δy²
    filter: Filter  # multiplies with (1 + spreading · A)⁻¹, or projects to what a field can be


class Swarm(NamedTuple):
    """Particles as a fluid feels them in one step."""

    position: Array  # (p, 2)
    velocity: Array  # (p, 2)
    strength: Array  # (p,) α
    rate: Array  # (p,) 1 / τ


class Exchanged(NamedTuple):
    """What one step has brought."""

    field: Array  # (n, m, 2) the velocities of the fluid
    impulse: tuple[float, float]  # of all particles on the fluid
    work: float  # of all particles on the fluid
    iterations: int
    residual: float
    velocity: Array  # (p, 2) S u as it entered the impulses


class Exchange:
    """Solves for the momentum that particles and a field on a grid exchange.

    Arrays are kept from step to step: getting large ones anew takes longer than filling them.
    """

    def __init__(
        self, scheme: str, shape: tuple[int, int], lengths: tuple[float, float], tolerance: float
    ) -> None:
        self._scheme = scheme
        self._per_length = (1.0 / lengths[0], 1.0 / lengths[1])
        self._cell = lengths[0] * lengths[1] / (shape[0] * shape[1])
        self._solver = ConjugateGradients(shape, tolerance)
        self._stencil = np.empty((*shape, 5))
        self._after = np.empty((*shape, 2))
        self._weight = np.empty(0)
        self._felt = np.empty((0, 2))

    def step(self, fluid: Fluid, dt: float, swarm: Swarm) -> Exchanged:
        """Solve for the field after a step; the right-hand side is written over."""
        if len(swarm.position) == 0:
            alone, _ = fluid.filter(fluid.right)
            return Exchanged(alone, (0.0, 0.0), 0.0, 0, 0.0, swarm.velocity)
        weight = self._weights(dt, swarm)
        sources = (swarm.position, self._per_length, swarm.velocity, weight)
        if self._scheme == "explicit":
            drag(*sources, fluid.start, fluid.right)
            after, _ = fluid.filter(fluid.right)
            x, y, work = total_impulse(*sources, fluid.start, after, False, self._felt)
            iterations, residual = 0, 0.0
        else:
            fill(self._stencil, fluid.spreading)
            add_particles(*sources, self._stencil, fluid.right)
            after = self._after
            after[...] = fluid.start
            solution = self._solver.solve(self._stencil, fluid.filter, fluid.right, after)
            x, y, work = total_impulse(*sources, fluid.start, after, True, self._felt)
            # Of what the solver leaves over, the mean would be momentum that nobody has given.
            left = totals(solution.rest)
            mean = np.array(left[:2]) / (after.size // 2)
            after += mean
            work += 0.5 * float(x * mean[0] + y * mean[1])
            iterations, residual = solution.iterations, solution.residual
        impulse = (self._cell * x, self._cell * y)
        return Exchanged(after, impulse, self._cell * work, iterations, residual, self._felt)

    def _weights(self, dt: float, swarm: Swarm) -> Array:
        """The impulses (p,) of particles with a velocity of 1 relative to the fluid, per cell."""
        if len(self._weight) != len(swarm.position):
            self._weight, self._felt = np.empty_like(swarm.strength), np.empty_like(swarm.velocity)
        np.multiply(swarm.strength, dt / self._cell, out=self._weight)
        if self._scheme == "conserving":
            self._weight /= 1.0 + dt * swarm.rate
        return self._weight


@entry_point
def drag(
    position: Array, per_length: Array, velocity: Array, weight: Array, field: Array, out: Array
) -> None:
    """Add Sᵀ weight (v − S u) of all particles to the nodes of ``out``."""
    position, velocity, weight = borrowed((position, velocity, weight))
    field, out = borrowed((field, out))
    for k in range(len(position)):
        at = corners(position[k, 0], position[k, 1], per_length, out.shape)
        scatter(out, at, 0, weight[k] * (velocity[k, 0] - interpolated(field, at, 0)))
        scatter(out, at, 1, weight[k] * (velocity[k, 1] - interpolated(field, at, 1)))


@in_bands
def total_impulse(
    rows: Any,
    position: Array,
    per_length: Array,
    velocity: Array,
    weight: Array,
    start: Array,
    after: Array,
    late: bool,
    felt: Array,
) -> Any:
    """Σ J, two components, and the work Σ J · S (start + after) / 2 on the fluid.

    J = weight (v − S u), with the field after the step if ``late``, and at its start otherwise;
    S u is written to ``felt``.
    """
    position, velocity, weight = borrowed((position, velocity, weight))
    start, after, felt = borrowed((start, after, felt))
    x = 0.0
    y = 0.0
    work = 0.0
    for k in range(rows[0], rows[1]):
        at = corners(position[k, 0], position[k, 1], per_length, start.shape)
        before_x, before_y = interpolated(start, at, 0), interpolated(start, at, 1)
        after_x, after_y = interpolated(after, at, 0), interpolated(after, at, 1)
        felt[k, 0] = after_x if late else before_x
        felt[k, 1] = after_y if late else before_y
        impulse_x = weight[k] * (velocity[k, 0] - felt[k, 0])
        impulse_y = weight[k] * (velocity[k, 1] - felt[k, 1])
        x += impulse_x
        y += impulse_y
        work += 0.5 * (impulse_x * (before_x + after_x) + impulse_y * (before_y + after_y))
    return x, y, work


@in_bands
def slow_down(rows: Any, velocity: Array, felt: Array, rate: Array, dt: float, out: Array) -> None:
    """Write the velocities (v + θ S u) / (1 + θ), θ = Δt / τ, of particles that have given up the
    impulses of the conserving scheme into ``out``."""
    velocity, felt, rate, out = borrowed((velocity, felt, rate, out))
    for k in range(rows[0], rows[1]):
        share = dt * rate[k]
        for axis in range(2):
            out[k, axis] = (velocity[k, axis] + share * felt[k, axis]) / (1.0 + share)
