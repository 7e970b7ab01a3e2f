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
from dataclasses import dataclass, replace

from carom.theory.enskog import (
    TRANSFER,
    TRANSFER_OF_FLOW,
    collision_frequency,
    dilute_viscosity,
)
from carom.theory.gas import Gas
from carom.theory.simple_shear import Parts, SimpleShear, check_steady, newtonian


@dataclass(frozen=True)
class NearlyElastic:
    """The constitutive relations in a dimension; r = eta (relaxation[0] − relaxation[1] eta)."""

    dimension: int
    relaxation: tuple[float, float]

    def pressure(self, gas: Gas) -> Parts:
        """The kinetic and the collisional part of the pressure."""
        self._check_dimension(gas)
        kinetic = gas.number_density * gas.temperature
        y = gas.packing_fraction * gas.chi
        return Parts(kinetic, kinetic * 2.0 ** (self.dimension - 2) * (1.0 + gas.restitution) * y)

    def shear_viscosity(self, gas: Gas) -> Parts:
        """The kinetic and the collisional part of the shear viscosity."""
        self._check_dimension(gas)
        phi, chi, eta = gas.packing_fraction, gas.chi, 0.5 * (1.0 + gas.restitution)
        y = phi * chi
        dilute = dilute_viscosity(gas)
        first, second = self.relaxation
        transfer, of_flow = TRANSFER[self.dimension], TRANSFER_OF_FLOW[self.dimension]
        kinetic = dilute / (chi * eta * (first - second * eta))
        kinetic *= 1.0 + transfer * eta * (3.0 * eta - 2.0) * y
        return Parts(kinetic, eta * y * (transfer * kinetic + of_flow * dilute * phi))

    def dissipation_rate(self, gas: Gas) -> float:
        """The energy that collisions dissipate per time and area or volume."""
        self._check_dimension(gas)
        loss = (1.0 - gas.restitution**2) * gas.temperature
        return 0.5 * gas.number_density * collision_frequency(gas) * loss

    def simple_shear(self, gas: Gas, shear_rate: float) -> SimpleShear:
        """The steady state, in which shear work and dissipation are equal.

        The temperature follows from them, whatever that of the gas is.
        """
        check_steady(gas.restitution)
        unit = replace(gas, temperature=1.0)
        viscous, loss = self.shear_viscosity(unit), self.dissipation_rate(unit)
        # Work and loss are proportional to the 1/2 and the 3/2 power of the temperature.
        temperature = viscous.total * shear_rate**2 / loss
        pressure = self.pressure(replace(gas, temperature=temperature))
        viscosity = Parts(*(math.sqrt(temperature) * part for part in viscous))
        return newtonian(shear_rate, temperature, pressure, viscosity, self.dimension)

    def _check_dimension(self, gas: Gas) -> None:
        if gas.dimension != self.dimension:
            what = "disks" if self.dimension == 2 else "spheres"
            raise ValueError(
                f"this theory is of {what}, but the gas has {gas.dimension} dimensions."
            )
