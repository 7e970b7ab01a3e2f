"""A ball that bounces on a plate until it rests, at many places of the plate.

Bannerman, Strobl, Formella & Pöschel 2014, section 5. A ball of diameter 1 falls from rest,
r(0) = r_plate + 1, and loses half of its speed at each bounce: after infinitely many it comes to
rest at a finite time. In exact arithmetic r_plate does not matter; many places in [0, 1] show what
rounding does.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from carom import kernel
from carom.detection import Naive, Stable, time_to_plane

RESTITUTION = 0.5
HEIGHT = 0.5  # of the fall, from the surface of the ball to the plate
# Speeds are then 2^-40 of the first, far below what rounding leaves of a bounce.
MOST_EVENTS = 40


class Arithmetic(IntEnum):
    """In which order the gap between ball and plate is evaluated."""

    AS_PRINTED = 0
    FROM_CONTACT = 1
    FROM_SURFACE = 2
    RELATIVE = 3

    @property
    def formula(self) -> str:
        """As it is written."""
        return (
            "r − r_plate − σ/2",
            "r − (r_plate + σ/2)",
            "(r − σ/2) − r_plate",
            "r measured from the plate",
        )[self]


class Bounces(NamedTuple):
    """What became of the ball on each plate (n,)."""

    rest: Any  # time from which it is at rest; never = inf
    events: Any
    failed: Any  # whether detection found no next event
    lowest: Any  # gap


@kernel
def stable_time(gap: float, rate: float, acceleration: float) -> float:
    """The time until the gap closes by the stable algorithm."""
    return time_to_plane(Stable(), gap, rate, acceleration)


@kernel
def naive_time(gap: float, rate: float, acceleration: float) -> float:
    """The time until the gap closes by the quadratic formula, equation (12)."""
    return time_to_plane(Naive(), gap, rate, acceleration)


@kernel
def _gap_over(plate: float, r: float, arithmetic: int) -> float:
    if arithmetic == Arithmetic.AS_PRINTED:
        return r - plate - 0.5
    if arithmetic == Arithmetic.FROM_CONTACT:
        return r - (plate + 0.5)
    if arithmetic == Arithmetic.FROM_SURFACE:
        return (r - 0.5) - plate
    return r - 0.5


@kernel
def _bounce(
    time_to_gap: Any, plates: Any, spacing: Any, gravity: float, arithmetic: int, found: Bounces
) -> None:
    for k in range(len(plates)):
        plate = plates[k]
        r = 1.0 if arithmetic == Arithmetic.RELATIVE else plate + 1.0
        v = time = 0.0
        for _ in range(MOST_EVENTS):
            duration = time_to_gap(_gap_over(plate, r, arithmetic), v, -gravity)
            if not 0.0 <= duration < np.inf:
                found.failed[k] = True
                break
            r = r + duration * v - duration * duration / 2.0 * gravity
            v = -RESTITUTION * (v - gravity * duration)
            time += duration
            found.events[k] += 1
            found.lowest[k] = min(found.lowest[k], _gap_over(plate, r, arithmetic))
            if found.rest[k] == np.inf and v * v <= gravity * spacing[k]:
                found.rest[k] = time


def bounces(time_to_gap: Any, plates: Any, gravity: float, arithmetic: Arithmetic) -> Bounces:
    """What becomes of the ball on each plate.

    The ball is at rest once its bounce is no higher than half the spacing of floats at contact:
    rounding to nearest then leaves its position as it is. Events go on after that.
    """
    n = len(plates)
    found = Bounces(
        rest=np.full(n, np.inf),
        events=np.zeros(n, np.int64),
        failed=np.zeros(n, np.bool_),
        lowest=np.full(n, np.inf),
    )
    spacing = np.spacing(plates + 0.5)
    _bounce(time_to_gap, plates, spacing, gravity, int(arithmetic), found)
    return found


def exact_time_of_rest(gravity: float) -> float:
    """The fall takes sqrt(2 h / g); the flights after it form a geometric series."""
    return math.sqrt(2.0 * HEIGHT / gravity) * (1.0 + RESTITUTION) / (1.0 - RESTITUTION)
