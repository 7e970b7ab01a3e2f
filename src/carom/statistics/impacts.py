"""How fast particles approach when they collide, from a log of collisions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carom.particles import Array


def impact_speeds(
    impulse: ArrayLike, mass: ArrayLike, other_mass: ArrayLike, restitution: float = 1.0
) -> Array:
    """The approach speeds w = J / (μ (1 + e)) of collisions with impulses J, of smooth particles.

    μ is the reduced mass of the two, e their coefficient of restitution.
    """
    first, second = np.asarray(mass, dtype=np.float64), np.asarray(other_mass, dtype=np.float64)
    reduced = first * second / (first + second)
    return np.asarray(impulse, dtype=np.float64) / (reduced * (1.0 + restitution))


class ImpactSums(NamedTuple):
    """Sums over the approach speeds w of collisions."""

    number: float = 0.0
    speed: float = 0.0
    square: float = 0.0
    inverse: float = 0.0

    def plus(self, speeds: Array) -> ImpactSums:
        """The sums with some more collisions."""
        moving = speeds[speeds > 0.0]
        added = (len(moving), moving.sum(), (moving**2).sum(), (1.0 / moving).sum())
        return ImpactSums(*(old + float(new) for old, new in zip(self, added, strict=True)))

    @property
    def mean(self) -> float:
        """The mean of w over the collisions; NaN without any."""
        return _ratio(self.speed, self.number)

    @property
    def mean_square(self) -> float:
        """The mean of w² over the collisions; NaN without any."""
        return _ratio(self.square, self.number)

    @property
    def of_pairs(self) -> float:
        """The mean of w over the pairs in contact that approach; NaN without collisions.

        Fast pairs collide more often than they are found in contact, in proportion to w: this is
        1 / <1/w> over the collisions.
        """
        return _ratio(self.number, self.inverse)


def _ratio(above: Any, below: Any) -> float:
    return above / below if below > 0.0 else float("nan")
