"""Particles that leave at one place and come in again at another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from carom.actors.exchange import Crowd, ExchangeActor, Newcomer
from carom.actors.inlet import inside_box, notice_of_waiting, velocity_of
from carom.actors.outlet import check_region
from carom.actors.placing import MOST_FRUITLESS
from carom.particles import Particles
from carom.regions import Region
from carom.representation import shown_as_call
from carom.system import System
from carom.types import Plain


@shown_as_call
@dataclass(frozen=True)
class Recirculation(ExchangeActor):
    """Takes particles out of a ``region``, and lets the same come in again at random places in
    ``to``, with a ``velocity``, at rest when it is left out.

    They keep identity, radius, mass and species. Who finds no room waits outside, and tries again
    at the next look; looks are ``every`` so often, as of ``Outlet``.
    """

    region: Region
    to: Region
    velocity: Sequence[float] | None = None
    every: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_region(self, "region", self.region)
        check_region(self, "to", self.to, bounded=True)
        velocity_of(self)

    def check(self, system: System) -> None:
        """Refuse a system in which it cannot act."""
        super().check(system)
        inside_box(self, "to", self.to, system)

    @property
    def regions(self) -> dict[str, Region]:
        """Where particles go, and where they come in."""
        return {"region": self.region, "to": self.to}

    def begin(self) -> Plain:
        """Nobody waits."""
        return super().begin() | {"queue": [], "told": False}

    def waiting(self, state: Plain) -> int:
        """How many are outside."""
        return len(state["queue"])

    def exchange(self, number: int, crowd: Crowd, state: Plain) -> None:
        """Take out who is in the region, and let come in who finds room."""
        rows = crowd.remaining(self.region)
        if len(rows):
            state["queue"] += _kept(crowd.take_out(number, rows, state))
        if not state["queue"]:
            return
        velocity = np.array(self.velocity or [0.0] * crowd.system.dimension)
        places = crowd.places(self.to, max(one[1] for one in state["queue"]))
        newcomers, waiting, fruitless = [], [], 0
        for identity, radius, mass, species in state["queue"]:
            place = places.find(radius) if fruitless < MOST_FRUITLESS else None
            if place is None:
                waiting.append([identity, radius, mass, species])
                fruitless += 1
            else:
                newcomers.append(Newcomer(place, velocity, radius, mass, species, identity))
                fruitless = 0
        state["queue"] = waiting
        crowd.let_in(number, newcomers, state)
        notice_of_waiting(self, len(waiting), crowd.time, state)


def _kept(gone: Particles) -> list[list[float]]:
    """What is kept of those who are outside."""
    columns = (gone.identity, gone.radius, gone.mass, gone.species)
    return [list(row) for row in zip(*(column.tolist() for column in columns), strict=True)]
