"""How waves of density, and the places of single particles, are forgotten."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.checks import check_whole, numbers_in
from carom.observers.curve import Curve
from carom.observers.lagged import LaggedObserver
from carom.observers.mean_square_displacement import centred_positions
from carom.particles import Array
from carom.statistics import WaveVectors, box_around, density_waves, waves_near
from carom.types import Plain


class IntermediateScattering(LaggedObserver):
    """F(k, t) and F_s(k, t) over ``time``, at the waves of the box nearest to ``wave_numbers``.

    F = ⟨ρ_k(t) ρ_−k(0)⟩ / n is the coherent one, S(k) at t = 0; F_s = ⟨exp(i k·Δ)⟩ is that of
    displacements Δ relative to the centre of mass. Of each length up to ``per_length`` waves are
    taken. A checkpoint keeps frames and sums.
    """

    def __init__(
        self,
        every: float,
        wave_numbers: ArrayLike,
        lags: int = 50,
        levels: int = 1,
        per_length: int = 6,
    ) -> None:
        super().__init__(every, lags, levels)
        check_whole("IntermediateScattering: per_length", per_length, 1)
        self._wanted = np.atleast_1d(numbers_in("wave_numbers", wave_numbers))
        self._per_length = int(per_length)
        self._waves: WaveVectors | None = None

    def settings(self) -> Plain:
        """The schedule, how far back is looked, and the waves."""
        own = {"wave_numbers": self._wanted.tolist(), "per_length": self._per_length}
        return super().settings() | own

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse what has no box that repeats, what is sheared, and waves that do not fit."""
        waves_near(box_around(simulation), self._wanted, self._per_length)

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Choose the waves."""
        super().begin(simulation, state)
        self._waves = waves_near(box_around(simulation), self._wanted, self._per_length)

    @property
    def waves(self) -> WaveVectors:
        """The waves that were taken."""
        if self._waves is None:
            raise ValueError("IntermediateScattering belongs to no simulation yet.")
        return self._waves

    @property
    def wave_number(self) -> Array:
        """Their mean lengths."""
        return self.waves.length

    def frame(self, simulation: Any) -> Array:
        """Positions relative to the centre of mass, and behind them the waves of density."""
        position = centred_positions(simulation.particles)
        sums = density_waves(position, self.waves.vectors)
        return np.concatenate([position.ravel(), sums.real, sums.imag])

    def compare(self, before: Array, now: Array) -> Array:
        """The two functions for each length."""
        m, d = self.waves.vectors.shape
        away = (now - before)[: -2 * m].reshape(-1, d)
        single = density_waves(away, self.waves.vectors).real / len(away)
        together = (now * before)[-2 * m :].reshape(2, m).sum(axis=0) / len(away)
        return np.stack([self.waves.mean(together), self.waves.mean(single)])

    @property
    def coherent(self) -> Array:
        """F (lags, wave numbers)."""
        return self.blocks.mean[:, 0]

    @property
    def coherent_error(self) -> Array:
        """Its standard error."""
        return self.blocks.error[:, 0]

    @property
    def incoherent(self) -> Array:
        """F_s (lags, wave numbers)."""
        return self.blocks.mean[:, 1]

    @property
    def incoherent_error(self) -> Array:
        """Its standard error."""
        return self.blocks.error[:, 1]

    def curve(self) -> Curve:
        """F_s over time for each wave number, for ``plotting.measured``."""
        names = tuple(f"k = {k:.3g}" for k in self.wave_number)
        labels = ("time", "F_s(k, t)")
        return Curve(self.time, self.incoherent.T, self.incoherent_error.T, labels, names)
