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

from carom._jit import entry_point
from carom.fluids.grid import corners, interpolated
from carom.fluids.nine_point import assemble
from carom.fluids.solvers import ConjugateGradients, Filter
from carom.fluids.sources import interpolate, spread
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
    """Solves for the momentum that particles and a field on a grid exchange."""

    def __init__(
        self, scheme: str, shape: tuple[int, int], lengths: tuple[float, float], tolerance: float
    ) -> None:
        self._scheme = scheme
        self._per_length = (1.0 / lengths[0], 1.0 / lengths[1])
        self._cell = lengths[0] * lengths[1] / (shape[0] * shape[1])
        self._solver = ConjugateGradients(shape, tolerance)
        self._stencil = np.empty((*shape, 5))

    def step(self, fluid: Fluid, dt: float, swarm: Swarm) -> Exchanged:
        """Solve for the field after a step; the right-hand side is written over."""
        if len(swarm.position) == 0:
            alone, _ = fluid.filter(fluid.right)
            return Exchanged(alone, (0.0, 0.0), 0.0, 0, 0.0, swarm.velocity)
        weight = dt * swarm.strength
        if self._scheme == "conserving":
            weight = weight / (1.0 + dt * swarm.rate)
        if self._scheme == "explicit":
            return self._explicit(fluid, weight, swarm)
        return self._implicit(fluid, weight, swarm)

    def _explicit(self, fluid: Fluid, weight: Array, swarm: Swarm) -> Exchanged:
        felt = np.empty_like(swarm.velocity)
        interpolate(swarm.position, self._per_length, fluid.start, felt)
        impulse = weight[:, None] * (swarm.velocity - felt)
        spread(swarm.position, self._per_length, impulse / self._cell, fluid.right)
        after, _ = fluid.filter(fluid.right)
        x, y, work = self._moved(fluid.start, fluid.start, after, weight, swarm, felt)
        return Exchanged(after, (x, y), work, 0, 0.0, felt)

    def _implicit(self, fluid: Fluid, weight: Array, swarm: Swarm) -> Exchanged:
        after, felt = fluid.start.copy(), np.empty_like(swarm.velocity)
        assemble(
            swarm.position,
            self._per_length,
            swarm.velocity,
            weight / self._cell,
            fluid.spreading,
            self._stencil,
            fluid.right,
        )
        solution = self._solver.solve(self._stencil, fluid.filter, fluid.right, after)
        x, y, work = self._moved(fluid.start, after, after, weight, swarm, felt)
        # Of what the solver leaves over, the mean would be momentum that nobody has given.
        mean = solution.rest.mean(axis=(0, 1))
        after += mean
        work += 0.5 * float(x * mean[0] + y * mean[1])
        return Exchanged(after, (x, y), work, solution.iterations, solution.residual, felt)

    def _moved(
        self, start: Array, acting: Array, after: Array, weight: Array, swarm: Swarm, felt: Array
    ) -> tuple[float, float, float]:
        """Total impulse (two components) and work on the fluid, see ``total_impulse``."""
        fields = (start, acting, after)
        return total_impulse(  # type: ignore[no-any-return]
            swarm.position, self._per_length, swarm.velocity, weight, fields, felt
        )


@entry_point
def total_impulse(
    position: Any, per_length: Any, velocity: Any, weight: Any, fields: Any, felt: Any
) -> Any:
    """Σ J, two components, and the work Σ J · S (start + after) / 2 on the fluid.

    J = weight (v − S acting); ``fields`` are start, acting and after. S acting is written to felt.
    """
    start, acting, after = fields
    x = 0.0
    y = 0.0
    work = 0.0
    for k in range(len(position)):
        at = corners(position[k, 0], position[k, 1], per_length, start.shape)
        felt[k, 0] = interpolated(acting, at, 0)
        felt[k, 1] = interpolated(acting, at, 1)
        impulse_x = weight[k] * (velocity[k, 0] - felt[k, 0])
        impulse_y = weight[k] * (velocity[k, 1] - felt[k, 1])
        x += impulse_x
        y += impulse_y
        work += impulse_x * 0.5 * (interpolated(start, at, 0) + interpolated(after, at, 0))
        work += impulse_y * 0.5 * (interpolated(start, at, 1) + interpolated(after, at, 1))
    return x, y, work
