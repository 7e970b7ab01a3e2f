"""Which pairs of a list are nearer than a margin: the innermost loop of the stepped methods.

Only a few of the listed pairs touch at any step, so most of the time goes into finding out which.
``_generate`` writes the loop in the compiler's own vectors: four pairs at a time, a sphere of four
numbers (x, y, z, radius) is one load, rows become columns, and all four are tested without
branches. ``near_one_by_one`` and ``far_one_by_one`` are the same loops in plain Python; both do the
same operations in the same order and agree to the last bit.
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils
from numba.core.types import float64, int64  # type: ignore[attr-defined]
from numba.extending import intrinsic

from carom.compiled.kernels import inner_kernel
from carom.compiled.lanes import (
    ask_for,
    at,
    everywhere,
    f64,
    four_of,
    i8,
    i32,
    i64,
    rows_of,
    transposed,
)
from carom.compiled.views import data_of

LANES = 4
_ROW = 32  # bytes, of four numbers


@inner_kernel
def near_one_by_one(
    sphere: Any, first: Any, second: Any, number: int, margin: float, found: Any
) -> int:
    """Write the places in the list of all pairs with a gap below ``margin``; how many."""
    count = 0
    for k in range(number):
        i, j = first[k], second[k]
        x = sphere[i, 0] - sphere[j, 0]
        y = sphere[i, 1] - sphere[j, 1]
        z = sphere[i, 2] - sphere[j, 2]
        reach = sphere[i, 3] + sphere[j, 3] + margin
        if x * x + y * y + z * z < reach * reach:
            found[count] = k
            count += 1
    return count


@inner_kernel
def far_one_by_one(
    sphere: Any,
    first: Any,
    second: Any,
    image: Any,
    shift: Any,
    number: int,
    margin: float,
    found: Any,
) -> int:
    """The same for pairs across the boundary; ``shift`` (27, 4) says where the images are."""
    count = 0
    for k in range(number):
        i, j, boxes = first[k], second[k], image[k]
        x = sphere[i, 0] - sphere[j, 0] + shift[boxes, 0]
        y = sphere[i, 1] - sphere[j, 1] + shift[boxes, 1]
        z = sphere[i, 2] - sphere[j, 2] + shift[boxes, 2]
        reach = sphere[i, 3] + sphere[j, 3] + margin
        if x * x + y * y + z * z < reach * reach:
            found[count] = k
            count += 1
    return count


# From here on: the vectors.


def _near_enough(builder: Any, rows: list[Any], margin: Any) -> Any:
    """Four bits: which rows (separation, sum of radii) have a gap below the margin."""
    x, y, z, radii = transposed(builder, rows)
    add, times = builder.fadd, builder.fmul
    square = add(add(times(x, x), times(y, y)), times(z, z))
    reach = add(radii, margin)
    near = builder.fcmp_ordered("<", square, times(reach, reach))
    return builder.zext(builder.bitcast(near, ir.IntType(LANES)), i64)


def _write_down(builder: Any, found: Any, count: Any, first: Any, bits: Any) -> None:
    """Append the places whose bits are set; without a branch, since they follow no pattern."""
    number = builder.load(count)
    for lane in range(LANES):
        place = builder.trunc(builder.add(first, ir.Constant(i64, lane)), i32)
        offset = builder.mul(number, ir.Constant(i64, 4))
        builder.store(place, at(builder, found, offset, i32)).align = 4
        bit = builder.and_(builder.lshr(bits, ir.Constant(i64, lane)), ir.Constant(i64, 1))
        number = builder.add(number, bit)
    builder.store(number, count)


# Pairs ahead for which is asked: where their second particles are nobody can guess.
AHEAD = 16


def _ask_ahead(builder: Any, spheres: Any, seconds: Any, place: Any, number: Any) -> None:
    """Ask for the second spheres of pairs that come soon."""
    ahead = builder.add(place, ir.Constant(i64, AHEAD))
    ahead = builder.select(builder.icmp_signed("<", ahead, number), ahead, place)
    who = four_of(builder, seconds, ahead, i32, 4)
    for lane in range(LANES):
        number = builder.zext(builder.extract_element(who, ir.Constant(i32, lane)), i64)
        ask_for(builder, at(builder, spheres, builder.mul(number, ir.Constant(i64, _ROW)), i8))


def _generate(context: Any, builder: Any, signature: Any, args: Any, is_far: bool) -> Any:
    """The loop over all pairs, four at a time."""
    data = [
        data_of(context, builder, kind, value)
        for kind, value in zip(signature.args, args, strict=True)
        if not isinstance(value.type, (ir.IntType, ir.DoubleType))
    ]
    spheres, firsts, seconds, found = data[0], data[1], data[2], data[-1]
    number, margin = args[-3], everywhere(builder, args[-2], LANES)
    mirror = ir.Constant(ir.VectorType(f64, LANES), [-1.0, -1.0, -1.0, 1.0])
    count = cgutils.alloca_once_value(builder, ir.Constant(i64, 0))
    groups = builder.lshr(builder.add(number, ir.Constant(i64, LANES - 1)), ir.Constant(i64, 2))
    with cgutils.for_range(builder, groups) as loop:
        place = builder.mul(loop.index, ir.Constant(i64, LANES))
        if not is_far:
            _ask_ahead(builder, spheres, seconds, place, number)
        of_first = rows_of(builder, spheres, four_of(builder, firsts, place, i32, 4), _ROW)
        of_second = rows_of(builder, spheres, four_of(builder, seconds, place, i32, 4), _ROW)
        # Differences of the coordinates and the sum of the radii; the products are exact.
        rows = [
            builder.fadd(a, builder.fmul(b, mirror))
            for a, b in zip(of_first, of_second, strict=True)
        ]
        if is_far:
            images = builder.zext(
                four_of(builder, data[3], place, i8, 1), ir.VectorType(i32, LANES)
            )
            shifts = rows_of(builder, data[4], images, _ROW)
            rows = [builder.fadd(row, shift) for row, shift in zip(rows, shifts, strict=True)]
        bits = _near_enough(builder, rows, margin)
        # Beyond the end of the list stands whatever was there before.
        left = builder.sub(number, place)
        full = builder.icmp_unsigned(">=", left, ir.Constant(i64, LANES))
        part = builder.sub(builder.shl(ir.Constant(i64, 1), left), ir.Constant(i64, 1))
        bits = builder.and_(bits, builder.select(full, ir.Constant(i64, 15), part))
        with builder.if_then(builder.icmp_unsigned("!=", bits, ir.Constant(i64, 0))):
            _write_down(builder, found, count, place, bits)
    return builder.load(count)


if numba.config.DISABLE_JIT:
    near_pairs = near_one_by_one
    far_pairs = far_one_by_one

else:

    @intrinsic
    def near_pairs(
        typingctx: Any, sphere: Any, first: Any, second: Any, number: Any, margin: Any, found: Any
    ) -> Any:
        """``near_one_by_one``, four at a time; lists and ``found`` have room for three more."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _generate(context, builder, signature, args, False)

        return int64(sphere, first, second, int64, float64, found), codegen

    @intrinsic
    def far_pairs(
        typingctx: Any,
        sphere: Any,
        first: Any,
        second: Any,
        image: Any,
        shift: Any,
        number: Any,
        margin: Any,
        found: Any,
    ) -> Any:
        """``far_one_by_one``, four at a time; lists and ``found`` have room for three more."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _generate(context, builder, signature, args, True)

        return int64(sphere, first, second, image, shift, int64, float64, found), codegen
