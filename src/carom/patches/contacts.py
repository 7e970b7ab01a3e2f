"""First contacts with a patch along a path, from polynomials whose falls are contacts."""

from __future__ import annotations

import math
from typing import Any

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot
from carom.detection.falling import fall_between, quadratic_fall, stretch_of
from carom.patches.patch import nearest_point
from carom.patches.path import Line, Parabola, place_on, speed_along

# Newton's step is taken where it changes a contact by rounding only, in units of the radius.
_POLISHED = 1e-5


@dispatch_on("path")
def minus_square(path: Any, f: Any, length: float) -> Any:
    """The polynomial f - length²."""


@dispatch_on("path")
def square_minus(path: Any, f: Any, length: float) -> Any:
    """The polynomial length² - f."""


@dispatch_on("path")
def first_fall(path: Any, patches: Any, k: int, f: Any, radius: float, side: float) -> float:
    """The first fall of f below zero at which patch k is touched from a side; never = inf."""


@minus_square.register(Line)
@inner_kernel
def _(path: Line, f: Any, length: float) -> Any:
    return (f[0] - length * length, f[1], f[2])


@minus_square.register(Parabola)
@inner_kernel
def _(path: Parabola, f: Any, length: float) -> Any:
    return (f[0] - length * length, f[1], f[2], f[3], f[4])


@square_minus.register(Line)
@inner_kernel
def _(path: Line, f: Any, length: float) -> Any:
    return (length * length - f[0], -f[1], -f[2])


@square_minus.register(Parabola)
@inner_kernel
def _(path: Parabola, f: Any, length: float) -> Any:
    return (length * length - f[0], -f[1], -f[2], -f[3], -f[4])


@first_fall.register(Line)
@inner_kernel
def _(path: Line, patches: Any, k: int, f: Any, radius: float, side: float) -> float:
    return _if_touched(path, patches, k, radius, side, quadratic_fall(f[0], f[1], f[2]))


@first_fall.register(Parabola)
@inner_kernel
def _(path: Parabola, patches: Any, k: int, f: Any, radius: float, side: float) -> float:
    # A power of two rounds nothing; it leaves room for the factors in the derivatives.
    scaled = (f[0] / 32.0, f[1] / 32.0, f[2] / 32.0, f[3] / 32.0, f[4] / 32.0)
    for number in range(3):
        low, high = stretch_of(scaled, number)
        t = fall_between(scaled, low, high)
        t = _if_touched(path, patches, k, radius, side, t)
        if t < math.inf:
            return t
    return math.inf


@inner_kernel
def _if_touched(path: Any, patches: Any, k: int, radius: float, side: float, t: float) -> float:
    """The time t of a fall with all its digits, if the patch is there, and on this side of it."""
    if t == math.inf:
        return t
    seen = nearest_point(patches, k, place_on(path, t), radius)
    if not seen.is_there or seen.side != side:
        return math.inf
    if t > 0.0:
        return polished(path, t, seen.away, radius)
    return t


@inner_kernel
def polished(path: Any, t: float, away: Any, radius: float) -> float:
    """A contact after a step of Newton on the distance itself.

    The coefficients have lost digits to the squares of long distances.
    """
    distance = math.sqrt(dot(away, away))
    gap, rate = distance - radius, speed_along(path, t, away)
    if rate < 0.0 and abs(gap) < _POLISHED * radius:
        return max(t - gap * distance / rate, 0.0)
    return t
