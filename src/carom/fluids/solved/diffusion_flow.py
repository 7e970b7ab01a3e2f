"""A fluid whose velocity diffuses: Sigurgeirsson, Stuart & Wan 2001, section 3 and appendix 3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.compiled.views import borrowed
from carom.fluids.periods import Sides
from carom.fluids.solved.bands import in_bands
from carom.fluids.solved.coupled_stream import Budget
from carom.fluids.solved.exchange import Exchanged, Fluid, Swarm
from carom.fluids.solved.forcing import Nodes
from carom.fluids.solved.planar_fluid import PlanarFluid, PlanarStream
from carom.fluids.solved.transforms import InverseDiffusion
from carom.representation import shown_as_call
from carom.types import Array


@shown_as_call
@dataclass(frozen=True, eq=False)
class DiffusionFlow(PlanarFluid):
    """∂u/∂t = ν Δu + f − Σ α (u(x_i) − v_i) δ(x − x_i) in a periodic rectangle (their equation 21).

    Bilinear elements, with the mass matrix lumped and the five-point Laplacian A; a step is
    implicit in the diffusion,

        (u^(k+1) − u^k) / Δt + ν A u^(k+1) = f^k + Sᵀ J / (Δx Δy Δt),

    with the impulses J of one of the three schemes of ``carom.fluids.solved.exchange``, and S that
    interpolates to the particles at the start of the step. In every step, with sums over nodes
    times Δx Δy and ū = (u^k + u^(k+1)) / 2, the energy changes by

        Δt Σ ū · f − ν Δt Σ ū · A u^(k+1) + Σ_i J_i · (S ū)_i

    up to the tolerance of the solver, and the momentum by Δt Σ f + Σ_i J_i up to rounding.
    """

    def stream(
        self, sides: Sides, dimension: int, periodic: Sequence[bool] | None = None
    ) -> DiffusionStream:
        """The fluid in a box."""
        return DiffusionStream(self, self.nodes(sides, dimension, periodic))


class DiffusionStream(PlanarStream):
    """A diffusing velocity as it changes in time."""

    def __init__(self, fluid: DiffusionFlow, nodes: Nodes) -> None:
        super().__init__(fluid, nodes)
        self._right = np.empty((*nodes.shape, 2))
        self._dt = 0.0
        self._spreading = (0.0, 0.0)
        self._filter: Any = None

    def _step(self, dt: float, swarm: Swarm) -> tuple[Exchanged, Budget]:
        start = self.field.velocity
        push = self._force.impulse(self.time, dt)
        self._prepare(dt)
        np.add(start, push, out=self._right)
        fluid = Fluid(start, self._right, self._spreading, self._filter)
        exchanged = self._exchange.step(fluid, dt, swarm)
        push_x, push_y, forcing, viscosity = works(start, exchanged.field, push, self._spreading)
        budget = Budget(
            forcing=self._cell * forcing,
            viscosity=-self._cell * viscosity,
            forcing_impulse=(self._cell * push_x, self._cell * push_y),
        )
        return exchanged, budget

    def _prepare(self, dt: float) -> None:
        """Have the inverse for steps of this length."""
        if dt == self._dt:
            return
        per_length = np.array(self._nodes.shape) / self._nodes.lengths
        x, y = (self._nodes.viscosity * dt * per_length**2).tolist()
        self._dt, self._spreading = dt, (x, y)
        self._filter = InverseDiffusion(self._nodes.shape, (x, y))


@in_bands
def works(rows: Any, start: Array, after: Array, push: Array, spreading: Array) -> Any:
    """Sums over all nodes of push, two components, of ū · push, and of spreading ū · A after."""
    start, after, push = borrowed((start, after, push))
    n, m = start.shape[0], start.shape[1]
    sums = (0.0, 0.0, 0.0, 0.0)
    for i in range(rows[0], rows[1]):
        before_i = i - 1 if i > 0 else n - 1
        after_i = i + 1 if i < n - 1 else 0
        x, y, forcing, viscosity = 0.0, 0.0, 0.0, 0.0
        for j in range(m):
            before_j = j - 1 if j > 0 else m - 1
            after_j = j + 1 if j < m - 1 else 0
            x += push[i, j, 0]
            y += push[i, j, 1]
            for axis in range(2):
                u = after[i, j, axis]
                middle = 0.5 * (start[i, j, axis] + u)
                along_x = 2.0 * u - after[before_i, j, axis] - after[after_i, j, axis]
                along_y = 2.0 * u - after[i, before_j, axis] - after[i, after_j, axis]
                forcing += middle * push[i, j, axis]
                viscosity += middle * (spreading[0] * along_x + spreading[1] * along_y)
        sums = (sums[0] + x, sums[1] + y, sums[2] + forcing, sums[3] + viscosity)
    return sums
