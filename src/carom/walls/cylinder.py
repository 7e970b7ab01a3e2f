"""A round tube, endless or with open ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.particles import Array
from carom.patches.rims import Rims
from carom.patches.tubes import Tubes
from carom.representation import shown_as_call
from carom.walls.shape import Patches, Shape, wrong_of
from carom.walls.surface import Surface, revolved, round_surface


@shown_as_call
@dataclass(frozen=True)
class Cylinder(Shape):
    """A round tube around the line through ``point`` along ``axis``.

    It is endless, or begins at ``point`` and ends after ``length``, with open ends; lids are
    ``Disk``. With ``side="inside"`` or ``"outside"`` particles that start on the other one are
    refused.
    """

    point: Sequence[float]
    axis: Sequence[float]
    radius: float
    length: float | None = None
    side: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(point=self._place("point"), axis=self._direction("axis"))
        self._set(radius=self._length("radius"))
        if self.length is not None:
            self._set(length=self._length("length"))
        self._check_side(self.side)

    @property
    def is_endless(self) -> bool:
        """Where it has no length."""
        return self.length is None

    def patches(self) -> Patches:
        """A tube, and two rims where it ends."""
        if self.length is None:
            return [(Tubes, [[*self.point, *self.axis, self.radius, math.inf]])]
        middle, end = (self._at(part * self.length) for part in (0.5, 1.0))
        rims = [[*place, *self.axis, self.radius] for place in (self.point, end)]
        return [(Tubes, [[*middle, *self.axis, self.radius, 0.5 * self.length]]), (Rims, rims)]

    def surface(self, lower: Array, upper: Array) -> Surface:
        """The tube with its rims; an endless one as far as it is shown."""
        start, end = 0.0, self.length
        if end is None:
            around = np.sqrt(((np.asarray(upper) - lower) ** 2).sum()) + self.radius
            middle = 0.5 * (np.asarray(lower) + upper)
            foot = float(((middle - self.point) * self.axis).sum())
            start, end = foot - float(around), foot + float(around)
        circles = revolved(self.point, self.axis, [(start, self.radius), (end, self.radius)])
        return round_surface(circles, [0, 1], struts=4)

    def _at(self, along: float) -> list[float]:
        return [x + along * u for x, u in zip(self.point, self.axis, strict=True)]

    def repeats_along(self, axis: int) -> bool:
        """Where it has no ends and lies along the axis."""
        others = [abs(u) for k, u in enumerate(self.axis) if k != axis]
        return self.length is None and max(others) == 0.0

    def on_wrong_side(self, places: Array) -> Any:
        """Which places (n, d) are on the side where no particles are to be."""
        relative = [x - p for x, p in zip(np.asarray(places).T, self.point, strict=True)]
        along = sum(x * u for x, u in zip(relative, self.axis, strict=True))
        square = sum((x - along * u) ** 2 for x, u in zip(relative, self.axis, strict=True))
        inside = square < self.radius**2
        if self.length is not None:
            inside &= (along > 0.0) & (along < self.length)
        return wrong_of(self.side, inside)
