"""What all distributions of sizes share.

A distribution can be told by number, so that each particle counts once, or by mass, as sieves and
scales tell it: each counts by its mass, which is that of its volume (in the plane: its area). The
number of small particles is then far larger, as r^-d at the same share of the mass.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.checks import check_one_of, check_positive
from carom.functions import power
from carom.types import Array

BY = ("number", "mass")


class Sizes:
    """A distribution of radii; a subclass is a frozen dataclass and says how they are drawn."""

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest radius that is drawn."""
        raise NotImplementedError

    def radii(self, random: np.random.Generator, n: int, dimension: int = 3) -> Array:
        """n radii (n,), drawn one after the other."""
        raise NotImplementedError

    def _check_by(self) -> None:
        check_one_of(f"{type(self).__name__}: by", getattr(self, "by", "number"), BY)

    def _check_positive(self, *names: str) -> None:
        for name in names:
            check_positive(f"{type(self).__name__}: {name}", getattr(self, name))


def numbers_within(low: Any, high: Any, dimension: int, by: str) -> Any:
    """Up to a factor, how many particles have radii from ``low`` to ``high`` where these are spread
    evenly, by number or by mass: the integral of 1 or of r^-d."""
    if by == "number":
        return high - low
    exponent = 1 - dimension
    return (power(low, exponent) - power(high, exponent)) / -exponent


def evenly(uniform: Any, low: Any, high: Any, dimension: int, by: str) -> Any:
    """The radii at which these shares of such particles are smaller."""
    if by == "number":
        return low + uniform * (high - low)
    ends = (
        1.0 / (low if dimension == 2 else low * low),
        1.0 / (high if dimension == 2 else high * high),
    )
    inverse = ends[0] - uniform * (ends[0] - ends[1])
    return 1.0 / (inverse if dimension == 2 else np.sqrt(inverse))


def thinned(random: np.random.Generator, radii: Array, smallest: float, dimension: int) -> Array:
    """Of radii that are drawn by mass, those that make a sample by number."""
    ratio = smallest / radii
    share = ratio * ratio if dimension == 2 else ratio * ratio * ratio
    return np.asarray(radii[random.random(len(radii)) < share])
