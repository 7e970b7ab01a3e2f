"""Functions that Python calls: compiled, and kept on disk when they may be."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numba

from carom.compiled.cache import KeptCode
from carom.compiled.components import foreign_parts, is_foreign, reason_of
from carom.compiled.dispatch import places_of
from carom.compiled.kernels import OPTIONS
from carom.errors import KernelError


def _kept_njit(function: Callable[..., Any]) -> Any:
    """Compile a function, and keep what is compiled on disk."""
    compiled = numba.njit(**OPTIONS)(function)
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
            self._not_kept[kinds] = numba.njit(**OPTIONS)(self.__wrapped__)
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
    places = [place for kind in kinds for place in places_of(kind)]
    names = ", ".join(sorted(kind.__name__ for kind in kinds))
    return f"a run with {names} failed: {reason_of(error)} {'; '.join(sorted(places))}."
