"""A flat round plate, with an opening or without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from carom.particles import Array
from carom.patches.rims import Rims
from carom.patches.rings import Rings
from carom.representation import shown_as_call
from carom.walls.shape import Patches, Shape
from carom.walls.surface import Surface, revolved, round_surface


@shown_as_call
@dataclass(frozen=True)
class Disk(Shape):
    """A flat round plate without thickness; ``opening`` is the radius of a hole in its middle."""

    centre: Sequence[float]
    normal: Sequence[float]
    radius: float
    opening: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(centre=self._place("centre"), normal=self._direction("normal"))
        self._set(radius=self._length("radius"))
        if self.opening is not None:
            self._set(opening=self._length("opening"))
            if self.opening >= self.radius:
                raise ValueError(
                    f"Disk: the opening of radius {self.opening:g} leaves nothing of a disk of "
                    f"radius {self.radius:g}."
                )

    def patches(self) -> Patches:
        """A ring and its rims."""
        frame = [*self.centre, *self.normal]
        radii = [self.radius] if self.opening is None else [self.opening, self.radius]
        ring = [*frame, self.opening or 0.0, self.radius]
        return [(Rings, [ring]), (Rims, [[*frame, radius] for radius in radii])]

    def surface(self, lower: Array, upper: Array) -> Surface:
        """The plate with its rims."""
        profile = [(0.0, self.opening or 0.0), (0.0, self.radius)]
        return round_surface(revolved(self.centre, self.normal, profile), [0, 1])
