"""Functions that Python calls: compiled, and kept on disk when they may be."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numba
from numba.core.registry import CPUDispatcher

from carom.compiled import compile_times
from carom.compiled.cache import KeptCode
from carom.compiled.components import reason_of
from carom.compiled.dispatch import note_compiled, places_of
from carom.compiled.kernels import ENTRY
from carom.compiled.lent import foreign_kinds, lend
from carom.errors import KernelError


class _EntryDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A function that Python calls; what it compiles is kept, and known by how long it took."""

    def compile(self, sig: Any) -> Any:
        """Compile for these types, or take what another process has compiled."""
        with self._cache.alone(sig, self.targetctx), compile_times.taken():
            found = super().compile(sig)
        note_compiled(self._cache.kinds)
        return found


class EntryPoint:
    """A compiled function that Python calls, and that is kept on disk."""

    __wrapped__: Callable[..., Any]  # the same as plain Python

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self._compiled: dict[tuple[type, ...], Any] = {}

    def __call__(self, *args: Any) -> Any:
        """Run it, compiled; components of the user's own are checked for what fails inside."""
        lent = [lend(arg) for arg in args]
        kinds = _kinds_of(lent)
        chosen = self._chosen(kinds)
        if not kinds:
            return chosen(*lent)
        try:
            return chosen(*lent)
        except Exception as error:
            raise KernelError(_failure(error, kinds)) from error

    def _chosen(self, kinds: tuple[type, ...]) -> Any:
        """The dispatcher for arguments with components of these classes of a user's own.

        There is one for each combination of classes, for Numba takes classes of one name and the
        same fields for each other: a law that is defined again, in a notebook, would run as it was.
        """
        if kinds not in self._compiled:
            compiled = numba.njit(**ENTRY)(self.__wrapped__)
            if not numba.config.DISABLE_JIT:
                compiled.__class__ = _EntryDispatcher
                compiled._cache = KeptCode(self.__wrapped__, kinds)
            return self._compiled.setdefault(kinds, compiled)  # another thread may have been faster
        return self._compiled[kinds]

    def is_compiled_for(self, *args: Any) -> bool:
        """Whether a call with these arguments starts at once, without a compilation."""
        if numba.config.DISABLE_JIT:
            return True
        lent = [lend(arg) for arg in args]
        dispatcher = self._chosen(_kinds_of(lent))
        signature = tuple(numba.typeof(arg) for arg in lent)
        if signature in dispatcher.overloads:
            return True
        return bool(dispatcher._cache.has(signature, dispatcher.targetctx))


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
