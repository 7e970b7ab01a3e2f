"""Where particles go out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from carom.actors.exchange import Crowd, ExchangeActor
from carom.regions import Region
from carom.representation import shown_as_call
from carom.types import Plain


@shown_as_call
@dataclass(frozen=True)
class Outlet(ExchangeActor):
    """Takes particles out whose centres are in a ``region``, such as
    ``carom.regions.Beyond(point, normal)``, all beyond a plane.

    It looks ``every`` so often, and a particle goes at the look that finds it in the region; one
    that has crossed the region between two looks stays. Left out, ``every`` is the time in which
    the fastest at the start moves one mean diameter.
    """

    region: Region
    every: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_region(self, "region", self.region)

    @property
    def regions(self) -> dict[str, Region]:
        """Where particles go."""
        return {"region": self.region}

    def exchange(self, number: int, crowd: Crowd, state: Plain) -> None:
        """Take out who is in the region."""
        rows = crowd.remaining(self.region)
        if len(rows):
            crowd.take_out(number, rows, state)


def check_region(actor: Any, name: str, region: Any, *, bounded: bool = False) -> None:
    """Refuse what is no region, or has no end where it must have one."""
    kind = type(actor).__name__
    if not isinstance(region, Region):
        raise TypeError(
            f"{kind}: {name} must be one of carom.regions, such as "
            f"carom.regions.Block(lower, upper), not {region!r}."
        )
    if bounded and not region.is_bounded:
        raise ValueError(
            f"{kind}: no places can be drawn in {name}={region!r}, which has no end; use a "
            "carom.regions.Block, Ball or Tube."
        )
