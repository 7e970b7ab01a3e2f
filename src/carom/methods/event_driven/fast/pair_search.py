"""The earliest contact of one particle with many, four at a time.

Half of the time of an event-driven run is spent here, and compilers do not vectorise the plain
loop. ``_generate`` writes that loop in the compiler's own vectors: it loads the records of four
particles, one cache line each, turns rows into columns and tests all four without branches. Four
are as many as the registers of most processors hold together with all that is known of them.
``one_by_one`` is the same search in plain Python; both do the same operations in the same order
and agree to the last bit.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.core.types import Tuple, UniTuple, float64, int64  # type: ignore[attr-defined]
from numba.extending import intrinsic

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.lanes import at, call, everywhere, f64, i32, i64, transposed
from carom.compiled.vectors import minus, plus
from carom.compiled.views import data_of
from carom.detection import Pair, Stable, time_to_contact
from carom.domains import NoShear, Shear, offset_at, seen_velocity
from carom.methods.event_driven.world import (
    World,
    position_at,
    radius_of,
    velocity_at,
)
from carom.motions import Free, Gravity
from carom.types import Integers, Vector

LANES = 4


class NearestImage(NamedTuple):
    """Side lengths and their inverses; both 0 along axes where no image is to be chosen."""

    lengths: Vector
    inverse: Any


class Seeker(NamedTuple):
    """Particle i, at a position with a velocity now, and how it sees the others.

    They are taken at their nearest image, or moved by ``-shift``.
    """

    i: int
    position: Any
    velocity: Any
    time: float
    images: NearestImage
    shift: Vector
    at_edge: int  # 0 when all candidates are known to be at their nearest images as they are


@dispatch_on("detection")
def earliest_contact(
    detection: Any, world: World, seeker: Seeker, candidates: Integers, number: int
) -> Any:
    """How long until the seeker meets one of the candidates, and which.

    The answer is a duration and a place in ``candidates``. Of these there are ``number``, with
    room up to a multiple of four, filled up with the seeker: a particle never meets itself.
    """


@dispatch_on("motion")
def stable_search(
    motion: Any, world: World, seeker: Seeker, candidates: Integers, number: int
) -> Any:
    """``earliest_contact`` with stable detection, chosen by how particles move."""


@earliest_contact.register(Stable)
@inner_kernel
def _(detection: Stable, world: World, seeker: Seeker, candidates: Integers, number: int) -> Any:
    return stable_search(world.motion, world, seeker, candidates, number)


@dispatch_on("shear")
def nearest_image(shear: Any, images: NearestImage, separation: Vector, time: float) -> Any:
    """The separation from the nearest image at a time, where one is to be chosen."""


@nearest_image.register(NoShear)
@inner_kernel
def _(shear: NoShear, images: NearestImage, separation: Vector, time: float) -> Any:
    lengths, inverse = images.lengths, images.inverse
    return (
        separation[0] - lengths[0] * np.rint(separation[0] * inverse[0]),
        separation[1] - lengths[1] * np.rint(separation[1] * inverse[1]),
        separation[2] - lengths[2] * np.rint(separation[2] * inverse[2]),
    )


@nearest_image.register(Shear)
@inner_kernel
def _(shear: Shear, images: NearestImage, separation: Vector, time: float) -> Any:
    """The row first: it decides which image along x is the nearest."""
    lengths, inverse = images.lengths, images.inverse
    rows = np.rint(separation[1] * inverse[1])
    along = separation[0] - rows * offset_at(shear, time)
    return (
        along - lengths[0] * np.rint(along * inverse[0]),
        separation[1] - lengths[1] * rows,
        separation[2] - lengths[2] * np.rint(separation[2] * inverse[2]),
    )


@inner_kernel
def one_by_one(
    motion_or_detection: Any, world: World, seeker: Seeker, candidates: Integers, number: int
) -> Any:
    """The search for any motion and detection; the twin of the vectors."""
    own_radius = radius_of(world.bodies, seeker.i)
    shear = world.space.shear
    earliest = math.inf
    slot = 0
    for k in range(number):
        j = candidates[k]
        if j == seeker.i:
            continue
        far = minus(seeker.position, position_at(world, j, seeker.time))
        near = nearest_image(shear, seeker.images, far, seeker.time)
        separation = plus(near, 1.0, seeker.shift)
        velocity = minus(seeker.velocity, velocity_at(world, j, seeker.time))
        velocity = seen_velocity(shear, velocity, minus(near, far))
        sigma = own_radius + radius_of(world.bodies, j)
        pair = Pair(seeker.i, j, separation, velocity, sigma, seeker.time)
        duration = time_to_contact(world.motion, world.detection, pair)
        if duration < earliest:
            earliest = duration
            slot = k
    return earliest, slot


earliest_contact.otherwise(one_by_one)
stable_search.otherwise(one_by_one)


# From here on: the vectors.

_RECORD = 64  # bytes
# What the loop is given, and in how many numbers: always this, and then it may be one thing more.
_ALWAYS = {"x": 3, "v": 3, "radius": 1, "time": 1, "lengths": 3, "inverse": 3, "shift": 3}
_GRAVITY = {"gravity": 3}
_SHEAR = {"shear": 2}  # the offset of the next row of images, and its velocity


def _vector(kind: Any) -> Any:
    return ir.VectorType(kind, LANES)


def _constant(value: float) -> Any:
    return ir.Constant(_vector(f64), [value] * LANES)


def _nearest_images(
    builder: Any, separation: list[Any], velocity: list[Any], given: dict[str, Any]
) -> Any:
    """Separations from the nearest images and velocities relative to them.

    They are as they are if no candidate is beyond an edge.
    """
    seen = [cgutils.alloca_once_value(builder, part) for part in separation + velocity[:1]]
    with builder.if_then(given["at_edge"]):
        far = list(separation)
        for axis in (1, 0, 2):
            boxes = builder.fmul(far[axis], given["inverse"][axis])
            boxes = call(builder, "llvm.rint.v4f64", _vector(f64), boxes)
            length = builder.fmul(given["lengths"][axis], boxes)
            builder.store(builder.fsub(far[axis], length), seen[axis])
            if axis == 1 and "shear" in given:
                # The row decides which image along x is the nearest.
                offset, jump = (builder.fmul(boxes, value) for value in given["shear"])
                far[0] = builder.fsub(far[0], offset)
                builder.store(builder.fsub(velocity[0], jump), seen[3])
    separation = [builder.load(part) for part in seen[:3]]
    return separation, [builder.load(seen[3]), *velocity[1:]]


def _durations(builder: Any, columns: list[Any], given: dict[str, Any]) -> Any:
    """Times until contact, Algorithm 1 of Bannerman et al. 2014 in all lanes; see stable.py."""
    add, subtract, times = builder.fadd, builder.fsub, builder.fmul

    def dot_(a: list[Any], b: list[Any]) -> Any:
        return add(add(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]))

    flown = subtract(given["time"][0], columns[3])
    separation, velocity = [], []
    for axis in range(3):
        position, speed = columns[axis], columns[4 + axis]
        if "gravity" in given:
            pull = given["gravity"][axis]
            mean = add(speed, times(times(given["half"], flown), pull))
            position = add(position, times(flown, mean))
            speed = add(speed, times(flown, pull))
        else:
            position = add(position, times(flown, speed))
        separation.append(subtract(given["x"][axis], position))
        velocity.append(subtract(given["v"][axis], speed))
    separation, velocity = _nearest_images(builder, separation, velocity, given)
    # Where there is no shift, it is the constant 0 and the addition vanishes.
    separation = [
        add(near, shift, flags=("nsz",))
        for near, shift in zip(separation, given["shift"], strict=True)
    ]
    sigma = add(given["radius"][0], columns[7])
    b = dot_(velocity, separation)
    c = subtract(dot_(separation, separation), times(sigma, sigma))
    discriminant = subtract(times(b, b), times(dot_(velocity, velocity), c))
    zero = _constant(0.0)
    meet = builder.and_(
        builder.fcmp_ordered("<", b, zero), builder.fcmp_ordered(">", discriminant, zero)
    )
    # Overlapping pairs that approach have a positive discriminant as well: now.
    apart = builder.select(builder.fcmp_ordered(">", c, zero), c, zero)
    root = call(builder, "llvm.sqrt.v4f64", _vector(f64), discriminant)
    return builder.select(meet, builder.fdiv(apart, subtract(root, b)), _constant(math.inf))


def _generate(context: Any, builder: Any, signature: Any, args: Any, names: dict[str, int]) -> Any:
    """The search over all candidates: lane by lane the earliest, then the earliest lane."""
    records = data_of(context, builder, signature.args[0], args[0])
    candidates = data_of(context, builder, signature.args[1], args[1])
    number = args[2]
    numbers = iter([everywhere(builder, value, LANES) for value in args[4:]])
    given: dict[str, Any] = {name: list(islice(numbers, size)) for name, size in names.items()}
    given["at_edge"] = builder.icmp_unsigned("!=", args[3], ir.Constant(args[3].type, 0))
    given["half"] = _constant(0.5)
    earliest = cgutils.alloca_once_value(builder, _constant(math.inf))
    group_of = cgutils.alloca_once_value(builder, ir.Constant(_vector(i64), [0] * LANES))
    more = builder.add(number, ir.Constant(i64, LANES - 1))
    groups = builder.lshr(more, ir.Constant(i64, 2))
    with cgutils.for_range(builder, groups) as loop:
        first = builder.mul(loop.index, ir.Constant(i64, LANES))
        halves: list[list[Any]] = [[], []]
        for lane in range(LANES):
            word = builder.mul(builder.add(first, ir.Constant(i64, lane)), ir.Constant(i64, 4))
            j = builder.zext(builder.load(at(builder, candidates, word, i32)), i64)
            place = builder.mul(j, ir.Constant(i64, _RECORD))
            for half in (0, 1):
                offset = builder.add(place, ir.Constant(i64, half * _RECORD // 2))
                row = builder.load(at(builder, records, offset, _vector(f64)))
                row.align = _RECORD // 2
                halves[half].append(row)
        columns = [column for rows in halves for column in transposed(builder, rows)]
        duration = _durations(builder, columns, given)
        before = builder.load(earliest)
        sooner = builder.fcmp_ordered("<", duration, before)
        builder.store(builder.select(sooner, duration, before), earliest)
        here = everywhere(builder, first, LANES)
        builder.store(builder.select(sooner, here, builder.load(group_of)), group_of)
    durations = builder.load(earliest)
    slots = builder.add(builder.load(group_of), ir.Constant(_vector(i64), list(range(LANES))))
    least = "llvm.vector.reduce.fmin.v4f64"
    duration = call(builder, least, f64, durations, fastmath=("nnan",))
    # Of equal times the first in the list, as in the plain loop.
    equal = builder.fcmp_ordered("==", durations, everywhere(builder, duration, LANES))
    last = ir.Constant(_vector(i64), [2**62] * LANES)
    slot = call(builder, "llvm.vector.reduce.smin.v4i64", i64, builder.select(equal, slots, last))
    return context.make_tuple(builder, signature.return_type, [duration, slot])


def _vector_search(names: dict[str, int]) -> Any:
    """An intrinsic that takes records, candidates, their number, and numbers with these names."""
    numbers = sum(names.values())

    @intrinsic
    def search(
        typingctx: Any, records: Any, candidates: Integers, number: Any, at_edge: Any, values: Any
    ) -> Any:
        result = Tuple([float64, int64])
        given = UniTuple(float64, numbers)
        signature = result(records, candidates, int64, int64, given)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            values = cgutils.unpack_tuple(builder, args[4], numbers)
            return _generate(context, builder, signature, [*args[:4], *values], names)

        return signature, codegen

    return search


_search_free = _vector_search(_ALWAYS)
_search_falling = _vector_search(_ALWAYS | _GRAVITY)
_search_sheared = _vector_search(_ALWAYS | _SHEAR)


@inner_kernel
def free_at_once(
    motion: Any, world: World, seeker: Seeker, candidates: Integers, number: int
) -> Any:
    """The search among particles in straight flight, four at a time."""
    return _free_search(world.space.shear, world, seeker, candidates, number)


@dispatch_on("shear")
def _free_search(
    shear: Any, world: World, seeker: Seeker, candidates: Integers, number: int
) -> Any:
    """The same, chosen by whether images slide."""


@_free_search.register(NoShear)
@inner_kernel
def _(shear: NoShear, world: World, seeker: Seeker, candidates: Integers, number: int) -> Any:
    values = _numbers_of(world, seeker)
    return _search_free(world.bodies.record, candidates, number, seeker.at_edge, values)


@_free_search.register(Shear)
@inner_kernel
def _(shear: Shear, world: World, seeker: Seeker, candidates: Integers, number: int) -> Any:
    values = (*_numbers_of(world, seeker), offset_at(shear, seeker.time), shear.jump)
    return _search_sheared(world.bodies.record, candidates, number, seeker.at_edge, values)


@inner_kernel
def _falling_at_once(
    motion: Gravity, world: World, seeker: Seeker, candidates: Integers, number: int
) -> Any:
    values = (*_numbers_of(world, seeker), motion.x, motion.y, motion.z)
    return _search_falling(world.bodies.record, candidates, number, seeker.at_edge, values)


@inner_kernel
def _numbers_of(world: World, seeker: Seeker) -> Any:
    """What the loop always needs, in the order of its names."""
    radius = radius_of(world.bodies, seeker.i)
    at = (*seeker.position, *seeker.velocity, radius, seeker.time)
    return (*at, *seeker.images.lengths, *seeker.images.inverse, *seeker.shift)


if not numba.config.DISABLE_JIT:
    stable_search.register(Free)(free_at_once)
    stable_search.register(Gravity)(_falling_at_once)
