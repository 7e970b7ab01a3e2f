"""First contacts with patches whose polynomial vanishes in more places than those of contact.

The distance to a cone or a rim has roots of its own, and its polynomial those of a mirror image
as well: along the axis both fall together, and a double root changes no sign. So the polynomial
only tells where to look. Between two places at which it turns it has one root at most, and so has
the gap itself, whose signs decide.
"""

from __future__ import annotations

import math
from typing import Any

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.detection.falling import turning_points
from carom.patches.patch import nearest_point
from carom.patches.path import Line, Parabola, along, place_on

_STEPS = 100
# Rows of scratch memory: a polynomial of degree eight and its derivatives, and two rows of places.
WORK = (10, 10)


@dispatch_on("path")
def degree_of(path: Any) -> int:
    """The degree of a coordinate as a polynomial of time."""


@degree_of.register(Line)
@inner_kernel
def _(path: Line) -> int:
    return 1


@degree_of.register(Parabola)
@inner_kernel
def _(path: Parabola) -> int:
    return 2


@dispatch_on("patches")
def gap_to(patches: Any, k: int, x: Any, radius: float, side: float) -> float:
    """The distance between the surfaces of patch k, as if it went on, and a sphere on a side."""


@inner_kernel
def first_closing(
    patches: Any, k: int, path: Any, radius: float, side: float, degree: int, until: float
) -> float:
    """The first time at which the gap to patch k closes on a side where the patch is; never = inf.

    The polynomial, of time in units of ``until``, is in the first row of ``patches.work``.
    """
    work = patches.work
    number = turning_points(work, degree)
    low = 0.0
    at_low = gap_to(patches, k, place_on(path, low), radius, side)
    for n in range(number + 1):
        high = work[len(work) - 2, n] if n < number else 1.0
        if high <= low:
            continue
        at_high = gap_to(patches, k, place_on(path, high * until), radius, side)
        if at_high < 0.0 and at_high < at_low:
            t = low
            if at_low > 0.0:
                t = _closing(patches, k, path, radius, side, until, low, high)
            seen = nearest_point(patches, k, place_on(path, t * until), radius)
            if seen.is_there and seen.side == side:
                return t * until
        low, at_low = high, at_high
    return math.inf


@inner_kernel
def _closing(
    patches: Any,
    k: int,
    path: Any,
    radius: float,
    side: float,
    until: float,
    low: float,
    high: float,
) -> float:
    """When a gap closes that is open at ``low`` and closed at ``high``: the last time it is open.

    Secant and bisection in turn, so that the bracket halves at every other step.
    """
    at_low = gap_to(patches, k, place_on(path, low * until), radius, side)
    at_high = gap_to(patches, k, place_on(path, high * until), radius, side)
    for step in range(_STEPS):
        middle = low + 0.5 * (high - low)
        if step % 2 == 0:
            chord = low + at_low / (at_low - at_high) * (high - low)
            middle = chord if low < chord < high else middle
        if not low < middle < high:
            break
        value = gap_to(patches, k, place_on(path, middle * until), radius, side)
        if value > 0.0:
            low, at_low = middle, value
        else:
            high, at_high = middle, value
    return low


@inner_kernel
def add_square(work: Any, path: Any, axis: Any, offset: float, scale: float, until: float) -> None:
    """Add scale · (offset + path · axis)² to the polynomial in the first row of ``work``."""
    f = along(path, axis, offset, 1.0)
    unit = 1.0
    for m in range(len(f)):
        power = unit
        for n in range(len(f)):
            work[0, m + n] += scale * f[m] * f[n] * power
            power *= until
        unit *= until
