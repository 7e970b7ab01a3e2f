"""The incompressible equations of Navier and Stokes in a periodic plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.fluids.periods import Sides
from carom.fluids.solved.advection import Advection
from carom.fluids.solved.coupled_stream import Budget
from carom.fluids.solved.exchange import Exchanged, Fluid, Swarm
from carom.fluids.solved.forcing import Nodes
from carom.fluids.solved.planar_fluid import PlanarFluid, PlanarStream
from carom.fluids.solved.solenoidal import Solenoidal
from carom.fluids.solved.sums import totals
from carom.fluids.solved.transforms import as_field, field_of
from carom.particles import Array
from carom.representation import shown_as_call


@shown_as_call
@dataclass(frozen=True, eq=False)
class NavierStokes2D(PlanarFluid):
    """∂u/∂t + u·∇u = −∇p + ν Δu + f − Σ α (u(x_i) − v_i) δ(x − x_i), div u = 0, density 1.

    Pseudo-spectral, with waves up to a third of the nodes along each axis (see
    ``carom.fluids.solved.solenoidal``). A step is

    1. advection, viscosity and forcing: fourth order in Δt, divided into shorter steps where the
       flow is fast (``carom.fluids.solved.advection``). The forcing is that at the middle of the
       step;
    2. exchange with the particles: u^(k+1) = u* + P Sᵀ J / (Δx Δy), with the impulses J of one of
       the three schemes of ``carom.fluids.solved.exchange``, where u* stands in place of u^k. P
       takes the part without divergence; pressure does away with the rest. It leaves the mean flow,
       so that the fluid gets all the momentum that particles give.

    The start and the forcing are projected, too. The exchange is of first order in Δt. Per step the
    energy changes by what the forcing gives and viscosity takes, up to O(Δt⁵), and by
    Σ_i J_i · S (u* + u^(k+1)) / 2, up to the tolerance of the solver.
    """

    def stream(
        self, sides: Sides, dimension: int, periodic: Sequence[bool] | None = None
    ) -> NavierStokesStream:
        """The fluid in a box."""
        return NavierStokesStream(self, self.nodes(sides, dimension, periodic))


class NavierStokesStream(PlanarStream):
    """A flow of Navier and Stokes as it changes in time."""

    def __init__(self, fluid: NavierStokes2D, nodes: Nodes) -> None:
        self._space = Solenoidal(nodes.shape, nodes.lengths)
        self._advection = Advection(self._space, nodes.viscosity)
        self._field, self._right, self._spectrum = np.empty((3, *nodes.shape, 2))
        self._pushed: tuple[float, Array, Any] | None = None
        super().__init__(fluid, nodes)

    def _admitted(self, field: Array) -> Array:
        return self._space(field)[0]

    def _step(self, dt: float, swarm: Swarm) -> tuple[Exchanged, Budget]:
        push, force = self._forces(dt)
        start, given, taken = self._advanced(force, dt)
        if len(swarm.position):
            self._right[...] = start
            fluid = Fluid(start, self._right, (0.0, 0.0), self._space)
            exchanged = self._exchange.step(fluid, dt, swarm)
        else:
            exchanged = Exchanged(start, (0.0, 0.0), 0.0, 0, 0.0, swarm.velocity)
        area = self._nodes.lengths[0] * self._nodes.lengths[1]
        x, y, _ = totals(push)
        return exchanged, Budget(
            forcing=area * given,
            viscosity=-area * taken,
            forcing_impulse=(self._cell * x, self._cell * y),
        )

    def _forces(self, dt: float) -> tuple[Array, Any]:
        """The impulse (n, m, 2) of the forcing over a step, and the spectrum of the mean force."""
        if self._pushed is None or self._pushed[0] != dt or not self._force.is_steady:
            push = self._force.impulse(self.time + 0.5 * dt, dt)
            self._pushed = (dt, push, self._space.transformed(push / dt))
        return self._pushed[1:]

    def _advanced(self, force: Any, dt: float) -> tuple[Array, float, float]:
        """The field without particles, and what forcing gave to and viscosity took of ½ |u|²."""
        number = self._advection.steps(self.field.velocity, dt)
        given = self._advection.given(force, 0.5 * dt / number)
        self._spectrum[...] = self.field.velocity
        w = self._space.transformed(self._spectrum)
        field = self._field
        field[...] = self.field.velocity
        gained, taken = 0.0, 0.0
        for _ in range(number):
            works = self._advection.advance(w, field, force, given, dt / number)
            gained, taken = gained + works[0], taken + works[1]
            self._field[...] = as_field(w)
            field = field_of(self._field.view(np.complex128)[..., 0])
        return field, gained, taken
