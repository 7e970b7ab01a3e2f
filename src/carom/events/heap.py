"""A binary heap of particles, each with the time of its next event.

One node per particle, so the heap never grows (Lubachevsky 1991; Sigurgeirsson, Stuart & Wan
2001, section 1.2). Events at the same time are ordered by particle number, which makes a run
reproducible whatever the history of the heap.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom.compiled.kernels import inner_kernel
from carom.types import Array, Integers


class Heap(NamedTuple):
    """``particle[0]`` is next, at time ``key[0]``; ``place[i]`` is where particle i stands."""

    particle: Integers
    key: Array  # beside ``particle``, so that the two children of a node are neighbours in memory
    place: Integers


def new_heap(n: int) -> Heap:
    """A heap of n particles that have no events."""
    numbers = np.arange(n, dtype=np.int32)
    return Heap(numbers, np.full(n, np.inf), numbers.copy())


@inner_kernel
def reschedule(heap: Heap, i: int, time: float) -> None:
    """Give particle i a new time and restore the order."""
    particle, key, place = heap.particle, heap.key, heap.place
    n = len(particle)
    at = place[i]
    while at > 0:
        parent = (at - 1) >> 1
        if not _precedes(time, i, key[parent], particle[parent]):
            break
        _settle(heap, at, particle[parent], key[parent])
        at = parent
    while True:
        child = 2 * at + 1
        if child >= n:
            break
        right = child + 1
        if right < n and _precedes(key[right], particle[right], key[child], particle[child]):
            child = right
        if not _precedes(key[child], particle[child], time, i):
            break
        _settle(heap, at, particle[child], key[child])
        at = child
    _settle(heap, at, i, time)


@inner_kernel
def _precedes(time: float, i: int, other_time: float, j: int) -> bool:
    return time < other_time or (time == other_time and i < j)


@inner_kernel
def _settle(heap: Heap, at: int, i: int, time: float) -> None:
    heap.particle[at] = i
    heap.key[at] = time
    heap.place[i] = at
