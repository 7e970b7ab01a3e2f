"""The earliest contact of one particle with many, eight at a time.

Half of the time of an event-driven run is spent here, and compilers do not vectorise the plain
loop. ``_eight_at_a_time`` is that loop written in the compiler's own vectors: it loads the
records of eight particles, one cache line each, turns rows into columns and tests all eight
without branches. ``one_by_one`` is the same search in plain Python; both do the same operations
in the same order and agree to the last bit.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.core.types import Tuple, UniTuple, float64, int64  # type: ignore[attr-defined]
from numba.extending import intrinsic

from carom._jit import dispatch_on, inner_kernel
from carom.detection import Stable, time_to_contact
from carom.methods.event_driven.world import (
    World,
    position_at,
    radius_of,
    velocity_at,
)
from carom.motions import Free, Gravity
from carom.vectors import minus, plus

LANES = 8


class NearestImage(NamedTuple):
    """Side lengths and their inverses; both 0 along axes where no image is to be chosen."""

    lengths: Any
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
    shift: Any
    at_edge: int  # 0 when all candidates are known to be at their nearest images as they are


@dispatch_on("detection")
def earliest_contact(
    detection: Any, world: World, seeker: Seeker, candidates: Any, number: int
) -> Any:
    """How long until the seeker meets one of the candidates, and which.

    The answer is a duration and a place in ``candidates``. Of these there are ``number``, with
    room up to a multiple of eight, filled up with the seeker: a particle never meets itself.
    """
    raise NotImplementedError


@dispatch_on("motion")
def _stable_search(motion: Any, world: World, seeker: Seeker, candidates: Any, number: int) -> Any:
    raise NotImplementedError


@earliest_contact.register(Stable)
@inner_kernel
def _(detection: Stable, world: World, seeker: Seeker, candidates: Any, number: int) -> Any:
    return _stable_search(world.motion, world, seeker, candidates, number)


@inner_kernel
def nearest_image(images: NearestImage, separation: Any) -> Any:
    """The separation from the nearest image, where one is to be chosen."""
    lengths, inverse = images.lengths, images.inverse
    return (
        separation[0] - lengths[0] * np.rint(separation[0] * inverse[0]),
        separation[1] - lengths[1] * np.rint(separation[1] * inverse[1]),
        separation[2] - lengths[2] * np.rint(separation[2] * inverse[2]),
    )


@inner_kernel
def one_by_one(
    motion_or_detection: Any, world: World, seeker: Seeker, candidates: Any, number: int
) -> Any:
    """The search for any motion and detection; the twin of the vectors."""
    own_radius = radius_of(world.bodies, seeker.i)
    earliest = math.inf
    slot = 0
    for k in range(number):
        j = candidates[k]
        if j == seeker.i:
            continue
        far = minus(seeker.position, position_at(world, j, seeker.time))
        separation = plus(nearest_image(seeker.images, far), 1.0, seeker.shift)
        velocity = minus(seeker.velocity, velocity_at(world, j, seeker.time))
        sigma = own_radius + radius_of(world.bodies, j)
        duration = time_to_contact(
            world.motion, world.detection, seeker.i, j, separation, velocity, sigma, seeker.time
        )
        if duration < earliest:
            earliest = duration
            slot = k
    return earliest, slot


earliest_contact.otherwise(one_by_one)
_stable_search.otherwise(one_by_one)


# From here on: the vectors.

_f64 = ir.DoubleType()
_i64 = ir.IntType(64)
_i32 = ir.IntType(32)
_i8 = ir.IntType(8)
_RECORD = 64  # bytes


def _vector(kind: Any) -> Any:
    return ir.VectorType(kind, LANES)


def _everywhere(builder: Any, value: Any) -> Any:
    """A vector with the same value in all lanes."""
    undefined = ir.Constant(_vector(value.type), ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(_i32, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(_vector(_i32), [0] * LANES))


def _constant(value: float) -> Any:
    return ir.Constant(_vector(_f64), [value] * LANES)


def _call(builder: Any, name: str, result: Any, *args: Any) -> Any:
    kind = ir.FunctionType(result, [arg.type for arg in args])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)


def _at(builder: Any, data: Any, offset: Any, kind: Any) -> Any:
    """The address so many bytes behind ``data``."""
    address = builder.gep(builder.bitcast(data, _i8.as_pointer()), [offset])
    return builder.bitcast(address, kind.as_pointer())


def _columns(builder: Any, rows: list[Any]) -> list[Any]:
    """The transpose of eight vectors of eight, in three rounds of shuffles."""

    def mix(a: Any, b: Any, lanes: list[int]) -> Any:
        return builder.shuffle_vector(a, b, ir.Constant(_vector(_i32), lanes))

    pairs = []
    for k in range(0, LANES, 2):
        pairs.append(mix(rows[k], rows[k + 1], [0, 8, 2, 10, 4, 12, 6, 14]))
        pairs.append(mix(rows[k], rows[k + 1], [1, 9, 3, 11, 5, 13, 7, 15]))
    low: list[Any] = []
    high: list[Any] = []
    for half, quads in ((0, low), (4, high)):
        for odd in (0, 1):
            a, b = pairs[half + odd], pairs[half + odd + 2]
            quads.append(mix(a, b, [0, 1, 8, 9, 4, 5, 12, 13]))
            quads.append(mix(a, b, [2, 3, 10, 11, 6, 7, 14, 15]))
    order = [0, 2, 1, 3]  # quads hold the columns 0|4, 2|6, 1|5, 3|7
    first = [mix(low[k], high[k], [0, 1, 2, 3, 8, 9, 10, 11]) for k in order]
    second = [mix(low[k], high[k], [4, 5, 6, 7, 12, 13, 14, 15]) for k in order]
    return first + second


def _nearest_images(builder: Any, separation: list[Any], given: dict[str, Any]) -> list[Any]:
    """The separations from the nearest images; as they are if no candidate is beyond an edge."""
    near = [cgutils.alloca_once(builder, _vector(_f64)) for _ in range(3)]
    for axis in range(3):
        builder.store(separation[axis], near[axis])
    with builder.if_then(given["at_edge"]):
        for axis in range(3):
            far = separation[axis]
            boxes = builder.fmul(far, given["inverse"][axis])
            boxes = _call(builder, "llvm.rint.v8f64", _vector(_f64), boxes)
            length = builder.fmul(given["lengths"][axis], boxes)
            builder.store(builder.fsub(far, length), near[axis])
    return [builder.load(part) for part in near]


def _durations(builder: Any, columns: list[Any], given: dict[str, Any]) -> Any:
    """Times until contact, Algorithm 1 of Bannerman et al. 2014 in all lanes; see stable.py."""
    add, subtract, times = builder.fadd, builder.fsub, builder.fmul

    def dot_(a: list[Any], b: list[Any]) -> Any:
        return add(add(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]))

    flown = subtract(given["time"], columns[3])
    separation, velocity = [], []
    for axis in range(3):
        position, speed = columns[axis], columns[4 + axis]
        if given["gravity"]:
            pull = given["gravity"][axis]
            mean = add(speed, times(times(given["half"], flown), pull))
            position = add(position, times(flown, mean))
            speed = add(speed, times(flown, pull))
        else:
            position = add(position, times(flown, speed))
        separation.append(subtract(given["x"][axis], position))
        velocity.append(subtract(given["v"][axis], speed))
    separation = _nearest_images(builder, separation, given)
    # Where there is no shift, it is the constant 0 and the addition vanishes.
    separation = [
        add(near, shift, flags=("nsz",))
        for near, shift in zip(separation, given["shift"], strict=True)
    ]
    sigma = add(given["radius"], columns[7])
    b = dot_(velocity, separation)
    c = subtract(dot_(separation, separation), times(sigma, sigma))
    discriminant = subtract(times(b, b), times(dot_(velocity, velocity), c))
    zero = _constant(0.0)
    meet = builder.and_(
        builder.fcmp_ordered("<", b, zero), builder.fcmp_ordered(">", discriminant, zero)
    )
    # Overlapping pairs that approach have a positive discriminant as well: now.
    apart = builder.select(builder.fcmp_ordered(">", c, zero), c, zero)
    root = _call(
        builder,
        "llvm.sqrt.v8f64",
        _vector(_f64),
        builder.select(meet, discriminant, _constant(1.0)),
    )
    return builder.select(meet, builder.fdiv(apart, subtract(root, b)), _constant(math.inf))


def _generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The search over all candidates: lane by lane the earliest, then the earliest lane."""
    records = context.make_array(signature.args[0])(context, builder, args[0]).data
    candidates = context.make_array(signature.args[1])(context, builder, args[1]).data
    number = args[2]
    numbers = [_everywhere(builder, value) for value in args[4:]]
    gravity = numbers[17:20]
    given = {
        "x": numbers[0:3],
        "v": numbers[3:6],
        "radius": numbers[6],
        "time": numbers[7],
        "lengths": numbers[8:11],
        "inverse": numbers[11:14],
        "shift": numbers[14:17],
        "gravity": gravity,
        "at_edge": builder.icmp_unsigned("!=", args[3], ir.Constant(args[3].type, 0)),
        "half": _constant(0.5),
    }
    earliest = cgutils.alloca_once_value(builder, _constant(math.inf))
    group_of = cgutils.alloca_once_value(builder, ir.Constant(_vector(_i64), [0] * LANES))
    more = builder.add(number, ir.Constant(_i64, LANES - 1))
    groups = builder.lshr(more, ir.Constant(_i64, 3))
    with cgutils.for_range(builder, groups) as loop:
        first = builder.mul(loop.index, ir.Constant(_i64, LANES))
        rows = []
        for lane in range(LANES):
            word = builder.mul(builder.add(first, ir.Constant(_i64, lane)), ir.Constant(_i64, 4))
            j = builder.zext(builder.load(_at(builder, candidates, word, _i32)), _i64)
            place = builder.mul(j, ir.Constant(_i64, _RECORD))
            row = builder.load(_at(builder, records, place, _vector(_f64)))
            row.align = _RECORD
            rows.append(row)
        duration = _durations(builder, _columns(builder, rows), given)
        before = builder.load(earliest)
        sooner = builder.fcmp_ordered("<", duration, before)
        builder.store(builder.select(sooner, duration, before), earliest)
        here = _everywhere(builder, first)
        builder.store(builder.select(sooner, here, builder.load(group_of)), group_of)
    durations = builder.load(earliest)
    slots = builder.add(builder.load(group_of), ir.Constant(_vector(_i64), list(range(LANES))))
    least = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(_f64, [_vector(_f64)]),
        "llvm.vector.reduce.fmin.v8f64",
    )
    duration = builder.call(least, [durations], fastmath=("nnan",))
    # Of equal times the first in the list, as in the plain loop.
    equal = builder.fcmp_ordered("==", durations, _everywhere(builder, duration))
    last = ir.Constant(_vector(_i64), [2**62] * LANES)
    slot = _call(builder, "llvm.vector.reduce.smin.v8i64", _i64, builder.select(equal, slots, last))
    return context.make_tuple(builder, signature.return_type, [duration, slot])


