"""Space without end."""

from __future__ import annotations

from dataclasses import dataclass

from carom.domains.planes import Plane
from carom.representation import shown_as_call


@shown_as_call
@dataclass(frozen=True)
class Open:
    """No boundaries; walls can be added with ``System(walls=[Plane(...)])``."""

    def sides(self, dimension: int) -> tuple[float, ...] | None:
        """No sides."""
        return None

    def periodic_axes(self, dimension: int) -> tuple[bool, ...]:
        """No axis repeats."""
        return (False,) * dimension

    def walls(self, dimension: int) -> list[Plane]:
        """No walls."""
        return []
