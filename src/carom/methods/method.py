"""What a simulation asks of a method, and of the engine that runs a system with it."""

from __future__ import annotations

from typing import Any, Protocol

from carom.methods.counts import Counts
from carom.methods.exchange import Stays, Sums
from carom.particles import Array, Particles
from carom.system import System


class Engine(Protocol):
    """Runs one system; it hands out numbers and arrays, never its insides.

    Tensors are (3, 3) in both dimensions; in the plane the third row and column are not looked at.
    """

    system: System
    keeps_log: bool
    # Whether the total momentum changes by the system's own walls and fields at most.
    conserves_momentum: bool

    @property
    def time(self) -> float:
        """The time up to which everything has happened."""

    @property
    def counts(self) -> Counts:
        """How often each kind of event has happened."""

    @property
    def dissipated(self) -> float:
        """The energy lost in contacts since the start."""

    @property
    def elastic_energy(self) -> float:
        """The energy in soft contacts now; 0 for hard particles."""

    @property
    def overlaps(self) -> tuple[float, float]:
        """The mean and the largest overlap of soft contacts now, relative to the sum of two radii;
        0 for hard particles."""

    @property
    def impact_overlaps(self) -> tuple[float, float]:
        """Those of hard particles when they collide, since the start; 0 for soft ones."""

    @property
    def virial(self) -> Array:
        """The sums (3, 3) of impulse_a separation_b over all contacts of pairs since the start.

        The impulse is that on the first particle, the separation is from the second to the first.
        """

    @property
    def wall_impulse(self) -> Array:
        """The momentum given to each wall since the start."""

    def shear_work(self, time: float) -> float:
        """The energy that the boundary of a sheared box has put in up to a time; 0 without."""

    def is_compiled(self) -> bool:
        """Whether the next ``advance`` starts without a compilation."""

    def prepare(self) -> None:
        """Do what has to be done before the first ``advance``."""

    def advance(self, until: float, collisions: int) -> int:
        """Go on for a fraction of a second at most; a status of ``carom.errors``."""

    def snapshot(self, time: float) -> tuple[Particles, Array]:
        """All particles at one time, a copy, and the time integrals (3, 3) of the sum of m v_a v_b
        since the start; in a sheared box with v relative to ``LeesEdwards.flow``."""

    def paint(self, time: float, painted: Array) -> None:
        """Fill in positions inside the box and velocities (n, 6) of all particles at one time, in
        single precision and far faster than a ``snapshot``; nothing else changes."""

    def set_velocities(self, time: float, velocity: Array) -> None:
        """Give all particles velocities (n, d) at a time."""

    def change(self, time: float, system: System, method: Any) -> None:
        """Go on from a time with a system and a method of the same kind that differ from those
        before in numbers of the law, in gravity or in friction."""

    def moment(self, time: float) -> float:
        """When a change that is asked for at a time happens: then, or at the step before it."""

    def exchanged(self, time: float, system: System, stays: Stays) -> Engine:
        """An engine that goes on from such a moment with the particles of a system, at least one:
        those who stay are as they are, the others as the system has them."""

    def sums(self, time: float) -> Sums:
        """What has been summed up to a time."""

    def go_on_from(self, sums: Sums, time: float) -> None:
        """Begin at a time with sums of before, where nobody was left."""

    def keep_log(self) -> None:
        """Keep every collision from now on, for ``take_log``."""

    def take_log(self) -> list[dict[str, Array]]:
        """The columns of the collisions since the last call, and forget them."""

    def arrays(self) -> dict[str, Array]:
        """Everything that changes in a run, by name, for a checkpoint."""

    def restore(self, arrays: dict[str, Any]) -> None:
        """Take over the arrays of a checkpoint."""


class Method(Protocol):
    """A way to run systems: a frozen dataclass of its options."""

    def engine(self, system: System) -> Engine:
        """The engine that runs a system with this method."""
