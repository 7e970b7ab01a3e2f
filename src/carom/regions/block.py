"""A rectangle or cuboid along the axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.regions.region import Region, point_of
from carom.representation import shown_as_call
from carom.types import Array


@shown_as_call
@dataclass(frozen=True)
class Block(Region):
    """All between two opposite corners; it may be flat, as a line or a rectangle is."""

    lower: Sequence[float]
    upper: Sequence[float]

    def __post_init__(self) -> None:
        lower = point_of(self, "lower")
        upper = point_of(self, "upper", len(lower))
        for axis, low, high in zip("xyz", lower, upper, strict=False):
            if not low <= high:
                raise ValueError(
                    f"Block: along {axis} upper={high:g} is below lower={low:g}; exchange them."
                )
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return len(self.lower)

    @property
    def corners(self) -> tuple[Array, Array]:
        """Its own."""
        return np.array(self.lower), np.array(self.upper)

    def contains(self, position: Array) -> Any:
        """Whether centres (n, d) are in it."""
        return ((position >= self.lower) & (position <= self.upper)).all(axis=1)
