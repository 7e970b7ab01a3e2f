"""Contact times of two spheres whose constant accelerations differ.

With the relative position r, velocity v and acceleration a of the pair, the squared distance is a
quartic in time, and contact at the distance sigma is a root of

    f(t) = |r + v t + a t²/2|² - sigma² = c0 + c1 t + c2 t² + c3 t³ + c4 t⁴.

It is the quartic of Lecture 03 (DEM Modeling, the hard-particle algorithm). The constant C printed
there has a misprint: its velocity terms must carry the time, -x'_0 t_0. Here time is measured from
now, so that t_0 = 0 and the terms vanish.

Which root is the contact follows from the stable rule of Bannerman et al. (2014), eq. (10): spheres
collide when they touch or overlap *and* approach. The roots are found by a cascade: those of f''
bound intervals on which f' is monotone; those of f' bound intervals on which f falls.

A polynomial is a tuple of its five coefficients, the constant first.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.compiled.kernels import kernel
from carom.compiled.vectors import dot, plus
from carom.types import Vector

# Stands for the end of time, so that every interval has two ends. Horner's rule may overflow
# there, but only to an infinity of the right sign.
LATEST = float(np.finfo(np.float64).max)
# Horner's rule on a quartic errs by less than this fraction of the sum of |c_k t^k|.
_ROUNDING = 4.0 * float(np.finfo(np.float64).eps)
# The lower end of a bracket that starts at zero, when it is bisected in powers of two.
_EARLIEST = 1e-300
# Bisection alone needs eleven steps to find the power of two and 53 to find the digits.
_NEWTON_STEPS = 60
_STEPS = _NEWTON_STEPS + 80


@kernel
def time_to_contact_accelerated(
    separation: Vector, velocity: Vector, acceleration: Vector, sigma: Any
) -> float:
    """Time until two spheres at the distance sigma or closer approach each other, or infinity.

    ``separation``, ``velocity`` and ``acceleration`` are those of one sphere relative to the
    other; the acceleration is constant, sigma is the distance of the centres at contact.
    """
    t = earliest_contact(
        dot(separation, separation) - sigma * sigma,
        2.0 * dot(separation, velocity),
        dot(velocity, velocity) + dot(acceleration, separation),
        dot(acceleration, velocity),
        0.25 * dot(acceleration, acceleration),
    )
    if t == 0.0 or t == np.inf:
        return t
    return _polished(t, separation, velocity, acceleration, sigma)


@kernel
def _polished(
    t: float, separation: Vector, velocity: Vector, acceleration: Vector, sigma: float
) -> float:
    """The root t of f after two steps of Newton on the vector form of f.

    The coefficients have lost digits to the squares of distances much longer than sigma; the
    vectors have not. Steps are taken only where they converge, which excludes glances and the
    local maxima at which an overlap begins to deepen.
    """
    for _ in range(2):
        position = plus(plus(separation, t, velocity), 0.5 * t * t, acceleration)
        moving = plus(velocity, t, acceleration)
        gap = dot(position, position) - sigma * sigma
        rate = 2.0 * dot(position, moving)
        curvature = 2.0 * (dot(moving, moving) + dot(position, acceleration))
        if rate < 0.0 and abs(gap * curvature) < 0.125 * rate * rate:
            t = max(0.0, t - gap / rate)
    return t


@kernel
def earliest_contact(c0: float, c1: float, c2: float, c3: float, c4: float) -> float:
    """The smallest t >= 0 at which f(t) <= 0 and f falls, or infinity.

    f(t) = c0 + c1 t + c2 t² + c3 t³ + c4 t⁴; any coefficient may vanish. Times at
    which f touches zero from above, to within rounding, are not contacts.
    """
    # A power of two rounds nothing; it leaves room for the factors in the derivatives.
    f = (float(c0) / 32, float(c1) / 32, float(c2) / 32, float(c3) / 32, float(c4) / 32)
    first, second = inflections(f)
    low = 0.0
    for high in (first, second, LATEST):
        t = contact_between(f, low, high)
        if t < np.inf:
            return t
        low = high
    return np.inf


@kernel
def inflections(f: Any) -> tuple[float, float]:
    """The roots of f'' in ascending order; zero in place of one that is negative or missing."""
    a, b, c = 6.0 * f[4], 3.0 * f[3], f[2]
    # In these units the discriminant b² - 4 a c neither overflows nor underflows.
    product = 2.0 * math.sqrt(abs(a)) * math.sqrt(abs(c))
    unit = max(abs(b), product)
    if unit == 0.0:
        return 0.0, 0.0
    linear, rest = b / unit, product / unit
    discriminant = linear * linear - math.copysign(rest * rest, c if a >= 0.0 else -c)
    if discriminant < 0.0:
        return 0.0, 0.0
    # The sign avoids the cancellation of the textbook formula.
    w = -0.5 * (b + math.copysign(unit * math.sqrt(discriminant), b))
    one = min(max(w / a, 0.0), LATEST) if a != 0.0 else 0.0
    other = min(max(c / w, 0.0), LATEST) if w != 0.0 else 0.0
    return min(one, other), max(one, other)


@kernel
def contact_between(f: Any, low: float, high: float) -> float:
    """The first contact in an interval on which f' is monotone, or infinity."""
    if low >= high:
        return np.inf
    slope = (f[1], 2.0 * f[2], 3.0 * f[3], 4.0 * f[4], 0.0)
    slope_low = _value(slope, low)
    slope_high = _value(slope, high)
    if slope_low >= 0.0 and slope_high >= 0.0:
        return np.inf
    if slope_low > 0.0 or slope_high > 0.0:
        start = 0.5 * (low + high) if high < LATEST else _parabolic_guess(slope, low)
        extremum = _root(slope, low, high, start)
        if slope_low > 0.0:
            low = extremum
        else:
            high = extremum
    # A glance; or, where no minimum ends the interval, a contact that the next one will find.
    if _touches_zero(f, high):
        return np.inf
    if _value(f, low) <= 0.0:
        return low
    if _value(f, high) >= 0.0:
        return np.inf
    # From the steeper end Newton's method does not overshoot.
    return _root(f, low, high, low if slope_low <= slope_high else high)


