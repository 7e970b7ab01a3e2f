"""The engine that runs a system in a given flow."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from carom.errors import LOG_IS_FULL, PAUSED, REACHED_TIME, TooFast
from carom.fluids import stream, velocities
from carom.fluids.stream import Formula
from carom.functions import power
from carom.methods.event_driven.cell_size import refuse_narrow_cells
from carom.methods.event_driven.event_engine import EventEngine
from carom.methods.event_driven.new_world import new_world, refuse_overlaps
from carom.methods.event_driven.world import VELOCITY, columns
from carom.methods.exchange import Sums
from carom.methods.hard_start import refuse_shapes
from carom.methods.laden.automatic_steps import AutomaticSteps
from carom.methods.laden.carried import Curved, Straight
from carom.methods.laden.comoving_steps import ComovingSteps
from carom.methods.laden.piecewise_paths import Pieces
from carom.methods.laden.relaxation import relaxation_times
from carom.methods.laden.schemes import AtEnd, Exact, WithoutTransfers
from carom.methods.laden.speeds import highest_speed, refuse_too_fast, too_fast
from carom.methods.laden.steps import BEFORE, TOO_FAST, Pace
from carom.methods.laden.stepwise_cells import StepwiseCells
from carom.methods.laden.takes_steps import TakesSteps
from carom.methods.statuses import refuse_trouble
from carom.particles import Array
from carom.system import System

if TYPE_CHECKING:
    from carom.methods.laden.laden import Laden

MOST_STEPS = 1e12  # whose times are told apart
ROUNDING = 1e-12  # a step is reached when it is reached up to that


class LadenEngine(EventEngine):
    """Runs a system step by step; within a step particles go from event to event."""

    _algorithm: TakesSteps
    conserves_momentum = False  # a fluid has a momentum of its own

    def __init__(self, system: System, method: Laden, flow: Any = None) -> None:
        """``flow`` is the stream of a run that goes on; else there is a new one."""
        _refuse(system, method)
        self._laden = method
        self._times = relaxation_times(method.relaxation_time, system.particles.radius)
        self._stream = self._new_stream(system, method) if flow is None else flow
        self._is_known_ahead = isinstance(self._stream, Formula)
        if method.paths > 1 and not self._is_known_ahead:
            raise ValueError(
                f"paths={method.paths} needs a flow that is known ahead, and {method.fluid!r} is "
                "made step by step; use paths=1."
            )
        if method.integrator == "curved" and method.dt >= 2.0 * self._times.min():
            raise ValueError(
                f"dt={method.dt:g} is too long for integrator='curved' and the relaxation time "
                f"{self._times.min():g}: it must be less than twice that. Use a shorter dt, or "
                "integrator='straight'."
            )
        self._fastest = highest_speed(system, method.paths * method.dt)
        refuse_too_fast(method, system.particles.velocity, 0.0, self._fastest)
        refuse_narrow_cells(system, method.cells_per_side)
        world = new_world(system, self._motion(system))
        refuse_overlaps(system, world)
        pace = Pace(float(method.dt), method.paths, np.array([BEFORE]), self._fastest)
        super().__init__(system, world, _new_steps(system, method, pace))

    def _new_stream(self, system: System, method: Laden) -> Any:
        return stream(method.fluid, system.sides, system.dimension, system.periodic)

    @property
    def fluid(self) -> Any:
        """The stream of the fluid; one that feels particles tells its energy, momentum, and the
        budget of the last step."""
        return self._stream

    @property
    def dt(self) -> float:
        """The length of a step."""
        return float(self._laden.dt)

    def is_compiled(self) -> bool:
        """Whether the next ``advance`` starts without a compilation."""
        self.prepare()  # what has to be compiled depends on the cells or lines, and these are due
        return super().is_compiled()

    def fluid_velocity(self, points: ArrayLike, time: float) -> Array:
        """The velocities (k, d) of the fluid at points (k, d): now, and where a formula gives them
        at other times, too."""
        if not self._is_known_ahead and abs(time - self.time) > self._laden.dt:
            raise ValueError(
                f"{self._laden.fluid!r} is made step by step: at time {self.time:g} its velocities "
                f"at {time:g} are not known. Look at them during the run."
            )
        return velocities(points, time, self._stream.field)

    def _motion(self, system: System) -> Any:
        method = self._laden
        n = len(system.particles)
        gravity = np.zeros(3)
        if system.gravity is not None:
            gravity[: system.dimension] = system.gravity
        shared = (
            self._stream.field,
            method.drag,
            1.0 / self._times,
            system.particles.radius.copy(),
            tuple(gravity.tolist()),
            np.zeros(1),
        )
        if method.integrator == "curved":
            return Curved(*shared, np.zeros((n, 3)))
        if method.paths > 1:
            return Pieces(*shared, method.dt, np.zeros(n), np.zeros((n, method.paths, 3)))
        return Straight(*shared)

    def advance(self, until: float, collisions: int) -> int:
        """Go on for a fraction of a second at most; the status says why it came back."""
        self._refuse_too_many_steps(until)
        self.prepare()
        if self._algorithm.pace.stands[0] == TOO_FAST:
            raise self._too_fast()
        tally = self.world.tally[0]
        origin = float(tally.origin)
        if self._algorithm.pace.stands[0] == BEFORE and tally.clock == 0.0:
            if until <= origin:  # nobody looks for the events of a step that is not asked for
                return REACHED_TIME
            self._algorithm.put_in_order(self.world)
            self._go_with_the_flow(float((tally.steps + self._laden.paths) * self._laden.dt))
        # Times in the log count from the origin of the step at hand.
        one = self.keeps_log or not self._is_known_ahead
        with self._looks_again_if_interrupted():
            status = self._algorithm.advance_steps(self.world, until, collisions, one)
        self._drain_log(origin)
        refuse_trouble(status, self.system, tally, self.time)
        return PAUSED if status == LOG_IS_FULL else status

    def _refuse_too_many_steps(self, until: float) -> None:
        steps = until / self._laden.dt
        if MOST_STEPS < steps < math.inf:
            raise ValueError(
                f"time {until:g} is {steps:.3g} steps of dt={self._laden.dt:g} away, more than can "
                f"be told apart; use a dt of {until / MOST_STEPS:.3g} or more, or an earlier time."
            )

    def _too_fast(self) -> TooFast:
        """What the user is told when the flow has made somebody too fast."""
        ledger, i = self.world.bodies.ledger, int(self.world.tally[0].first_in_trouble)
        all_velocities = columns(self.world.bodies.record)[:, VELOCITY]
        velocity = all_velocities[ledger.name == i][0, : self.system.dimension]
        return too_fast(self._laden, i, velocity, self.time)

    def _go_with_the_flow(self, time: float) -> None:
        """Let the flow be that at the end of the step ahead."""
        self._stream.go_to(time)

    # Coming and going

    def _successor(self, system: System) -> LadenEngine:
        return LadenEngine(system, self._laden, self._stream)

    def _begin_at(self, origin: float, clock: float) -> None:
        super()._begin_at(origin, clock)
        self.world.motion.origin[0] = origin

    def go_on_from(self, sums: Sums, time: float) -> None:
        """Begin at a time with sums of before, where nobody was left."""
        dt, pieces = self._laden.dt, self._laden.paths
        steps = pieces * math.floor(time / (pieces * dt) * (1.0 + ROUNDING) + ROUNDING)
        since = time - steps * dt
        super().go_on_from(sums._replace(counts=sums.counts._replace(steps=steps)), time)
        self._begin_at(steps * dt, since if since > ROUNDING * max(time, dt) else 0.0)
        self._go_with_the_flow(float((steps + pieces) * dt))

    def set_velocities(self, time: float, velocity: Array) -> None:
        """Give all particles velocities (n, d) at a time not before the last event."""
        refuse_too_fast(self._laden, velocity, time, self._fastest)
        self._algorithm.pace.stands[0] = BEFORE
        super().set_velocities(time, velocity)


def _refuse(system: System, method: Laden) -> None:
    """Refuse what a run in a flow cannot do."""
    refuse_shapes(system, type(method).__name__)
    if system.shear_rate != 0.0:
        raise ValueError(
            "Laden does not run in a LeesEdwards box; use fluid=carom.fluids.Shear(rate) between "
            "walls, or method=carom.EventDriven() for sheared particles without a fluid."
        )
    if system.force is not None or system.acceleration is not None:
        given = "force" if system.force is not None else "acceleration"
        raise ValueError(
            f"Laden knows drag and gravity=..., but not {given}=...; use "
            "method=carom.TimeStepped(...) for other forces."
        )
    if method.paths > 1 and system.planes:
        raise ValueError(
            f"paths={method.paths} works in boxes without walls; use paths=1 or a Periodic box."
        )


def _new_steps(system: System, method: Laden, pace: Pace) -> TakesSteps:
    """What finds the events of a step: cells, or lines where these will do."""
    adaptive = method.adaptive if method.cells_per_side is None else False
    cells = StepwiseCells(system, pace, method.cells_per_side, adaptive)
    has_lines = ComovingSteps.suits(system, pace) and method.integrator == "straight"
    wants_lines = method.algorithm == "lines" or method.search != "exact"
    if wants_lines and not has_lines:
        raise ValueError(
            "algorithm='lines' runs in a Periodic box without walls, with paths=1; use "
            "algorithm='cells'."
        )
    # Whoever says how many cells, or lets the clock decide, wants cells.
    wants_cells = method.algorithm == "cells" or method.adaptive == "clock"
    wants_cells |= method.cells_per_side is not None and not wants_lines
    if wants_cells or not has_lines:
        return cells
    lines = ComovingSteps(system, pace, _scheme(system, method), method.threads)
    return AutomaticSteps(pace, cells, lines, not wants_lines)


def _scheme(system: System, method: Laden) -> Any:
    """What is seen of the contacts of a step."""
    if method.search == "at_end":
        return AtEnd()
    if method.search == "exact" or system.sides is None:
        return Exact()
    n, dimension = len(system.particles), system.dimension
    sides = np.asarray(system.sides)
    across = method.cells_per_side or max(1, int(power(n, 1.0 / dimension)))
    number = np.ones(3, dtype=np.int64)
    number[:dimension] = np.maximum(np.round(across * sides / sides.max()), 1)
    return WithoutTransfers(number, np.zeros((n, 3), dtype=np.int64))
