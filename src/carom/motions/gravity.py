"""The same constant acceleration for all particles; pairs still meet as in free flight."""

from __future__ import annotations

from typing import NamedTuple

from carom.compiled.kernels import kernel
from carom.compiled.vectors import plus
from carom.motions.flight import acceleration, displaced, parabola, velocity_after
from carom.types import Vector


class Gravity(NamedTuple):
    """Uniform acceleration (x, y, z)."""

    x: float
    y: float
    z: float


@acceleration.register(Gravity)
@kernel
def _(motion: Gravity, i: int) -> Vector:
    return (motion.x, motion.y, motion.z)


@displaced.register(Gravity)
@kernel
def _(motion: Gravity, i: int, position: Vector, velocity: Vector, duration: float) -> Vector:
    return parabola(position, velocity, (motion.x, motion.y, motion.z), duration)


@velocity_after.register(Gravity)
@kernel
def _(motion: Gravity, i: int, velocity: Vector, duration: float) -> Vector:
    return plus(velocity, duration, (motion.x, motion.y, motion.z))
