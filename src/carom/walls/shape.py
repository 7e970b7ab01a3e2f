"""What all shapes of walls share: a name, a restitution, and checks of places and lengths."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carom.checks import check_one_of, is_positive, numbers_in
from carom.collisions.restitution import check_coefficient
from carom.particles import BEYOND, LARGEST, Array
from carom.walls.surface import NOTHING, Surface

SIDES = ("inside", "outside")
Place = tuple[float, ...]
# Patches by their kind: rows of numbers.
Patches = list[tuple[type, Any]]


@dataclass(frozen=True)
class Shape:
    """A hard wall, solid from both sides.

    It has the law of the system, unless ``restitution`` is a number; ``name`` is for people.
    """

    restitution: float | None = field(default=None, kw_only=True)
    name: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if self.restitution is not None:
            check_coefficient(self._kind, self.restitution)
            object.__setattr__(self, "restitution", float(self.restitution))
        if self.name is not None and not (isinstance(self.name, str) and self.name):
            raise ValueError(f"{self._kind}: name must be a text, not {self.name!r}.")

    @property
    def _kind(self) -> str:
        return type(self).__name__

    @property
    def described(self) -> str:
        """How messages call it."""
        return repr(self) if self.name is None else f"{self.name!r}, {self!r},"

    @property
    def dimensions(self) -> tuple[int, ...]:
        """Of the systems that it can stand in."""
        return (3,)

    @property
    def is_endless(self) -> bool:
        """Whether pictures show a part of it only."""
        return False

    def patches(self) -> Patches:
        """The pieces it is made of: kinds of ``carom.patches``, each with rows of numbers."""
        raise NotImplementedError

    def repeats_along(self, axis: int) -> bool:
        """Whether it is the same everywhere along an axis, and can stand where that repeats."""
        return False

    def on_wrong_side(self, places: Array) -> Any:
        """Which of the places (n, d) are on the side where no particles are to be: (n,)."""
        return np.zeros(len(places), dtype=np.bool_)

    def surface(self, lower: Array, upper: Array) -> Surface:
        """What pictures show of it: triangles and lines; nothing, unless a shape says so.

        The corners (d,) are those of what is shown: a shape without an end may stop there.
        """
        return NOTHING

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _place(self, name: str, *, dimension: int | None = None) -> Place:
        given = getattr(self, name)
        values = numbers_in(f"{self._kind}: {name}", given).ravel()
        right = (dimension,) if dimension is not None else self.dimensions
        if len(values) not in right or not np.isfinite(values).all():
            wanted = " or ".join({2: "two", 3: "three"}[one] for one in right)
            raise ValueError(
                f"{self._kind}: {name} must be {wanted} finite numbers, not {given!r}."
            )
        if np.abs(values).max() > LARGEST:
            raise ValueError(f"{self._kind}: {name} {given!r} {BEYOND}.")
        return tuple(values.tolist())

    def _direction(self, name: str) -> Place:
        vector = self._place(name)
        length = math.sqrt(sum(x * x for x in vector))
        if length == 0.0:
            raise ValueError(f"{self._kind}: the {name} {vector} has no direction.")
        return tuple(x / length for x in vector)

    def _length(self, name: str) -> float:
        value = getattr(self, name)
        if not is_positive(value) or value > LARGEST:
            raise ValueError(
                f"{self._kind}: {name} must be a finite number above 0, not {value!r}."
            )
        return float(value)

    def _check_side(self, side: str | None) -> None:
        if side is not None:
            check_one_of(f"{self._kind}: side", side, SIDES)


def three(vector: Place) -> list[float]:
    """A vector with a third component, 0 in the plane."""
    return [*vector, 0.0][:3]


def wrong_of(side: str | None, inside: Any) -> Any:
    """Which places are on the wrong side, from which of them are inside."""
    if side is None:
        return np.zeros_like(inside)
    return ~inside if side == "inside" else inside


def apart(one: Place, other: Place) -> tuple[list[float], float]:
    """The unit vector from one place to another, and how far it is."""
    vector = [b - a for a, b in zip(one, other, strict=True)]
    length = math.sqrt(sum(x * x for x in vector))
    return [x / length if length > 0.0 else 0.0 for x in vector], length
