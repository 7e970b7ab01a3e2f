"""Where particles are some time later."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.observers.curve import Curve
from carom.observers.lagged import LaggedObserver
from carom.observers.mean_square_displacement import centred_positions
from carom.particles import Array
from carom.statistics import box_around, van_hove_counts
from carom.statistics.shells import checked_edges, unit_ball
from carom.types import Plain


class VanHove(LaggedObserver):
    """G_s(r, t) and G_d(r, t) in shells of distance over ``time`` (van Hove, Phys. Rev. 95, 249).

    ``own`` is the probability per volume that a particle has moved by r, ``others`` the density of
    other particles at r from where one was, relative to the mean: g(r) at t = 0. ``edges`` of the
    shells are distances, up to half the box. A checkpoint keeps frames and sums.
    """

    def __init__(self, every: float, edges: ArrayLike, lags: int = 10, levels: int = 1) -> None:
        super().__init__(every, lags, levels)
        self._edges = checked_edges(edges)
        self._box: Any = None
        self._density = 0.0

    def settings(self) -> Plain:
        """The schedule, the shells, and how far back is looked."""
        return super().settings() | {"edges": self._edges.tolist()}

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse one particle alone, boxes that do not repeat or are sheared, and large shells."""
        if len(simulation.system.particles) < 2:
            raise ValueError("VanHove: one particle alone has no others around it.")
        nowhere = np.zeros((1, simulation.system.dimension))
        van_hove_counts(nowhere, nowhere, box_around(simulation), self._edges)

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Begin anew, or with the frames and sums of a checkpoint."""
        super().begin(simulation, state)
        self._box = box_around(simulation)
        self._density = (len(simulation.system.particles) - 1) / simulation.system.volume

    def frame(self, simulation: Any) -> Array:
        """The unwrapped positions relative to the centre of mass."""
        return centred_positions(simulation.particles)

    def compare(self, before: Array, now: Array) -> Array:
        """The two functions, as densities."""
        counts = van_hove_counts(before, now, self._box, self._edges)
        volume = unit_ball(now.shape[1]) * np.diff(self._edges ** now.shape[1])
        return np.stack([counts.own / volume, counts.others / (volume * self._density)])

    @property
    def distance(self) -> Array:
        """The middles of the shells."""
        return np.asarray(0.5 * (self._edges[:-1] + self._edges[1:]))

    @property
    def own(self) -> Array:
        """G_s (lags, shells), per volume."""
        return self.blocks.mean[:, 0]

    @property
    def own_error(self) -> Array:
        """Its standard error."""
        return self.blocks.error[:, 0]

    @property
    def others(self) -> Array:
        """G_d / ρ (lags, shells)."""
        return self.blocks.mean[:, 1]

    @property
    def others_error(self) -> Array:
        """Its standard error."""
        return self.blocks.error[:, 1]

    def curve(self) -> Curve:
        """G_d / ρ over the distance at up to five lags, for ``plotting.measured``."""
        rows = np.unique(np.linspace(0, len(self.time) - 1, 5).astype(np.int64))
        names = tuple(f"t = {time:.3g}" for time in self.time[rows])
        labels = ("r", "G_d(r, t) / ρ")
        return Curve(self.distance, self.others[rows], self.others_error[rows], labels, names)