@kernel
def _parabolic_guess(p: Any, low: float) -> float:
    """The root after ``low`` of the parabola that osculates p there; infinity if it has none."""
    value, slope = _value_and_slope(p, low)
    curvature = 2.0 * p[2] + low * (6.0 * p[3] + low * 12.0 * p[4])
    discriminant = slope * slope - 2.0 * value * curvature
    if not discriminant > 0.0:
        return np.inf
    return low + 2.0 * abs(value) / (abs(slope) + math.sqrt(discriminant))


@kernel
def _value(p: Any, t: float) -> float:
    """p(t)"""
    return p[0] + t * (p[1] + t * (p[2] + t * (p[3] + t * p[4])))


@kernel
def _value_and_slope(p: Any, t: float) -> tuple[float, float]:
    """p(t) and p'(t)"""
    b3 = p[3] + t * p[4]
    b2 = p[2] + t * b3
    b1 = p[1] + t * b2
    d2 = b3 + t * p[4]
    d1 = b2 + t * d2
    return p[0] + t * b1, b1 + t * d1


@kernel
def _touches_zero(p: Any, t: float) -> bool:
    """Whether p(t) is zero to within the rounding errors of its evaluation."""
    if t > 1.0:
        # p(t) / t⁴ does not overflow.
        p, t = (p[4], p[3], p[2], p[1], p[0]), 1.0 / t
    sizes = (abs(p[0]), abs(p[1]), abs(p[2]), abs(p[3]), abs(p[4]))
    # Not <=: both sides may have underflowed.
    return abs(_value(p, t)) < _ROUNDING * _value(sizes, t)


@kernel
def _root(p: Any, low: float, high: float, t: float) -> float:
    """The root of p in an interval at whose ends p has opposite signs, sought from t.

    Newton's step is taken when it stays in the bracket and at least halves the last step;
    otherwise, and always after many steps, the bracket is bisected.
    """
    falls = _value(p, low) > 0.0
    step = high - low
    if not low <= t <= high:
        t = _middle(low, high)
    for k in range(_STEPS):
        value, slope = _value_and_slope(p, t)
        if (value > 0.0) == falls:
            low = t
        else:
            high = t
        new = t - value / slope if slope != 0.0 else np.inf
        change = abs(new - t)
        if change <= _ROUNDING * t:
            return min(max(new, low), high)
        slow = not 2.0 * change <= abs(step)
        if slow and _touches_zero(p, t):
            return t
        if slow or k >= _NEWTON_STEPS or not low < new < high:
            new = _middle(low, high)
        if not low < new < high:
            return new
        step = new - t
        t = new
    return t


@kernel
def _middle(low: float, high: float) -> float:
    """A time between two: their geometric mean when they differ much, or else their mean."""
    if high > 4.0 * max(low, _EARLIEST):
        return math.sqrt(max(low, _EARLIEST)) * math.sqrt(high)
    return low + 0.5 * (high - low)
