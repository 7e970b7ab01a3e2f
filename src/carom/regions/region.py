"""What all regions share: who is in them, and places at random."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.checks import numbers_in
from carom.types import Array

MOST_ROUNDS = 1000  # of random places; a region fills more of its box than that would allow


class Region:
    """A part of space; a subclass is a frozen dataclass and says who is in it."""

    @property
    def dimension(self) -> int:
        """2 or 3."""
        raise NotImplementedError

    @property
    def corners(self) -> tuple[Array, Array]:
        """Of the box along the axes that is just around it; infinite where it has no end."""
        raise NotImplementedError

    def contains(self, position: Array) -> Any:
        """Whether centres (n, d) are in it, its surface included: (n,) of True and False."""
        raise NotImplementedError

    @property
    def is_bounded(self) -> bool:
        """Whether it has a size, so that places can be drawn in it."""
        return bool(np.isfinite(self.corners).all())

    def places(self, random: np.random.Generator, n: int) -> Array:
        """n places (n, d), spread evenly over it."""
        lower, upper = self.corners
        found = np.empty((0, self.dimension))
        for _ in range(MOST_ROUNDS):
            trial = lower + (upper - lower) * random.random((n, self.dimension))
            found = np.concatenate([found, trial[self.contains(trial)]])
            if len(found) >= n:
                return found[:n]
        raise ValueError(f"{self!r} is so thin that no places were found in it.")


def point_of(region: Region, name: str, dimension: int | None = None) -> tuple[float, ...]:
    """A point or vector of a region as a tuple, if it is one."""
    given = getattr(region, name)
    values = numbers_in(f"{type(region).__name__}: {name}", given)
    wrong = values.shape not in ((2,), (3,)) or (dimension and values.shape != (dimension,))
    if wrong or not np.isfinite(values).all():
        wanted = f"{dimension}" if dimension else "two or three"
        raise ValueError(
            f"{type(region).__name__}: {name} must be {wanted} finite numbers, not {given!r}."
        )
    return tuple(values.tolist())


def squared(position: Any, centre: Any) -> Any:
    """The squared distances (n,) of places (n, d) from a point, summed in one order everywhere."""
    total = 0.0
    for along, middle in zip(np.asarray(position).T, centre, strict=True):
        total = total + (along - middle) * (along - middle)
    return total


def unit(vector: tuple[float, ...], what: str) -> tuple[float, ...]:
    """A vector of length one in the same direction."""
    length = math.sqrt(math.fsum(value * value for value in vector))
    if length == 0.0:
        raise ValueError(f"{what} {vector} has no direction.")
    return tuple(value / length for value in vector)
