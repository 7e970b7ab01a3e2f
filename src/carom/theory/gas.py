"""What theories are asked about: equal disks or spheres in a uniform state."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass

from carom.checks import check_not_negative, check_positive
from carom.representation import shown_as_call
from carom.theory.contact_values import contact_value


@shown_as_call
@dataclass(frozen=True)
class Gas:
    """Equal hard disks (``dimension`` 2) or spheres (3) that fill a ``packing_fraction`` phi.

    - ``restitution``: e, 1 for elastic particles.
    - ``temperature``: m <v²> / d, with Boltzmann's constant 1. Functions for which it follows from
      something else, as in steady shear, leave it aside.
    - ``diameter`` and ``mass`` of a particle.
    - ``contact_value``: chi, the pair distribution at contact; when left out, that of
      :func:`carom.theory.contact_value`.
    """

    dimension: int
    packing_fraction: float
    _: KW_ONLY
    restitution: float = 1.0
    temperature: float = 1.0
    diameter: float = 1.0
    mass: float = 1.0
    contact_value: float | None = None

    def __post_init__(self) -> None:
        if self.dimension not in (2, 3):
            raise ValueError(f"Gas: dimension must be 2 or 3, not {self.dimension!r}.")
        for name in ("packing_fraction", "temperature", "diameter", "mass"):
            check_positive(f"Gas: {name}", getattr(self, name))
        if self.contact_value is not None:
            check_positive("Gas: contact_value", self.contact_value)
        check_not_negative("Gas: restitution", self.restitution)
        if self.restitution > 1.0:
            raise ValueError(f"Gas: restitution must be at most 1, not {self.restitution!r}.")

    @property
    def chi(self) -> float:
        """The pair distribution at contact."""
        if self.contact_value is not None:
            return self.contact_value
        return contact_value(self.dimension, self.packing_fraction)

    @property
    def number_density(self) -> float:
        """Particles per area or volume."""
        d = self.diameter
        size = 0.25 * math.pi * d**2 if self.dimension == 2 else math.pi / 6.0 * d**3
        return self.packing_fraction / size

    @property
    def cross_section(self) -> float:
        """Of two particles that meet: 2 diameters in the plane, pi diameter² in space."""
        return 2.0 * self.diameter if self.dimension == 2 else math.pi * self.diameter**2

    @property
    def mean_relative_speed(self) -> float:
        """E|v_i − v_j| of Maxwellian velocities."""
        per_component = math.sqrt(self.temperature / self.mass)
        number = math.sqrt(math.pi) if self.dimension == 2 else 4.0 / math.sqrt(math.pi)
        return number * per_component
