"""Who can meet whom within a step, without following anybody from cell to cell.

Neighbours in a flow move almost alike. So particles are sorted into cells by where they are in the
middle of the step, and two of them can meet only if they are then closer than the sum of their
radii and what they move relative to each other in half a step. How much that can be is known from
boxes around the velocities in blocks of cells: those of a block and all blocks next to it bound
the velocities of everybody within reach. This holds for any time step and any cells, so nothing
is missed, and a step without collisions costs a sort and a few pair tests for each particle.

A path is a *line*: the place in the middle of the step, extrapolated, and the velocity. After a
collision a particle goes on along a new line; these strays are kept in a chain for each block.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.kernels import inner_kernel
from carom.compiled.lent import lasting
from carom.methods.event_driven.world import World
from carom.types import Vector

LINE = np.dtype(
    [
        ("x", np.float64),  # in the middle of the step, inside the box
        ("y", np.float64),
        ("z", np.float64),
        ("radius", np.float64),
        ("vx", np.float64),
        ("vy", np.float64),
        ("vz", np.float64),
        ("particle", np.int32),
        ("next", np.int32),  # the next stray of the block, or NO_LINE
    ]
)
CONTACT = np.dtype([("time", np.float64), ("first", np.int32), ("second", np.int32)])
NO_LINE = -1

STATE = np.dtype(
    [
        ("contacts", np.int64),  # in the heap
        ("strays", np.int64),
        ("fastest", np.float64),  # of all lines
        ("overflow", np.int64),  # whether a contact did not fit
    ]
)
LOW, HIGH = 0, 1


@lasting
class Lines(NamedTuple):
    """The lines of a step, in the order of their cells; then come the strays."""

    number: Any  # (3,) cells along each axis
    blocks: Any  # (3,) blocks along each axis
    block: Any  # (3, cells) what a cell along each axis adds to the number of its block
    lengths: Any  # (3,) of the box; 0 along the third axis of the plane
    inverse: Any  # (3,) their inverses, or 0
    middle: float  # of the step, from its start on
    end: float
    largest: float  # radius
    width: float  # of the narrowest blocks
    shortest: float  # side of the box
    start: Any  # (cells + 2,) where the lines of each cell begin
    cell: Any  # (n,) of each particle
    line: Any  # (n + room,) of LINE
    line_of: Any  # (n,) the line of each particle
    head: Any  # (blocks,) the first stray of each
    box: Any  # (blocks, 2, 3) the lowest and highest velocities of a block
    around: Any  # (blocks, 2, 3) and of those next to it
    contacts: Any  # (room,) of CONTACT, a heap
    state: Any  # (1,) of STATE
    scheme: Any  # what is seen of the contacts, see ``schemes.py``


@inner_kernel
def place_in_middle(lines: Lines, x: Vector, v: Vector, time: float) -> Any:
    """Where a particle, at x with velocity v at a time, is in the middle of the step."""
    ahead = lines.middle - time
    return (
        _inside(lines, 0, x[0] + ahead * v[0]),
        _inside(lines, 1, x[1] + ahead * v[1]),
        _inside(lines, 2, x[2] + ahead * v[2]),
    )


@inner_kernel
def _inside(lines: Lines, axis: int, x: float) -> float:
    """A coordinate inside the box."""
    length = lines.lengths[axis]
    x -= length * math.floor(x * lines.inverse[axis])
    # Just below zero, adding the length rounds to the length itself.
    return x if x < length else 0.0


@inner_kernel
def cell_along(lines: Lines, axis: int, x: float) -> int:
    """The cell in which a coordinate inside the box is.

    Some cell, too, for one that came from so far away that rounding has left it outside.
    """
    number = lines.number[axis]
    return max(min(int(x * lines.inverse[axis] * number), number - 1), 0)


@inner_kernel
def block_of(lines: Lines, x: Vector) -> int:
    """The block in which a place is."""
    along_x = lines.block[0, cell_along(lines, 0, x[0])]
    along_y = lines.block[1, cell_along(lines, 1, x[1])]
    return along_x + along_y + lines.block[2, cell_along(lines, 2, x[2])]


@inner_kernel
def write_line(lines: Lines, at: int, i: int, x: Vector, v: Vector, radius: float) -> None:
    """Let particle i go along a line."""
    line = lines.line[at]
    line.x, line.y, line.z = x
    line.vx, line.vy, line.vz = v
    line.radius = radius
    line.particle = i
    line.next = NO_LINE
    lines.line_of[i] = at


@inner_kernel
def has_ended(lines: Lines, at: int) -> bool:
    """Whether the particle of a line goes along another one now."""
    return lines.line_of[lines.line[at].particle] != at


@inner_kernel
def bound_velocities(lines: Lines) -> None:
    """Let ``around`` bound the velocities of each block and those next to it."""
    wide, high, deep = lines.blocks[0], lines.blocks[1], lines.blocks[2]
    for block in range(wide * high * deep):
        x, y, z = block % wide, block // wide % high, block // (wide * high)
        for axis in range(3):
            low, most = math.inf, -math.inf
            for c in range(-1 if deep > 1 else 0, 2 if deep > 1 else 1):
                for b in range(-1, 2):
                    for a in range(-1, 2):
                        row = (z + c) % deep * high + (y + b) % high
                        other = row * wide + (x + a) % wide
                        low = min(low, lines.box[other, LOW, axis])
                        most = max(most, lines.box[other, HIGH, axis])
            lines.around[block, LOW, axis] = low
            lines.around[block, HIGH, axis] = most


@inner_kernel
def farthest(lines: Lines, speed: float, radius: float) -> float:
    """How far apart in the middle of the step two may be that meet, whoever the other is."""
    return radius + lines.largest + 0.5 * lines.end * (speed + lines.state[0].fastest)


@inner_kernel
def reach_of(lines: Lines, block: int, v: Vector, radius: float) -> float:
    """How far apart in the middle of the step two may be that meet, one of them in a block."""
    around = lines.around
    square = 0.0
    for axis in range(3):
        most = max(v[axis] - around[block, LOW, axis], around[block, HIGH, axis] - v[axis])
        square += most * most
    return radius + lines.largest + 0.5 * lines.end * math.sqrt(square)


@inner_kernel
def course_of(lines: Lines, at: int, now: float) -> Any:
    """Where a line is now, its velocity and its radius: seven numbers."""
    own, ahead = lines.line[at], now - lines.middle
    x, y, z = own.x + ahead * own.vx, own.y + ahead * own.vy, own.z + ahead * own.vz
    return (x, y, z, own.vx, own.vy, own.vz, own.radius)


@inner_kernel
def meeting(lines: Lines, course: Any, b: int, now: float) -> float:
    """When a course meets a line from now on, within the step; never = inf.

    As ``Stable`` detection does it. Most pairs fail the first question, whichever way they go, and
    processors guess its answer; whether they approach at all is a matter of chance.
    """
    other, ahead = lines.line[b], now - lines.middle
    wx, wy, wz = course[3] - other.vx, course[4] - other.vy, course[5] - other.vz
    dx = course[0] - (other.x + ahead * other.vx)
    dy = course[1] - (other.y + ahead * other.vy)
    dz = course[2] - (other.z + ahead * other.vz)
    dx -= lines.lengths[0] * np.rint(dx * lines.inverse[0])
    dy -= lines.lengths[1] * np.rint(dy * lines.inverse[1])
    dz -= lines.lengths[2] * np.rint(dz * lines.inverse[2])
    rate = dx * wx + dy * wy + dz * wz
    sigma = course[6] + other.radius
    gap = dx * dx + dy * dy + dz * dz - sigma * sigma
    # The squared distance falls no faster than it does now.
    if gap > -2.0 * rate * (lines.end - now):
        return math.inf
    if rate >= 0.0:
        return math.inf
    if gap <= 0.0:
        return now
    discriminant = rate * rate - (wx * wx + wy * wy + wz * wz) * gap
    if discriminant <= 0.0:
        return math.inf
    time = now + gap / (math.sqrt(discriminant) - rate)
    return time if time < lines.end else math.inf


@inner_kernel
def push(lines: Lines, world: World, time: float, a: int, b: int) -> None:
    """Put a contact into the heap, if it fits."""
    state, heap = lines.state[0], lines.contacts
    if state.contacts == len(heap):
        state.overflow = 1
        return
    at = state.contacts
    state.contacts += 1
    while at > 0 and _precedes(lines, world, time, a, b, heap[(at - 1) >> 1]):
        _copy(heap, at, (at - 1) >> 1)
        at = (at - 1) >> 1
    heap[at].time, heap[at].first, heap[at].second = time, a, b


@inner_kernel
def pop(lines: Lines, world: World) -> None:
    """Take the next contact out of the heap."""
    state, heap = lines.state[0], lines.contacts
    state.contacts -= 1
    last = state.contacts
    time, a, b = heap[last].time, heap[last].first, heap[last].second
    at, child = 0, 1
    while child < last:
        if child + 1 < last:
            right = heap[child + 1]
            if _precedes(lines, world, right.time, right.first, right.second, heap[child]):
                child += 1
        if not _follows(lines, world, time, a, b, heap[child]):
            break
        _copy(heap, at, child)
        at, child = child, 2 * child + 1
    heap[at].time, heap[at].first, heap[at].second = time, a, b


@inner_kernel
def _copy(heap: Any, at: int, source: int) -> None:
    heap[at].time, heap[at].first = heap[source].time, heap[source].first
    heap[at].second = heap[source].second


@inner_kernel
def _precedes(lines: Lines, world: World, time: float, a: int, b: int, other: Any) -> bool:
    """Whether a contact comes before another; of simultaneous ones the smaller names."""
    if time != other.time:
        return time < other.time
    return _rank(lines, world, a, b) < _rank(lines, world, other.first, other.second)


@inner_kernel
def _follows(lines: Lines, world: World, time: float, a: int, b: int, other: Any) -> bool:
    if time != other.time:
        return time > other.time
    return _rank(lines, world, a, b) > _rank(lines, world, other.first, other.second)


@inner_kernel
def _rank(lines: Lines, world: World, a: int, b: int) -> Any:
    """The names of those who meet, the smaller first."""
    i, j = lines.line[a].particle, lines.line[b].particle
    first, second = world.bodies.ledger[i].name, world.bodies.ledger[j].name
    return (first, second) if first < second else (second, first)
