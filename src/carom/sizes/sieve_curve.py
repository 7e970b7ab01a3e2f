"""Sizes as a stack of sieves has found them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from carom.checks import numbers_in
from carom.representation import shown_as_call
from carom.sizes.sizes import Sizes, evenly, numbers_within
from carom.types import Array


@shown_as_call
@dataclass(frozen=True)
class SieveCurve(Sizes):
    """Radii from a sieve curve: ``passing`` are the shares that pass ``apertures``, which are
    diameters, from the finest sieve on. The first passes nothing (0), the last everything (1, or
    100 for shares in percent).

    Shares are those of the mass, or ``by="number"``. Between two sieves they rise evenly.
    """

    apertures: Sequence[float]
    passing: Sequence[float]
    by: str = "mass"

    def __post_init__(self) -> None:
        self._check_by()
        apertures = numbers_in("SieveCurve: apertures", self.apertures)
        passing = numbers_in("SieveCurve: passing", self.passing)
        if apertures.ndim != 1 or len(apertures) < 2 or passing.shape != apertures.shape:
            raise ValueError(
                f"SieveCurve: give two or more apertures and as many shares, not "
                f"{apertures.tolist()} and {passing.tolist()}."
            )
        if not ((np.diff(apertures) > 0.0).all() and apertures[0] > 0.0):
            raise ValueError(
                f"SieveCurve: apertures must be positive and grow, not {apertures.tolist()}."
            )
        ends = passing[0] == 0.0 and passing[-1] in (1.0, 100.0)
        if not (ends and (np.diff(passing) >= 0.0).all()):
            raise ValueError(
                "SieveCurve: passing must rise from 0 at the finest sieve to 1 (or 100) at the "
                f"coarsest, not {passing.tolist()}."
            )
        object.__setattr__(self, "apertures", tuple(apertures.tolist()))
        object.__setattr__(self, "passing", tuple(passing.tolist()))

    @property
    def ends(self) -> tuple[float, float]:
        """Half the apertures between which the curve rises."""
        first = max(k for k, share in enumerate(self.passing) if share == 0.0)
        last = self.passing.index(self.passing[-1])
        return 0.5 * self.apertures[first], 0.5 * self.apertures[last]

    def radii(self, random: np.random.Generator, n: int, dimension: int = 3) -> Array:
        """n radii (n,), drawn one after the other."""
        ends = 0.5 * np.array(self.apertures)
        low, high, share = ends[:-1], ends[1:], np.diff(np.array(self.passing))
        number = share * numbers_within(low, high, dimension, self.by) / (high - low)
        up_to = np.cumsum(number)
        chosen = np.searchsorted(up_to, random.random(n) * up_to[-1], side="right")
        return np.asarray(evenly(random.random(n), low[chosen], high[chosen], dimension, self.by))
