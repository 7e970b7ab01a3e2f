"""The path of a particle from now on, a straight line or a parabola, as polynomials of time.

Free flight and free fall are types of their own: nothing of degree four, or eight, is compiled
where nobody falls.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, plus
from carom.motions import Free, acceleration
from carom.motions.flight import parabola
from carom.types import Vector


class Line(NamedTuple):
    """x + v t"""

    x: Vector
    v: Vector


class Parabola(NamedTuple):
    """x + v t + a t² / 2"""

    x: Vector
    v: Vector
    a: Vector


@dispatch_on("motion")
def path_of(motion: Any, i: int, x: Vector, v: Vector) -> Any:
    """The path of particle i, at x with velocity v now."""


@path_of.register(Free)
@inner_kernel
def _(motion: Free, i: int, x: Vector, v: Vector) -> Line:
    return Line(x, v)


@path_of.otherwise
@inner_kernel
def _(motion: Any, i: int, x: Vector, v: Vector) -> Parabola:
    return Parabola(x, v, acceleration(motion, i))


@dispatch_on("path")
def place_on(path: Any, t: float) -> Any:
    """The position after a while."""


@dispatch_on("path")
def speed_along(path: Any, t: float, direction: Vector) -> float:
    """The component of the velocity after a while along a direction."""


@dispatch_on("path")
def seen_from(path: Any, point: Vector) -> Any:
    """The path relative to a point."""


@dispatch_on("path")
def across(path: Any, axis: Vector) -> Any:
    """The path without its part along a unit vector."""


@dispatch_on("path")
def along(path: Any, axis: Vector, offset: float, factor: float) -> Any:
    """offset + factor · (its part along a unit vector), as a polynomial."""


@dispatch_on("path")
def squared(path: Any) -> Any:
    """The square of its distance from the origin, as a polynomial."""


@dispatch_on("path")
def duration_of(path: Any, distance: float) -> float:
    """A while in which it goes no further than a distance, or infinity if it stands still."""


@dispatch_on("path")
def farthest(path: Any, duration: float) -> float:
    """No less than how far it leads in a duration."""


@dispatch_on("path")
def most_along(path: Any, direction: Vector, duration: float) -> float:
    """No less than what it gains along a direction at any time of a duration."""


@dispatch_on("path")
def gone_after(path: Any, distance: float) -> float:
    """A while after which it is further from the origin than a distance for good; else infinity."""


@place_on.register(Line)
@inner_kernel
def _(path: Line, t: float) -> Any:
    return plus(path.x, t, path.v)


@place_on.register(Parabola)
@inner_kernel
def _(path: Parabola, t: float) -> Any:
    return parabola(path.x, path.v, path.a, t)


@speed_along.register(Line)
@inner_kernel
def _(path: Line, t: float, direction: Vector) -> float:
    return dot(path.v, direction)


@speed_along.register(Parabola)
@inner_kernel
def _(path: Parabola, t: float, direction: Vector) -> float:
    return dot(path.v, direction) + t * dot(path.a, direction)


@seen_from.register(Line)
@inner_kernel
def _(path: Line, point: Vector) -> Line:
    return Line(minus(path.x, point), path.v)


@seen_from.register(Parabola)
@inner_kernel
def _(path: Parabola, point: Vector) -> Parabola:
    return Parabola(minus(path.x, point), path.v, path.a)


@across.register(Line)
@inner_kernel
def _(path: Line, axis: Vector) -> Line:
    return Line(without(path.x, axis), without(path.v, axis))


@across.register(Parabola)
@inner_kernel
def _(path: Parabola, axis: Vector) -> Parabola:
    return Parabola(without(path.x, axis), without(path.v, axis), without(path.a, axis))


@inner_kernel
def without(vector: Vector, axis: Vector) -> Vector:
    """A vector without its part along a unit vector.

    Twice, since the length of a skew axis is 1 only up to round-off.
    """
    once = plus(vector, -dot(vector, axis), axis)
    return plus(once, -dot(once, axis), axis)


@along.register(Line)
@inner_kernel
def _(path: Line, axis: Vector, offset: float, factor: float) -> Any:
    return (offset + factor * dot(path.x, axis), factor * dot(path.v, axis))


@along.register(Parabola)
@inner_kernel
def _(path: Parabola, axis: Vector, offset: float, factor: float) -> Any:
    return (
        offset + factor * dot(path.x, axis),
        factor * dot(path.v, axis),
        0.5 * factor * dot(path.a, axis),
    )


@squared.register(Line)
@inner_kernel
def _(path: Line) -> Any:
    return (dot(path.x, path.x), 2.0 * dot(path.x, path.v), dot(path.v, path.v))


@squared.register(Parabola)
@inner_kernel
def _(path: Parabola) -> Any:
    return (
        dot(path.x, path.x),
        2.0 * dot(path.x, path.v),
        dot(path.v, path.v) + dot(path.x, path.a),
        dot(path.v, path.a),
        0.25 * dot(path.a, path.a),
    )


@duration_of.register(Line)
@inner_kernel
def _(path: Line, distance: float) -> float:
    speed = math.sqrt(dot(path.v, path.v))
    return distance / speed if speed > 0.0 else math.inf


@duration_of.register(Parabola)
@inner_kernel
def _(path: Parabola, distance: float) -> float:
    speed, pull = math.sqrt(dot(path.v, path.v)), math.sqrt(dot(path.a, path.a))
    if speed == 0.0 and pull == 0.0:
        return math.inf
    return 2.0 * distance / (speed + math.sqrt(speed * speed + 2.0 * pull * distance))


@farthest.register(Line)
@inner_kernel
def _(path: Line, duration: float) -> float:
    return math.sqrt(dot(path.v, path.v)) * duration


@farthest.register(Parabola)
@inner_kernel
def _(path: Parabola, duration: float) -> float:
    speed, pull = math.sqrt(dot(path.v, path.v)), math.sqrt(dot(path.a, path.a))
    return duration * (speed + 0.5 * pull * duration)


@most_along.register(Line)
@inner_kernel
def _(path: Line, direction: Vector, duration: float) -> float:
    return max(dot(path.v, direction), 0.0) * duration


@most_along.register(Parabola)
@inner_kernel
def _(path: Parabola, direction: Vector, duration: float) -> float:
    rate, pull = dot(path.v, direction), dot(path.a, direction)
    return max(rate, 0.0) * duration + 0.5 * max(pull, 0.0) * duration * duration


@gone_after.register(Line)
@inner_kernel
def _(path: Line, distance: float) -> float:
    speed = math.sqrt(dot(path.v, path.v))
    if speed == 0.0:
        return math.inf
    return (distance + math.sqrt(dot(path.x, path.x))) / speed


@gone_after.register(Parabola)
@inner_kernel
def _(path: Parabola, distance: float) -> float:
    """From a t² / 2 - v t > distance + |x|."""
    speed, pull = math.sqrt(dot(path.v, path.v)), math.sqrt(dot(path.a, path.a))
    reach = distance + math.sqrt(dot(path.x, path.x))
    if pull == 0.0:
        return reach / speed if speed > 0.0 else math.inf
    return (speed + math.sqrt(speed * speed + 2.0 * pull * reach)) / pull
