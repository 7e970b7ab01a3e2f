"""What a simulation tells of the fluid that carries its particles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carom.fluids.gridded.grid import PlanarGrid, SpatialGrid, checked_shape
from carom.particles import Array


class FluidFrame(NamedTuple):
    """A fluid on a periodic grid; node (i, j) lies at (i L_x / n, j L_y / m)."""

    time: float
    velocity: Array  # (n, m, 2) or (n, m, l, 3)
    lengths: tuple[float, ...]  # after which it repeats


class FluidObservables:
    """The part of a ``Simulation`` that is about its fluid."""

    method: Any
    system: Any
    _engine: Any
    _time: float

    def fluid_velocity(self, points: ArrayLike, time: float | None = None) -> Array:
        """The velocities (k, d) at points (k, d) of the fluid that carries the particles, now; of
        one that is a formula also at other times."""
        answer = self._carrier.fluid_velocity
        return np.asarray(answer(points, self._time if time is None else time))

    def fluid_frame(self, grid: int | Sequence[int] | None = None) -> FluidFrame:
        """The velocities of the fluid at the nodes of its own grid, or of another with so many
        nodes along each axis, which a flow that is a formula needs.

        A fluid that is solved step by step has the time at the end of the step at hand.
        """
        stream = self._carrier.fluid
        time, field = float(getattr(stream, "time", self._time)), stream.field
        if grid is None and isinstance(field, PlanarGrid | SpatialGrid):
            lengths = tuple(1.0 / inverse for inverse in field.per_length)
            return FluidFrame(time, field.velocity.copy(), lengths)
        if grid is None or self.system.sides is None:
            raise ValueError(
                "the fluid has no grid of its own: give grid=..., nodes along each axis of the "
                f"box, not {grid!r}. In open space there is none; use sim.fluid_velocity(points)."
            )
        lengths = tuple(float(side) for side in self.system.sides)
        shape = checked_shape("fluid_frame", grid, len(lengths))
        axes = (np.arange(n) * (side / n) for n, side in zip(shape, lengths, strict=True))
        points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
        velocity = self.fluid_velocity(points.reshape(-1, len(lengths)))
        return FluidFrame(time, velocity.reshape(points.shape), lengths)

    @property
    def _carrier(self) -> Any:
        """The engine, if it has a fluid."""
        if not hasattr(self._engine, "fluid"):
            raise ValueError(
                f"{type(self.method).__name__} has no fluid; use method=carom.Laden(fluid=...)."
            )
        return self._engine

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
