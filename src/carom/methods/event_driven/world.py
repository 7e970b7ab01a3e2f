"""Everything the event-driven algorithms act on, as named tuples of arrays.

Each particle keeps the position and velocity of its own last event and the time of that event
("delayed update", Erpenbeck & Wood 1977); ``position_at`` brings it to any later time.

All times here are counted from an origin that moves along: the longer a run, the fewer digits
would be left for the time between two events.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom._jit import entry_point, inner_kernel
from carom.methods.counts import Counts
from carom.motions import begin_later, displaced, velocity_after
from carom.vectors import dot, set_row

THIRD = 1.0 / 3.0

# All that a pair test needs of a particle, in one cache line.
RECORD = np.dtype(
    [
        ("x", np.float64),
        ("y", np.float64),
        ("z", np.float64),
        ("time", np.float64),  # of position and velocity
        ("vx", np.float64),
        ("vy", np.float64),
        ("vz", np.float64),
        ("radius", np.float64),
    ]
)
# The same as columns, for arrays.
POSITION, TIME, VELOCITY = slice(0, 3), 3, slice(4, 7)


def columns(record: Any) -> Any:
    """The records as numbers (n, 8)."""
    return record.view(np.ndarray).view(np.float64).reshape(-1, 8)


# The second cache line of a particle: what a contact needs beside position and velocity, and what
# the algorithms with a calendar know of its next event.
LEDGER = np.dtype(
    [
        ("mass", np.float64),
        ("last_contact", np.float64),  # its time, walls included
        ("event_time", np.float64),  # of the next event, the time under which it is scheduled
        ("contact_time", np.float64),  # of the next contact, if that is later than the event
        ("partner_state", np.int64),  # of the partner when it was chosen, see ``state_of``
        ("place", np.int64),  # in the grid
        ("partner", np.int32),  # in the next contact
        ("name", np.int32),  # the number that the user knows
        ("stalled", np.int32),  # contacts since time last advanced for this particle
        ("face", np.int8),  # of its cell through which it leaves
        ("level", np.int8),  # of the grid that holds it
    ],
    align=True,
)

# What the engine counts and sums up; an array, so that nothing is lost when a run is cut.
TALLY = np.dtype(
    [
        ("clock", np.float64),  # time of the last event, from the origin on
        ("origin", np.float64),  # the time from which all others are counted
        ("origin_due", np.int64),  # the number of collisions at which it moves
        ("virial", np.float64),  # sum of impulse times distance over the pair collisions
        ("kinetic", np.float64),  # time integral of the sum of m v²
        ("dissipated", np.float64),  # energy lost in collisions
        ("logged", np.int64),  # rows in use of the log
        ("first_in_trouble", np.int64),  # names of those involved in what stopped the run
        ("second_in_trouble", np.int64),
        ("coefficient", np.float64),  # the restitution that a wrong law gave
        *((name, np.int64) for name in Counts._fields),
    ],
    align=True,
)

# Rows of the collision log.
LOG = np.dtype(
    [
        ("time", np.float64),
        ("first", np.int32),  # by name
        ("second", np.int32),  # partner, or -1 - k for wall k
        ("impulse", np.float64),
        ("x", np.float64),  # the separation at contact, from the second to the first
        ("y", np.float64),
        ("z", np.float64),
    ],
    align=True,
)


class Bodies(NamedTuple):
    """The particles.

    Positions are inside the box along periodic axes; position and velocity are those at the
    particle's own time.
    """

    record: Any  # (n,) of RECORD
    ledger: Any  # (n,) of LEDGER
    image: Any  # (n, 3) box lengths to add for the unwrapped position


class World(NamedTuple):
    """The system as the algorithms see it; components are chosen by their types."""

    bodies: Bodies
    space: Any
    planes: Any  # (walls, 8), or NoPlanes
    motion: Any
    law: Any
    detection: Any
    rest: Any
    spin: Any  # angular velocities
    watch: Any  # for three-body collisions
    tally: Any  # (1,) of TALLY
    log: Any  # (room,) of LOG; no room means no log is kept


def counts_of(world: World) -> Counts:
    """How often each kind of event has happened."""
    return Counts(*(int(world.tally[name][0]) for name in Counts._fields))


def count_from_later(world: World, duration: float) -> None:
    """Count the times of clock and particles from an origin that is so much later."""
    world.tally.origin += duration
    world.tally.clock -= duration
    world.bodies.record.time -= duration
    world.bodies.ledger.last_contact -= duration
    begin_later(world.motion, duration)


@inner_kernel
def position_of(bodies: Bodies, i: int) -> Any:
    """Position of particle i at its own time."""
    own = bodies.record[i]
    return (own.x, own.y, own.z)


@inner_kernel
def velocity_of(bodies: Bodies, i: int) -> Any:
    """Velocity of particle i at its own time."""
    own = bodies.record[i]
    return (own.vx, own.vy, own.vz)


@inner_kernel
def radius_of(bodies: Bodies, i: int) -> float:
    """Radius of particle i."""
    return bodies.record[i].radius


@inner_kernel
def state_of(bodies: Bodies, i: int) -> int:
    """A number that changes whenever particle i has a contact: its time and velocity, mixed.

    Simultaneous contacts leave the time as it is; when they leave the velocity as well, nothing
    has changed.
    """
    own = bodies.record[i]
    x = np.float64(own.vx).view(np.int64) >> 1
    y = np.float64(own.vy).view(np.int64) >> 2
    z = np.float64(own.vz).view(np.int64) >> 3
    return np.float64(own.time).view(np.int64) ^ x ^ y ^ z


@inner_kernel
def set_velocity(bodies: Bodies, i: int, velocity: Any) -> None:
    """Change the velocity of particle i, which is at the present time."""
    own = bodies.record[i]
    own.vx, own.vy, own.vz = velocity


@inner_kernel
def change_image(world: World, i: int, axis: int, boxes: int) -> None:
    """Let particle i reappear so many boxes further back; its unwrapped position stays."""
    own, distance = world.bodies.record[i], boxes * world.space.lengths[axis]
    if axis == 0:
        own.x -= distance
    elif axis == 1:
        own.y -= distance
    else:
        own.z -= distance
    world.bodies.image[i, axis] += boxes


@inner_kernel
def position_at(world: World, i: int, time: float) -> Any:
    """Position of particle i at a time not before its last event."""
    bodies = world.bodies
    duration = time - bodies.record[i].time
    return displaced(world.motion, i, position_of(bodies, i), velocity_of(bodies, i), duration)


@inner_kernel
def velocity_at(world: World, i: int, time: float) -> Any:
    """Velocity of particle i at a time not before its last event."""
    bodies = world.bodies
    duration = time - bodies.record[i].time
    return velocity_after(world.motion, i, velocity_of(bodies, i), duration)


@inner_kernel
def kinetic_integral(world: World, i: int, time: float) -> float:
    """The integral of m v² since the last event of particle i; v is linear in time."""
    bodies = world.bodies
    start = velocity_of(bodies, i)
    end = velocity_at(world, i, time)
    squares = dot(start, start) + dot(start, end) + dot(end, end)
    return bodies.ledger[i].mass * (time - bodies.record[i].time) * (THIRD * squares)


@inner_kernel
def move_to(world: World, i: int, time: float) -> None:
    """Bring particle i to a time, for good."""
    bodies = world.bodies
    world.tally[0].kinetic += kinetic_integral(world, i, time)
    position = position_at(world, i, time)
    velocity = velocity_at(world, i, time)
    own = bodies.record[i]
    own.x, own.y, own.z = position
    own.vx, own.vy, own.vz = velocity
    own.time = time


@inner_kernel
def image_shift(world: World, crossing: Any) -> Any:
    """The vector for so many box lengths along each axis."""
    lengths = world.space.lengths
    return (crossing[0] * lengths[0], crossing[1] * lengths[1], crossing[2] * lengths[2])


@inner_kernel
def image_rank(i: int, j: int, boxes: Any) -> int:
    """The order in which i meets two images of j that it touches at the same time.

    It is the same from whichever side it is seen.
    """
    rank = boxes[0] + 3 * boxes[1] + 9 * boxes[2]
    return rank if i < j else -rank


@entry_point
def synchronise_positions(world: World, time: float, position: Any) -> None:
    """Fill in positions (n, 3) of all particles at one time, as the algorithms see them."""
    for i in range(len(position)):
        set_row(position, i, position_at(world, i, time))


@entry_point
def synchronise(world: World, time: float, position: Any, velocity: Any) -> float:
    """Fill in positions and velocities of all particles at one time; change nothing else.

    Returns the time integral of the sum of m v² up to that time.
    """
    total = world.tally[0].kinetic
    for i in range(len(world.bodies.ledger)):
        set_row(position, i, position_at(world, i, time))
        set_row(velocity, i, velocity_at(world, i, time))
        total += kinetic_integral(world, i, time)
    return total


@entry_point
def move_all(world: World, time: float) -> None:
    """Bring all particles to one time, for good."""
    for i in range(len(world.bodies.ledger)):
        move_to(world, i, time)
    world.tally[0].clock = time
