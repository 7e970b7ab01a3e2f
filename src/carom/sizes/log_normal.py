"""Sizes whose logarithms are under a bell curve, as of much that is ground or sprayed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carom.functions import exp, log, standard_normal
from carom.representation import shown_as_call
from carom.sizes.sizes import Sizes
from carom.types import Array

WITHIN = 3.0  # spreads, if no ends are given


@shown_as_call
@dataclass(frozen=True)
class LogNormal(Sizes):
    """Radii whose natural logarithms are normal, with the mean log ``median`` and the deviation
    ``spread``, by number or by mass.

    By mass half of the mass is of particles below ``median``; by number these are then around
    ``median`` · exp(−d ``spread``²). Radii below ``cut_below`` and above ``cut_above`` are drawn
    again; left out, these are factors of exp(3 ``spread``) from the median by number.
    """

    median: float
    spread: float
    cut_below: float | None = None
    cut_above: float | None = None
    by: str = "number"

    def __post_init__(self) -> None:
        self._check_positive("median", "spread")
        self._check_by()
        for name in ("cut_below", "cut_above"):
            if getattr(self, name) is not None:
                self._check_positive(name)
        for dimension in (2, 3):
            low, high = self._ends(dimension)
            if not low < high:
                raise ValueError(f"LogNormal: cut_above={high:g} is below cut_below={low:g}.")

    def _median(self, dimension: int) -> float:
        """The median by number."""
        if self.by == "number":
            return float(self.median)
        # Weights of r^-d only shift a normal distribution of logarithms.
        return float(self.median * exp(-dimension * self.spread * self.spread))

    def _ends(self, dimension: int) -> tuple[float, float]:
        middle, factor = self._median(dimension), float(exp(WITHIN * self.spread))
        low, high = self.cut_below, self.cut_above
        return (
            middle / factor if low is None else float(low),
            middle * factor if high is None else float(high),
        )

    @property
    def ends(self) -> tuple[float, float]:
        """Where it is cut, for spheres and disks together."""
        return self._ends(3)[0], self._ends(2)[1]

    def radii(self, random: np.random.Generator, n: int, dimension: int = 3) -> Array:
        """n radii (n,), drawn one after the other."""
        middle, (low, high) = log(self._median(dimension)), self._ends(dimension)
        found = np.empty(0)
        while len(found) < n:
            normal = standard_normal(random, max(n - len(found), 1))
            trial = np.asarray(exp(middle + self.spread * normal))
            found = np.concatenate([found, trial[(trial >= low) & (trial <= high)]])
        return found[:n]
