"""The engine for particles that grow while they fly (Lubachevsky & Stillinger 1990)."""

from __future__ import annotations

import numpy as np

from carom.methods.event_driven.engine import EventDrivenEngine
from carom.methods.event_driven.event_driven import EventDriven
from carom.methods.event_driven.world import World
from carom.motions import Growing
from carom.system import System


class GrowthEngine(EventDrivenEngine):
    """Runs a system whose particles grow from a share of their radii, all in proportion.

    ``rate`` is how fast the share grows; it is 1 at time ``end``. Whoever makes the system answers
    for it that the particles do not overlap at the start.
    """

    def __init__(self, system: System, share: float, rate: float, algorithm: str = "auto") -> None:
        self._start = share
        self._rate = rate
        super().__init__(system, EventDriven(algorithm))

    def _motion(self, system: System) -> Growing:
        return Growing(np.array([self._start]), self._rate)

    def _refuse_overlaps(self, system: System, world: World) -> None:
        """The radii of the system are those at the end."""

    @property
    def end(self) -> float:
        """The time at which the particles have the radii of the system."""
        return (1.0 - self._start) / self._rate

    @property
    def share(self) -> float:
        """The share of their radii that the particles have reached at the last event."""
        motion, clock = self.world.motion, float(self.world.tally[0].clock)
        return float(motion.share[0]) + self._rate * clock
