"""A binary heap of particles, each with the time of its next event.

One node per particle, so the heap never grows (Lubachevsky 1991; Sigurgeirsson, Stuart & Wan
2001, section 1.2). Events at the same time are ordered by particle number, which makes a run
reproducible whatever the history of the heap.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom._jit import kernel


class Heap(NamedTuple):
    """``particle[0]`` is next; ``place[i]`` is where particle i stands; ``key[i]`` is its time."""

    particle: Any
    place: Any
    key: Any


def new_heap(n: int) -> Heap:
    """A heap of n particles that have no events."""
    return Heap(np.arange(n), np.arange(n), np.full(n, np.inf))


@kernel
def _precedes(key: Any, i: int, j: int) -> bool:
    return key[i] < key[j] or (key[i] == key[j] and i < j)


@kernel
def reposition(heap: Heap, i: int) -> None:
    """Restore the order after the key of particle i has changed."""
    particle, place, key = heap.particle, heap.place, heap.key
    n = len(particle)
    at = place[i]
    while at > 0:
        parent = (at - 1) >> 1
        other = particle[parent]
        if not _precedes(key, i, other):
            break
        particle[at] = other
        place[other] = at
        at = parent
    while True:
        child = 2 * at + 1
        if child >= n:
            break
        other = particle[child]
        if child + 1 < n and _precedes(key, particle[child + 1], other):
            child += 1
            other = particle[child]
        if not _precedes(key, other, i):
            break
        particle[at] = other
        place[other] = at
        at = child
    particle[at] = i
    place[i] = at
