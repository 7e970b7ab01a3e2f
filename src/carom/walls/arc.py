"""A part of a circle in the plane."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from carom.checks import is_number
from carom.functions import cos, sin
from carom.particles import Array
from carom.patches.balls import Balls
from carom.patches.corners import Corners
from carom.representation import shown_as_call
from carom.walls.shape import Patches, Shape, three
from carom.walls.surface import NO_TRIANGLES, Surface, arc_lines


@shown_as_call
@dataclass(frozen=True)
class Arc(Shape):
    """The part of a circle from the angle ``start`` to ``end``, counterclockwise, in radians."""

    centre: Sequence[float]
    radius: float
    start: float
    end: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(centre=self._place("centre"), radius=self._length("radius"))
        for name in ("start", "end"):
            value = getattr(self, name)
            if not (is_number(value) and math.isfinite(value)):
                raise ValueError(f"Arc: {name} must be an angle in radians, not {value!r}.")
            self._set(**{name: float(value)})
        if not 0.0 < self.end - self.start < 2.0 * math.pi:
            raise ValueError(
                f"Arc: from start={self.start:g} to end={self.end:g} radians must be more than 0 "
                "and less than a full turn; for all of it use carom.walls.Circle."
            )

    @property
    def dimensions(self) -> tuple[int, ...]:
        """The plane."""
        return (2,)

    def patches(self) -> Patches:
        """The arc and its two ends."""
        middle, half = 0.5 * (self.start + self.end), 0.5 * (self.end - self.start)
        towards = [float(cos(middle)), float(sin(middle)), 0.0]
        ends = [
            [
                self.centre[0] + self.radius * float(cos(angle)),
                self.centre[1] + self.radius * float(sin(angle)),
                0.0,
            ]
            for angle in (self.start, self.end)
        ]
        row = [*three(tuple(self.centre)), self.radius, *towards, float(cos(half))]
        return [(Balls, [row]), (Corners, ends)]

    def surface(self, lower: Array, upper: Array) -> Surface:
        """Its outline."""
        lines = arc_lines(self.centre, self.radius, self.start, self.end)
        return Surface(NO_TRIANGLES, lines)
