"""A box that repeats along every axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from carom.domains.lengths import checked_lengths, lengths_in
from carom.domains.planes import Plane
from carom.representation import shown_as_call


@shown_as_call
@dataclass(frozen=True)
class Periodic:
    """The box [0, L) along each axis, repeated in all directions."""

    lengths: float | Sequence[float]

    def __post_init__(self) -> None:
        object.__setattr__(self, "lengths", checked_lengths("Periodic", self.lengths))

    def sides(self, dimension: int) -> tuple[float, ...]:
        """Side lengths for this dimension."""
        return lengths_in("Periodic", self.lengths, dimension)  # type: ignore[arg-type]

    def periodic_axes(self, dimension: int) -> tuple[bool, ...]:
        """Which axes repeat."""
        return (True,) * dimension

    def walls(self, dimension: int) -> list[Plane]:
        """No walls."""
        return []
