"""Sizes spread evenly between two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carom.representation import shown_as_call
from carom.sizes.sizes import Sizes, evenly
from carom.types import Array


@shown_as_call
@dataclass(frozen=True)
class Between(Sizes):
    """Radii spread evenly from ``smallest`` to ``largest``, by number or by mass."""

    smallest: float
    largest: float
    by: str = "number"

    def __post_init__(self) -> None:
        self._check_positive("smallest", "largest")
        self._check_by()
        if not self.smallest <= self.largest:
            raise ValueError(
                f"Between: largest={self.largest:g} is below smallest={self.smallest:g}; exchange "
                "them."
            )

    @property
    def ends(self) -> tuple[float, float]:
        """The two."""
        return float(self.smallest), float(self.largest)

    def radii(self, random: np.random.Generator, n: int, dimension: int = 3) -> Array:
        """n radii (n,), drawn one after the other."""
        return np.asarray(evenly(random.random(n), self.smallest, self.largest, dimension, self.by))
