"""The engine of a system without any particle: time passes, and nothing happens."""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import ArrayLike

from carom.errors import REACHED_TIME
from carom.fluids import stream, velocities
from carom.fluids.stream import Formula
from carom.methods.counts import Counts
from carom.methods.exchange import Stays, Sums, no_sums
from carom.methods.keeping import kept, not_kept, take_over
from carom.methods.method import Engine, Method
from carom.particles import Array, Particles
from carom.system import System


def started(method: Method, system: System) -> Engine:
    """The engine that runs a system with a method, even if there is nobody."""
    if len(system.particles) > 0:
        return method.engine(system)
    return NobodyInFlow(system, method) if hasattr(method, "fluid") else Nobody(system, method)


@not_kept("_method", "_stream", "keeps_log")
class Nobody:
    """Keeps the sums of before for those who will come."""

    conserves_momentum = False

    def __init__(self, system: System, method: Method) -> None:
        self.system = system
        self._method = method
        self._time = 0.0
        self._sums = no_sums(len(system.numbered_walls))
        self.keeps_log = False
        step = getattr(method, "dt", math.nan)
        if step == "auto":
            raise ValueError(
                f"{type(method).__name__}: dt='auto' follows from the particles, but there are "
                "none; give dt=..."
            )
        self.dt = float(step)

    def go_on_from(self, sums: Sums, time: float) -> None:
        """Begin at a time with what was summed up before."""
        self._sums, self._time = sums, time

    def moment(self, time: float) -> float:
        """When a change that is asked for at a time happens: then."""
        return time

    def exchanged(self, time: float, system: System, stays: Stays) -> Any:
        """The engine for those who have come."""
        engine: Any = self._method.engine(system)
        engine.go_on_from(self._sums, time)
        if self.keeps_log:
            engine.keep_log()
        return engine

    def sums(self, time: float) -> Sums:
        """What was summed up before."""
        return self._sums

    @property
    def time(self) -> float:
        """The time that has been reached."""
        return self._time

    @property
    def counts(self) -> Counts:
        """How often each kind of event has happened."""
        return self._sums.counts

    @property
    def dissipated(self) -> float:
        """The energy lost in contacts."""
        return self._sums.dissipated

    @property
    def elastic_energy(self) -> float:
        """There are no contacts."""
        return 0.0

    @property
    def overlaps(self) -> tuple[float, float]:
        """There are no contacts."""
        return 0.0, 0.0

    @property
    def impact_overlaps(self) -> tuple[float, float]:
        """Those of before."""
        sums = self._sums
        collisions = sums.counts.collisions
        return (sums.overlap_sum / collisions if collisions else 0.0), sums.largest_overlap

    @property
    def virial(self) -> Array:
        """That of before."""
        return self._sums.virial.copy()

    @property
    def wall_impulse(self) -> Array:
        """The momentum given to each wall before."""
        return self._sums.wall_impulse.copy()

    def shear_work(self, time: float) -> float:
        """That of before."""
        return self._sums.shear_work

    def is_compiled(self) -> bool:
        """There is nothing to compile."""
        return True

    def prepare(self) -> None:
        """There is nothing to prepare."""

    def advance(self, until: float, collisions: int) -> int:
        """Let time pass."""
        self._time = max(self._time, until)
        return REACHED_TIME

    def snapshot(self, time: float) -> tuple[Particles, Array]:
        """No particles, and the kinetic integrals of before."""
        names = self.system.particles.species_names
        return Particles.none(self.system.dimension, names), self._sums.kinetic.copy()

    def paint(self, time: float, painted: Array) -> None:
        """There is nothing to paint."""

    def set_velocities(self, time: float, velocity: Array) -> None:
        """There is nobody to be given any."""

    def change(self, time: float, system: System, method: Any) -> None:
        """Those who will come are run with another system and method."""
        self.system, self._method = system, method

    def keep_log(self) -> None:
        """Those who will come keep a log."""
        self.keeps_log = True

    def take_log(self) -> list[dict[str, Array]]:
        """Nothing has happened."""
        return []

    def arrays(self) -> dict[str, Array]:
        """What it keeps, by name, for a checkpoint."""
        return kept(self)

    def restore(self, arrays: dict[str, Any]) -> None:
        """Take over the arrays of a checkpoint."""
        take_over(self, arrays)
        self._sums = self._sums._replace(counts=Counts(*map(int, self._sums.counts)))


class NobodyInFlow(Nobody):
    """The same in a flow that a formula gives."""

    def __init__(self, system: System, method: Any) -> None:
        super().__init__(system, method)
        field = None
        if not getattr(method.fluid, "feels_particles", False):
            field = stream(method.fluid, system.sides, system.dimension, system.periodic)
        if not isinstance(field, Formula):
            raise ValueError(
                f"nobody is in {method.fluid!r}, which is made step by step with the particles in "
                "it: a run without any is possible in flows that a formula gives. Let some "
                "particle be there."
            )
        self._stream = field

    @property
    def fluid(self) -> Any:
        """The stream of the fluid."""
        return self._stream

    def fluid_velocity(self, points: ArrayLike, time: float) -> Array:
        """The velocities (k, d) of the fluid at points (k, d)."""
        return velocities(points, time, self._stream.field)


def emptied(engine: Any, time: float, system: System, method: Method) -> Engine:
    """The engine that is left when the last particle goes."""
    nobody: Any = started(method, system)
    nobody.go_on_from(engine.sums(time), time)
    if engine.keeps_log:
        nobody.keep_log()
    return nobody  # type: ignore[no-any-return]
