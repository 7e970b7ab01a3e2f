"""The questions of event detection: how long until two things touch and approach."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.dispatch import dispatch_on
from carom.types import Vector


@dispatch_on("detection")
def time_to_sphere(detection: Any, separation: Vector, velocity: Vector, sigma: float) -> float:
    """How long until two spheres without relative acceleration collide; never = inf.

    ``separation`` and ``velocity`` are those of the first relative to the second, ``sigma`` is
    the distance of their centres at contact.
    """


@dispatch_on("detection")
def time_to_plane(detection: Any, gap: float, rate: float, acceleration: float) -> float:
    """How long until a gap closes that changes as gap + rate t + acceleration t² / 2."""


class Pair(NamedTuple):
    """Two particles at the present time."""

    i: int
    j: int
    separation: Vector  # x_i − x_j, of the images that may meet
    velocity: Vector  # that of i relative to j
    sigma: float  # the sum of their radii, before any growth up to the present time
    time: float


@dispatch_on("motion")
def time_to_contact(motion: Any, detection: Any, pair: Pair) -> float:
    """How long until two particles collide, moving as ``motion`` says; never = inf."""
