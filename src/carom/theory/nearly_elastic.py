"""Moment theories of smooth inelastic disks and spheres that are nearly isotropic.

The velocities are Maxwellian but for a small deviator of the second moment, and what collisions do
is taken to first order in it and in the gradient of the mean velocity, with the restitution e as it
stands. Then, with eta = (1 + e) / 2, y = phi chi, the viscosity mu_0 of the dilute elastic gas, and
a and b for ``TRANSFER`` and ``TRANSFER_OF_FLOW`` of ``enskog.py``,

- pressure = n T (1 + 2^(d−1) eta y),
- kinetic viscosity = mu_0 / (chi r) [1 + a eta (3 eta − 2) y],
- collisional viscosity = a eta y × kinetic viscosity + b eta mu_0 phi y,
- dissipation per volume and time = n omega (1 − e²) T / 2 with the collision frequency omega,

where r is the rate at which the deviator relaxes, in units of that of elastic particles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from carom.theory.contact_values import contact_value
from carom.theory.enskog import (
    TRANSFER,
    TRANSFER_OF_FLOW,
    collision_frequency,
    dilute_viscosity,
    number_density,
)
from carom.theory.simple_shear import Parts, SimpleShear, check_steady, newtonian


@dataclass(frozen=True)
class NearlyElastic:
    """The constitutive relations in a dimension, with r = eta (relaxation[0] − relaxation[1] eta).

    phi is the packing fraction, the temperature m <C²> / d, and chi, where it is not given,
    ``contact_value``.
    """

    dimension: int
    relaxation: tuple[float, float]

    def pressure(
        self,
        phi: float,
        restitution: float,
        temperature: float = 1.0,
        *,
        diameter: float = 1.0,
        chi: float | None = None,
    ) -> Parts:
        """The kinetic and the collisional part of the pressure."""
        kinetic = number_density(self.dimension, phi, diameter) * temperature
        y = phi * self._chi(phi, chi)
        return Parts(kinetic, kinetic * 2.0 ** (self.dimension - 2) * (1.0 + restitution) * y)

    def shear_viscosity(
        self,
        phi: float,
        restitution: float,
        temperature: float = 1.0,
        *,
        diameter: float = 1.0,
        mass: float = 1.0,
        chi: float | None = None,
    ) -> Parts:
        """The kinetic and the collisional part of the shear viscosity."""
        chi, eta = self._chi(phi, chi), 0.5 * (1.0 + restitution)
        y = phi * chi
        dilute = dilute_viscosity(self.dimension, temperature, diameter=diameter, mass=mass)
        first, second = self.relaxation
        transfer, of_flow = TRANSFER[self.dimension], TRANSFER_OF_FLOW[self.dimension]
        kinetic = dilute / (chi * eta * (first - second * eta))
        kinetic *= 1.0 + transfer * eta * (3.0 * eta - 2.0) * y
        return Parts(kinetic, eta * y * (transfer * kinetic + of_flow * dilute * phi))

    def dissipation_rate(
        self,
        phi: float,
        restitution: float,
        temperature: float = 1.0,
        *,
        diameter: float = 1.0,
        mass: float = 1.0,
        chi: float | None = None,
    ) -> float:
        """The energy that collisions dissipate per time and area or volume."""
        d, chi = self.dimension, self._chi(phi, chi)
        omega = collision_frequency(d, phi, temperature, diameter=diameter, mass=mass, chi=chi)
        loss = (1.0 - restitution**2) * temperature
        return 0.5 * number_density(d, phi, diameter) * omega * loss

    def simple_shear(
        self,
        shear_rate: float,
        phi: float,
        restitution: float,
        *,
        diameter: float = 1.0,
        mass: float = 1.0,
        chi: float | None = None,
    ) -> SimpleShear:
        """The steady state, in which shear work and dissipation are equal."""
        check_steady(restitution)
        unit = self.shear_viscosity(phi, restitution, diameter=diameter, mass=mass, chi=chi)
        loss = self.dissipation_rate(phi, restitution, diameter=diameter, mass=mass, chi=chi)
        # Work and loss are proportional to the 1/2 and the 3/2 power of the temperature.
        temperature = unit.total * shear_rate**2 / loss
        pressure = self.pressure(phi, restitution, temperature, diameter=diameter, chi=chi)
        viscosity = Parts(*(math.sqrt(temperature) * part for part in unit))
        return newtonian(shear_rate, temperature, pressure, viscosity, self.dimension)

    def _chi(self, phi: float, chi: float | None) -> float:
        return contact_value(self.dimension, phi) if chi is None else chi
