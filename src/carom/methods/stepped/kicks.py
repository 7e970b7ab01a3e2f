"""Springs and dashpots of four contacts at a time, and the kicks that follow.

In dense systems half of the time is spent here. ``squeeze_four`` and ``kick_all`` write the loops
of ``soft.py`` for linear springs without friction in the compiler's own vectors: the impulses agree
with those of the plain loops to the last bit, the sums up to the order of summation.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils
from numba.core.types import UniTuple, float64, int64  # type: ignore[attr-defined]
from numba.extending import intrinsic

from carom._views import data_of
from carom.lanes import at, call, everywhere, f64, four_of, i32, i64, rows_of, transposed

LANES = 4
_RECORD = 32  # bytes
_FOUR = ir.VectorType(f64, LANES)
_ZERO = ir.Constant(_FOUR, [0.0] * LANES)
# Differences of three columns and the sum of the fourth; the products are exact.
_MIRROR = ir.Constant(_FOUR, [-1.0, -1.0, -1.0, 1.0])
# What is summed: six products of impulse and separation, the energy lost, the contacts begun.
SUMS = 8


def _constant(value: float) -> Any:
    return ir.Constant(_FOUR, [value] * LANES)


def _relative(builder: Any, data: Any, first: Any, second: Any) -> list[Any]:
    """Columns: the differences of three numbers of two rows, and the sum of the fourth."""
    of_first = rows_of(builder, data, first, _RECORD)
    of_second = rows_of(builder, data, second, _RECORD)
    rows = [
        builder.fadd(a, builder.fmul(b, _MIRROR)) for a, b in zip(of_first, of_second, strict=True)
    ]
    return transposed(builder, rows)


def _places(builder: Any, data: Any, found: Any) -> Any:
    """The numbers (4 x i32) at four places of an array."""
    places = ir.Constant(ir.VectorType(i32, LANES), ir.Undefined)
    for lane in range(LANES):
        place = builder.extract_element(found, ir.Constant(i32, lane))
        offset = builder.mul(builder.zext(place, i64), ir.Constant(i64, 4))
        number = builder.load(at(builder, data, offset, i32))
        places = builder.insert_element(places, number, ir.Constant(i32, lane))
    return places


def _force(builder: Any, d: list[Any], w: list[Any], given: dict[str, Any]) -> dict[str, Any]:
    """Impulses along three axes, energy lost and contacts begun; see ``normal_force``."""
    add, subtract, times, over = builder.fadd, builder.fsub, builder.fmul, builder.fdiv

    def dot_(a: list[Any], b: list[Any]) -> Any:
        return add(add(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]))

    def root(value: Any) -> Any:
        return call(builder, "llvm.sqrt.v4f64", _FOUR, value)

    one, dt = _constant(1.0), given["dt"]
    distance = root(dot_(d, d))
    inverse = over(one, distance)
    normal = [times(part, inverse) for part in d[:3]]
    spring = times(given["stiffness"], subtract(d[3], distance))
    critical = root(times(given["stiffness"], over(one, w[3])))
    dashpot = add(given["damping"], times(given["twice_ratio"], critical))
    before = builder.fneg(dot_(w, normal))
    half = times(given["half_dt"], w[3])
    force = over(add(spring, times(dashpot, before)), add(one, times(half, dashpot)))
    pushes = builder.fcmp_ordered(">", force, _ZERO)
    force = builder.select(builder.or_(given["pulls"], pushes), force, _ZERO)
    now = subtract(before, times(half, force))
    lost = times(times(subtract(force, spring), now), dt)
    push = times(dt, force)
    back = [subtract(part, times(dt, speed)) for part, speed in zip(d[:3], w[:3], strict=True)]
    begun = builder.fcmp_ordered(">=", dot_(back, back), times(d[3], d[3]))
    return {"impulse": [times(push, part) for part in normal], "lost": lost, "begun": begun}


def _sum_up(builder: Any, totals: list[Any], d: list[Any], found: Any, valid: Any) -> None:
    """Add four contacts, those that are there, to the totals of each lane."""
    impulse = [builder.select(valid, part, _ZERO) for part in found["impulse"]]
    parts = [
        builder.fmul(impulse[a], d[b]) for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    ]
    parts.append(builder.select(valid, found["lost"], _ZERO))
    begun = builder.and_(found["begun"], valid)
    parts.append(builder.select(begun, _constant(1.0), _ZERO))
    for total, part in zip(totals, parts, strict=True):
        builder.store(builder.fadd(builder.load(total), part), total)


def _write_rows(builder: Any, data: Any, first: Any, columns: list[Any]) -> None:
    """Write columns as rows of an array, from a row on."""
    for lane, row in enumerate(transposed(builder, columns)):
        place = builder.add(first, ir.Constant(i64, lane))
        offset = builder.mul(place, ir.Constant(i64, _RECORD))
        builder.store(row, at(builder, data, offset, _FOUR)).align = _RECORD


def _squeeze(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The loop over all contacts found, four at a time."""
    records, velocities, firsts, seconds, finds, pushes = (
        data_of(context, builder, kind, value)
        for kind, value in zip(signature.args[:6], args[:6], strict=True)
    )
    number = args[6]
    numbers = [
        everywhere(builder, value, LANES) for value in cgutils.unpack_tuple(builder, args[7], 5)
    ]
    names = ("stiffness", "damping", "twice_ratio", "dt", "pulls")
    given = dict(zip(names, numbers, strict=True))
    given["half_dt"] = builder.fmul(_constant(0.5), given["dt"])
    given["pulls"] = builder.fcmp_ordered(">", given["pulls"], _ZERO)
    totals = [cgutils.alloca_once_value(builder, _ZERO) for _ in range(SUMS)]
    lanes = ir.Constant(ir.VectorType(i64, LANES), list(range(LANES)))
    groups = builder.lshr(builder.add(number, ir.Constant(i64, LANES - 1)), ir.Constant(i64, 2))
    with cgutils.for_range(builder, groups) as loop:
        place = builder.mul(loop.index, ir.Constant(i64, LANES))
        found = four_of(builder, finds, place, i32, 4)
        first, second = _places(builder, firsts, found), _places(builder, seconds, found)
        d = _relative(builder, records, first, second)
        w = _relative(builder, velocities, first, second)
        answer = _force(builder, d, w, given)
        counted = builder.add(everywhere(builder, place, LANES), lanes)
        valid = builder.icmp_unsigned("<", counted, everywhere(builder, number, LANES))
        _sum_up(builder, totals, d, answer, valid)
        _write_rows(builder, pushes, place, [*answer["impulse"], _ZERO])
    return [builder.load(total) for total in totals]


