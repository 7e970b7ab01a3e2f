"""The kicks of contacts whose impulses are known, a row of four numbers at a time."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils
from numba.core.types import float64, int64  # type: ignore[attr-defined]
from numba.extending import intrinsic

from carom.compiled.lanes import at, everywhere, f64, i32, i64
from carom.compiled.views import data_of

LANES = 4
ROW = 32  # bytes, of four numbers
VECTOR = ir.VectorType(f64, LANES)


def _kick(builder: Any, rows: Any, number: Any, push: Any, sign: str) -> Any:
    """Add ± push times the fourth number of a row to the row; the new row."""
    offset = builder.mul(builder.zext(number, i64), ir.Constant(i64, ROW))
    address = at(builder, rows, offset, VECTOR)
    row = builder.load(address)
    row.align = ROW
    factor = everywhere(builder, builder.extract_element(row, ir.Constant(i32, 3)), LANES)
    change = builder.fmul(factor, push)
    row = builder.fadd(row, change) if sign == "+" else builder.fsub(row, change)
    builder.store(row, address).align = ROW
    return row


def _square(builder: Any, row: Any) -> Any:
    square = builder.fmul(row, row)
    x, y, z = (builder.extract_element(square, ir.Constant(i32, lane)) for lane in range(3))
    return builder.fadd(builder.fadd(x, y), z)


def _number_at(builder: Any, data: Any, place: Any) -> Any:
    return builder.load(at(builder, data, builder.mul(place, ir.Constant(i64, 4)), i32))


@intrinsic
def kick_all(
    typingctx: Any, velocity: Any, first: Any, second: Any, found: Any, push: Any, number: Any
) -> Any:
    """Let all contacts found push their particles; the largest square of a speed on the way.

    The fourth column of ``velocity`` is the inverse mass, that of ``push`` is zero.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        velocities, firsts, seconds, finds, pushes = (
            data_of(context, builder, kind, value)
            for kind, value in zip(signature.args[:5], args[:5], strict=True)
        )
        fastest = cgutils.alloca_once_value(builder, ir.Constant(f64, 0.0))
        with cgutils.for_range(builder, args[5]) as loop:
            place = builder.zext(_number_at(builder, finds, loop.index), i64)
            offset = builder.mul(loop.index, ir.Constant(i64, ROW))
            push = builder.load(at(builder, pushes, offset, VECTOR))
            push.align = ROW
            for who, sign in ((firsts, "+"), (seconds, "-")):
                row = _kick(builder, velocities, _number_at(builder, who, place), push, sign)
                square, so_far = _square(builder, row), builder.load(fastest)
                faster = builder.fcmp_ordered(">", square, so_far)
                builder.store(builder.select(faster, square, so_far), fastest)
        return builder.load(fastest)

    return float64(velocity, first, second, found, push, int64), codegen
