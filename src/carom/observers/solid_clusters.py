"""Solid spheres in a fluid, averaged over looks."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.checks import check_positive
from carom.observers.averaged import AveragedObserver
from carom.observers.curve import Curve
from carom.particles import Array
from carom.statistics import box_around, crystals
from carom.statistics.blocks import Estimate
from carom.types import Plain

BINS = 50


class SolidClusters(AveragedObserver):
    """The order around spheres, which of them are solid, and their largest cluster.

    See ``statistics.crystals``; neighbours are nearer than ``reach``. ``latest`` is what the last
    look has found, for each particle. A checkpoint keeps the sums.
    """

    def __init__(self, every: float, reach: float) -> None:
        super().__init__(every)
        check_positive("SolidClusters: reach", reach)
        self._reach = float(reach)
        self.latest: Any = None

    def settings(self) -> Plain:
        """The schedule and who is a neighbour."""
        return super().settings() | {"reach": self._reach}

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse what has no box that repeats, and planes."""
        crystals(simulation.particles.position, box_around(simulation), self._reach)

    def found(self, simulation: Any) -> Array:
        """Means, what there is of clusters, and the density of q_6 in bins."""
        seen = crystals(simulation.particles.position, box_around(simulation), self._reach)
        self.latest = seen
        number, edges = np.histogram(seen.order, BINS, (0.0, 1.0))
        density = number / (len(seen.order) * np.diff(edges))
        numbers = [seen.order.mean(), seen.share, seen.largest, len(seen.sizes)]
        return np.concatenate([numbers, density])

    def order(self) -> Estimate:
        """q_6 around the mean particle."""
        return self._number(0)

    def share(self) -> Estimate:
        """The share of particles that are solid."""
        return self._number(1)

    def largest(self) -> Estimate:
        """The number of particles in the largest cluster."""
        return self._number(2)

    def clusters(self) -> Estimate:
        """The number of clusters."""
        return self._number(3)

    def _number(self, place: int) -> Estimate:
        return self.blocks.estimate(lambda mean: float(mean[place]))

    def curve(self) -> Curve:
        """The probability density of q_6, for ``plotting.measured``."""
        middles = (np.arange(BINS) + 0.5) / BINS
        labels = ("q_6 around a particle", "probability density")
        return Curve(middles, self.blocks.mean[4:], self.blocks.error[4:], labels)
