"""What the collision log says about overlaps."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

Array = np.ndarray


def last_places(separation: Array) -> Array:
    """How many floats the distance of each row (.., 3) is from 1; negative when spheres overlap."""
    # Rounded once: a square in double precision would be counted at the diameter too often.
    square = (separation.astype(np.longdouble) ** 2).sum(axis=1)
    distance = np.sqrt(square).astype(np.float64)
    spacing = np.where(distance < 1.0, 2.0**-53, 2.0**-52)
    return np.rint((distance - 1.0) / spacing).astype(np.int64)


class LatestContacts:
    """Counts impacts in which a sphere overlaps two others (Bannerman et al. 2014, figure 5).

    After a contact with overlap o, unit masses part with the speed ε J / (1 + ε) · 2, J being the
    impulse, and the overlap is gone after o over that. A sphere that meets and overlaps another
    one before is doubly overlapping. For spheres of diameter and mass 1.

    These events are too rare to be met in an elastic fluid, so ``expected`` adds up how many there
    would be if the next impact of either sphere were as likely at any time.
    """

    def __init__(self, n: int, coefficient: float) -> None:
        self._partner = np.full((n, 2), -1, dtype=np.int64)  # the latest and the one before
        self._clear = np.full(n, -np.inf)  # when the overlap of the latest contact is gone
        self._latest = np.full(n, -np.inf)  # when that contact was
        self._coefficient = coefficient
        self.doubly = 0
        self.expected = 0.0

    def take(self, time: Array, i: Array, j: Array, impulse: Array, separation: Array) -> None:
        """Go through a piece of the log."""
        overlap = 1.0 - np.sqrt((separation**2).sum(axis=1))
        parting = 2.0 * impulse * self._coefficient / (1.0 + self._coefficient)
        state = (self._partner, self._clear, self._latest)
        self.doubly += int(_count(time, i, j, overlap, parting, *state))
        overlapping = overlap > 0.0
        lasting = (overlap[overlapping] / parting[overlapping]).sum()
        rate = 2.0 * len(time) / (len(self._latest) * (time[-1] - time[0]))
        self.expected += float(2.0 * rate * lasting * overlapping.mean())


@numba.njit
def _count(
    time: Any, i: Any, j: Any, overlap: Any, parting: Any, partner: Any, clear: Any, latest: Any
) -> int:
    """Impacts with an overlap in which either sphere still overlaps its latest partner."""
    doubly = 0
    for k in range(len(time)):
        found = False
        for own, other in ((i[k], j[k]), (j[k], i[k])):
            last, before = partner[own]
            at_once = time[k] == latest[own]
            # The latest contact counts as long as neither has met anybody since. Meeting the one
            # before again at once is no impact, but the answer to one: a stabilising collision.
            if last >= 0 and other != last and latest[own] == latest[last]:
                found |= (at_once or time[k] < clear[own]) and not (at_once and other == before)
        doubly += found and overlap[k] > 0.0
        lasting = overlap[k] / parting[k] if overlap[k] > 0.0 else -np.inf
        for own, other in ((i[k], j[k]), (j[k], i[k])):
            partner[own, 1] = partner[own, 0]
            partner[own, 0], latest[own] = other, time[k]
            clear[own] = time[k] + lasting
    return doubly
