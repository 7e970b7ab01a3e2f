"""Every Numba option of the package, and the ways in which components reach compiled code.

- ``kernel`` compiles a function that other kernels call, and that Python may call, too.
- ``inner_kernel`` compiles a function that only kernels call; it compiles twice as fast.
- ``entry_point`` compiles a function that Python calls, and keeps it on disk when it may.
- ``dispatch_on`` makes a function that is chosen by the type of one argument, at compile time.
- ``borrowed`` (see ``views.py``) spares loops what Numba does around arrays.
- ``prefetch`` asks for memory ahead of its use, ``copy_four`` copies four numbers at once.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, TypeVar

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic, overload

from carom.compiled.cache import KeptCode
from carom.compiled.components import (
    foreign_parts,
    is_component_type,
    is_foreign,
    is_ours,
    place_of,
    reason_of,
)
from carom.compiled.views import borrowed, data_of
from carom.errors import KernelError

__all__ = [
    "EntryPoint",
    "borrowed",
    "copy_four",
    "dispatch_on",
    "entry_point",
    "inner_kernel",
    "kernel",
    "prefetch",
]

# No fast-math: infinity means "never", and detection must not be re-associated.
# nogil lets replicas run side by side in threads.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}

# By force: a call that passes a system passes hundreds of array fields, and left to itself the
# compiler makes such calls, at a third of the speed.
INLINED: dict[str, Any] = {"forceinline": True, **_OPTIONS}

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


def _kept_njit(function: Callable[..., Any]) -> Any:
    """Compile a function, and keep what is compiled on disk."""
    compiled = numba.njit(**_OPTIONS)(function)
    if not numba.config.DISABLE_JIT:
        compiled._cache = KeptCode(function)
    return compiled


class EntryPoint:
    """A compiled function that Python calls.

    It is kept on disk only when every component it is handed is the package's own: nobody would
    notice that a user's law has changed.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self._kept = _kept_njit(function)
        self._not_kept: dict[tuple[type, ...], Any] = {}

    def __call__(self, *args: Any) -> Any:
        """Run it, compiled; components of the user's own are checked for what fails inside."""
        if not is_foreign(args):
            return self._kept(*args)
        try:
            return self._chosen(args)(*args)
        except Exception as error:
            raise KernelError(_failure(error, args)) from error

    def _chosen(self, args: tuple[Any, ...]) -> Any:
        """The dispatcher for these arguments.

        Those with users' components have one for each combination of their classes, for Numba
        takes classes of one name and the same fields for each other: a law that is defined again,
        in a notebook, would run as it was.
        """
        if not is_foreign(args):
            return self._kept
        kinds = tuple(type(component) for component in foreign_parts(args))
        if kinds not in self._not_kept:
            self._not_kept[kinds] = numba.njit(**_OPTIONS)(self.__wrapped__)
        return self._not_kept[kinds]

    def is_compiled_for(self, *args: Any) -> bool:
        """Whether a call with these arguments starts at once, without a compilation."""
        if numba.config.DISABLE_JIT:
            return True
        dispatcher = self._chosen(args)
        signature = tuple(numba.typeof(arg) for arg in args)
        if signature in dispatcher.overloads:
            return True
        cache = dispatcher._cache
        return isinstance(cache, KeptCode) and cache.has(signature, dispatcher.targetctx)


def entry_point(function: Callable[..., Any]) -> EntryPoint:
    """Compile a function that Python calls."""
    return EntryPoint(function)


def _failure(error: Exception, args: tuple[Any, ...]) -> str:
    """What a run with components of the user's own says when compiled code fails."""
    kinds = {type(component) for component in foreign_parts(args)}
    places = [
        f"{function.__name__} of {kind.__name__} is {place_of(function.implementations[kind])}"
        for kind in kinds
        for function in _DISPATCHED
        if kind in function.implementations
    ]
    names = ", ".join(sorted(kind.__name__ for kind in kinds))
    return f"a run with {names} failed: {reason_of(error)} {'; '.join(sorted(places))}."


_DISPATCHED: list[Any] = []  # all functions that are selected by type