def _vector_search(numbers: int) -> Any:
    """An intrinsic that takes records, candidates, their number, and so many numbers more."""

    @intrinsic
    def search(
        typingctx: Any, records: Any, candidates: Any, number: Any, at_edge: Any, values: Any
    ) -> Any:
        result = Tuple([float64, int64])
        given = UniTuple(float64, numbers)
        signature = result(records, candidates, int64, int64, given)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            values = cgutils.unpack_tuple(builder, args[4], numbers)
            return _generate(context, builder, signature, [*args[:4], *values])

        return signature, codegen

    return search


_search_free = _vector_search(17)
_search_falling = _vector_search(20)


@inner_kernel
def _free_at_once(motion: Free, world: World, seeker: Seeker, candidates: Any, number: int) -> Any:
    values = _numbers_of(world, seeker)
    return _search_free(world.bodies.record, candidates, number, seeker.at_edge, values)


@inner_kernel
def _falling_at_once(
    motion: Gravity, world: World, seeker: Seeker, candidates: Any, number: int
) -> Any:
    values = (*_numbers_of(world, seeker), motion.x, motion.y, motion.z)
    return _search_falling(world.bodies.record, candidates, number, seeker.at_edge, values)


@inner_kernel
def _numbers_of(world: World, seeker: Seeker) -> Any:
    radius = radius_of(world.bodies, seeker.i)
    at = (*seeker.position, *seeker.velocity, radius, seeker.time)
    return (*at, *seeker.images.lengths, *seeker.images.inverse, *seeker.shift)


if not numba.config.DISABLE_JIT:
    _stable_search.register(Free)(_free_at_once)
    _stable_search.register(Gravity)(_falling_at_once)
