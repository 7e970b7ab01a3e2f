"""Single instructions: to ask for memory ahead of its use, to copy four numbers at once."""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from carom.compiled.views import data_of


def _address(context: Any, builder: Any, kind: Any, array: Any, i: Any) -> Any:
    """The address of row i of a one-dimensional array or view, as a pointer to bytes."""
    item = kind.dtype
    if isinstance(item, types.Record):
        size = item.size
    else:
        size = context.get_abi_sizeof(context.get_data_type(item))
    start = data_of(context, builder, kind, array)
    return builder.gep(start, [builder.mul(i, ir.Constant(i.type, size))])


if numba.config.DISABLE_JIT:

    def prefetch(array: Any, i: int) -> None:
        """Nothing to be gained in plain Python."""

    def copy_four(target: Any, at: int, source: Any, start: int) -> None:
        """Copy four numbers from one array (n,) to another of the same type."""
        target[int(at) : int(at) + 4] = source[int(start) : int(start) + 4]

else:

    @intrinsic
    def prefetch(typingctx: Any, array: Any, i: Any) -> Any:
        """Ask for the cache line in which row i of an array begins; it will be needed soon."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            address = _address(context, builder, signature.args[0], *args)
            number = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
            hint = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            # To read, to be kept in all caches, data.
            builder.call(hint, [address, *(ir.Constant(number, value) for value in (0, 3, 1))])
            return context.get_dummy_value()

        return types.void(array, types.int64), codegen

    @intrinsic
    def copy_four(typingctx: Any, target: Any, at: Any, source: Any, start: Any) -> Any:
        """Copy four numbers from one array (n,) to another of the same type.

        There must be room for all four in both, however many of them matter.
        """

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            item = context.get_data_type(signature.args[0].dtype)
            four = ir.VectorType(item, 4).as_pointer()
            align = signature.args[0].dtype.bitwidth // 8
            origin = _address(context, builder, signature.args[2], args[2], args[3])
            numbers = builder.load(builder.bitcast(origin, four))
            numbers.align = align
            goal = _address(context, builder, signature.args[0], args[0], args[1])
            builder.store(numbers, builder.bitcast(goal, four)).align = align
            return context.get_dummy_value()

        return types.void(target, types.int64, source, types.int64), codegen
