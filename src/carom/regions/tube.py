"""A solid cylinder of any direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.checks import check_positive
from carom.regions.region import Region, point_of, squared, unit
from carom.representation import shown_as_call
from carom.types import Array


@shown_as_call
@dataclass(frozen=True)
class Tube(Region):
    """All within ``radius`` of the axis from ``start`` to ``end``, in space."""

    start: Sequence[float]
    end: Sequence[float]
    radius: float

    def __post_init__(self) -> None:
        for name in ("start", "end"):
            object.__setattr__(self, name, point_of(self, name, 3))
        check_positive("Tube: radius", self.radius)
        unit(self._along, "Tube: the axis")

    @property
    def _along(self) -> tuple[float, ...]:
        return tuple(b - a for a, b in zip(self.start, self.end, strict=True))

    @property
    def dimension(self) -> int:
        """3."""
        return 3

    @property
    def corners(self) -> tuple[Array, Array]:
        """Of the box around it."""
        ends = np.array([self.start, self.end])
        direction = np.array(unit(self._along, "Tube: the axis"))
        out = self.radius * np.sqrt(np.maximum(1.0 - direction * direction, 0.0))
        return ends.min(axis=0) - out, ends.max(axis=0) + out

    def contains(self, position: Array) -> Any:
        """Whether centres (n, d) are in it."""
        direction = unit(self._along, "Tube: the axis")
        length = sum(a * b for a, b in zip(self._along, direction, strict=True))
        apart = (x - a for x, a in zip(np.asarray(position).T, self.start, strict=True))
        height: Any = sum(x * b for x, b in zip(apart, direction, strict=True))
        across = squared(position, self.start) - height * height
        return (height >= 0.0) & (height <= length) & (across <= self.radius * self.radius)
