"""Functions that are chosen by the type of one argument, at compile time."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import Any, NamedTuple

from numba.core import types
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, infer_global

from carom.compiled.components import is_component_type, is_ours, place_of
from carom.compiled.kernels import checked_kernel, kernel

_DISPATCHED: list[Any] = []  # all functions that are selected by type


def dispatch_on(argument: str) -> Callable[[Callable[..., Any]], Any]:
    """Turn a stub into a function selected by the type of one of its arguments.

    A stub is a signature and a docstring: it is never run. In compiled code the choice is made by
    the compiler and costs nothing; with ``NUMBA_DISABLE_JIT=1`` the same function works as plain
    Python. The set of types stays open: ``function.register(Type)`` adds one, also from a user's
    script, and ``function.otherwise`` sets what holds for every type that is not registered. Where
    nothing does, the call is refused in words, compiled or not.

    The package's own types are its own: their compiled code is kept on disk, and would bring what
    one script has registered into all others.
    """

    def decorate(stub: Callable[..., Any]) -> Any:
        implementations: dict[type, Callable[..., Any]] = {}
        position = stub.__code__.co_varnames.index(argument)
        checked: dict[Any, Any] = {}  # implementations of somebody else's
        compiled: set[type | None] = set()
        keys: dict[Any, Any] = {}  # by which the compiler knows what it has compiled

        def implementation(component: type | None) -> Callable[..., Any] | None:
            return implementations.get(component, implementations.get(object))  # type: ignore[arg-type]

        @functools.wraps(stub)
        def generic(*args: Any) -> Any:
            chosen = implementation(type(args[position]))
            if chosen is None:
                raise TypeError(_unknown(open_function, type(args[position]).__name__))
            return chosen(*args)

        def select(kind: Any) -> Any:
            component = getattr(kind, "instance_class", None)
            compiled.add(component)
            chosen = implementation(component)
            if chosen is None:
                name = str(kind) if component is None else component.__name__
                raise TypingError(_unknown(open_function, name))
            return checked.get(component, chosen)

        class Choice(AbstractTemplate):  # type: ignore[misc]
            """How the compiler chooses; what it has chosen is compiled then and there."""

            key = stub

            def generic(self, args: Any, kws: Any) -> Any:
                chosen = types.Dispatcher(select(args[position]))
                signature: Any = chosen.get_call_type(self.context, args, kws)
                keys[signature.args] = chosen.get_overload(signature)
                return signature

            def get_impl_key(self, sig: Any) -> Any:
                return keys[sig.args]

        infer_global(generic, types.Function(Choice))

        def register(component: type) -> Callable[[Any], Any]:
            by_us = _caller_is_ours()
            _refuse_type(open_function, component, compiled, by_us)

            return functools.partial(add, component, by_us)

        def add(component: type, by_us: bool, function: Any) -> Any:
            _refuse_function(stub, component, function)
            is_kernel = by_us or hasattr(function, "py_func")
            implementations[component] = function if is_kernel else kernel(function)
            if not by_us:
                checked[component] = checked_kernel(getattr(function, "py_func", function))
            return function

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
        open_function.add = add
        open_function.otherwise = otherwise
        open_function.implementations = MappingProxyType(implementations)
        open_function.compiled = compiled
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


def _unknown(function: Any, component: str) -> str:
    """What is said where a function is asked for a type that nobody has registered."""
    known = ", ".join(sorted(kind.__name__ for kind in function.implementations))
    return (
        f"{function.__name__} is not defined for {component}; it is for: {known}. "
        f"Define it with @{function.__name__}.register({component})."
    )


def note_compiled(components: Iterable[type]) -> None:
    """Remember that these types are in compiled code, from disk perhaps.

    It does not say what was asked of them, so that all questions are taken as asked.
    """
    for function in _DISPATCHED:
        function.compiled.update(components)


def registered_for(component: type) -> list[tuple[str, Any]]:
    """What is registered for a type: the names of the questions, and the functions."""
    return [
        (function.__name__, function.implementations[component])
        for function in _DISPATCHED
        if component in function.implementations
    ]


class Registration(NamedTuple):
    """A function that a script has registered for a class of its own."""

    question: Any
    component: type
    answer: Any  # as it was written


def registrations_of(module: str) -> list[Registration]:
    """What is registered for the classes of a module."""
    return [
        Registration(question, component, getattr(answer, "py_func", answer))
        for question in _DISPATCHED
        for component, answer in question.implementations.items()
        if component.__module__ == module
    ]


def take_over(registrations: Iterable[Registration]) -> None:
    """Register what the script of another process has registered, if that is new here."""
    for question, component, answer in registrations:
        if component not in question.implementations:
            question.add(component, False, answer)


def places_of(component: type) -> list[str]:
    """What is registered for a type, and where each function stands."""
    return [
        f"{name} of {component.__name__} is {place_of(function)}"
        for name, function in registered_for(component)
    ]
