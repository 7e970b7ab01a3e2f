"""Straight flight."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.kernels import kernel
from carom.compiled.vectors import plus
from carom.motions.flight import acceleration, displaced, velocity_after
from carom.types import Vector


class Free(NamedTuple):
    """No force between collisions."""


@acceleration.register(Free)
@kernel
def not_accelerated(motion: Any, i: int) -> Vector:
    """Nothing pulls."""
    return (0.0, 0.0, 0.0)


@displaced.register(Free)
@kernel
def straight_on(motion: Any, i: int, position: Vector, velocity: Vector, duration: float) -> Vector:
    """Along a straight line."""
    return plus(position, duration, velocity)


@velocity_after.register(Free)
@kernel
def unchanged(motion: Any, i: int, velocity: Vector, duration: float) -> Vector:
    """The velocity stays as it is."""
    return velocity
