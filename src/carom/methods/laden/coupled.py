"""Particles and a fluid that act on each other (Sigurgeirsson, Stuart & Wan 2001, section 3).

A step is: the fluid goes on with the particles where they are, then these collide and fly through
the step in the new field.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from carom.drags import Stokes
from carom.errors import REACHED_TIME
from carom.fluids import coupled_stream
from carom.fluids.solved.coupled_stream import exchange_strengths
from carom.methods.event_driven.world import POSITION, VELOCITY, columns
from carom.methods.exchange import Stays
from carom.methods.keeping import not_kept
from carom.methods.laden.engine import LadenEngine
from carom.methods.laden.laden import Laden
from carom.methods.laden.relaxation import relaxation_times
from carom.methods.laden.steps import BEFORE
from carom.particles import Array
from carom.representation import shown_as_call
from carom.system import System


@shown_as_call
@dataclass(frozen=True)
class Coupled:
    """Particles dragged by a flow that feels them.

    - ``fluid``: ``carom.fluids.DiffusionFlow(...)`` or ``carom.fluids.NavierStokes2D(...)``; they
      say how momentum is exchanged (``scheme``) and how strongly (``exchange``).
    - ``dt``: the time step of both.
    - ``relaxation_time``, ``algorithm``, ``cells_per_side``, ``adaptive``, ``threads``: as in
      ``carom.Laden``.
    """

    fluid: Any
    dt: float
    relaxation_time: Any
    algorithm: str = "auto"
    cells_per_side: int | None = None
    adaptive: bool | str = True
    threads: int = 1
    drag: Any = field(default_factory=Stokes, init=False, repr=False)

    def __post_init__(self) -> None:
        self.as_laden()

    def as_laden(self) -> Laden:
        """How the particles are carried."""
        return Laden(
            self.fluid,
            self.dt,
            self.relaxation_time,
            algorithm=self.algorithm,
            cells_per_side=self.cells_per_side,
            adaptive=self.adaptive,
            threads=self.threads,
        )

    def stokes_report(self, system: System) -> str:
        """A sentence about the relaxation times and Stokes numbers."""
        return self.as_laden().stokes_report(system)

    def engine(self, system: System) -> CoupledEngine:
        """The engine that runs a system with this method."""
        return CoupledEngine(system, self)


class Accounts(NamedTuple):
    """Sums over all steps so far, with the fluid's density as unit of density.

    The energy of the fluid has changed by ``forcing`` + ``viscosity`` + ``drag_on_fluid`` and what
    solvers leave over, that of the particles by ``drag_on_particles`` less what collisions
    dissipate. Impulses likewise, (2,) each.
    """

    forcing: float
    viscosity: float
    drag_on_fluid: float
    drag_on_particles: float
    forcing_impulse: Array
    impulse_on_fluid: Array
    impulse_on_particles: Array


# Places in the sums.
FORCING, VISCOSITY, ON_FLUID, ON_PARTICLES = range(4)
FORCING_IMPULSE, FLUID_IMPULSE, PARTICLE_IMPULSE = slice(4, 6), slice(6, 8), slice(8, 10)


@not_kept("_coupled")
class CoupledEngine(LadenEngine):
    """Runs a system together with its fluid."""

    def __init__(self, system: System, method: Coupled, flow: Any = None) -> None:
        particles = system.particles
        self._coupled = method
        times = relaxation_times(method.relaxation_time, particles.radius)
        self._rates = 1.0 / times
        self._strengths = exchange_strengths(
            method.fluid.exchange if hasattr(method.fluid, "exchange") else None,
            particles.radius,
            particles.mass,
            times,
        )
        self._sums = np.zeros(10)
        self._before = np.zeros(4)  # energy, momentum and dissipation of the particles
        super().__init__(system, method.as_laden(), flow)

    def _new_stream(self, system: System, method: Laden) -> Any:
        return coupled_stream(method.fluid, system.sides, system.dimension, system.periodic)

    def _motion(self, system: System) -> Any:
        motion = super()._motion(system)
        if self._stream.scheme != "conserving":
            return motion
        # The exchange has already changed the velocities: through the step particles fly freely.
        return motion._replace(rate=np.zeros_like(motion.rate), pull=(0.0, 0.0, 0.0))

    def _go_with_the_flow(self, time: float) -> None:
        if time <= self._stream.time:  # velocities were set anew before the step had begun
            return
        numbers = columns(self.world.bodies.record)
        names = self.world.bodies.ledger.name
        position = np.array(numbers[:, POSITION][:, :2])
        velocity = np.array(numbers[:, VELOCITY][:, :2])
        self._before = self._totals()
        dt = self._laden.dt
        if self._stream.scheme == "conserving" and self.system.gravity is not None:
            velocity += dt * np.asarray(self.system.gravity)
        self._stream.go_on(dt, position, velocity, self._strengths[names], self._rates[names])
        if self._stream.scheme == "conserving":
            numbers[:, VELOCITY][:, :2] = self._stream.new_velocity
        budget = self._stream.budget
        self._sums[FORCING] += budget.forcing
        self._sums[VISCOSITY] += budget.viscosity
        self._sums[ON_FLUID] += budget.drag
        self._sums[FORCING_IMPULSE] += budget.forcing_impulse
        self._sums[FLUID_IMPULSE] += budget.drag_impulse

    def _totals(self) -> Array:
        """Energy and momentum of the particles, which all are at one time, and what collisions
        have dissipated."""
        mass = self.world.bodies.ledger.mass
        velocity = columns(self.world.bodies.record)[:, VELOCITY][:, :2]
        energy = 0.5 * float((mass * (velocity**2).sum(axis=1)).sum())
        return np.array([energy, *(mass[:, None] * velocity).sum(axis=0), self.dissipated])

    def advance(self, until: float, collisions: int) -> int:
        """Go on for a fraction of a second at most; the status says why it came back."""
        self.prepare()
        tally = self.world.tally[0]
        is_between_steps = self._algorithm.pace.stands[0] == BEFORE and tally.clock == 0.0
        if is_between_steps and until <= float(tally.origin):
            return REACHED_TIME  # who looks at the start sees the fluid as it started
        steps = int(self.world.tally[0].steps)
        status = super().advance(until, collisions)
        if self.world.tally[0].steps > steps:
            change = self._totals() - self._before
            self._sums[ON_PARTICLES] += change[0] + change[3]
            self._sums[PARTICLE_IMPULSE] += change[1:3]
        return status

    def set_velocities(self, time: float, velocity: Array) -> None:
        """Give all particles velocities (n, d) at a time not before the last event; what that
        changes is nothing that the fluid has done."""
        before, _ = self.snapshot(time)
        super().set_velocities(time, velocity)
        kinetic = before.kinetic_energy
        momentum = (before.mass[:, None] * before.velocity).sum(axis=0)
        self._before[:3] += self._totals()[:3] - [kinetic, *momentum]

    def _successor(self, system: System) -> CoupledEngine:
        return CoupledEngine(system, self._coupled, self._stream)

    def exchanged(self, time: float, system: System, stays: Stays) -> Any:
        """An engine that goes on with other particles; what they bring is not the fluid's work."""
        successor = super().exchanged(time, system, stays)
        successor._sums, successor._before = self._sums, self._before
        successor._before[:3] += (successor._totals() - self._totals())[:3]
        return successor

    @property
    def accounts(self) -> Accounts:
        """What was exchanged in all steps so far."""
        sums = self._sums
        return Accounts(
            forcing=float(sums[FORCING]),
            viscosity=float(sums[VISCOSITY]),
            drag_on_fluid=float(sums[ON_FLUID]),
            drag_on_particles=float(sums[ON_PARTICLES]),
            forcing_impulse=sums[FORCING_IMPULSE].copy(),
            impulse_on_fluid=sums[FLUID_IMPULSE].copy(),
            impulse_on_particles=sums[PARTICLE_IMPULSE].copy(),
        )
