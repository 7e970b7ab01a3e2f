"""All on one side of a plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.regions.region import Region, point_of, unit
from carom.representation import shown_as_call
from carom.types import Array


@shown_as_call
@dataclass(frozen=True)
class Beyond(Region):
    """All beyond the plane through ``point``, on the side to which ``normal`` points."""

    point: Sequence[float]
    normal: Sequence[float]

    def __post_init__(self) -> None:
        point = point_of(self, "point")
        normal = unit(point_of(self, "normal", len(point)), "Beyond: the normal")
        object.__setattr__(self, "point", point)
        object.__setattr__(self, "normal", normal)

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return len(self.point)

    @property
    def corners(self) -> tuple[Array, Array]:
        """It has no end."""
        return np.full(self.dimension, -np.inf), np.full(self.dimension, np.inf)

    def contains(self, position: Array) -> Any:
        """Whether centres (n, d) are in it."""
        along = zip(np.asarray(position).T, self.point, self.normal, strict=True)
        heights: Any = sum((x - point) * normal for x, point, normal in along)
        return heights >= 0.0
