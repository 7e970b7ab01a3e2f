"""Functions that compiled code calls, and every Numba option of the package.

- ``kernel`` compiles a function that other kernels call, and that Python may call, too.
- ``inner_kernel`` compiles a function that only kernels call; it compiles twice as fast.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import types
from numba.core.registry import CPUDispatcher

# No fast-math: infinity means "never", and detection must not be re-associated.
# nogil lets replicas run side by side in threads.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}

# By force: a call that passes a system passes hundreds of array fields, and left to itself the
# compiler makes such calls, at a third of the speed.
INLINED: dict[str, Any] = {"forceinline": True, **OPTIONS}

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function that compiled code calls, and Python may."""
    return numba.njit(**INLINED)(function)  # type: ignore[no-any-return]


class _InnerDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A compiled function without the doorway from Python; knocking there would crash."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{self.__name__} can only be called from compiled code.")

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile once for all numbers of a type, and not anew for every constant among them."""
        args = tuple(types.unliteral(arg) for arg in args)
        return super().get_call_template(args, kws)


def inner_kernel(function: Function) -> Function:
    """Compile a function that only compiled code calls.

    Numba gives every function a doorway from Python, which takes apart all its arguments. For a
    function that takes a system this is half of the time to compile it.
    """
    compiled = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **INLINED)(function)
    if not numba.config.DISABLE_JIT:
        compiled.__class__ = _InnerDispatcher
    return compiled  # type: ignore[no-any-return]
