"""Eight spheres at a time: which of them are near a given one?

``near_bits`` compares with all eight at once, ``one_by_one`` is the same in plain Python.
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba.core.types import float64, int64  # type: ignore[attr-defined]
from numba.extending import intrinsic

from carom.compiled import lanes
from carom.compiled.kernels import inner_kernel
from carom.compiled.views import data_of
from carom.neighbours.pairs.pair_list import RADIUS, X, Y, Z
from carom.types import Array, Vector

EIGHT = 8
BYTES = 8  # of a number


@inner_kernel
def one_by_one(
    table: Array, first: int, centre: Vector, radius: float, skin: float, ease: float
) -> int:
    """The lanes of eight columns of a table (4, n) whose spheres are near this one, as bits.

    Their gap is less than ``skin`` and some ``ease``.
    """
    bits = 0
    for lane in range(EIGHT):
        at = first + lane
        x, y, z = centre[0] - table[X, at], centre[1] - table[Y, at], centre[2] - table[Z, at]
        reach = radius + table[RADIUS, at] + skin + ease
        if x * x + y * y + z * z < reach * reach:
            bits |= 1 << lane
    return bits


@intrinsic
def _vector_lanes(
    typingctx: Any,
    table: Any,
    length: Any,
    first: Any,
    x: Any,
    y: Any,
    z: Any,
    radius: Any,
    skin: Any,
    ease: Any,
) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = data_of(context, builder, signature.args[0], args[0])
        length, first = args[1], args[2]
        x, y, z, radius, skin, ease = (
            lanes.everywhere(builder, value, EIGHT) for value in args[3:]
        )
        eight = ir.VectorType(lanes.f64, EIGHT)

        def row_of(k: int) -> Any:
            place = builder.add(builder.mul(length, ir.Constant(lanes.i64, k)), first)
            offset = builder.mul(place, ir.Constant(lanes.i64, BYTES))
            loaded = builder.load(lanes.at(builder, data, offset, eight))
            loaded.align = BYTES
            return loaded

        square = None
        for row, given in ((X, x), (Y, y), (Z, z)):
            apart = builder.fsub(given, row_of(row))
            part = builder.fmul(apart, apart)
            square = part if square is None else builder.fadd(square, part)
        reach = builder.fadd(builder.fadd(builder.fadd(radius, row_of(RADIUS)), skin), ease)
        near = builder.fcmp_ordered("<", square, builder.fmul(reach, reach))
        return builder.zext(builder.bitcast(near, lanes.i8), lanes.i64)

    kinds = (table, int64, int64, *(float64,) * 6)
    return int64(*kinds), codegen


@inner_kernel
def _eight_at_once(
    table: Array, first: int, centre: Vector, radius: float, skin: float, ease: float
) -> int:
    x, y, z = centre
    return _vector_lanes(table, table.shape[1], first, x, y, z, radius, skin, ease)


near_bits = one_by_one if numba.config.DISABLE_JIT else _eight_at_once
