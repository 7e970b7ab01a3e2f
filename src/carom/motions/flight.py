"""The questions a motion answers: where is particle i after a while, and how fast."""

from __future__ import annotations

from typing import Any

from carom._jit import dispatch_on, inner_kernel


@dispatch_on("motion")
def acceleration(motion: Any, i: int) -> Any:
    """The constant acceleration of particle i."""
    raise NotImplementedError


@dispatch_on("motion")
def displaced(motion: Any, i: int, position: Any, velocity: Any, duration: float) -> Any:
    """The position of particle i after flying for ``duration``."""
    raise NotImplementedError


@dispatch_on("motion")
def velocity_after(motion: Any, i: int, velocity: Any, duration: float) -> Any:
    """The velocity of particle i after flying for ``duration``."""
    raise NotImplementedError


@inner_kernel
def parabola(position: Any, velocity: Any, a: Any, t: float) -> Any:
    """x + t (v + t a / 2): one rounding at the scale of x, as in straight flight."""
    half = 0.5 * t
    return (
        position[0] + t * (velocity[0] + half * a[0]),
        position[1] + t * (velocity[1] + half * a[1]),
        position[2] + t * (velocity[2] + half * a[2]),
    )
