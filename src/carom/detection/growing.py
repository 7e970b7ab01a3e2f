"""Contact times of spheres that grow: a quadratic whose leading coefficient may be negative."""

from __future__ import annotations

import math

from carom.compiled.kernels import kernel
from carom.compiled.vectors import dot
from carom.types import Vector


@kernel
def time_to_contact_growing(
    separation: Vector, velocity: Vector, sigma: float, growth: float
) -> float:
    """How long until two spheres collide whose contact distance is ``sigma + growth t``.

    As in stable.py, a contact is an event as soon as f <= 0 and f' < 0, for the overlap function
    f = c + 2 b t + a t² with c = r² − σ², b = r.v − σ g, a = v² − g². Spheres that grow faster
    than they fly apart always meet: a < 0.
    """
    a = dot(velocity, velocity) - growth * growth
    b = dot(velocity, separation) - sigma * growth
    c = dot(separation, separation) - sigma * sigma
    if b < 0.0:
        if c <= 0.0:
            return 0.0
        discriminant = b * b - a * c
        if discriminant <= 0.0:
            return math.inf
        return c / (math.sqrt(discriminant) - b)
    if a >= 0.0:
        return math.inf
    # Here c > 0: spheres that overlap and grow faster than they fly (r < σ, v < g) have b < 0.
    # Where round-off says otherwise, f begins to fall at its highest, the time b / -a.
    discriminant = max(b * b - a * c, 0.0)
    return (b + math.sqrt(discriminant)) / -a
