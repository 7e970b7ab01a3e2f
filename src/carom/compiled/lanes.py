"""The compiler's own vectors, for the few loops that it does not vectorise by itself."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic

f64 = ir.DoubleType()
i64 = ir.IntType(64)
i32 = ir.IntType(32)
i16 = ir.IntType(16)
i8 = ir.IntType(8)


def everywhere(builder: Any, value: Any, lanes: int) -> Any:
    """A vector with the same value in all lanes."""
    undefined = ir.Constant(ir.VectorType(value.type, lanes), ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(i32, 0))
    return shuffled(builder, first, undefined, [0] * lanes)


def shuffled(builder: Any, a: Any, b: Any, lanes: list[int]) -> Any:
    """Lanes of two vectors, those of the second counted on from those of the first."""
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(i32, len(lanes)), lanes))


def call(builder: Any, name: str, result: Any, *args: Any, **options: Any) -> Any:
    """Call one of the compiler's intrinsic functions."""
    kind = ir.FunctionType(result, [arg.type for arg in args])
    function = cgutils.get_or_insert_function(builder.module, kind, name)
    return builder.call(function, args, **options)


def transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """The columns of four vectors of four, in two rounds of shuffles."""
    even = [shuffled(builder, rows[k], rows[k + 1], [0, 4, 2, 6]) for k in (0, 2)]
    odd = [shuffled(builder, rows[k], rows[k + 1], [1, 5, 3, 7]) for k in (0, 2)]
    first = [shuffled(builder, a, b, [0, 1, 4, 5]) for a, b in (even, odd)]
    second = [shuffled(builder, a, b, [2, 3, 6, 7]) for a, b in (even, odd)]
    return first + second


def at(builder: Any, data: Any, offset: Any, kind: Any) -> Any:
    """The address so many bytes behind ``data``, a pointer to bytes."""
    return builder.bitcast(builder.gep(data, [offset]), kind.as_pointer())


def rows_of(builder: Any, data: Any, numbers: Any, size: int) -> list[Any]:
    """The rows of four numbers, ``size`` bytes each, at these four places of an array."""
    four = ir.VectorType(f64, 4)
    rows = []
    for lane in range(4):
        number = builder.extract_element(numbers, ir.Constant(i32, lane))
        offset = builder.mul(builder.zext(number, i64), ir.Constant(i64, size))
        row = builder.load(at(builder, data, offset, four))
        row.align = size
        rows.append(row)
    return rows


def four_of(builder: Any, data: Any, place: Any, kind: Any, size: int) -> Any:
    """Four numbers from a place of an array on."""
    vector = ir.VectorType(kind, 4)
    offset = builder.mul(place, ir.Constant(i64, size))
    numbers = builder.load(at(builder, data, offset, vector))
    numbers.align = size
    return numbers


class Four:
    """Four numbers side by side, for formulas; comparisons give four bits."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder = builder
        self.value = value

    def _like(self, value: Any) -> Four:
        return Four(self.builder, value)

    def __add__(self, other: Four) -> Four:
        return self._like(self.builder.fadd(self.value, other.value))

    def __sub__(self, other: Four) -> Four:
        return self._like(self.builder.fsub(self.value, other.value))

    def __mul__(self, other: Four) -> Four:
        return self._like(self.builder.fmul(self.value, other.value))

    def __truediv__(self, other: Four) -> Four:
        return self._like(self.builder.fdiv(self.value, other.value))

    def __neg__(self) -> Four:
        return self._like(self.builder.fneg(self.value))

    def __gt__(self, other: Four) -> Any:
        return self.builder.fcmp_ordered(">", self.value, other.value)

    def __ge__(self, other: Four) -> Any:
        return self.builder.fcmp_ordered(">=", self.value, other.value)

    def equals(self, other: Four) -> Any:
        """Which are equal."""
        return self.builder.fcmp_ordered("==", self.value, other.value)

    def root(self) -> Four:
        """Square roots."""
        name = "llvm.sqrt.v4f64"
        return self._like(call(self.builder, name, self.value.type, self.value))

    def where(self, bits: Any, other: Four) -> Four:
        """These where the bits are set, elsewhere the others."""
        return self._like(self.builder.select(bits, self.value, other.value))


if numba.config.DISABLE_JIT:

    def lowest_bit(bits: int) -> Any:
        """The number of the lowest bit that is set."""
        return np.uint64((int(bits) & -int(bits)).bit_length() - 1)

else:

    @intrinsic
    def lowest_bit(typingctx: Any, bits: Any) -> Any:
        """The number of the lowest bit that is set, of 64; one must be."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            yes = ir.Constant(ir.IntType(1), 1)
            return call(builder, "llvm.cttz.i64", i64, args[0], yes)

        return bits(bits), codegen
