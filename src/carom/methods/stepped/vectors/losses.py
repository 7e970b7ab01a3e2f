"""What contacts take out of the motion in a step.

The work of a force in a step of leapfrog is its impulse times the mean of the velocities before and
after the step. Those after it are known when all contacts have pushed: each contact is therefore
asked twice, and the account of the energy closes in a packing, too, where a particle has many
contacts at once. The functions below ask the second time, a row of four numbers at a time.
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


def _summed(builder: Any, data: dict[str, Any], number: Any, sign: str) -> Any:
    """The sum over all contacts found of their rows times those of the two particles."""
    total = cgutils.alloca_once_value(builder, ir.Constant(_VECTOR, [0.0] * 4))
    with cgutils.for_range(builder, number) as loop:
        place = _whole(builder, data["found"], loop.index)
        rows = []
        for who in ("first", "second"):
            chosen = _whole(builder, data[who], place)
            if "particle" in data:
                chosen = _whole(builder, data["particle"], chosen)
            rows.append(_row(builder, data["of_particles"], chosen))
        both = builder.fsub(*rows) if sign == "-" else builder.fadd(*rows)
        part = builder.fmul(_row(builder, data["of_contacts"], loop.index), both)
        builder.store(builder.fadd(builder.load(total), part), total)
    name, start = "llvm.vector.reduce.fadd.v4f64", ir.Constant(f64, 0.0)
    return call(builder, name, f64, start, builder.load(total))


def _code(names: tuple[str, ...], sign: str) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = {
            name: data_of(context, builder, kind, value)
            for name, kind, value in zip(names, signature.args, args, strict=False)
        }
        return _summed(builder, data, args[-1], sign)

    return codegen


@intrinsic
def work_along(
    typingctx: Any, loss: Any, velocity: Any, first: Any, second: Any, found: Any, number: Any
) -> Any:
    """The sum over all contacts found of their ``loss``, an impulse on the first particle, times
    the velocity of the first relative to the second. The fourth column of ``loss`` is zero."""
    names = ("of_contacts", "of_particles", "first", "second", "found")
    return float64(loss, velocity, first, second, found, int64), _code(names, "-")


@intrinsic
def work_around(
    typingctx: Any,
    drag: Any,
    surface: Any,
    first: Any,
    second: Any,
    found: Any,
    particle: Any,
    number: Any,
) -> Any:
    """The sum over all contacts found of their ``drag``, a torque over the radius, times how fast
    both surfaces turn. The fourth column of ``drag`` is zero."""
    names = ("of_contacts", "of_particles", "first", "second", "found", "particle")
    return float64(drag, surface, first, second, found, particle, int64), _code(names, "+")
