"""The questions of event detection: how long until two things touch and approach."""

from __future__ import annotations

from typing import Any

from carom.compiled.jit import dispatch_on


@dispatch_on("detection")
def time_to_sphere(detection: Any, separation: Any, velocity: Any, sigma: float) -> float:
    """How long until two spheres without relative acceleration collide; never = inf.

    ``separation`` and ``velocity`` are those of the first relative to the second, ``sigma`` is
    the distance of their centres at contact.
    """
    raise NotImplementedError


@dispatch_on("detection")
def time_to_plane(detection: Any, gap: float, rate: float, acceleration: float) -> float:
    """How long until a gap closes that changes as gap + rate t + acceleration t² / 2."""
    raise NotImplementedError


@dispatch_on("motion")
def time_to_contact(
    motion: Any,
    detection: Any,
    i: int,
    j: int,
    separation: Any,
    velocity: Any,
    sigma: float,
    time: float,
) -> float:
    """How long until particles i and j collide, moving as ``motion`` says; never = inf.

    ``sigma`` is the sum of their radii, before any growth up to the present ``time``.
    """
    raise NotImplementedError
