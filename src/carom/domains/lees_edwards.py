"""A sheared box: it repeats along every axis, and its rows of images along y slide along x."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.checks import check_finite
from carom.domains.lengths import checked_lengths, lengths_in
from carom.domains.planes import Plane
from carom.particles import Array
from carom.representation import shown_as_call


@shown_as_call
@dataclass(frozen=True)
class LeesEdwards:
    """The box [0, L) along each axis, repeated in all directions and sheared.

    At time t the images above (along y) are displaced by ``shear_rate`` · L_y · t along x, and they
    move with the velocity ``shear_rate`` · L_y (Lees & Edwards, J. Phys. C 5, 1921, 1972). A
    particle that leaves through the upper face comes in again below, that much further back and
    slower. Velocities are those that an observer at rest sees; ``flow`` is their mean in a steady
    state, to be added to thermal velocities at the start. The unwrapped positions of particles are
    those in the endless system: there, a particle that crosses a boundary just flies on.

    Where the rate was another ``earlier``, these are pairs of a rate and the time up to which it
    was that; ``sim.change`` makes them.
    """

    lengths: float | Sequence[float]
    shear_rate: float
    earlier: Sequence[tuple[float, float]] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "lengths", checked_lengths("LeesEdwards", self.lengths))
        rate = self.shear_rate
        check_finite("LeesEdwards: shear_rate", rate)
        object.__setattr__(self, "shear_rate", float(rate))
        object.__setattr__(self, "earlier", _checked_rates(self.earlier))

    def sides(self, dimension: int) -> tuple[float, ...]:
        """Side lengths for this dimension."""
        return lengths_in("LeesEdwards", self.lengths, dimension)  # type: ignore[arg-type]

    def periodic_axes(self, dimension: int) -> tuple[bool, ...]:
        """Which axes repeat."""
        return (True,) * dimension

    def walls(self, dimension: int) -> list[Plane]:
        """No walls."""
        return []

    def offset(self, dimension: int, time: float) -> float:
        """How far the images above are displaced along x at a time, the nearest of them: between
        minus and plus half a box length."""
        length, height = self.sides(dimension)[:2]
        rate, strain = self._at(time)
        return math.remainder(rate * height * time + height * strain, length)

    def strain(self, time: float) -> float:
        """How far the box has been sheared from time 0 to a time."""
        rate, strain = self._at(time)
        return rate * time + strain

    def _at(self, time: float) -> tuple[float, float]:
        """The rate at a time, and what the strain is beside the rate times the time."""
        strain = begun = 0.0
        for rate, until in self.earlier:
            if time < until:
                return rate, strain - rate * begun
            strain += rate * (until - begun)
            begun = until
        return self.shear_rate, strain - self.shear_rate * begun

    @property
    def at_start(self) -> LeesEdwards:
        """The box with the rate that it had first."""
        if not self.earlier:
            return self
        return LeesEdwards(self.lengths, self.earlier[0][0])

    def with_rate(self, rate: float, time: float) -> LeesEdwards:
        """The box with another rate from a time on."""
        earlier = (*self.earlier, (self.shear_rate, float(time)))
        return LeesEdwards(self.lengths, rate, earlier)

    def flow(self, position: ArrayLike) -> Array:
        """The mean velocity (n, d) at positions: along x, and zero in the middle of the box."""
        rows = np.asarray(position, dtype=np.float64)
        velocity = np.zeros_like(rows)
        velocity[:, 0] = self.shear_rate * (rows[:, 1] - 0.5 * self.sides(rows.shape[1])[1])
        return velocity


def _checked_rates(earlier: Any) -> tuple[tuple[float, float], ...]:
    """Pairs of a rate and the time up to which it was that, one after the other."""
    rows = np.array(earlier, dtype=np.float64).reshape(-1, 2)
    times = rows[:, 1]
    if not np.isfinite(rows).all() or (np.diff(times, prepend=0.0) < 0.0).any():
        raise ValueError(
            "LeesEdwards: earlier must be pairs of a shear rate and the time up to which it was "
            f"that, in the order of time, not {earlier!r}."
        )
    return tuple((float(rate), float(until)) for rate, until in rows)
