"""Paths of particles that a flow drags along: τ ẍ = f (u(x, t) − ẋ) + τ g.

Within a time step paths are simple enough for exact contact times, and integrating a particle to
a contact leads to the very place that the contact time was computed for (section 2.1 of
Sigurgeirsson, Stuart & Wan 2001):

- ``Straight``: equations (13) and (14). The path is straight, and the velocity at its end, at a
  contact or at the end of the step, is the linearly implicit one. So particles that touch as
  predicted may no longer approach: a false prediction.
- ``Curved``: constant acceleration. Contacts are roots of quartics, and none is false.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numba

from carom.compiled.kernels import inner_kernel, kernel
from carom.compiled.vectors import dot, minus, plus, set_row
from carom.detection import time_to_contact
from carom.detection.pairs import when_accelerated, when_alike
from carom.drags import resistance
from carom.fluids import Place, velocity
from carom.methods.event_driven.fast.cells import straight_out, time_out_of_cell
from carom.methods.event_driven.fast.pair_search import free_at_once, stable_search
from carom.methods.keeping import not_kept
from carom.motions import (
    acceleration,
    arrival,
    begin_later,
    displaced,
    predicts_falsely,
    set_out,
    velocity_after,
)
from carom.motions.accelerated import accelerated, along_parabola, own_acceleration
from carom.motions.free import not_accelerated, straight_on, unchanged
from carom.types import Vector


@not_kept("flow")  # its stream keeps it
class Straight(NamedTuple):
    """Straight paths with the linearly implicit velocity at their ends."""

    flow: Any  # see carom.fluids
    drag: Any
    rate: Any  # (n,) inverse relaxation times
    radius: Any  # (n,)
    pull: Any  # gravity, three numbers
    origin: Any  # (1,) the time from which all others are counted


@not_kept("flow")  # its stream keeps it
class Curved(NamedTuple):
    """Paths of constant acceleration."""

    flow: Any
    drag: Any
    rate: Any
    radius: Any
    pull: Any
    origin: Any
    of: Any  # (n, 3) accelerations


@inner_kernel
def dragging(motion: Any, i: int, x: Vector, v: Vector, time: float) -> Any:
    """The velocity of the fluid at particle i, and the rate at which it drags the particle."""
    u = velocity(Place(x, motion.origin[0] + time), motion.flow)
    relative = minus(u, v)
    slip = math.sqrt(dot(relative, relative))
    return u, motion.rate[i] * resistance(slip, motion.radius[i], motion.drag)


@inner_kernel
def dragged(motion: Any, i: int, x: Vector, v: Vector, duration: float, time: float) -> Any:
    """Equation (14): the velocity after a straight path from v to the place x.

    The drag of a nonlinear law is that of the velocity at the start.
    """
    u, rate = dragging(motion, i, x, v, time)
    share = duration * rate
    scale = 1.0 / (1.0 + share)
    return (
        scale * (v[0] + share * u[0] + duration * motion.pull[0]),
        scale * (v[1] + share * u[1] + duration * motion.pull[1]),
        scale * (v[2] + share * u[2] + duration * motion.pull[2]),
    )


acceleration.register(Straight)(not_accelerated)
displaced.register(Straight)(straight_on)
velocity_after.register(Straight)(unchanged)
time_to_contact.register(Straight)(when_alike)
time_out_of_cell.register(Straight)(straight_out)
if not numba.config.DISABLE_JIT:
    stable_search.register(Straight)(free_at_once)


@arrival.register(Straight)
@kernel
def _(motion: Straight, i: int, position: Any, velocity: Any, duration: float, time: float) -> Any:
    return dragged(motion, i, position, velocity, duration, time)


@predicts_falsely.register(Straight)
@kernel
def _(motion: Straight) -> bool:
    return True


acceleration.register(Curved)(own_acceleration)
displaced.register(Curved)(along_parabola)
velocity_after.register(Curved)(accelerated)
time_to_contact.register(Curved)(when_accelerated)


@set_out.register(Curved)
@kernel
def _(motion: Curved, i: int, position: Any, velocity: Any, time: float) -> None:
    u, rate = dragging(motion, i, position, velocity, time)
    set_row(motion.of, i, plus(motion.pull, rate, minus(u, velocity)))


def _begin_later(motion: Any, duration: float) -> None:
    motion.origin[0] += duration


begin_later.register(Straight)(_begin_later)
begin_later.register(Curved)(_begin_later)
