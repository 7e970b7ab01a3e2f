"""How times are taken: processor time, in pieces that alternate between subjects."""

from __future__ import annotations

from collections.abc import Mapping
from time import process_time
from typing import Protocol

import numpy as np

from carom.particles import Array


class Subject(Protocol):
    """Something whose speed is measured."""

    def begin(self) -> None:
        """Get ready for a piece; not timed."""

    def run(self, number: int, /) -> None:
        """Carry out a piece of so many collisions or steps; timed."""


def by_rounds(seconds: Array) -> Array:
    """Times (rounds, subjects) as if the machine had been as fast in all rounds.

    Subjects take turns, so that what slows the machine down for longer than a round slows all of
    its pieces down alike. Each round is scaled to the median of all.
    """
    whole = seconds.mean(axis=1, keepdims=True)
    return np.asarray(seconds * (np.median(whole) / whole))


def seconds_each(subjects: Mapping[str, Subject], number: int, pieces: int) -> dict[str, Array]:
    """The processor time per collision, or per step, in each piece, by subject.

    The subjects take turns, so that whatever else the machine does meets all of them alike.
    """
    times: dict[str, list[float]] = {name: [] for name in subjects}
    for _ in range(pieces):
        for name, subject in subjects.items():
            subject.begin()
            start = process_time()
            subject.run(number)
            times[name].append((process_time() - start) / number)
    return {name: np.array(values) for name, values in times.items()}
