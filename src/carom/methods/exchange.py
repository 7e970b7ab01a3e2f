"""Particles that come and go: what one engine hands to the next.

The number of particles is a shape of all arrays, which compiled loops take for granted. So whoever
changes it makes a new engine for the particles that there are then, and that goes on with all that
lasts: what the old one knew of those who stay, and its sums. Rows are in the order of identities
before and after; where a particle lies in memory is up to the engine, which has the map in the
``name`` of each.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom.methods.counts import Counts
from carom.types import Array, Integers


class Stays(NamedTuple):
    """Those who stay: their rows before, and after."""

    before: Integers
    after: Integers


class Sums(NamedTuple):
    """What an engine has summed up since the start."""

    counts: Counts
    dissipated: float
    virial: Array  # (3, 3)
    kinetic: Array  # (3, 3)
    wall_impulse: Array
    shear_work: float
    overlap_sum: float = 0.0  # of collisions of hard particles in steps
    largest_overlap: float = 0.0


def no_sums(walls: int) -> Sums:
    """Those of a run that begins."""
    return Sums(Counts(), 0.0, np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(walls), 0.0)


def slots_of(name: Any) -> Integers:
    """Where each particle lies in memory, by its row."""
    slots = np.empty(len(name), dtype=np.int64)
    slots[name] = np.arange(len(name))
    return slots


def renamed_slots(number_before: int, slots: Integers, stays: Stays, nobody: int) -> Integers:
    """For each slot of before the row of the same particle now, or ``nobody``."""
    renamed = np.full(number_before, nobody, dtype=np.int64)
    renamed[slots[stays.before]] = stays.after
    return renamed


def refuse_exchange(method: Any) -> None:
    """Refuse a method that has something for each particle of the start."""
    times = getattr(method, "relaxation_time", None)
    if times is not None and not callable(times) and np.ndim(times) > 0:
        raise ValueError(
            f"{type(method).__name__}: relaxation_time is one number for each particle, but their "
            "number changes; give one for all, or a rule in the radius such as "
            "carom.PowerOfRadius(...)."
        )
    strengths = getattr(getattr(method, "fluid", None), "exchange", None)
    if strengths is not None and not callable(strengths) and np.ndim(strengths) > 0:
        raise ValueError(
            f"{type(method).__name__}: exchange of the fluid is one strength for each particle, "
            "but their number changes; give one for all, or a function of the radii."
        )
