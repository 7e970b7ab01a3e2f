"""A round cone between two circles: a funnel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from carom.checks import is_not_negative
from carom.particles import LARGEST, Array
from carom.patches.cones import Cones
from carom.patches.corners import Corners
from carom.patches.rims import Rims
from carom.representation import shown_as_call
from carom.walls.shape import Patches, Shape, apart
from carom.walls.surface import Surface, revolved, round_surface


@shown_as_call
@dataclass(frozen=True)
class Cone(Shape):
    """A cone around the line from ``start`` to ``end``, as wide as the two ``radii`` there.

    Its ends are open; a radius of 0 makes a tip.
    """

    start: Sequence[float]
    end: Sequence[float]
    radii: Sequence[float]

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(start=self._place("start"), end=self._place("end"))
        given = self.radii
        is_pair = isinstance(given, Sequence) and len(given) == 2
        if not is_pair or not all(is_not_negative(r) and r < LARGEST for r in given):
            raise ValueError(f"Cone: radii must be two numbers from 0 on, not {given!r}.")
        self._set(radii=tuple(float(r) for r in given))
        if self.start == self.end:
            raise ValueError(
                f"Cone: start and end are both {self.start}; a flat one is carom.walls.Disk."
            )
        if self.radii[0] == self.radii[1]:
            raise ValueError(
                f"Cone: both radii are {self.radii[0]:g}; use carom.walls.Cylinder("
                "point, axis, radius, length)."
            )

    def patches(self) -> Patches:
        """A cone, and rims or a tip at its ends."""
        axis, length = apart(tuple(self.start), tuple(self.end))
        middle = [0.5 * (a + b) for a, b in zip(self.start, self.end, strict=True)]
        first, second = self.radii
        row = [*middle, *axis, 0.5 * (first + second), (second - first) / length, 0.5 * length]
        ends = list(zip((self.start, self.end), self.radii, strict=True))
        rims = [[*place, *axis, radius] for place, radius in ends if radius > 0.0]
        tips = [list(place) for place, radius in ends if radius == 0.0]
        return [(Cones, [row]), (Rims, rims), (Corners, tips)]

    def surface(self, lower: Array, upper: Array) -> Surface:
        """The cone with its rims."""
        axis, length = apart(tuple(self.start), tuple(self.end))
        first, second = self.radii
        circles = revolved(self.start, axis, [(0.0, first), (length, second)])
        return round_surface(circles, [0, 1], struts=4)
