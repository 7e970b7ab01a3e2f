"""What a simulation tells of the fluid that carries its particles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.particles import Array


class FluidObservables:
    """The part of a ``Simulation`` that is about its fluid."""

    method: Any
    _engine: Any
    _time: float

    def fluid_velocity(self, points: ArrayLike, time: float | None = None) -> Array:
        """The velocities (k, d) at points (k, d) of the fluid that carries the particles, now; of
        one that is a formula also at other times."""
        answer = getattr(self._engine, "fluid_velocity", None)
        if answer is None:
            raise ValueError(
                f"{type(self.method).__name__} has no fluid; use method=carom.Laden(fluid=...)."
            )
        return np.asarray(answer(points, self._time if time is None else time))

    @property
    def _coupled(self) -> Any:
        """The engine, if particles act on its fluid."""
        if not hasattr(self._engine, "accounts"):
            raise ValueError(
                f"{type(self.method).__name__} has no fluid that particles act upon; use "
                "method=carom.Coupled(fluid=...)."
            )
        return self._engine

    @property
    def fluid_energy(self) -> float:
        """½ ∫ |u|² of a coupled fluid, at the end of the step at hand; its density is 1."""
        return float(self._coupled.fluid.energy)

    @property
    def fluid_momentum(self) -> Array:
        """∫ u of a coupled fluid."""
        return np.array(self._coupled.fluid.momentum)

    @property
    def forcing_work(self) -> float:
        """The energy that the forcing has put into a coupled fluid."""
        return self._coupled.accounts.forcing  # type: ignore[no-any-return]

    @property
    def viscous_work(self) -> float:
        """That of viscosity, which takes energy away."""
        return self._coupled.accounts.viscosity  # type: ignore[no-any-return]

    @property
    def drag_on_fluid(self) -> float:
        """The energy that drag has given to a coupled fluid."""
        return self._coupled.accounts.drag_on_fluid  # type: ignore[no-any-return]

    @property
    def drag_on_particles(self) -> float:
        """The energy that drag, and gravity, have given to the particles."""
        return self._coupled.accounts.drag_on_particles  # type: ignore[no-any-return]

    @property
    def solver_iterations(self) -> int:
        """Those of the last step of a coupled fluid."""
        return int(self._coupled.fluid.budget.iterations)

    @property
    def solver_residual(self) -> float:
        """That of the last step, over the size of the field."""
        return float(self._coupled.fluid.budget.residual)
