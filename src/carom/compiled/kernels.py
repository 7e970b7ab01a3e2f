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
from numba.core.typing.templates import make_concrete_template

from carom.compiled.pipelines import FOR_ENTRY_POINTS, FOR_KERNELS

# No fast-math: infinity means "never", and detection must not be re-associated.
# nogil lets replicas run side by side in threads.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}

# By force: a call that passes a system passes hundreds of array fields, and left to itself the
# compiler makes such calls, at a third of the speed.
INLINED: dict[str, Any] = {"forceinline": True, **OPTIONS}

Function = TypeVar("Function", bound=Callable[..., Any])

# For those that only compiled code calls: no doorways from Python and C.
INNER: dict[str, Any] = {
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    **FOR_KERNELS,
    **INLINED,
}

# For those that only Python calls.
ENTRY: dict[str, Any] = {"no_cfunc_wrapper": True, **FOR_ENTRY_POINTS, **OPTIONS}


class _KernelDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A compiled function that Python can call; compiled code calls its inner twin."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """That of the twin."""
        return self._twin.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """That of the twin."""
        return self._twin.get_overload(sig)


def kernel(function: Function) -> Function:
    """Compile a function that compiled code calls, and Python may."""
    compiled = numba.njit(**INLINED)(function)
    # One that calls itself must find itself, and not its twin.
    code = function.__code__
    is_recursive = function.__name__ in (*code.co_names, *code.co_freevars)
    if not (numba.config.DISABLE_JIT or is_recursive):
        compiled.__class__ = _KernelDispatcher
        compiled._twin = inner_kernel(function)
    return compiled  # type: ignore[no-any-return]


class _InnerDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A compiled function without the doorway from Python; knocking there would crash."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{self.__name__} can only be called from compiled code.")

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile once for all numbers of a type, and not anew for every constant among them."""
        python_signature, args = self._compiler.fold_argument_types(args, kws)
        args = tuple(types.unliteral(arg) for arg in args)
        self.compile(args)
        name, signature = self.__name__, self.overloads[args].signature
        template = make_concrete_template(name, name, [signature])
        return template, python_signature, args, {}

    def compile(self, sig: Any) -> Any:
        """Compile for these types, within the compilation of somebody who calls.

        Numba's own takes the times of every call of the compiler, as often as calls are nested.
        """
        if sig not in self.overloads:
            with self._compiling_counter:
                self.add_overload(self._compiler.compile(sig, None))
        return self.overloads[sig].entry_point


def inner_kernel(function: Function) -> Function:
    """Compile a function that only compiled code calls.

    Numba gives every function a doorway from Python, which takes apart all its arguments. For a
    function that takes a system this is half of the time to compile it.
    """
    return _inner(function)


def checked_kernel(function: Function) -> Function:
    """Compile a function that somebody else has written, which must not read or write outside its
    arrays."""
    return _inner(function, boundscheck=True)


def _inner(function: Function, **options: Any) -> Function:
    compiled = numba.njit(**INNER, **options)(function)
    if not numba.config.DISABLE_JIT:
        compiled.__class__ = _InnerDispatcher
    return compiled  # type: ignore[no-any-return]
