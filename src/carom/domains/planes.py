"""Plane walls of any direction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from carom.checks import numbers_in
from carom.collisions.restitution import check_coefficient
from carom.particles import Array
from carom.representation import shown_as_call


@shown_as_call
@dataclass(frozen=True)
class Plane:
    """A hard plane through ``point`` with the given ``normal``, solid on both sides.

    It has the law of the system, unless ``restitution`` is a number.
    """

    point: Sequence[float]
    normal: Sequence[float]
    restitution: float | None = None

    def __post_init__(self) -> None:
        point, normal = (
            tuple(numbers_in(f"Plane: {name}", getattr(self, name)).ravel().tolist())
            for name in ("point", "normal")
        )
        if len(point) != len(normal) or len(point) not in (2, 3):
            raise ValueError(
                f"Plane: point {self.point!r} and normal {self.normal!r} must both have two or "
                "three components."
            )
        if not all(math.isfinite(value) for value in point + normal):
            raise ValueError(f"Plane: point {point} and normal {normal} must be finite.")
        length = math.hypot(*normal)
        if length == 0.0:
            raise ValueError(f"Plane: the normal {normal} has no direction.")
        if self.restitution is not None:
            check_coefficient("Plane", self.restitution)
            object.__setattr__(self, "restitution", float(self.restitution))
        object.__setattr__(self, "point", point)
        object.__setattr__(self, "normal", tuple(value / length for value in normal))

    def heights(self, places: Array) -> Array:
        """How high above the plane places (k, d) are, along its normal: (k,), negative behind it.

        Summed in the same order on every processor: particles may just touch a wall.
        """
        along = zip(np.asarray(places).T, self.point, self.normal, strict=True)
        return np.asarray(sum((place - point) * normal for place, point, normal in along))
