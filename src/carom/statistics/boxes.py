"""The box in which statistics are taken: it repeats along every axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.domains.images import images_around
from carom.particles import Array
from carom.representation import shown_as_call


@shown_as_call
@dataclass(frozen=True)
class RepeatingBox:
    """The box [0, L) along each axis, repeated in all directions.

    In a sheared box the images above (along y) are displaced by ``offset`` along x and move with
    the velocity ``jump``.
    """

    sides: Sequence[float]
    offset: float = 0.0
    jump: float = 0.0

    def __post_init__(self) -> None:
        sides = tuple(float(side) for side in self.sides)
        if len(sides) not in (2, 3) or not all(0.0 < side < math.inf for side in sides):
            raise ValueError(f"RepeatingBox: sides must be 2 or 3 lengths, not {self.sides!r}.")
        object.__setattr__(self, "sides", sides)

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return len(self.sides)

    @property
    def volume(self) -> float:
        """The volume, or in the plane the area."""
        return math.prod(self.sides)

    def wrapped(self, position: ArrayLike) -> Array:
        """The images (n, d) of points that lie in the box."""
        rows = np.array(position, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != self.dimension or len(rows) == 0:
            raise ValueError(
                f"position must have shape (n, {self.dimension}) in this box, not {rows.shape}."
            )
        if not np.isfinite(rows).all():
            raise ValueError("position must be finite; remove the rows that are not.")
        sides = np.array(self.sides)
        rows[:, 0] -= np.floor(rows[:, 1] / sides[1]) * self.offset
        rows -= np.floor(rows / sides) * sides
        # Just below zero the number nearest to x + L is L itself.
        return np.where(rows < sides, rows, 0.0)

    def images(self, position: Array, reach: float) -> tuple[Array, Any, Any]:
        """Points of the box and their images around it, see ``images_around``."""
        return images_around(position, reach, self.sides, (True,) * self.dimension, self.offset)


def box_around(simulation: Any) -> RepeatingBox:
    """The box of a simulation now; one that does not repeat along every axis is refused."""
    system = simulation.system
    if system.sides is None or not all(system.periodic):
        raise ValueError(
            f"statistics of pairs and cells need a box that repeats along every axis, not "
            f"{system.domain!r}: near walls there is no bulk to compare with. Use carom.Periodic."
        )
    jump = system.shear_rate * system.sides[1]
    return RepeatingBox(system.sides, system.offset(simulation.time), jump)
