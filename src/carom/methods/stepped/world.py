"""Everything the stepped methods act on, as named tuples of arrays.

Positions are those of the present step, velocities those of half a step before (leapfrog). A sphere
is a row of four numbers, so that it is one load: x, y, z and the radius, or the velocity and the
inverse mass.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.lent import lasting
from carom.compiled.memory import in_cache_lines, rows
from carom.compiled.vectors import dot, row
from carom.domains import NoShear, Shear, peculiar
from carom.methods.counts import Counts
from carom.neighbours.pairs.lattice import IMAGES, Lattice, shift_of
from carom.neighbours.pairs.pair_list import PairList, new_pair_list
from carom.types import Array, Records

RADIUS = PER_MASS = 3
# What Inner.number counts: pairs in the box and across its boundary, particles at walls, particles
# in all; and the pairs that touch now.
NEAR, FAR, AT_WALLS, CHOSEN, TOUCHING, FAR_TOUCHING = 0, 1, 2, 3, 4, 5

# What the methods count and sum up; an array, so that nothing is lost when a run is cut.
TALLY = np.dtype(
    [
        ("step", np.int64),  # steps taken
        ("listed_at", np.int64),  # the step at which the list was made, -1 for no list
        ("moved", np.float64),  # since then, at most: how much two particles have come closer
        ("fastest", np.float64),  # no particle is faster; under shear, relative to the flow
        ("surveyed_at", np.int64),  # the step of the last look at all velocities
        ("lists_made", np.int64),  # since the particles were renumbered
        ("block_from", np.int64),  # the step at which the block began, -1 outside a block
        ("margin", np.float64),  # the gap that may close within the block
        ("closer", np.float64),  # how much of it may have closed
        ("dissipated", np.float64),  # energy lost in contacts
        ("slackened", np.float64),  # energy that springs have lost at once
        ("shear_work", np.float64),  # energy that the sliding images have put in
        ("overlap_sum", np.float64),  # over the contacts counted, relative to the sum of radii
        ("largest_overlap", np.float64),
        ("logged", np.int64),  # rows in use of the log
        ("first_in_trouble", np.int64),  # names of those involved in what stopped the run
        ("second_in_trouble", np.int64),
        ("coefficient", np.float64),  # the restitution that a wrong law gave
        *((name, np.int64) for name in Counts._fields),
    ],
    align=True,
)


class OneSpecies(NamedTuple):
    """All particles are of one species, which nobody has to look up."""


class Flock(NamedTuple):
    """The particles; along axes that repeat they are inside the box when a list is made."""

    sphere: Array  # (n, 4) x, y, z, radius
    velocity: Any  # (n, 4) vx, vy, vz, inverse mass
    start: Any  # (n, 4) the spheres when the list was made
    away: Any  # (n, 3) to add for the unwrapped position at time 0
    name: Any  # (n,) the number that the user knows
    species: Any  # (n,) or OneSpecies


class Inner(NamedTuple):
    """Pairs that may touch within a block of steps, and the particles in them, side by side.

    The pairs hold places in ``sphere``; ``source`` is their place in the outer list.
    """

    sphere: Array  # (n, 4)
    velocity: Any  # (n, 4)
    particle: Any  # (n,) who it is
    place: Any  # (n,) where a particle is, while the block is made
    source: Any  # (room,)
    first: Any
    second: Any
    far_source: Any  # (far room,)
    far_first: Any
    far_second: Any
    far_image: Any
    wall_particle: Any  # (wall room,)
    wall_plane: Any
    found: Any  # (room + 4,) those that touch
    far_found: Any
    number: Any  # (6,)


class Sums(NamedTuple):
    """Sums over contacts and time."""

    virial: Any  # (3, 3) impulse times separation over all contacts
    kinetic: Any  # (3, 3) time integral of the sum of m v v
    sample: Any  # (3, 3) the sum of m v v when it was last looked at


class Plan(NamedTuple):
    """How lists and blocks are made.

    ``every``: a new list after so many steps, whatever the particles do, and all of it is looked
    through at every step; 0 for lists that are made anew when particles have moved too far.
    """

    dt: float
    skin: float
    block: int  # steps that a block should last
    every: int
    renumber: int  # lists after which neighbours in space have moved apart in memory
    everyone: bool  # all particles are stepped, also those that fly freely
    largest: float  # sum of two radii
    pull: float  # the strongest of the constant accelerations


@lasting
class World(NamedTuple):
    """The system as the stepped methods see it; components are chosen by their types."""

    flock: Flock
    lattice: Lattice
    shear: Any
    shift: Any  # (27, 4) where the images are now
    planes: Any
    motion: Any  # constant accelerations
    force: Any  # a force of the user's own
    rule: Any  # what happens to particles that touch
    pairs: PairList
    inner: Inner
    plan: Plan
    sums: Sums
    tally: Records  # (1,) of TALLY
    searched: Any  # one row, what the search counts


def new_inner(n: int, pairs: PairList, wall_room: int) -> Inner:
    """Room for all pairs of a list."""
    room, far_room = len(pairs.first), len(pairs.far_first)

    def whole(size: int) -> Any:
        return in_cache_lines(size, np.int32)

    return Inner(
        sphere=in_cache_lines(4 * n, np.float64).reshape(n, 4),
        velocity=in_cache_lines(4 * n, np.float64).reshape(n, 4),
        particle=whole(n),
        place=whole(n),
        source=whole(room),
        first=whole(room),
        second=whole(room),
        far_source=whole(far_room),
        far_first=whole(far_room),
        far_second=whole(far_room),
        far_image=in_cache_lines(far_room, np.uint8),
        wall_particle=whole(wall_room),
        wall_plane=whole(wall_room),
        found=whole(room + 4),
        far_found=whole(far_room + 4),
        number=np.zeros(6, dtype=np.int64),
    )


def new_sums() -> Sums:
    """Sums of nothing."""
    return Sums(np.zeros((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)))


def new_tally() -> Any:
    """Nothing has happened yet."""
    tally = rows(1, TALLY)
    tally.listed_at = tally.block_from = -1
    return tally


def new_shift() -> Any:
    """No image anywhere yet."""
    return in_cache_lines(4 * IMAGES, np.float64).reshape(IMAGES, 4)


def first_pairs(n: int) -> PairList:
    """A list with room that most systems need no more of."""
    return new_pair_list(4 * n + 64, n + 64)


@dispatch_on("species")
def species_of(species: Any, i: int) -> int:
    """The number of the species of particle i."""


@species_of.register(OneSpecies)
@inner_kernel
def _(species: OneSpecies, i: int) -> int:
    return 0


@species_of.otherwise
@inner_kernel
def _(species: Any, i: int) -> int:
    return int(species[i])


@inner_kernel
def species_in_block(world: World, i: int) -> int:
    """The number of the species of the particle at place i of the block."""
    return species_of(world.flock.species, world.inner.particle[i])


@dispatch_on("shear")
def jump_of(shear: Any, image: int) -> float:
    """The velocity along x to add to v_i − v_j for an image."""


@jump_of.register(NoShear)
@inner_kernel
def _(shear: NoShear, image: int) -> float:
    return 0.0


@jump_of.register(Shear)
@inner_kernel
def _(shear: Shear, image: int) -> float:
    return (image // 3 % 3 - 1) * shear.jump


@dispatch_on("shear")
def rate_of(shear: Any) -> float:
    """The shear rate without its sign."""


@rate_of.register(NoShear)
@inner_kernel
def _(shear: NoShear) -> float:
    return 0.0


@rate_of.register(Shear)
@inner_kernel
def _(shear: Shear) -> float:
    return abs(shear.jump) / shear.height


@inner_kernel
def slip_of_neighbours(shear: Any, plan: Plan) -> float:
    """How fast the flow alone brings two listed particles closer, at most."""
    return rate_of(shear) * (plan.largest + plan.skin)


@inner_kernel
def speed(world: World, sphere: Array, velocity: Any, i: int) -> float:
    """How fast particle i is, under shear relative to the flow."""
    relative = peculiar(world.shear, row(sphere, i), row(velocity, i))
    return math.sqrt(dot(relative, relative))


@dispatch_on("shear")
def slide(shear: Any, world: World, step: int) -> None:
    """Let the images be where they are at a step."""


@slide.register(NoShear)
@inner_kernel
def _(shear: NoShear, world: World, step: int) -> None:
    pass


@slide.register(Shear)
@inner_kernel
def _(shear: Shear, world: World, step: int) -> None:
    """From the list on without a jump: the images that it names stay the same."""
    offset, since = world.lattice.offset[0], step - world.tally[0].listed_at
    further = shear.jump * (since * world.plan.dt)
    for image in range(IMAGES):
        boxes = image // 3 % 3 - 1
        x_boxes = image % 3 - 1
        world.shift[image, 0] = x_boxes * world.lattice.lengths[0] + boxes * (offset + further)


@dispatch_on("shear")
def _offset_at(shear: Any, world: World, step: int) -> float:
    """The displacement along x of the images above, at most half a box."""


@_offset_at.register(NoShear)
@inner_kernel
def _(shear: NoShear, world: World, step: int) -> float:
    return 0.0


@_offset_at.register(Shear)
@inner_kernel
def _(shear: Shear, world: World, step: int) -> float:
    length = world.lattice.lengths[0]
    offset = shear.offset[0] + shear.jump * (step * world.plan.dt)
    return offset - length * np.rint(offset / length)


@dispatch_on("shear")
def _gone_at(shear: Any, world: World, step: int) -> float:
    """The displacement along x of the images above since time 0."""


@_gone_at.register(NoShear)
@inner_kernel
def _(shear: NoShear, world: World, step: int) -> float:
    return 0.0


@_gone_at.register(Shear)
@inner_kernel
def _(shear: Shear, world: World, step: int) -> float:
    return shear.offset[0] + shear.jump * step * world.plan.dt


@inner_kernel
def wrap(world: World) -> None:
    """Bring all particles into the box, and the images to where they are now."""
    lattice, flock, tally = world.lattice, world.flock, world.tally[0]
    lattice.offset[0] = _offset_at(world.shear, world, tally.step)
    for image in range(IMAGES):
        shift = shift_of(lattice, image)
        for axis in range(3):
            world.shift[image, axis] = shift[axis] if lattice.periodic[axis] else 0.0
    lengths, jump = lattice.lengths, jump_of(world.shear, IMAGES // 2 + 3)
    for i in range(len(flock.sphere)):
        for axis in (1, 0, 2):
            if not lattice.periodic[axis]:
                continue
            boxes = math.floor(flock.sphere[i, axis] / lengths[axis])
            if boxes == 0.0:
                continue
            flock.sphere[i, axis] -= boxes * lengths[axis]
            flock.away[i, axis] += boxes * lengths[axis]
            if axis == 1 and (jump != 0.0 or lattice.offset[0] != 0.0):
                flock.sphere[i, 0] -= boxes * lattice.offset[0]
                gone = _gone_at(world.shear, world, tally.step)
                flock.away[i, 0] += boxes * (lattice.offset[0] - gone)
                vx = flock.velocity[i, 0]
                slower = vx - boxes * jump
                flock.velocity[i, 0] = slower
                mass = 1.0 / flock.velocity[i, PER_MASS]
                tally.shear_work += 0.5 * mass * (slower * slower - vx * vx)
            if flock.sphere[i, axis] >= lengths[axis]:  # a tiny negative number, rounded up
                flock.sphere[i, axis] = 0.0


@inner_kernel
def survey(world: World) -> None:
    """Look at all velocities: how fast the fastest is, and the sum of m v v."""
    flock, tally, sums = world.flock, world.tally[0], world.sums
    fastest = 0.0
    xx, yy, zz, xy, xz, yz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(flock.sphere)):
        mass = 1.0 / flock.velocity[i, PER_MASS]
        x, y, z = peculiar(world.shear, row(flock.sphere, i), row(flock.velocity, i))
        xx += mass * x * x
        yy += mass * y * y
        zz += mass * z * z
        xy += mass * x * y
        xz += mass * x * z
        yz += mass * y * z
        fastest = max(fastest, x * x + y * y + z * z)
    tally.fastest = math.sqrt(fastest)
    half = 0.5 * world.plan.dt * (tally.step - tally.surveyed_at)
    now = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    for a in range(3):
        for b in range(3):
            sums.kinetic[a, b] += half * (sums.sample[a, b] + now[a][b])
            sums.sample[a, b] = now[a][b]
    tally.surveyed_at = tally.step
