"""How far particles get in a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.observers.curve import Curve
from carom.observers.lagged import LaggedObserver
from carom.particles import Array
from carom.statistics.blocks import Estimate
from carom.statistics.slopes import part_between, slope
from carom.types import Plain


class MeanSquareDisplacement(LaggedObserver):
    """The mean square displacement over ``time``, from every look as an origin.

    Displacements are unwrapped and relative to the centre of mass. ``diffusion`` is its slope.
    ``lags``, ``levels``: how far back each look is compared, see ``time``. A box that is sheared
    carries particles with it, and is refused. A checkpoint keeps frames and sums.
    """

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse shear, and one particle alone, which is its own centre of mass."""
        if len(simulation.system.particles) < 2:
            raise ValueError(
                "MeanSquareDisplacement: displacements are relative to the centre of mass, where "
                "one particle alone always is. Look at sim.particles.unwrapped with carom.Call."
            )
        if simulation.system.shear_rate != 0.0:
            raise ValueError(
                f"MeanSquareDisplacement: {simulation.system.domain!r} carries particles along, "
                "which is no diffusion. Use carom.Periodic, or VelocityAutocorrelation."
            )

    def frame(self, simulation: Any) -> Array:
        """The unwrapped positions relative to the centre of mass."""
        return centred_positions(simulation.particles)

    def compare(self, before: Array, now: Array) -> Array:
        """The means of Δ² and Δ⁴ over the particles."""
        away = now - before
        squares = np.einsum("ij,ij->i", away, away)
        return np.array([squares.mean(), (squares * squares).mean()])

    @property
    def mean_square(self) -> Array:
        """⟨Δ²⟩ at each lag; NaN at those that the run has not reached."""
        return self.blocks.mean[:, 0]

    @property
    def error(self) -> Array:
        """Its standard error."""
        return self.blocks.error[:, 0]

    def diffusion(self, start: float | None = None, end: float | None = None) -> Estimate:
        """The self-diffusion coefficient: the slope of ⟨Δ²⟩ over 2 d, between two lags.

        Left out, between half the longest lag and the longest.
        """
        part, time = part_between(self.time, start, end), self.time
        width = 2.0 * self._dimension_seen
        return self.blocks.estimate(lambda mean: slope(time[part], mean[part, 0]) / width)

    def non_gaussian(self) -> Estimate:
        """α_2 = d ⟨Δ⁴⟩ / ((d + 2) ⟨Δ²⟩²) − 1 at each lag but the first: zero for Gaussian
        displacements (Rahman, Phys. Rev. 136, A405, 1964); NaN where nothing has moved."""
        d = self._dimension_seen
        with np.errstate(invalid="ignore"):
            return self.blocks.estimate(
                lambda mean: d / (d + 2.0) * mean[1:, 1] / mean[1:, 0] ** 2 - 1.0
            )

    @property
    def _dimension_seen(self) -> int:
        _ = self.blocks
        return int(self._frames[0][-1].shape[1])

    def curve(self) -> Curve:
        """⟨Δ²⟩ over time, for ``plotting.measured``."""
        labels = ("time", "mean square displacement")
        return Curve(self.time[1:], self.mean_square[1:], self.error[1:], labels, logarithmic=True)


def centred_positions(particles: Any) -> Array:
    """Unwrapped positions (n, d) relative to the centre of mass."""
    mass, place = particles.mass, particles.unwrapped
    return np.asarray(place - np.einsum("i,ij->j", mass, place) / mass.sum())
