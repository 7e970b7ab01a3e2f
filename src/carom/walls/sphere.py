"""A sphere around particles, or an obstacle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.particles import Array
from carom.patches.balls import Balls
from carom.representation import shown_as_call
from carom.walls.shape import Patches, Shape, three, wrong_of
from carom.walls.surface import (
    AROUND,
    NO_TRIANGLES,
    Surface,
    arc_lines,
    directions,
    revolved,
    round_surface,
)


@shown_as_call
@dataclass(frozen=True)
class Sphere(Shape):
    """A sphere: a vessel for those inside, an obstacle for those outside.

    With ``side="inside"`` or ``"outside"`` particles that start on the other one are refused.
    """

    centre: Sequence[float]
    radius: float
    side: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(centre=self._place("centre"), radius=self._length("radius"))
        self._check_side(self.side)

    def patches(self) -> Patches:
        """A ball."""
        return [(Balls, [[*three(tuple(self.centre)), self.radius, 0.0, 0.0, 0.0, -2.0]])]

    def surface(self, lower: Array, upper: Array) -> Surface:
        """The sphere, with its equator and two meridians."""
        heights = self.radius * directions(-0.5 * math.pi, 0.5 * math.pi, AROUND // 2)
        profile = [(float(along), float(wide)) for wide, along in heights]
        circles = revolved(self.centre, (0.0, 0.0, 1.0), profile)
        return round_surface(circles, [AROUND // 4], struts=4)

    def on_wrong_side(self, places: Array) -> Any:
        """Which places (n, d) are on the side where no particles are to be."""
        square = sum((x - c) ** 2 for x, c in zip(np.asarray(places).T, self.centre, strict=True))
        return wrong_of(self.side, square < self.radius**2)


@shown_as_call
@dataclass(frozen=True)
class Circle(Sphere):
    """A circle in the plane; ``Sphere`` with one dimension less."""

    @property
    def dimensions(self) -> tuple[int, ...]:
        """The plane."""
        return (2,)

    def surface(self, lower: Array, upper: Array) -> Surface:
        """Its outline."""
        return Surface(NO_TRIANGLES, arc_lines(self.centre, self.radius, 0.0, 2.0 * math.pi))
