"""The same constant acceleration for all particles; pairs still meet as in free flight."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.kernels import kernel
from carom.compiled.vectors import plus
from carom.motions.flight import acceleration, displaced, parabola, velocity_after


class Gravity(NamedTuple):
    """Uniform acceleration (x, y, z)."""

    x: float
    y: float
    z: float


@acceleration.register(Gravity)
@kernel
def _(motion: Gravity, i: int) -> Any:
    return (motion.x, motion.y, motion.z)


@displaced.register(Gravity)
@kernel
def _(motion: Gravity, i: int, position: Any, velocity: Any, duration: float) -> Any:
    return parabola(position, velocity, (motion.x, motion.y, motion.z), duration)


@velocity_after.register(Gravity)
@kernel
def _(motion: Gravity, i: int, velocity: Any, duration: float) -> Any:
    return plus(velocity, duration, (motion.x, motion.y, motion.z))
