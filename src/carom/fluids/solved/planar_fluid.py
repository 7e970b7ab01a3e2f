"""What all planar fluids that are solved on a periodic grid have in common."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from carom.checks import answer, check_one_of, check_positive, numbers_in
from carom.errors import FlowNotSolved
from carom.fluids.flow import velocity
from carom.fluids.gridded.grid import checked_shape, new_grid
from carom.fluids.periods import Sides
from carom.fluids.solved.coupled_stream import Budget
from carom.fluids.solved.exchange import SCHEMES, Exchange, Exchanged, Swarm, slow_down
from carom.fluids.solved.forcing import Force, Nodes, check_forcing, prepared_forcing
from carom.fluids.solved.sums import totals
from carom.fluids.stream import Scales, stream
from carom.particles import Array

# Rounding leaves some ten times 1e-16 in the solution of the equations.
FINEST_TOLERANCE = 1e-14
FORCE = "forcing."  # before the names of the forcing's arrays in a checkpoint


@dataclass(frozen=True, eq=False)
class PlanarFluid:
    """A fluid on a periodic grid in the plane, with the density 1.

    - ``grid``: nodes along each axis, one number or two.
    - ``viscosity``: ν.
    - ``forcing``: ``TaylorGreenForcing()``, ``StochasticForcing()``, None, or a function of the
      nodes (n, m, 2) and the time that gives forces (n, m, 2).
    - ``scheme``: how momentum is exchanged with particles, "implicit", "explicit" or "conserving";
      see ``carom.fluids.solved.exchange``.
    - ``exchange``: the strengths α of particles, one number, one for each, or a function of the
      radii; when left out α is mass / relaxation time, as Newton's third law asks for.
    - ``tolerance``: of the solver. The error of the field in a step is at most this times the
      field, both as root mean squares.
    - ``start``: the velocity at time 0, a flow of ``carom.fluids``, an array (n, m, 2), or a
      function of the nodes; at rest when left out.
    """

    grid: int | Sequence[int]
    viscosity: float
    forcing: Any = None
    scheme: str = "implicit"
    exchange: Any = None
    tolerance: float = 1e-8
    start: Any = None

    feels_particles: ClassVar[bool] = True

    def __post_init__(self) -> None:
        owner = type(self).__name__
        checked_shape(owner, self.grid, 2)
        check_positive(f"{owner}: viscosity", self.viscosity)
        check_forcing(owner, self.forcing)
        check_one_of(f"{owner}: scheme", self.scheme, SCHEMES)
        check_positive(f"{owner}: tolerance", self.tolerance)
        if not FINEST_TOLERANCE <= self.tolerance < 1.0:
            raise ValueError(
                f"{owner}: tolerance={self.tolerance!r} must lie between {FINEST_TOLERANCE:g}, "
                "which is what rounding leaves, and 1."
            )

    def nodes(self, sides: Sides, dimension: int, periodic: Sequence[bool] | None) -> Nodes:
        """The grid in a box; boxes that do not repeat along both axes are refused."""
        owner = type(self).__name__
        if dimension != 2:
            raise ValueError(
                f"{owner} is planar, but the particles move in {dimension} dimensions."
            )
        if sides is None or not all(periodic or (True, True)):
            raise ValueError(
                f"{owner} repeats along both axes, and its box has to; use carom.Periodic(lengths)."
            )
        n, m = checked_shape(owner, self.grid, 2)
        return Nodes((n, m), (float(sides[0]), float(sides[1])), float(self.viscosity))

    def scales(self, sides: Sides, dimension: int) -> Scales | None:
        """Those of the flow that the forcing would hold; None when it does not tell."""
        told = getattr(self.forcing, "scales", None)
        return None if told is None or sides is None else told(sides)


def starting_field(start: Any, nodes: Nodes) -> Array:
    """The velocities (n, m, 2) at the nodes with which a fluid starts."""
    shape = (*nodes.shape, 2)
    if start is None:
        return np.zeros(shape)
    if type(start) in velocity.implementations or callable(getattr(start, "stream", None)):
        return nodes.velocities(stream(start, nodes.lengths, 2).field)
    given = numbers_in(
        "start", answer("start", start, nodes.points()) if callable(start) else start
    )
    if given.shape != shape or not np.isfinite(given).all():
        raise ValueError(
            f"start={start!r} must give finite velocities of the shape {shape}, those at the "
            f"nodes; its shape is {given.shape}. Use a flow of carom.fluids, such an array, or a "
            "function of the nodes (n, m, 2)."
        )
    return given.copy()


def _for_each(given: Any, number: int) -> Array:
    """One number, or one for each particle, as an array (p,)."""
    return np.array(np.broadcast_to(given, (number,)), dtype=np.float64)


class PlanarStream:
    """A planar fluid as it changes in time; what goes on in a step is its subclasses'."""

    def __init__(self, fluid: PlanarFluid, nodes: Nodes) -> None:
        self.field: Any = new_grid(nodes.shape, nodes.lengths)
        self.time = 0.0
        self.budget = Budget()
        self.steps = 0
        self.iterations = 0
        self.new_velocity: Array = np.empty((0, 2))
        self.scheme = fluid.scheme
        self._nodes = nodes
        self._cell = math.prod(nodes.lengths) / math.prod(nodes.shape)
        self._force: Force = prepared_forcing(fluid.forcing, nodes)
        self._exchange = Exchange(fluid.scheme, nodes.shape, nodes.lengths, float(fluid.tolerance))
        self.field.velocity[...] = self._admitted(starting_field(fluid.start, nodes))
        self._totals = totals(self.field.velocity)

    @property
    def energy(self) -> float:
        """½ ∫ |u|²."""
        return self._cell * float(self._totals[2])

    @property
    def momentum(self) -> Array:
        """∫ u (2,)."""
        return self._cell * np.array(self._totals[:2])

    def go_to(self, time: float) -> None:
        """Let the field be that at a time, which must not be before the last, without particles."""
        if time == self.time:
            return
        if not time > self.time:
            raise ValueError(
                f"the fluid cannot go back from {self.time!r} to {time!r}; begin a new stream."
            )
        nobody = np.empty((0, 2))
        self.go_on(time - self.time, nobody, nobody, 0.0)
        self.time = time

    def go_on(
        self, dt: float, position: Any, velocity: Any, strength: Any, rate: Any = None
    ) -> None:
        """Let the field be that a step later; see ``CoupledStream``."""
        check_positive("dt", dt)
        swarm = self._swarm(position, velocity, strength, rate)
        drawn = self._force.arrays()
        try:
            exchanged, budget = self._step(float(dt), swarm)
            after = totals(exchanged.field)
            if not math.isfinite(after[2]):
                raise FlowNotSolved(
                    f"The fluid's velocities are not finite at time {self.time + dt:g}: they have "
                    f"grown beyond all bounds. Use {self._remedy}."
                )
        except FlowNotSolved:
            self._force.restore(drawn)
            raise
        if self.scheme == "conserving":
            if self.new_velocity.shape != swarm.velocity.shape:
                self.new_velocity = np.empty_like(swarm.velocity)
            slow_down(swarm.velocity, exchanged.velocity, swarm.rate, float(dt), self.new_velocity)
        gained = self._cell * (after[2] - self._totals[2])
        self.budget = budget._replace(
            drag=exchanged.work,
            unexplained=gained - (budget.forcing + budget.viscosity + exchanged.work),
            drag_impulse=exchanged.impulse,
            iterations=exchanged.iterations,
            residual=exchanged.residual,
        )
        self.field.velocity[...] = exchanged.field
        self._totals = after
        self.time += dt
        self.steps += 1
        self.iterations += exchanged.iterations

    @property
    def _remedy(self) -> str:
        """What helps where velocities grow beyond all bounds."""
        if self.scheme == "explicit":
            return "a shorter dt, or scheme='implicit'"
        return "a shorter dt, a weaker forcing, a slower start or a weaker exchange"

    def _admitted(self, field: Array) -> Array:
        """The field (n, m, 2), or as much of it as this fluid can have."""
        return field

    def _step(self, dt: float, swarm: Swarm) -> tuple[Exchanged, Budget]:
        """What a step brings, and its budget as far as particles have no part in it."""
        raise NotImplementedError

    def _swarm(self, position: Any, velocity: Any, strength: Any, rate: Any) -> Swarm:
        """The particles, in arrays that kernels are compiled for."""
        p = len(position)
        if rate is None and self.scheme == "conserving" and p > 0:
            raise ValueError(
                "scheme='conserving' needs the rates 1 / τ of the particles; give rate=..."
            )
        return Swarm(
            np.ascontiguousarray(position[:, :2], dtype=np.float64),
            np.ascontiguousarray(velocity[:, :2], dtype=np.float64),
            _for_each(strength, p),
            _for_each(0.0 if rate is None else rate, p),
        )

    def arrays(self) -> dict[str, Any]:
        """Everything that changes, by name, for a checkpoint."""
        of_force = {FORCE + name: array for name, array in self._force.arrays().items()}
        return {
            "time": np.array(self.time),
            "velocity": self.field.velocity.copy(),
            "new_velocity": self.new_velocity.copy(),
            "budget": self.budget.numbers(),
            "counts": np.array([self.steps, self.iterations]),
            **of_force,
        }

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Take over the arrays of a checkpoint, bit for bit."""
        self.time = float(arrays["time"])
        self.field.velocity[...] = arrays["velocity"]
        self.new_velocity = np.array(arrays["new_velocity"])
        self.budget = Budget.of(arrays["budget"])
        self.steps, self.iterations = (int(number) for number in arrays["counts"])
        names = [name for name in arrays if name.startswith(FORCE)]
        self._force.restore({name[len(FORCE) :]: arrays[name] for name in names})
        self._totals = totals(self.field.velocity)
