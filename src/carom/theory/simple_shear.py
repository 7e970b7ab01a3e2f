"""What a theory of steady simple shear gives."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class SimpleShear(NamedTuple):
    """The steady state of a granular gas with the mean velocity shear_rate × y along x.

    A stress is the momentum that flows through a unit of area or length: pressures are positive,
    and xy has the sign of −shear_rate. The temperature is m <C²> / d of the peculiar velocities C.
    """

    temperature: float
    kinetic_stress: NDArray[np.float64]  # (d, d)
    collisional_stress: NDArray[np.float64]  # (d, d)

    @property
    def stress(self) -> NDArray[np.float64]:
        """Both parts together (d, d)."""
        return self.kinetic_stress + self.collisional_stress

    @property
    def pressure(self) -> float:
        """A d-th of the trace of the stress."""
        return float(np.trace(self.stress)) / len(self.stress)


class Parts(NamedTuple):
    """A quantity of which particles carry one part, and collisions another."""

    kinetic: float
    collisional: float

    @property
    def total(self) -> float:
        """Both together."""
        return self.kinetic + self.collisional


def newtonian(
    shear_rate: float, temperature: float, pressure: Parts, viscosity: Parts, dimension: int
) -> SimpleShear:
    """The stresses of a fluid with one pressure and one viscosity."""
    symmetric = np.zeros((dimension, dimension))
    symmetric[0, 1] = symmetric[1, 0] = shear_rate
    kinetic, collisional = (
        p * np.eye(dimension) - eta * symmetric for p, eta in zip(pressure, viscosity, strict=True)
    )
    return SimpleShear(temperature, kinetic, collisional)


def check_steady(restitution: float) -> None:
    """Refuse particles that do not reach a steady state."""
    if restitution >= 1.0:
        raise ValueError(
            f"The restitution is {restitution}; sheared particles reach a steady state only below "
            "1, as elastic ones heat up for ever."
        )
