"""How fast particles approach when they collide, over all collisions."""

from __future__ import annotations

import math
from typing import Any

from carom.collisions import ConstantRestitution, Elastic
from carom.observers.observer import Observer
from carom.statistics import ImpactSums, impact_speeds
from carom.types import Columns, Plain


class ImpactSpeeds(Observer):
    """Sums over the approach speeds of all collisions between particles, without keeping them.

    ``sums.mean`` is their mean over the collisions, ``sums.of_pairs`` that over the pairs in
    contact that approach, which a look at one moment finds. The speeds follow from the impulses, so
    that the law must be ``Elastic`` or ``ConstantRestitution``. A checkpoint keeps the sums.
    """

    wants_collisions = True
    keeps = True

    needs_the_same = "it knows the masses of those of the start"

    def __init__(self) -> None:
        super().__init__(math.inf)
        self.sums = ImpactSums()
        self._mass: Any = None
        self._restitution = 1.0

    def __repr__(self) -> str:
        return f"<ImpactSpeeds: {self.sums.number:.0f} collisions>"

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse laws that hide the speeds."""
        law = simulation.system.law
        if not isinstance(law, (Elastic, ConstantRestitution)):
            raise ValueError(
                f"ImpactSpeeds cannot tell speeds from the impulses of {law!r}; use Elastic or "
                "ConstantRestitution, or take impulses with a CollisionLog."
            )

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Begin anew, or with the sums of a checkpoint."""
        super().begin(simulation, state)
        law = simulation.system.law
        self._restitution = law.coefficient if isinstance(law, ConstantRestitution) else 1.0
        self._mass = simulation.system.particles.mass
        if state is not None:
            self.sums = ImpactSums(*state["sums"])

    def observe(self, simulation: Any) -> None:
        """Nothing to see at a time of its own; collisions are handed over."""

    def collided(self, columns: Columns) -> None:
        """Add a piece of the log."""
        pair = columns["j"] >= 0
        i, j = columns["i"][pair], columns["j"][pair]
        speeds = impact_speeds(
            columns["impulse"][pair], self._mass[i], self._mass[j], self._restitution
        )
        self.sums = self.sums.plus(speeds)

    def clear(self) -> None:
        """Forget what was summed so far."""
        self.sums = ImpactSums()

    def state(self) -> Plain:
        """The schedule and the sums."""
        return super().state() | {"sums": list(self.sums)}
