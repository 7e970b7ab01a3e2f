"""What can end a run: status codes of the kernels and the exceptions they become."""

from __future__ import annotations

from typing import Any

# Statuses returned by the compiled loops.
REACHED_TIME = 0
REACHED_COLLISIONS = 1
PAUSED = 2
LOG_IS_FULL = 3
CELLS_DUE = 4
COLLAPSED = 5
LAW_IS_WRONG = 6
NOTHING_AHEAD = 7
CALENDAR_IS_WORN = 8
NO_ROOM = 9
LIST_TOO_SHORT = 10
SEARCH_TOO_SHORT = 11
FORCE_IS_WRONG = 12
NEW_NUMBERS_DUE = 13
LIST_DUE = 14


class CaromError(Exception):
    """Base of the errors that a run can end with. The simulation stays usable."""


class CaromWarning(UserWarning):
    """Something is allowed, may be meant, and is more often a mistake; the message says why."""


class InelasticCollapse(CaromError):
    """Collisions repeat on the same particles without time advancing.

    Particles that lose energy at every contact can collide infinitely often in a finite time
    (McNamara & Young 1992), and a ball at rest on a plate collides for ever at one moment.
    Use a ``ContactDuration`` law, a restitution that tends to 1 for slow contacts
    (``ViscoelasticRestitution``), or ``EventDriven(resting=True)`` for particles that come to
    rest on a plane under gravity; those that pile up on each other need ``SoftContacts``.

    Attributes: ``particles`` (the numbers involved), ``time``.
    """

    def __init__(self, message: str, particles: tuple[int, ...], time: float) -> None:
        super().__init__(message)
        self.particles = particles
        self.time = time


class LawError(CaromError, ValueError):
    """A collision law returned something that is not a coefficient of restitution, or what acts on
    particles is not finite or drives them beyond the range of numbers."""


class KernelError(CaromError, ValueError):
    """A function that you registered cannot be compiled, or failed; the cause is ``__cause__``."""


class TooFast(CaromError, ValueError):
    """A flow has made a particle so fast that it would come through millions of boxes in a step, or
    its velocity is not finite.

    ``Simulation.set_velocities`` lets the run go on, if the velocities are finite still.

    Attributes: ``particle``, ``time``.
    """

    def __init__(self, message: str, particle: int, time: float) -> None:
        super().__init__(message)
        self.particle = particle
        self.time = time


class NothingAhead(CaromError):
    """No further collision will ever happen, but more were asked for."""


class Jammed(CaromError):
    """Growing particles have no room to grow further, short of the packing fraction asked for.

    Attributes: ``particles`` and ``box`` (the packing at that point), ``packing_fraction``,
    ``order`` (its ``BondOrder``).
    """

    def __init__(
        self, message: str, particles: Any, box: Any, packing_fraction: float, order: Any
    ) -> None:
        super().__init__(message)
        self.particles = particles
        self.box = box
        self.packing_fraction = packing_fraction
        self.order = order


class GrowthInterrupted(KeyboardInterrupt):
    """Ctrl-C while particles grew; nothing of what they had reached is lost.

    Attributes: ``particles`` and ``box`` (the packing at that point), ``packing_fraction``.
    """

    def __init__(self, message: str, particles: Any, box: Any, packing_fraction: float) -> None:
        super().__init__(message)
        self.particles = particles
        self.box = box
        self.packing_fraction = packing_fraction


class NeighbourError(CaromError):
    """A neighbour method with ``check=True`` has listed other pairs than ``AllPairs``."""


class CheckpointError(CaromError):
    """A file is not a checkpoint, is damaged, or needs something that was not handed over."""


class ReplicaFailed(CaromError):
    """One of several runs side by side has failed; its own error is the ``__cause__``.

    Attributes: ``replica`` (its number, from 0 on).
    """

    def __init__(self, message: str, replica: int) -> None:
        super().__init__(message)
        self.replica = replica


class SweepError(CaromError):
    """A sweep cannot begin or go on: its folder, its cluster or what is measured does not fit."""


class SceneError(CaromError, ValueError):
    """A scene file has an unknown key, a wrong type or an impossible value."""


class UnreadableFile(CaromError, ValueError):
    """A file of particles is not what its name says, or is of no kind that is known."""


class UnknownEntry(CaromError, ValueError):
    """What is asked for is no entry of ``carom reproduce``."""


class StudiesMissing(CaromError):
    """The package behind ``carom reproduce``, carom-studies, is not installed."""


class ViewError(CaromError):
    """Nothing can be shown in the browser: a package is missing, or no address is to be had."""


class FlowNotSolved(CaromError):
    """A step of a fluid failed: its equations were not solved, or its velocities are not finite.

    The fluid is as it was before the step.

    Attributes: ``iterations`` (of the solver), ``residual`` (what was reached).
    """

    def __init__(self, message: str, iterations: int = 0, residual: float = float("nan")) -> None:
        super().__init__(message)
        self.iterations = iterations
        self.residual = residual
