"""What is found across a direction, averaged over looks."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.checks import check_whole
from carom.observers.averaged import AveragedObserver
from carom.observers.curve import Curve
from carom.particles import Array
from carom.statistics.blocks import MOST_ROWS, Estimate
from carom.statistics.profiles import layer_sums
from carom.types import Plain


class Profile(AveragedObserver):
    """Density, velocity and temperature in ``layers`` layers across an axis (0 for x, ...).

    Needs a box, with walls or periodic. Particles count for the layer of their centre. Velocities
    are as they are, and the temperature is that about the mean velocity of each layer. A
    checkpoint keeps the sums.
    """

    def __init__(self, every: float, axis: int, layers: int = 20) -> None:
        super().__init__(every)
        check_whole("Profile: axis", axis, 0)
        check_whole("Profile: layers", layers, 1, MOST_ROWS)
        self._axis, self._layers = int(axis), int(layers)
        self._edges = np.empty(0)
        self._slab = 0.0
        self._dimension = 0

    def settings(self) -> Plain:
        """The schedule, the axis and the layers."""
        return super().settings() | {"axis": self._axis, "layers": self._layers}

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse what has no box, or not this axis."""
        system = simulation.system
        if self._axis >= system.dimension:
            raise ValueError(f"Profile: there is no axis {self._axis} in {system.dimension}D.")
        if system.sides is None:
            raise ValueError(f"Profile: {system.domain!r} has no sides; layers need a box.")

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Cut the box into layers."""
        super().begin(simulation, state)
        system = simulation.system
        self._edges = np.linspace(0.0, system.sides[self._axis], self._layers + 1)
        self._slab = system.volume / self._layers
        self._dimension = system.dimension

    def found(self, simulation: Any) -> Array:
        """The sums of each layer, in rows."""
        return np.column_stack(layer_sums(simulation.particles, self._axis, self._edges))

    @property
    def place(self) -> Array:
        """The middles of the layers."""
        return np.asarray(0.5 * (self._edges[:-1] + self._edges[1:]))

    def density(self) -> Estimate:
        """The number of particles per volume in each layer."""
        return self.blocks.estimate(lambda mean: mean[:, 0] / self._slab)

    def packing_fraction(self) -> Estimate:
        """Their volume per volume."""
        return self.blocks.estimate(lambda mean: mean[:, -1] / self._slab)

    def velocity(self) -> Estimate:
        """The mean velocity (layers, d), weighted by mass; NaN in layers that stayed empty."""
        return self.blocks.estimate(self._velocity)

    def _velocity(self, mean: Array) -> Array:
        with np.errstate(invalid="ignore"):
            return np.asarray(mean[:, 2:-2] / mean[:, 1:2])

    def temperature(self) -> Estimate:
        """(Σ m v² − M u²) / (d N) in each layer, with its mass M and mean velocity u."""

        def temperature(mean: Array) -> Array:
            flow = self._velocity(mean)
            ordered = mean[:, 1] * np.einsum("ij,ij->i", flow, flow)
            with np.errstate(invalid="ignore"):
                return np.asarray((mean[:, -2] - ordered) / (self._dimension * mean[:, 0]))

        return self.blocks.estimate(temperature)

    def curve(self) -> Curve:
        """The density over the place, for ``plotting.measured``."""
        return Curve(self.place, *self.density(), ("xyz"[self._axis], "number density"))
