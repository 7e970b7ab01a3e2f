"""Functions that Python calls: compiled, and kept on disk when they may be."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numba

from carom.compiled.cache import KeptCode
from carom.compiled.components import reason_of
from carom.compiled.dispatch import places_of
from carom.compiled.kernels import ENTRY
from carom.compiled.lent import foreign_kinds, lend
from carom.errors import KernelError


def _kept_njit(function: Callable[..., Any]) -> Any:
    """Compile a function, and keep what is compiled on disk."""
    compiled = numba.njit(**ENTRY)(function)
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
        lent = [lend(arg) for arg in args]
        kinds = _kinds_of(lent)
        if not kinds:
            return self._kept(*lent)
        try:
            return self._chosen(kinds)(*lent)
        except Exception as error:
            raise KernelError(_failure(error, kinds)) from error

    def _chosen(self, kinds: tuple[type, ...]) -> Any:
        """The dispatcher for arguments with components of these classes of a user's own.

        There is one for each combination of classes, for Numba takes classes of one name and the
        same fields for each other: a law that is defined again, in a notebook, would run as it was.
        """
        if not kinds:
            return self._kept
        if kinds not in self._not_kept:
            self._not_kept[kinds] = numba.njit(**ENTRY)(self.__wrapped__)
        return self._not_kept[kinds]

    def is_compiled_for(self, *args: Any) -> bool:
        """Whether a call with these arguments starts at once, without a compilation."""
        if numba.config.DISABLE_JIT:
            return True
        lent = [lend(arg) for arg in args]
        dispatcher = self._chosen(_kinds_of(lent))
        signature = tuple(numba.typeof(arg) for arg in lent)
        if signature in dispatcher.overloads:
            return True
        cache = dispatcher._cache
        return isinstance(cache, KeptCode) and cache.has(signature, dispatcher.targetctx)


def _kinds_of(lent: list[Any]) -> tuple[type, ...]:
    return tuple(kind for one in lent for kind in foreign_kinds(one))


def entry_point(function: Callable[..., Any]) -> EntryPoint:
    """Compile a function that Python calls."""
    return EntryPoint(function)


def _failure(error: Exception, kinds: tuple[type, ...]) -> str:
    """What a run with components of the user's own says when compiled code fails."""
    places = {place for kind in kinds for place in places_of(kind)}
    names = ", ".join(sorted({kind.__name__ for kind in kinds}))
    return f"a run with {names} failed: {reason_of(error)} {'; '.join(sorted(places))}."
