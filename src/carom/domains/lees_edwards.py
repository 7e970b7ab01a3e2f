"""A sheared box: it repeats along every axis, and its rows of images along y slide along x."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

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
    """

    lengths: float | Sequence[float]
    shear_rate: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "lengths", checked_lengths("LeesEdwards", self.lengths))
        rate = self.shear_rate
        check_finite("LeesEdwards: shear_rate", rate)
        object.__setattr__(self, "shear_rate", float(rate))

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
        return math.remainder(self.shear_rate * height * time, length)

    def flow(self, position: ArrayLike) -> Array:
        """The mean velocity (n, d) at positions: along x, and zero in the middle of the box."""
        rows = np.asarray(position, dtype=np.float64)
        velocity = np.zeros_like(rows)
        velocity[:, 0] = self.shear_rate * (rows[:, 1] - 0.5 * self.sides(rows.shape[1])[1])
        return velocity
