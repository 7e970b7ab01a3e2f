"""The shear viscosity, from how fluctuations of the stress add up."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.observers.curve import Curve
from carom.observers.equilibrium import refuse_out_of_equilibrium
from carom.observers.spreading import SpreadingObserver
from carom.particles import Array
from carom.statistics.blocks import Estimate
from carom.types import Plain


class Viscosity(SpreadingObserver):
    """The shear viscosity of a fluid in equilibrium, from every look as an origin.

    By Einstein's form: the integral of the stress times the volume spreads like 2 V T η t, and
    ``viscosity`` is its slope. The integral is exact, of Σ m v_a v_b between looks and of the jumps
    Σ impulse_a separation_b in collisions (Alder, Gass & Wainwright, J. Chem. Phys. 53, 3813,
    1970); no position is asked for, wrapped or not. All components of the traceless tensor count
    (Daivis & Evans, J. Chem. Phys. 100, 541, 1994). A checkpoint keeps frames and sums.
    """

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse what is not in equilibrium."""
        refuse_out_of_equilibrium("Viscosity", simulation)

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Begin anew, or with the frames and sums of a checkpoint."""
        super().begin(simulation, state)
        thermal = simulation.system.volume * simulation.temperature
        self._thermal = float(thermal if state is None else state["thermal"])

    def frame(self, simulation: Any) -> Array:
        """The integral of the stress, symmetric and without its trace."""
        total = simulation.stress_integral
        dimension = len(total)
        symmetric = 0.5 * (total + total.T)
        return np.asarray(symmetric - np.trace(total) / dimension * np.eye(dimension))

    def compare(self, before: Array, now: Array) -> Array:
        """The square of the change of one component, over 2 V T.

        The squares of all d² add up to (d − 1)(d + 2) times that of one off the diagonal.
        """
        d, change = len(now), now - before
        components = (d - 1.0) * (d + 2.0)
        return np.array((change * change).sum() / (components * 2.0 * self._thermal))

    def viscosity(self, start: float | None = None, end: float | None = None) -> Estimate:
        """η, the slope between two lags: left out, between half the longest and the longest."""
        return self._slope(start, end)

    def curve(self) -> Curve:
        """The spread over time, for ``plotting.measured``."""
        return Curve(self.time, self.spread, self.error, ("time", "⟨ΔG²⟩ / 2VT"))
