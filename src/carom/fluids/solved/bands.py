"""Loops over the rows of large arrays, in two bands that run side by side.

There are always two bands, whatever the number of processors, and what they sum up is added in
their order: results do not depend on the machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from carom.compiled.entry_points import entry_point

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
# Numbers in an array, from which on a second thread is worth the 0.05 to 0.2 ms that it takes to
# start: 256² nodes with two components.
WORTH_A_THREAD = 2 * 256 * 256


class _Threads:
    """Threads that outlive single calls; a process that was forked off makes its own."""

    def __init__(self) -> None:
        self._renew()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self.pool = ThreadPoolExecutor(max(1, CORES - 1), thread_name_prefix="carom-bands")


_THREADS = _Threads()


def threads_for(size: int) -> int:
    """How many threads to use for an array with so many numbers."""
    return CORES if size >= WORTH_A_THREAD else 1


def in_bands(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop over ``rows``, its first argument, and call it for two halves of the rows of
    the array that comes next; the sum of what both return is returned.

    The two halves must not write what the other one reads or writes.
    """
    compiled = entry_point(function)

    def both(array: Any, *others: Any) -> Any:
        rows = array.shape[0]
        upper, lower = (0, rows // 2), (rows // 2, rows)
        if threads_for(array.size) > 1:
            waiting = _THREADS.pool.submit(compiled, lower, array, *others)
            first = compiled(upper, array, *others)
            second = waiting.result()
        else:
            first = compiled(upper, array, *others)
            second = compiled(lower, array, *others)
        if isinstance(first, tuple):
            return tuple(a + b for a, b in zip(first, second, strict=True))
        return None if first is None else first + second

    both.__doc__ = function.__doc__
    return both
