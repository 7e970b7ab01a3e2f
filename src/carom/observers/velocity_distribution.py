"""How velocities are distributed, averaged over looks."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.checks import check_positive, check_whole
from carom.observers.averaged import AveragedObserver
from carom.observers.curve import Curve
from carom.particles import Array
from carom.statistics.blocks import MOST_ROWS, Estimate
from carom.statistics.velocities import cumulant_of, moments
from carom.types import Plain


class VelocityDistribution(AveragedObserver):
    """The distribution of c = v √(m/T), one component of the ``peculiar_velocity``.

    T is the temperature of each look, so that a gas may cool. ``cumulant`` is the fourth cumulant
    a_2 of the velocities. ``bins`` bins reach from −``largest`` to ``largest``. A checkpoint keeps
    the sums.
    """

    def __init__(self, every: float, bins: int = 80, largest: float = 5.0) -> None:
        super().__init__(every)
        check_whole("VelocityDistribution: bins", bins, 1, MOST_ROWS)
        check_positive("VelocityDistribution: largest", largest)
        self._edges = np.linspace(-float(largest), float(largest), int(bins) + 1)
        self._dimension = 0

    def settings(self) -> Plain:
        """The schedule and the bins."""
        own = {"bins": len(self._edges) - 1, "largest": float(self._edges[-1])}
        return super().settings() | own

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Begin anew, or with the sums of a checkpoint."""
        super().begin(simulation, state)
        self._dimension = simulation.system.dimension

    def found(self, simulation: Any) -> Array:
        """The moments over those of a Maxwellian, and the density in each bin."""
        velocity, mass = simulation.peculiar_velocity, simulation.particles.mass
        second, fourth = moments(velocity, mass)
        if not second > 0.0:
            raise ValueError("VelocityDistribution: all particles are at rest.")
        width = np.sqrt(second / (self._dimension * mass))
        scaled = velocity / width[:, None]
        number, _ = np.histogram(scaled, self._edges)
        density = number / (scaled.size * np.diff(self._edges))
        return np.concatenate([[cumulant_of(second, fourth, self._dimension)], density])

    @property
    def velocity(self) -> Array:
        """The middles of the bins, in units of √(T/m)."""
        return np.asarray(0.5 * (self._edges[:-1] + self._edges[1:]))

    @property
    def density(self) -> Array:
        """The probability density of c in each bin; that of a Maxwellian is the normal one."""
        return self.blocks.mean[1:]

    @property
    def error(self) -> Array:
        """Its standard error."""
        return self.blocks.error[1:]

    def cumulant(self) -> Estimate:
        """a_2 (see ``statistics.fourth_cumulant``), the mean over the looks."""
        return self.blocks.estimate(lambda mean: float(mean[0]))

    def curve(self) -> Curve:
        """The density over c, for ``plotting.measured``."""
        return Curve(self.velocity, self.density, self.error, ("v √(m/T)", "probability density"))
