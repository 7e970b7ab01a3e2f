"""A straight piece of wall in the plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from carom.particles import Array
from carom.patches.corners import Corners
from carom.patches.edges import Edges
from carom.representation import shown_as_call
from carom.walls.shape import Patches, Shape, apart, three
from carom.walls.surface import NO_TRIANGLES, Surface, chained


@shown_as_call
@dataclass(frozen=True)
class Segment(Shape):
    """The straight line from ``start`` to ``end``, in the plane."""

    start: Sequence[float]
    end: Sequence[float]

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set(start=self._place("start"), end=self._place("end"))
        if self.start == self.end:
            raise ValueError(f"Segment: start and end are both {self.start}; it has no length.")

    @property
    def dimensions(self) -> tuple[int, ...]:
        """The plane."""
        return (2,)

    def patches(self) -> Patches:
        """The line and its two ends."""
        ends = [three(tuple(self.start)), three(tuple(self.end))]
        return [(Edges, [edge(*ends)]), (Corners, ends)]

    def surface(self, lower: Array, upper: Array) -> Surface:
        """Its outline."""
        ends = [three(tuple(self.start)), three(tuple(self.end))]
        return Surface(NO_TRIANGLES, chained(ends))


def edge(one: Sequence[float], other: Sequence[float]) -> list[float]:
    """The row of an edge between two points at which no faces join."""
    axis, length = apart(tuple(one), tuple(other))
    middle = [0.5 * (a + b) for a, b in zip(one, other, strict=True)]
    return [*middle, *axis, 0.5 * length, *(6 * [0.0])]
