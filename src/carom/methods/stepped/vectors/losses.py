"""What contacts take out of the motion in a step.

The work of a force in a step of leapfrog is its impulse times the mean of the velocities before and
after the step. Those after it are known when all contacts have pushed: each contact is therefore
asked twice, and the account of the energy closes in a packing, too, where a particle has many
contacts at once. The function below asks the second time, a row of four numbers at a
time. With friction particles are asked and not contacts, see ``impulses.py``.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils
from numba.core.types import float64, int64  # type: ignore[attr-defined]
from numba.extending import intrinsic

from carom.compiled.lanes import at, call, f64, i32, i64
from carom.compiled.views import data_of

_ROW = 32  # bytes, of four numbers
_VECTOR = ir.VectorType(f64, 4)


def _row(builder: Any, data: Any, place: Any) -> Any:
    loaded = builder.load(at(builder, data, builder.mul(place, ir.Constant(i64, _ROW)), _VECTOR))
    loaded.align = _ROW
    return loaded


def _whole(builder: Any, data: Any, place: Any) -> Any:
    number = builder.load(at(builder, data, builder.mul(place, ir.Constant(i64, 4)), i32))
    return builder.zext(number, i64)


@intrinsic
def work_along(
    typingctx: Any, loss: Any, velocity: Any, first: Any, second: Any, found: Any, number: Any
) -> Any:
    """The sum over all contacts found of their ``loss``, an impulse on the first particle, times
    the velocity of the first relative to the second. The fourth column of ``loss`` is zero."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        losses, velocities, firsts, seconds, finds = (
            data_of(context, builder, kind, value)
            for kind, value in zip(signature.args[:5], args[:5], strict=True)
        )
        total = cgutils.alloca_once_value(builder, ir.Constant(_VECTOR, [0.0] * 4))
        with cgutils.for_range(builder, args[5]) as loop:
            place = _whole(builder, finds, loop.index)
            rows = [
                _row(builder, velocities, _whole(builder, who, place)) for who in (firsts, seconds)
            ]
            part = builder.fmul(_row(builder, losses, loop.index), builder.fsub(*rows))
            builder.store(builder.fadd(builder.load(total), part), total)
        name, start = "llvm.vector.reduce.fadd.v4f64", ir.Constant(f64, 0.0)
        return call(builder, name, f64, start, builder.load(total))

    return float64(loss, velocity, first, second, found, int64), codegen