@intrinsic
def squeeze_four(
    typingctx: Any,
    record: Any,
    velocity: Any,
    first: Any,
    second: Any,
    found: Any,
    push: Any,
    number: Any,
    given: Any,
) -> Any:
    """Write the impulses of all contacts found into ``push``; eight sums over them.

    ``given``: stiffness, damping, twice the damping ratio, dt, and 1 if contacts may pull. ``found``
    and ``push`` have room for three more.
    """
    arrays = (record, velocity, first, second, found, push)
    signature = UniTuple(float64, SUMS)(*arrays, int64, UniTuple(float64, 5))

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        totals = _squeeze(context, builder, signature, args)
        start = ir.Constant(f64, 0.0)
        name = "llvm.vector.reduce.fadd.v4f64"
        sums = [call(builder, name, f64, start, total) for total in totals]
        return context.make_tuple(builder, signature.return_type, sums)

    return signature, codegen


def _kick(builder: Any, velocities: Any, number: Any, push: Any, sign: str) -> Any:
    """Add ± push times the inverse mass, the fourth number, to a velocity; its square."""
    offset = builder.mul(builder.zext(number, i64), ir.Constant(i64, _RECORD))
    address = at(builder, velocities, offset, _FOUR)
    row = builder.load(address)
    row.align = _RECORD
    per_mass = everywhere(builder, builder.extract_element(row, ir.Constant(i32, 3)), LANES)
    change = builder.fmul(per_mass, push)
    row = builder.fadd(row, change) if sign == "+" else builder.fsub(row, change)
    builder.store(row, address).align = _RECORD
    square = builder.fmul(row, row)
    x, y, z = (builder.extract_element(square, ir.Constant(i32, lane)) for lane in range(3))
    return builder.fadd(builder.fadd(x, y), z)


@intrinsic
def kick_all(
    typingctx: Any, velocity: Any, first: Any, second: Any, found: Any, push: Any, number: Any
) -> Any:
    """Let all contacts found push their particles; the largest square of a speed on the way."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        velocities, firsts, seconds, finds, pushes = (
            data_of(context, builder, kind, value)
            for kind, value in zip(signature.args[:5], args[:5], strict=True)
        )
        fastest = cgutils.alloca_once_value(builder, ir.Constant(f64, 0.0))
        with cgutils.for_range(builder, args[5]) as loop:
            word = builder.mul(loop.index, ir.Constant(i64, 4))
            found_at = builder.load(at(builder, finds, word, i32))
            place = builder.mul(builder.zext(found_at, i64), ir.Constant(i64, 4))
            i = builder.load(at(builder, firsts, place, i32))
            j = builder.load(at(builder, seconds, place, i32))
            offset = builder.mul(loop.index, ir.Constant(i64, _RECORD))
            push = builder.load(at(builder, pushes, offset, _FOUR))
            push.align = _RECORD
            for square in (
                _kick(builder, velocities, i, push, "+"),
                _kick(builder, velocities, j, push, "-"),
            ):
                so_far = builder.load(fastest)
                faster = builder.fcmp_ordered(">", square, so_far)
                builder.store(builder.select(faster, square, so_far), fastest)
        return builder.load(fastest)

    return float64(velocity, first, second, found, push, int64), codegen
