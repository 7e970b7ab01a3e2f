"""Stable detection: no thresholds, and overlaps never deepen (Bannerman et al. 2014).

A contact is an event as soon as the overlap function f satisfies f <= 0 and f' < 0 (eq. 10).
Two particles that round-off has left slightly overlapping collide at once if they approach, and
are left alone if they separate. Glancing contacts, a double root of f, exert no impulse.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from carom.compiled.kernels import kernel
from carom.compiled.vectors import dot
from carom.detection.contact import time_to_plane, time_to_sphere
from carom.types import Vector


class Stable(NamedTuple):
    """Algorithms 1 and 2 of Bannerman et al. 2014."""


@time_to_sphere.register(Stable)
@kernel
def _(detection: Stable, separation: Vector, velocity: Vector, sigma: float) -> float:
    """Algorithm 1, with b = r.v, c = r² − σ²."""
    b = dot(velocity, separation)
    if b >= 0.0:
        return math.inf
    c = dot(separation, separation) - sigma * sigma
    if c <= 0.0:
        return 0.0
    discriminant = b * b - dot(velocity, velocity) * c
    if discriminant <= 0.0:
        return math.inf
    # Rationalised root: the textbook form loses its digits near contact.
    return c / (math.sqrt(discriminant) - b)


@time_to_plane.register(Stable)
@kernel
def _(detection: Stable, gap: float, rate: float, acceleration: float) -> float:
    return time_to_close(gap, rate, acceleration)


@kernel
def time_to_close(gap: float, rate: float, acceleration: float) -> float:
    """Algorithm 2, for the gap to a plane or to the face of a cell, measured along its normal."""
    if gap <= 0.0 and rate < 0.0:
        return 0.0
    if acceleration == 0.0:
        return -gap / rate if rate < 0.0 else math.inf
    discriminant = rate * rate - 2.0 * acceleration * gap
    turning = -rate / acceleration
    if acceleration < 0.0:
        # A gap that never opens again starts to close further at the turning point.
        if discriminant < 0.0:
            return max(turning, 0.0)
        root = math.sqrt(discriminant)
        if rate > 0.0:
            return -(rate + root) / acceleration
        # The later root, rationalised; rate and gap both zero means resting: now.
        return 2.0 * gap / (root - rate) if root > rate else 0.0
    if discriminant <= 0.0 or turning <= 0.0:
        return math.inf
    return 2.0 * gap / (math.sqrt(discriminant) - rate)
