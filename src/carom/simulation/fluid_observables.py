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
    """What a simulation tells of the fluid that carries its particles: ``sim.fluid``.

    Velocities are known of every fluid; energies, works and solvers of one that particles act upon,
    in ``carom.Coupled``. The density of the fluid is 1.
    """

    def __init__(self, simulation: Any) -> None:
        self._simulation = simulation

    def __repr__(self) -> str:
        simulation = self._simulation
        return f"<fluid: {simulation.method.fluid!r} at time {simulation.time:g}>"

    def velocity(self, points: ArrayLike, time: float | None = None) -> Array:
        """The velocities (k, d) at points (k, d), now; of a fluid that is a formula also at other
        times."""
        simulation = self._simulation
        answer = simulation._engine.fluid_velocity
        return np.asarray(answer(points, simulation.time if time is None else time))

    def frame(self, grid: int | Sequence[int] | None = None) -> FluidFrame:
        """The velocities at the nodes of the fluid's own grid, or of another with so many nodes
        along each axis, which a flow that is a formula needs.

        A fluid that is solved step by step has the time at the end of the step at hand.
        """
        system, stream = self._simulation.system, self._simulation._engine.fluid
        time, field = float(getattr(stream, "time", self._simulation.time)), stream.field
        if grid is None and isinstance(field, PlanarGrid | SpatialGrid):
            lengths = tuple(1.0 / inverse for inverse in field.per_length)
            return FluidFrame(time, field.velocity.copy(), lengths)
        if grid is None or system.sides is None:
            raise ValueError(
                "the fluid has no grid of its own: give grid=..., nodes along each axis of the "
                f"box, not {grid!r}. In open space there is none; use sim.fluid.velocity(points)."
            )
        lengths = tuple(float(side) for side in system.sides)
        shape = checked_shape("fluid.frame", grid, len(lengths))
        axes = (np.arange(n) * (side / n) for n, side in zip(shape, lengths, strict=True))
        points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
        velocity = self.velocity(points.reshape(-1, len(lengths)))
        return FluidFrame(time, velocity.reshape(points.shape), lengths)

    @property
    def _coupled(self) -> Any:
        """The engine, if particles act on its fluid."""
        if not hasattr(self._simulation._engine, "accounts"):
            raise AttributeError(
                f"in {type(self._simulation.method).__name__} no particle acts upon the fluid, and "
                "nothing is known of it but velocities; use method=carom.Coupled(fluid=...)."
            )
        return self._simulation._engine

    @property
    def energy(self) -> float:
        """½ ∫ |u|², at the end of the step at hand."""
        return float(self._coupled.fluid.energy)

    @property
    def momentum(self) -> Array:
        """∫ u, shape (2,)."""
        return np.array(self._coupled.fluid.momentum)

    @property
    def forcing_work(self) -> float:
        """The energy that the forcing has put into the fluid since the start."""
        return float(self._coupled.accounts.forcing)

    @property
    def viscous_work(self) -> float:
        """That of viscosity, which takes energy away."""
        return float(self._coupled.accounts.viscosity)

    @property
    def drag_work(self) -> float:
        """That of the drag of the particles."""
        return float(self._coupled.accounts.drag_on_fluid)

    @property
    def work_on_particles(self) -> float:
        """The energy that drag, and gravity, have given to the particles since the start."""
        return float(self._coupled.accounts.drag_on_particles)

    @property
    def solver_iterations(self) -> int:
        """Those of the last step."""
        return int(self._coupled.fluid.budget.iterations)

    @property
    def solver_residual(self) -> float:
        """That of the last step, over the size of the field."""
        return float(self._coupled.fluid.budget.residual)
