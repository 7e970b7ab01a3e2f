"""How numbers of particles in parts of a box vary, averaged over looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from carom.checks import check_whole, several
from carom.observers.averaged import AveragedObserver
from carom.observers.curve import Curve
from carom.particles import Array
from carom.statistics import box_around, box_counts, count_dispersion
from carom.types import Plain


class NumberFluctuations(AveragedObserver):
    """The variance over the mean of the number of particles in equal parts of a box, by their size.

    ``parts`` are numbers of parts along each side, 2 or more. Random points have 1 for any of them,
    fluids approach their compressibility T dρ/dP for large parts, and clusters have more. See
    ``statistics.count_dispersion``. A checkpoint keeps the sums.
    """

    needs_the_same = "what varies would be the number of all, too"

    def __init__(self, every: float, parts: Sequence[int] = (2, 3, 4, 6, 8)) -> None:
        super().__init__(every)
        self._parts = several("NumberFluctuations: parts", parts)
        if not self._parts:
            raise ValueError(
                "NumberFluctuations: parts must have one number at least, as in (2, 4)."
            )
        for part in self._parts:
            check_whole("NumberFluctuations: parts", part, 2)
        self._number, self._dimension = 0, 0

    def settings(self) -> Plain:
        """The schedule and the parts."""
        return super().settings() | {"parts": [int(part) for part in self._parts]}

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse what has no box that repeats."""
        box_around(simulation)

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Begin anew, or with the sums of a checkpoint."""
        super().begin(simulation, state)
        self._number = len(simulation.system.particles)
        self._dimension = simulation.system.dimension

    def found(self, simulation: Any) -> Array:
        """The dispersion for each size now."""
        position, box = simulation.particles.position, box_around(simulation)
        cuts = ((part,) * self._dimension for part in self._parts)
        return np.array([count_dispersion(box_counts(position, box, cut)) for cut in cuts])

    @property
    def number(self) -> Array:
        """The mean number of particles in a part of each size."""
        return self._number / np.array(self._parts, dtype=np.float64) ** self._dimension

    @property
    def dispersion(self) -> Array:
        """Variance over mean for each size."""
        return self.blocks.mean

    @property
    def error(self) -> Array:
        """Its standard error."""
        return self.blocks.error

    def curve(self) -> Curve:
        """The dispersion over the mean number, for ``plotting.measured``."""
        labels = ("mean number in a part", "variance / mean")
        return Curve(self.number, self.dispersion, self.error, labels, logarithmic=True)
