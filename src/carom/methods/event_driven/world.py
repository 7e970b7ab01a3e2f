"""Everything the event-driven algorithms act on, as named tuples of arrays.

Each particle keeps the position and velocity of its own last event and the time of that event
("delayed update", Erpenbeck & Wood 1977); ``position_at`` brings it to any later time.

All times here are counted from an origin that moves along: the longer a run, the fewer digits
would be left for the time between two events.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.dispatch import dispatch_on
from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.compiled.lent import lasting
from carom.compiled.vectors import set_row
from carom.domains import NoShear, Shear, image_vector, offset_at, peculiar, slide_on
from carom.methods.counts import Counts
from carom.methods.keeping import not_kept
from carom.motions import Free, arrival, begin_later, displaced, velocity_after
from carom.particles import Array
from carom.patches.walls import Walls
from carom.types import Integers, Records, Vector

THIRD = 1.0 / 3.0
# Patches are those of the walls that were given, and do not change.
not_kept("groups")(Walls)
# The components of a symmetric tensor that are kept.
PRODUCTS = ("xx", "yy", "zz", "xy", "xz", "yz")

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
        ("species", np.int16),
    ],
    align=True,
)

# What the engine counts and sums up; an array, so that nothing is lost when a run is cut.
TALLY = np.dtype(
    [
        ("clock", np.float64),  # time of the last event, from the origin on
        ("origin", np.float64),  # the time from which all others are counted
        ("origin_due", np.int64),  # the number of collisions at which it moves
        ("cells_due", np.int64),  # the number of transfers at which cells are chosen afresh
        # Sums over the pair collisions of impulse_a separation_b along the line of centres.
        *((f"virial_{axes}", np.float64) for axes in PRODUCTS),
        # Time integrals of the sum of m v_a v_b, with v relative to the flow of a sheared box.
        *((f"kinetic_{axes}", np.float64) for axes in PRODUCTS),
        ("shear_work", np.float64),  # energy that the boundary of a sheared box has put in
        ("dissipated", np.float64),  # energy lost in collisions
        ("logged", np.int64),  # rows in use of the log
        ("first_in_trouble", np.int64),  # names of those involved in what stopped the run
        ("second_in_trouble", np.int64),
        ("coefficient", np.float64),  # the restitution that a wrong law gave
        *((name, np.int64) for name in Counts._fields),
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
    boxes: Integers  # (n, 3) to add for the unwrapped position


@lasting
@not_kept("log")  # it is empty whenever a checkpoint is made
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
    tally: Records  # (1,) of TALLY
    log: Any  # (room,) see methods/log.py; no room means no log is kept


def time_of(world: World) -> float:
    """The time of the last event."""
    return float(world.tally[0].origin + world.tally[0].clock)


# Among all numbers of a tally; one look at them all is far cheaper than one at each.
_COUNTED = itemgetter(*(list(TALLY.fields or ()).index(name) for name in Counts._fields))


def counts_of(world: World) -> Counts:
    """How often each kind of event has happened."""
    return Counts(*_COUNTED(world.tally[0].item()))


def tensor_of(world: World, name: str) -> Array:
    """One of the sums of the tally as a symmetric tensor (3, 3)."""
    return symmetric([float(world.tally[f"{name}_{axes}"][0]) for axes in PRODUCTS])


def symmetric(components: Any) -> Array:
    """A tensor (3, 3) from its components in the order of PRODUCTS."""
    tensor = np.zeros((3, 3))
    for axes, value in zip(PRODUCTS, components, strict=True):
        a, b = "xyz".index(axes[0]), "xyz".index(axes[1])
        tensor[a, b] = tensor[b, a] = value
    return tensor


def count_from_later(world: World, duration: float) -> None:
    """Count the times of clock and particles from an origin that is so much later."""
    world.tally.origin += duration
    world.tally.clock -= duration
    world.bodies.record.time -= duration
    world.bodies.ledger.last_contact -= duration
    begin_later(world.motion, duration)
    slide_on(world.space.shear, duration)


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
def species_of(bodies: Bodies, i: int) -> int:
    """The number of the species of particle i."""
    return int(bodies.ledger[i].species)


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
        _change_row(world.space.shear, world, i, boxes)
    else:
        own.z -= distance
    world.bodies.boxes[i, axis] += boxes


@dispatch_on("shear")
def _change_row(shear: Any, world: World, i: int, rows: int) -> None:
    """Let particle i, in another row of images, have the place and velocity that it has there."""


@_change_row.register(NoShear)
@inner_kernel
def _(shear: NoShear, world: World, i: int, rows: int) -> None:
    return


@_change_row.register(Shear)
@inner_kernel
def _(shear: Shear, world: World, i: int, rows: int) -> None:
    # Position and velocity are those at the particle's own time, and so must the offset be.
    own = world.bodies.record[i]
    faster = rows * shear.jump
    world.tally[0].shear_work -= world.bodies.ledger[i].mass * faster * (own.vx - 0.5 * faster)
    own.x -= rows * offset_at(shear, own.time)
    own.vx -= faster


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
def velocity_at_end(world: World, i: int, position: Any, time: float) -> Any:
    """Velocity of particle i when its path ends at a position and a time."""
    bodies = world.bodies
    duration = time - bodies.record[i].time
    return arrival(world.motion, i, position, velocity_of(bodies, i), duration, time)


@inner_kernel
def kinetic_integral(world: World, i: int, time: float) -> Any:
    """The integrals of m v_a v_b since the last event of particle i."""
    factor = world.bodies.ledger[i].mass * (time - world.bodies.record[i].time)
    return _mean_products(world.space.shear, world, i, time, factor)


@dispatch_on("shear")
def _mean_products(shear: Any, world: World, i: int, time: float, factor: float) -> Any:
    """The means of v_a v_b since the last event of particle i, times a factor."""


@_mean_products.register(NoShear)
@inner_kernel
def _(shear: NoShear, world: World, i: int, time: float, factor: float) -> Any:
    return _mean_in_flight(world.motion, world, i, time, factor)


@_mean_products.register(Shear)
@inner_kernel
def _(shear: Shear, world: World, i: int, time: float, factor: float) -> Any:
    start = peculiar(shear, position_of(world.bodies, i), velocity_of(world.bodies, i))
    end = peculiar(shear, position_at(world, i, time), velocity_at(world, i, time))
    return _mean_of_linear(start, end, factor)


@dispatch_on("motion")
def _mean_in_flight(motion: Any, world: World, i: int, time: float, factor: float) -> Any:
    """The same for particles that move so, where nothing shears."""


@_mean_in_flight.register(Free)
@inner_kernel
def _(motion: Free, world: World, i: int, time: float, factor: float) -> Any:
    return products(factor, velocity_of(world.bodies, i))


@_mean_in_flight.otherwise
@inner_kernel
def _(motion: Any, world: World, i: int, time: float, factor: float) -> Any:
    return _mean_of_linear(velocity_of(world.bodies, i), velocity_at(world, i, time), factor)


@inner_kernel
def products(factor: float, v: Vector) -> Any:
    """The products of the components of a vector in the order of PRODUCTS, times a factor."""
    x, y, z = factor * v[0], factor * v[1], factor * v[2]
    return (x * v[0], y * v[1], z * v[2], x * v[1], x * v[2], y * v[2])


@inner_kernel
def _mean_of_linear(s: Any, e: Any, factor: float) -> Any:
    """The means of products of a vector that is linear in time, from start to end."""
    third = factor * THIRD
    return (
        third * (s[0] * s[0] + s[0] * e[0] + e[0] * e[0]),
        third * (s[1] * s[1] + s[1] * e[1] + e[1] * e[1]),
        third * (s[2] * s[2] + s[2] * e[2] + e[2] * e[2]),
        third * (s[0] * s[1] + 0.5 * (s[0] * e[1] + e[0] * s[1]) + e[0] * e[1]),
        third * (s[0] * s[2] + 0.5 * (s[0] * e[2] + e[0] * s[2]) + e[0] * e[2]),
        third * (s[1] * s[2] + 0.5 * (s[1] * e[2] + e[1] * s[2]) + e[1] * e[2]),
    )


@inner_kernel
def add_kinetic(world: World, part: Any) -> None:
    """Add to the time integrals of the sum of m v_a v_b."""
    tally = world.tally[0]
    tally.kinetic_xx += part[0]
    tally.kinetic_yy += part[1]
    tally.kinetic_zz += part[2]
    tally.kinetic_xy += part[3]
    tally.kinetic_xz += part[4]
    tally.kinetic_yz += part[5]


@inner_kernel
def add_virial(world: World, strength: float, separation: Vector) -> None:
    """Add an impulse of ``strength`` times the separation to the virial."""
    tally, part = world.tally[0], products(strength, separation)
    tally.virial_xx += part[0]
    tally.virial_yy += part[1]
    tally.virial_zz += part[2]
    tally.virial_xy += part[3]
    tally.virial_xz += part[4]
    tally.virial_yz += part[5]


@inner_kernel
def move_to(world: World, i: int, time: float) -> None:
    """Bring particle i to a time, for good."""
    bodies = world.bodies
    add_kinetic(world, kinetic_integral(world, i, time))
    position = position_at(world, i, time)
    velocity = velocity_at_end(world, i, position, time)
    own = bodies.record[i]
    own.x, own.y, own.z = position
    own.vx, own.vy, own.vz = velocity
    own.time = time


@inner_kernel
def image_shift(world: World, crossing: Any, time: float) -> Any:
    """The vector for so many boxes along each axis at a time."""
    return image_vector(world.space.shear, world.space.lengths, crossing, time)


@inner_kernel
def image_rank(i: int, j: int, boxes: tuple[int, int, int]) -> int:
    """The order in which i meets two images of j that it touches at the same time.

    It is the same from whichever side it is seen.
    """
    rank = boxes[0] + 7 * boxes[1] + 49 * boxes[2]  # there are no more than three to either side
    return rank if i < j else -rank


@entry_point
def synchronise_positions(world: World, time: float, position: Any) -> None:
    """Fill in positions (n, 3) of all particles at one time, as the algorithms see them."""
    for i in range(len(position)):
        set_row(position, i, position_at(world, i, time))


@entry_point
def synchronise(world: World, time: float, position: Any, velocity: Any, kinetic: Any) -> None:
    """Fill in positions and velocities of all particles at one time; change nothing else.

    Also the time integrals (6,) of the sum of m v_a v_b since the last event of each.
    """
    for i in range(len(world.bodies.ledger)):
        x = position_at(world, i, time)
        set_row(position, i, x)
        set_row(velocity, i, velocity_at_end(world, i, x, time))
        part = kinetic_integral(world, i, time)
        for k in range(6):
            kinetic[k] += part[k]


@entry_point
def move_all(world: World, time: float) -> None:
    """Bring all particles to one time, for good."""
    for i in range(len(world.bodies.ledger)):
        move_to(world, i, time)
    world.tally[0].clock = time
