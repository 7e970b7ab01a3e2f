"""The conduction of heat, from how fluctuations of the flux of energy add up."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.observers.curve import Curve
from carom.observers.equilibrium import refuse_out_of_equilibrium
from carom.observers.spreading import SpreadingObserver
from carom.particles import Array
from carom.statistics.blocks import Estimate
from carom.statistics.energy_flux import EnergyFlux
from carom.statistics.plain_arrays import array_from, plain
from carom.types import Columns, Plain


class HeatConduction(SpreadingObserver):
    """The thermal conductivity of a fluid in equilibrium, from every look as an origin.

    By Einstein's form: the integral of the flux of energy spreads like 2 V T² λ t along each axis,
    and ``conductivity`` is its slope. The integral is exact, of Σ ½ m v² v between collisions and
    of the jumps (energy that one gains) · separation in them (Alder, Gass & Wainwright, J. Chem.
    Phys. 53, 3813, 1970). It follows every collision of an event-driven run of equal
    particles. A checkpoint keeps frames and sums.
    """

    wants_collisions = True

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse what is not in equilibrium, mixtures, and steps."""
        refuse_out_of_equilibrium("HeatConduction", simulation)
        particles = simulation.system.particles
        if len(np.unique(particles.mass)) > 1 or len(np.unique(particles.radius)) > 1:
            raise ValueError(
                "HeatConduction: in a mixture heat flows with species, too; use equal particles."
            )
        if not math.isnan(simulation.dt):
            raise ValueError("HeatConduction follows collisions in their order; use EventDriven.")

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Begin anew, or with the frames and sums of a checkpoint."""
        super().begin(simulation, state)
        particles, temperature = simulation.particles, simulation.temperature
        if state is None:
            self._thermal = float(simulation.system.volume * temperature**2)
            self._flux = EnergyFlux(
                np.zeros(particles.dimension),
                np.array(simulation.peculiar_velocity),
                np.full(len(particles), simulation.time),
                np.array(particles.mass),
            )
        else:
            self._thermal = state["thermal"]
            self._flux = EnergyFlux(*(array_from(kept) for kept in state["flux"]))

    def collided(self, columns: Columns) -> None:
        """Follow a piece of the log."""
        self._flux.collide(columns)

    def frame(self, simulation: Any) -> Array:
        """The integral up to now."""
        self._flux.fly(simulation.time)
        # What roundings of many impulses leave is not to add up.
        self._flux.velocity[:] = simulation.peculiar_velocity
        return self._flux.integral.copy()

    def compare(self, before: Array, now: Array) -> Array:
        """The square of the change along one axis, over 2 V T²."""
        change = now - before
        return np.array((change * change).mean() / (2.0 * self._thermal))

    def conductivity(self, start: float | None = None, end: float | None = None) -> Estimate:
        """λ, the slope between two lags: left out, between half the longest and the longest."""
        return self._slope(start, end)

    def state(self) -> Plain:
        """The schedule, the frames, the sums and what is under way."""
        flux = [plain(part) for part in self._flux]
        return super().state() | {"flux": flux}

    def curve(self) -> Curve:
        """The spread over time, for ``plotting.measured``."""
        return Curve(self.time, self.spread, self.error, ("time", "⟨ΔQ²⟩ / 2VT²"))