def dispatch_on(argument: str) -> Callable[[Callable[..., Any]], Any]:
    """Turn a stub into a function selected by the type of one of its arguments.

    In compiled code the choice is made by the compiler and costs nothing; with
    ``NUMBA_DISABLE_JIT=1`` the same function works as plain Python. The set of types stays
    open: ``function.register(Type)`` adds one, also from a user's script, and
    ``function.otherwise`` sets what holds for every type that is not registered.

    The package's own types are its own: their compiled code is kept on disk, and would bring what
    one script has registered into all others.
    """

    def decorate(stub: Callable[..., Any]) -> Any:
        implementations: dict[type, Callable[..., Any]] = {}
        position = stub.__code__.co_varnames.index(argument)
        compiled: set[type | None] = set()

        def implementation(component: type | None) -> Callable[..., Any] | None:
            return implementations.get(component, implementations.get(object))  # type: ignore[arg-type]

        @functools.wraps(stub)
        def generic(*args: Any) -> Any:
            chosen = implementation(type(args[position]))
            if chosen is None:
                raise TypeError(_unknown(stub.__name__, type(args[position]), implementations))
            return chosen(*args)

        def select(args: Any, with_checks: bool) -> Any:
            component = getattr(args[position], "instance_class", None)
            if (component in implementations and not is_ours(component)) != with_checks:
                return None
            compiled.add(component)
            chosen = implementation(component)
            return getattr(chosen, "py_func", chosen)

        # Not strict: the names of the arguments are the implementation's own. It is compiled
        # here rather than called, which saves a layer of compilation for each.
        @overload(generic, strict=False, jit_options=INLINED)
        def select_ours(*args):  # type: ignore[no-untyped-def]
            return select(args, with_checks=False)

        # What somebody else has written must not read or write outside its arrays.
        @overload(generic, strict=False, jit_options=INLINED | {"boundscheck": True})
        def select_foreign(*args):  # type: ignore[no-untyped-def]
            return select(args, with_checks=True)

        def register(component: type) -> Callable[[Any], Any]:
            by_us = _caller_is_ours()
            _refuse_type(open_function, component, compiled, by_us)

            def add(function: Any) -> Any:
                _refuse_function(stub, component, function)
                is_kernel = by_us or hasattr(function, "py_func")
                implementations[component] = function if is_kernel else kernel(function)
                return function

            return add

        def otherwise(function: Any) -> Any:
            if not _caller_is_ours():
                raise TypeError(
                    f"what {stub.__name__} does for all other types is carom's own; register it "
                    f"for a type of your own with @{stub.__name__}.register(Type)."
                )
            implementations[object] = function
            return function

        open_function: Any = generic
        open_function.register = register
        open_function.otherwise = otherwise
        open_function.implementations = MappingProxyType(implementations)
        _DISPATCHED.append(open_function)
        return open_function

    return decorate


def _caller_is_ours() -> bool:
    """Whether the function that asks was called from the package."""
    return is_ours(sys._getframe(2).f_globals.get("__name__", ""))


def _refuse_type(function: Any, component: Any, compiled: set[type | None], by_us: bool) -> None:
    """Refuse to register for a type that is no component, not the caller's own, or too late."""
    name = function.__name__
    if not is_component_type(component):
        raise TypeError(
            f"{name} is registered for classes, typing.NamedTuples of their parameters, not for "
            f"{component!r}."
        )
    if is_ours(component) and not by_us:
        raise TypeError(
            f"{component.__name__} is carom's own: what you register for it would be kept on disk "
            f"with carom's compiled code, and run in scripts that know nothing of it. Define a "
            f"NamedTuple of your own, and register {name} for that."
        )
    if is_ours(component) and component in function.implementations:
        raise TypeError(f"{name} is already registered for {component.__name__}.")
    if component in compiled:
        raise TypeError(
            f"{name} for {component.__name__} is compiled already, and runs would go on with that. "
            f"Define {component.__name__} again as well (in a notebook run its cell again), and "
            "register the new one."
        )


def _refuse_function(stub: Callable[..., Any], component: type, function: Any) -> None:
    """Refuse what cannot be compiled, or takes other arguments."""
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    if code is None:
        raise TypeError(
            f"{stub.__name__} of {component.__name__} must be a function, made with @carom.kernel, "
            f"not {function!r}."
        )
    expected = stub.__code__.co_varnames[: stub.__code__.co_argcount]
    if code.co_argcount != len(expected) and not code.co_flags & inspect.CO_VARARGS:
        given = code.co_varnames[: code.co_argcount]
        raise TypeError(
            f"{stub.__name__} of {component.__name__}, {place_of(function)}, takes "
            f"({', '.join(given)}), but it is called with ({', '.join(expected)})."
        )


def _unknown(function: str, component: type, known: dict[type, Any]) -> str:
    names = ", ".join(sorted(k.__name__ for k in known))
    return (
        f"{function} is not defined for {component.__name__}; it is for: {names}. "
        f"Define it with @{function}.register({component.__name__})."
    )


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
