"""A box with walls along some axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from carom.collisions.restitution import check_coefficient
from carom.domains.lengths import AXES, checked_lengths, lengths_in
from carom.domains.planes import Plane
from carom.representation import shown_as_call


@shown_as_call
@dataclass(frozen=True)
class Box:
    """The box [0, L] along each axis: repeating along the axes named in ``periodic``, else walled.

    Walls have the law of the system, unless ``restitution`` says otherwise: one number for all of
    them, or a mapping from an axis to one number or to a pair (lower wall, upper wall), such as
    ``{"y": (0.5, 1.0)}``. ``None`` for a wall, and axes left out, stand for the law.
    """

    lengths: float | Sequence[float]
    periodic: str = ""
    restitution: float | Mapping[str, float | Sequence[float | None] | None] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "lengths", checked_lengths("Box", self.lengths))
        if not isinstance(self.periodic, str):
            raise TypeError(f"Box: periodic names axes, as in 'xy', not {self.periodic!r}.")
        unknown = sorted(set(self.periodic) - set(AXES))
        if unknown:
            raise ValueError(
                f"Box: periodic={self.periodic!r} names {unknown[0]!r}; "
                "the axes are x, y and z, for example periodic='xy'."
            )
        if isinstance(self.restitution, Mapping):
            wrong = [axis for axis in self.restitution if axis not in AXES or len(axis) != 1]
            if wrong:
                raise ValueError(f"Box: restitution names the axis {wrong[0]!r}; use x, y or z.")
            object.__setattr__(self, "restitution", dict(self.restitution))
        for axis in AXES:
            for value in self.coefficients(axis):
                if value is not None:
                    check_coefficient(f"Box: restitution of the walls along {axis}", value)

    def coefficients(self, axis: str) -> tuple[float | None, float | None]:
        """Restitution of the lower and the upper wall along an axis, None for the system's law."""
        walls = self.restitution
        value = walls.get(axis) if isinstance(walls, Mapping) else walls
        if isinstance(value, Sequence):
            if len(value) != 2:
                raise ValueError(
                    f"Box: restitution along {axis} must be one number or a pair, not {value!r}."
                )
            return (value[0], value[1])
        return (value, value)

    def sides(self, dimension: int) -> tuple[float, ...]:
        """Side lengths for this dimension."""
        return lengths_in("Box", self.lengths, dimension)  # type: ignore[arg-type]

    def periodic_axes(self, dimension: int) -> tuple[bool, ...]:
        """Which axes repeat."""
        if "z" in self.periodic and dimension == 2:
            raise ValueError("Box: periodic='z' needs three dimensions; the particles have two.")
        return tuple(axis in self.periodic for axis in AXES[:dimension])

    def walls(self, dimension: int) -> list[Plane]:
        """Two planes for each walled axis."""
        planes = []
        for k, (side, repeats) in enumerate(
            zip(self.sides(dimension), self.periodic_axes(dimension), strict=True)
        ):
            if repeats:
                continue
            lower, upper = self.coefficients(AXES[k])
            inward = [float(axis == k) for axis in range(dimension)]
            far = [side * component for component in inward]
            planes.append(Plane([0.0] * dimension, inward, lower))
            planes.append(Plane(far, [-component for component in inward], upper))
        return planes
