"""How long particles remember their velocities."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.observers.curve import Curve
from carom.observers.lagged import LaggedObserver
from carom.particles import Array
from carom.statistics.blocks import Estimate


class VelocityAutocorrelation(LaggedObserver):
    """⟨v(0)·v(t)⟩ / d of a particle over ``time``, from every look as an origin.

    v is the ``peculiar_velocity``. ``diffusion`` is its integral, for which looks must be much
    closer than collisions of a particle: a fifth of the mean free time errs by some 10⁻⁴. A
    checkpoint keeps frames and sums.
    """

    def frame(self, simulation: Any) -> Array:
        """The peculiar velocities."""
        return np.array(simulation.peculiar_velocity)

    def compare(self, before: Array, now: Array) -> Array:
        """The mean over the particles and the axes."""
        return np.array(np.vdot(before, now) / now.size)

    @property
    def correlation(self) -> Array:
        """⟨v(0)·v(t)⟩ / d at each lag; NaN at those that the run has not reached."""
        return self.blocks.mean

    @property
    def error(self) -> Array:
        """Its standard error."""
        return self.blocks.error

    def diffusion(self, end: float | None = None) -> Estimate:
        """The self-diffusion coefficient: the integral up to a lag, or the longest (Green 1954,
        Kubo 1957), by Simpson's rule."""
        from scipy.integrate import simpson

        last = self.time[-1] if end is None else end
        part = np.flatnonzero(self.time <= last * (1.0 + 1e-9))
        if len(part) < 3:
            raise ValueError(f"diffusion needs three lags or more up to {last:g}.")
        time = self.time[part]
        return self.blocks.estimate(lambda mean: float(simpson(mean[part], x=time)))

    def curve(self) -> Curve:
        """The correlation over time, for ``plotting.measured``."""
        labels = ("time", "velocity autocorrelation")
        return Curve(self.time, self.correlation, self.error, labels)
