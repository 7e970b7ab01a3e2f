"""How fast a particle in a flow may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from carom.errors import TooFast
from carom.particles import LARGEST, Array
from carom.system import System

if TYPE_CHECKING:
    from carom.methods.laden.laden import Laden

# Boxes through which a particle may come in a step: it visits all their cells, one by one.
MOST_BOXES = 1e6


def highest_speed(system: System, duration: float) -> float:
    """With which a particle comes through so many boxes in a duration."""
    if system.sides is None:
        return LARGEST
    return min(MOST_BOXES * (min(system.sides) / duration), LARGEST)


def refuse_too_fast(method: Laden, velocity: Array, time: float, limit: float) -> None:
    """Refuse velocities (n, d) of which one is beyond the limit."""
    bad = np.flatnonzero(~(np.sqrt((velocity**2).sum(axis=1)) <= limit))
    if len(bad):
        raise too_fast(method, int(bad[0]), velocity[bad[0]], time)


def too_fast(method: Laden, i: int, velocity: Array, time: float) -> TooFast:
    """What the user is told of a particle with a velocity (d,), or with one that is no number."""
    said = f"particle {i} has the velocity {velocity} at time {time:g}"
    remedy = f"look at what {method.fluid!r} and {method.drag!r} give where it is and on its way"
    if not np.isfinite(velocity).all():
        return TooFast(f"{said}, which is not finite: {remedy}.", i, time)
    if method.integrator == "curved":
        remedy += "; curved paths need a dt below twice the relaxation time, divided by drag"
    return TooFast(
        f"{said} and would come through more than {MOST_BOXES:g} boxes in a step of dt="
        f"{method.dt:g}, or beyond {LARGEST:g}. Use a shorter dt, or {remedy}.",
        i,
        time,
    )
