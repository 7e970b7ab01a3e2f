"""Straight flight of particles that grow, all in proportion (Lubachevsky & Stillinger 1990)."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.kernels import kernel
from carom.compiled.vectors import dot, plus
from carom.motions.flight import (
    acceleration,
    begin_later,
    closing_rate,
    displaced,
    grown,
    growth,
    velocity_after,
)
from carom.types import Vector


class Growing(NamedTuple):
    """At time t the particles have grown to ``share[0] + rate t`` of the radii they are given.

    So the radii that everybody sees are those at the end of the growth, and cells and shells that
    are wide enough for these are wide enough all the time.
    """

    share: Any  # (1,), at the origin of times
    rate: float


@acceleration.register(Growing)
@kernel
def _(motion: Growing, i: int) -> Vector:
    return (0.0, 0.0, 0.0)


@displaced.register(Growing)
@kernel
def _(motion: Growing, i: int, position: Vector, velocity: Vector, duration: float) -> Vector:
    return plus(position, duration, velocity)


@velocity_after.register(Growing)
@kernel
def _(motion: Growing, i: int, velocity: Vector, duration: float) -> Vector:
    return velocity


@grown.register(Growing)
@kernel
def _(motion: Growing, length: float, time: float) -> float:
    return length * (motion.share[0] + motion.rate * time)


@growth.register(Growing)
@kernel
def _(motion: Growing, length: float) -> float:
    return length * motion.rate


@closing_rate.register(Growing)
@kernel
def _(motion: Growing, separation: Vector, velocity: Vector, sigma: float, time: float) -> float:
    # With the present sum of radii for the distance, as in detection: what is an approach there,
    # however slow, is one here.
    return grown(motion, sigma, time) * (motion.rate * sigma) - dot(velocity, separation)


@begin_later.register(Growing)
def _(motion: Growing, duration: float) -> None:
    motion.share[0] += motion.rate * duration
