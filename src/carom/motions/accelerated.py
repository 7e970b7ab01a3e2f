"""A constant acceleration of its own for each particle; pairs meet at roots of a quartic."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.kernels import kernel
from carom.compiled.vectors import plus, row
from carom.motions.flight import acceleration, displaced, parabola, velocity_after
from carom.types import Vector


class Accelerated(NamedTuple):
    """Accelerations as an (n, 3) array."""

    of: Any


@acceleration.register(Accelerated)
@kernel
def own_acceleration(motion: Any, i: int) -> Vector:
    """That of particle i."""
    return row(motion.of, i)


@displaced.register(Accelerated)
@kernel
def along_parabola(
    motion: Any, i: int, position: Vector, velocity: Vector, duration: float
) -> Vector:
    """Along a parabola of its own."""
    return parabola(position, velocity, row(motion.of, i), duration)


@velocity_after.register(Accelerated)
@kernel
def accelerated(motion: Any, i: int, velocity: Vector, duration: float) -> Vector:
    """The velocity changes in proportion to time."""
    return plus(velocity, duration, row(motion.of, i))
