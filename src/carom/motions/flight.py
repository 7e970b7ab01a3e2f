"""The questions a motion answers: where is particle i after a while, how fast, and how large."""

from __future__ import annotations

from typing import Any

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel, kernel
from carom.compiled.vectors import dot
from carom.types import Vector


@dispatch_on("motion")
def acceleration(motion: Any, i: int) -> Vector:
    """The constant acceleration of particle i."""


@dispatch_on("motion")
def displaced(motion: Any, i: int, position: Vector, velocity: Vector, duration: float) -> Vector:
    """The position of particle i after flying for ``duration``."""


@dispatch_on("motion")
def velocity_after(motion: Any, i: int, velocity: Vector, duration: float) -> Vector:
    """The velocity of particle i after flying for ``duration``."""


@dispatch_on("motion")
def arrival(
    motion: Any, i: int, position: Vector, velocity: Vector, duration: float, time: float
) -> Vector:
    """The velocity of particle i at the end of a path, at a contact or where it is looked at.

    The path began ``duration`` ago with ``velocity`` and ends at ``position`` and ``time``. It may
    have been followed in a simpler way than it ends: straight on, say, in a flow that drags.
    """


@arrival.otherwise
@kernel
def _(
    motion: Any, i: int, position: Vector, velocity: Vector, duration: float, time: float
) -> Vector:
    return velocity_after(motion, i, velocity, duration)


@dispatch_on("motion")
def set_out(motion: Any, i: int, position: Vector, velocity: Vector, time: float) -> None:
    """Let a new path of particle i begin, after a contact."""


@set_out.otherwise
@kernel
def _(motion: Any, i: int, position: Vector, velocity: Vector, time: float) -> None:
    return


@dispatch_on("motion")
def predicts_falsely(motion: Any) -> bool:
    """Whether particles may no longer approach when they touch as predicted."""


@predicts_falsely.otherwise
@kernel
def _(motion: Any) -> bool:
    return False


@dispatch_on("motion")
def grown(motion: Any, length: float, time: float) -> float:
    """What a radius, or a sum of radii, has grown to at a time."""


@grown.otherwise
@kernel
def _(motion: Any, length: float, time: float) -> float:
    return length


@dispatch_on("motion")
def growth(motion: Any, length: float) -> float:
    """How fast a radius, or a sum of radii, grows."""
    raise NotImplementedError


@growth.otherwise
@kernel
def _(motion: Any, length: float) -> float:
    return 0.0


@dispatch_on("motion")
def closing_rate(
    motion: Any, separation: Vector, velocity: Vector, sigma: float, time: float
) -> float:
    """The speed at which the surfaces of two particles in contact approach, times their distance.

    ``sigma`` is the sum of their radii, before any growth.
    """


@closing_rate.otherwise
@kernel
def _(motion: Any, separation: Vector, velocity: Vector, sigma: float, time: float) -> float:
    return -dot(velocity, separation)


@dispatch_on("motion")
def begin_later(motion: Any, duration: float) -> None:
    """Count times from an origin that is so much later."""


@begin_later.otherwise
def _(motion: Any, duration: float) -> None:
    """Nothing depends on the origin."""


@inner_kernel
def parabola(position: Vector, velocity: Vector, a: Vector, t: float) -> Vector:
    """x + t (v + t a / 2): one rounding at the scale of x, as in straight flight."""
    half = 0.5 * t
    return (
        position[0] + t * (velocity[0] + half * a[0]),
        position[1] + t * (velocity[1] + half * a[1]),
        position[2] + t * (velocity[2] + half * a[2]),
    )
