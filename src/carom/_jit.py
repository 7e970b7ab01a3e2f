"""Every Numba option of the package, and the ways in which components reach compiled code.

- ``kernel`` compiles a function that other kernels call, and that Python may call, too.
- ``inner_kernel`` compiles a function that only kernels call; it compiles twice as fast.
- ``entry_point`` compiles a function that Python calls, and keeps it on disk when it may.
- ``dispatch_on`` makes a function that is chosen by the type of one argument, at compile time.
- ``borrowed`` (see ``_views.py``) spares loops what Numba does around arrays.
- ``prefetch`` asks for memory ahead of its use, ``copy_four`` copies four numbers at once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic, overload

from carom._cache import KeptCode
from carom._views import borrowed, data_of

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

_PACKAGE = __name__.partition(".")[0]

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

    It is kept on disk only when every component it is handed is the package's own: Numba would
    not notice that a user's law has changed.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self._kept = _kept_njit(function)
        self._not_kept = numba.njit(**_OPTIONS)(function)

    def __call__(self, *args: Any) -> Any:
        return self._chosen(args)(*args)

    def _chosen(self, args: tuple[Any, ...]) -> Any:
        return self._not_kept if any(_is_foreign(arg) for arg in args) else self._kept

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


def _is_foreign(component: Any) -> bool:
    """Whether a tuple, or one nested in it, is of a class defined outside the package."""
    if not isinstance(component, tuple):
        return False
    outside = type(component) is not tuple and not _is_ours(type(component).__module__)
    return outside or any(_is_foreign(part) for part in component)


def _is_ours(module: str) -> bool:
    return module == _PACKAGE or module.startswith(_PACKAGE + ".")


def dispatch_on(argument: str) -> Callable[[Callable[..., Any]], Any]:
    """Turn a stub into a function selected by the type of one of its arguments.

    In compiled code the choice is made by the compiler and costs nothing; with
    ``NUMBA_DISABLE_JIT=1`` the same function works as plain Python. The set of types stays
    open: ``function.register(Type)`` adds one, also from a user's script, and
    ``function.otherwise`` sets what holds for every type that is not registered.
    """

    def decorate(stub: Callable[..., Any]) -> Any:
        implementations: dict[type, Callable[..., Any]] = {}
        position = stub.__code__.co_varnames.index(argument)

        def implementation(component: type | None) -> Callable[..., Any] | None:
            return implementations.get(component, implementations.get(object))  # type: ignore[arg-type]

        @functools.wraps(stub)
        def generic(*args: Any) -> Any:
            chosen = implementation(type(args[position]))
            if chosen is None:
                raise TypeError(_unknown(stub.__name__, type(args[position]), implementations))
            return chosen(*args)

        # Not strict: the names of the arguments are the implementation's own. It is compiled
        # here rather than called, which saves a layer of compilation for each.
        @overload(generic, strict=False, jit_options=INLINED)
        def select(*args):  # type: ignore[no-untyped-def]
            chosen = implementation(getattr(args[position], "instance_class", None))
            return getattr(chosen, "py_func", chosen)

        def register(component: type) -> Callable[[Any], Any]:
            def add(function: Any) -> Any:
                implementations[component] = function
                return function

            return add

        open_function: Any = generic
        open_function.register = register
        open_function.otherwise = register(object)
        open_function.implementations = implementations
        return open_function

    return decorate


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
