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
    """The columns of four vectors of four, in two rounds of shuffles.

    Of four vectors of eight each half is transposed by itself.
    """
    width = rows[0].type.count
    halves = range(0, width, 4)
    even = [lane for k in halves for lane in (k, width + k, k + 2, width + k + 2)]
    odd = [lane + 1 for lane in even]
    low = [lane for k in halves for lane in (k, k + 1, width + k, width + k + 1)]
    high = [lane + 2 for lane in low]
    evens = [shuffled(builder, rows[k], rows[k + 1], even) for k in (0, 2)]
    odds = [shuffled(builder, rows[k], rows[k + 1], odd) for k in (0, 2)]
    first = [shuffled(builder, a, b, low) for a, b in (evens, odds)]
    second = [shuffled(builder, a, b, high) for a, b in (evens, odds)]
    return first + second


def columns_of_eight(builder: Any, rows: list[Any]) -> list[Any]:
    """The four columns, vectors of eight, of eight rows of four."""
    pairs = zip(rows[:4], rows[4:], strict=True)
    return transposed(builder, [shuffled(builder, a, b, list(range(8))) for a, b in pairs])


def rows_of_eight(builder: Any, columns: list[Any]) -> list[Any]:
    """The eight rows of four of four columns."""
    both = transposed(builder, columns)
    first, second = ([shuffled(builder, v, v, lanes) for v in both] for lanes in _HALVES)
    return first + second


_HALVES = ([0, 1, 2, 3], [4, 5, 6, 7])


def at(builder: Any, data: Any, offset: Any, kind: Any) -> Any:
    """The address so many bytes behind ``data``, a pointer to bytes."""
    return builder.bitcast(builder.gep(data, [offset]), kind.as_pointer())


def ask_for(builder: Any, address: Any) -> None:
    """Ask for a line of memory that will be needed soon."""
    hints = [ir.Constant(i32, value) for value in (0, 3, 1)]  # to read, kept, data
    call(
        builder,
        "llvm.prefetch.p0",
        ir.VoidType(),
        builder.bitcast(address, i8.as_pointer()),
        *hints,
    )


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
    """Lanes numbers from a place of an array on."""
    vector = ir.VectorType(kind, 4)
    offset = builder.mul(place, ir.Constant(i64, size))
    numbers = builder.load(at(builder, data, offset, vector))
    numbers.align = size
    return numbers


class Lanes:
    """Numbers side by side, for formulas; comparisons give a bit for each."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder = builder
        self.value = value

    def _like(self, value: Any) -> Lanes:
        return Lanes(self.builder, value)

    def __add__(self, other: Lanes) -> Lanes:
        return self._like(self.builder.fadd(self.value, other.value))

    def __sub__(self, other: Lanes) -> Lanes:
        return self._like(self.builder.fsub(self.value, other.value))

    def __mul__(self, other: Lanes) -> Lanes:
        return self._like(self.builder.fmul(self.value, other.value))

    def __truediv__(self, other: Lanes) -> Lanes:
        return self._like(self.builder.fdiv(self.value, other.value))

    def __neg__(self) -> Lanes:
        return self._like(self.builder.fneg(self.value))

    def __gt__(self, other: Lanes) -> Any:
        return self.builder.fcmp_ordered(">", self.value, other.value)

    def __ge__(self, other: Lanes) -> Any:
        return self.builder.fcmp_ordered(">=", self.value, other.value)

    def equals(self, other: Lanes) -> Any:
        """Which are equal."""
        return self.builder.fcmp_ordered("==", self.value, other.value)

    def root(self) -> Lanes:
        """Square roots."""
        name = f"llvm.sqrt.v{self.value.type.count}f64"
        return self._like(call(self.builder, name, self.value.type, self.value))

    def where(self, bits: Any, other: Lanes) -> Lanes:
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
