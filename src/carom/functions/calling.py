"""Functions of numbers that give the same bits wherever they are called."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload

from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import INNER


def for_numbers_and_arrays(function: Callable[..., float]) -> Any:
    """Let a function of one or two numbers be called from kernels, and from Python with arrays.

    A number given by Python is computed by Python: no compiler has to be waited for, and with
    nothing but additions, multiplications, divisions and comparisons the result is the same.
    """
    number_of_arguments = function.__code__.co_argcount
    beginning = Beginning(10_000)

    @functools.wraps(function)
    def anywhere(*args: Any) -> Any:
        if any(isinstance(arg, np.ndarray) and arg.ndim > 0 for arg in args):
            return _of_arrays(function, each, beginning, args)
        return float(function(*(float(arg) for arg in args)))

    @overload(anywhere, strict=False, jit_options=INNER)
    def compiled(*args):  # type: ignore[no-untyped-def]
        return function

    if number_of_arguments == 1:

        def loop(x: Any, out: Any) -> None:
            for i in range(len(out)):
                out[i] = anywhere(x[i])

    else:

        def loop(x: Any, y: Any, out: Any) -> None:  # type: ignore[misc]
            for i in range(len(out)):
                out[i] = anywhere(x[i], y[i])

    # Numba's disk cache knows functions by their names.
    loop.__qualname__ = loop.__name__ = f"each_{function.__name__}"
    each = entry_point(loop)
    return anywhere


class Beginning:
    """So many numbers, in a process, that Python computes in less time than a compiler takes.

    Who needs more has the rest compiled.
    """

    def __init__(self, numbers: int) -> None:
        self._left = numbers

    def has_room_for(self, numbers: int) -> bool:
        """Whether Python is to compute these, too."""
        self._left = self._left - numbers if numbers <= self._left else 0
        return self._left > 0


def _of_arrays(
    function: Callable[..., float], each: Any, beginning: Beginning, args: tuple[Any, ...]
) -> Any:
    full = np.broadcast_arrays(*(np.asarray(arg, dtype=np.float64) for arg in args))
    out = np.empty(full[0].shape)
    if beginning.has_room_for(out.size):
        columns = (array.reshape(-1).tolist() for array in full)
        out.reshape(-1)[:] = [function(*numbers) for numbers in zip(*columns, strict=True)]
        return out
    # Copies: what is broadcast is not to be written to, of which Numba would warn.
    flat = [np.array(array, order="C").reshape(-1) for array in full]
    each(*flat, out.reshape(-1))
    return out
