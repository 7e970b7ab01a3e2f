"""Paths of several straight pieces, one for each of k time steps.

Contacts are then looked for over k steps at once (section 2.1 of Sigurgeirsson, Stuart & Wan 2001,
"piecewise linear paths"). After a contact the rest of the path is integrated anew.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.kernels import inner_kernel, kernel
from carom.compiled.vectors import minus, plus
from carom.detection import Pair, time_to_contact, time_to_sphere
from carom.methods.event_driven.fast.cells import straight_out, time_out_of_cell
from carom.methods.keeping import not_kept
from carom.methods.laden.carried import dragged
from carom.motions import (
    acceleration,
    arrival,
    begin_later,
    displaced,
    predicts_falsely,
    set_out,
    velocity_after,
)
from carom.types import Vector


@not_kept("flow")  # its stream keeps it
class Pieces(NamedTuple):
    """Straight pieces; at the end of each the velocity is the linearly implicit one."""

    flow: Any  # these as in ``Straight``
    drag: Any
    rate: Any
    radius: Any
    pull: Any
    origin: Any
    dt: float
    begin: Any  # (n,) the time at which the path of each particle began
    velocity: Any  # (n, k, 3) along each piece; those before ``begin`` are not looked at


@inner_kernel
def _piece_at(motion: Pieces, time: float) -> int:
    return min(int(time / motion.dt), motion.velocity.shape[1] - 1)


@inner_kernel
def _end_of(motion: Pieces, piece: int, time: float) -> float:
    """When a piece ends on which a particle is at a time; the last has no end."""
    if piece == motion.velocity.shape[1] - 1:
        return float("inf")
    return max((piece + 1) * motion.dt, time)


@inner_kernel
def _along(motion: Pieces, i: int, piece: int) -> Any:
    v = motion.velocity
    return (v[i, piece, 0], v[i, piece, 1], v[i, piece, 2])


@set_out.register(Pieces)
@kernel
def _(motion: Pieces, i: int, position: Any, velocity: Any, time: float) -> None:
    motion.begin[i] = time
    x, v, now = position, velocity, time
    last = motion.velocity.shape[1] - 1
    for piece in range(_piece_at(motion, time), last + 1):
        motion.velocity[i, piece, 0] = v[0]
        motion.velocity[i, piece, 1] = v[1]
        motion.velocity[i, piece, 2] = v[2]
        if piece < last:
            end = _end_of(motion, piece, now)
            x = plus(x, end - now, v)
            v = dragged(motion, i, x, v, end - now, end)
            now = end


@displaced.register(Pieces)
@kernel
def _(motion: Pieces, i: int, position: Any, velocity: Any, duration: float) -> Any:
    x, now = position, motion.begin[i]
    until = now + duration
    piece = _piece_at(motion, now)
    end = _end_of(motion, piece, now)
    while end < until:
        x = plus(x, end - now, _along(motion, i, piece))
        now, piece = end, piece + 1
        end = _end_of(motion, piece, now)
    return plus(x, until - now, _along(motion, i, piece))


@velocity_after.register(Pieces)
@kernel
def _(motion: Pieces, i: int, velocity: Any, duration: float) -> Any:
    return _along(motion, i, _piece_at(motion, motion.begin[i] + duration))


@arrival.register(Pieces)
@kernel
def _(motion: Pieces, i: int, position: Any, velocity: Any, duration: float, time: float) -> Any:
    piece = _piece_at(motion, time)
    since = max(motion.begin[i], piece * motion.dt)
    return dragged(motion, i, position, _along(motion, i, piece), time - since, time)


@acceleration.register(Pieces)
@kernel
def _(motion: Pieces, i: int) -> Any:
    return (0.0, 0.0, 0.0)


@predicts_falsely.register(Pieces)
@kernel
def _(motion: Pieces) -> bool:
    return True


@begin_later.register(Pieces)
def _(motion: Pieces, duration: float) -> None:
    motion.origin[0] += duration


@time_to_contact.register(Pieces)
@kernel
def _(motion: Pieces, detection: Any, pair: Pair) -> float:
    now, separation = pair.time, pair.separation
    for piece in range(_piece_at(motion, pair.time), motion.velocity.shape[1]):
        relative = minus(_along(motion, pair.i, piece), _along(motion, pair.j, piece))
        end = _end_of(motion, piece, now)
        duration = time_to_sphere(detection, separation, relative, pair.sigma)
        if now + duration <= end:
            return now + duration - pair.time
        separation = plus(separation, end - now, relative)
        now = end
    return float("inf")


@time_out_of_cell.register(Pieces)
@inner_kernel
def _(motion: Pieces, grids: Any, i: int, place: int, x: Vector, v: Vector, time: float) -> Any:
    now = time
    for piece in range(_piece_at(motion, time), motion.velocity.shape[1]):
        along = _along(motion, i, piece)
        end = _end_of(motion, piece, now)
        duration, face = straight_out(motion, grids, i, place, x, along, now)
        if now + duration <= end:
            return now + duration - time, face
        x = plus(x, end - now, along)
        now = end
    return float("inf"), 0
