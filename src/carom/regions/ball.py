"""A disk or a ball."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.checks import check_positive
from carom.regions.region import Region, point_of, squared
from carom.representation import shown_as_call
from carom.types import Array


@shown_as_call
@dataclass(frozen=True)
class Ball(Region):
    """All within ``radius`` of ``centre``."""

    centre: Sequence[float]
    radius: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "centre", point_of(self, "centre"))
        check_positive("Ball: radius", self.radius)

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return len(self.centre)

    @property
    def corners(self) -> tuple[Array, Array]:
        """Of the box around it."""
        return np.array(self.centre) - self.radius, np.array(self.centre) + self.radius

    def contains(self, position: Array) -> Any:
        """Whether centres (n, d) are in it."""
        return squared(position, self.centre) <= self.radius * self.radius
