"""Detection as in early codes (Alder & Wainwright 1959), to study how it fails.

The textbook root is used, and a contact in the past is no contact: two particles that round-off
has left overlapping pass through each other, and a ball whose bounce does not clear the overlap
with a plate falls through it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from carom.compiled.kernels import kernel
from carom.compiled.vectors import dot
from carom.detection.contact import time_to_plane, time_to_sphere
from carom.types import Vector


class Naive(NamedTuple):
    """The textbook quadratic formula."""


@time_to_sphere.register(Naive)
@kernel
def _(detection: Naive, separation: Vector, velocity: Vector, sigma: float) -> float:
    b = dot(velocity, separation)
    if b >= 0.0:
        return math.inf
    square = dot(velocity, velocity)
    discriminant = b * b - square * (dot(separation, separation) - sigma * sigma)
    if discriminant < 0.0:
        return math.inf
    time = (-b - math.sqrt(discriminant)) / square
    return time if time >= 0.0 else math.inf


@time_to_plane.register(Naive)
@kernel
def _(detection: Naive, gap: float, rate: float, acceleration: float) -> float:
    """Equation (12) of Bannerman et al. 2014: no real root is taken for a miss."""
    if acceleration == 0.0:
        time = -gap / rate if rate < 0.0 else math.inf
    else:
        discriminant = rate * rate - 2.0 * acceleration * gap
        if discriminant < 0.0:
            return math.inf
        time = -(rate + math.sqrt(discriminant)) / acceleration
    return time if time >= 0.0 else math.inf
