"""Sizes under a bell curve, which is cut on both sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carom.functions import standard_normal
from carom.representation import shown_as_call
from carom.sizes.sizes import Sizes, thinned
from carom.types import Array

WITHIN = 3.0  # deviations, if no ends are given


@shown_as_call
@dataclass(frozen=True)
class Normal(Sizes):
    """Radii of a normal distribution with this ``mean`` and ``deviation`` before it is cut, by
    number or by mass.

    Radii below ``cut_below`` and above ``cut_above``, three deviations from the mean when left out,
    are drawn again.
    """

    mean: float
    deviation: float
    cut_below: float | None = None
    cut_above: float | None = None
    by: str = "number"

    def __post_init__(self) -> None:
        self._check_positive("mean", "deviation")
        self._check_by()
        smallest, largest = self.ends
        if smallest <= 0.0:
            raise ValueError(
                f"Normal: {smallest:g} is no radius, but {WITHIN:g} deviations below the mean "
                "that is where the distribution ends; give cut_below=..., or take LogNormal."
            )
        if not smallest < self.mean < largest:
            raise ValueError(
                f"Normal: the mean {self.mean:g} must lie between cut_below={smallest:g} and "
                f"cut_above={largest:g}."
            )

    @property
    def ends(self) -> tuple[float, float]:
        """Where it is cut."""
        reach, low, high = WITHIN * self.deviation, self.cut_below, self.cut_above
        return (
            float(self.mean - reach if low is None else low),
            float(self.mean + reach if high is None else high),
        )

    def radii(self, random: np.random.Generator, n: int, dimension: int = 3) -> Array:
        """n radii (n,), drawn one after the other."""
        found, (smallest, largest) = np.empty(0), self.ends
        while len(found) < n:
            trial = self.mean + self.deviation * standard_normal(random, max(n - len(found), 1))
            trial = trial[(trial >= smallest) & (trial <= largest)]
            if self.by == "mass":
                trial = thinned(random, trial, smallest, dimension)
            found = np.concatenate([found, trial])
        return found[:n]
