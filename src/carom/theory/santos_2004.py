"""Dilute disks and spheres: Santos, Garzó & Dufty, Phys. Rev. E 69, 061303 (2004).

A model of Boltzmann's equation in which the second moment relaxes at a rate nu beta towards
isotropy and cools at a rate nu zeta, with nu = n T / mu_0 of the elastic gas. That is also what
Grad's method gives to first order in the deviator. In simple shear the moments have a closed form
for any restitution; where normal stresses are large, it is off by some percent.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from carom.theory.enskog import dilute_viscosity
from carom.theory.gas import Gas
from carom.theory.simple_shear import SimpleShear, check_steady


def relaxation_rate(dimension: int, restitution: float) -> float:
    """beta = (1 + e) / 2 [1 − (d − 1) / (2 d) (1 − e)]."""
    d, e = dimension, restitution
    return 0.5 * (1.0 + e) * (1.0 - (d - 1.0) / (2.0 * d) * (1.0 - e))


def cooling_rate(dimension: int, restitution: float) -> float:
    """zeta = (d + 2) / (4 d) (1 − e²)."""
    return (dimension + 2.0) / (4.0 * dimension) * (1.0 - restitution**2)


def simple_shear(gas: Gas, shear_rate: float) -> SimpleShear:
    """The steady state; in a dilute gas there is no collisional stress.

    The temperature follows from the shear, whatever that of the gas is.
    """
    dimension, restitution = gas.dimension, gas.restitution
    check_steady(restitution)
    beta, zeta = relaxation_rate(dimension, restitution), cooling_rate(dimension, restitution)
    # nu is proportional to the root of the temperature, and shear_rate / nu a number.
    per_nu = (beta + zeta) * math.sqrt(0.5 * dimension * zeta / beta)
    density = gas.number_density
    nu = density / dilute_viscosity(replace(gas, temperature=1.0))
    temperature = (shear_rate / (per_nu * nu)) ** 2
    stress = np.eye(dimension) * beta / (beta + zeta)
    stress[0, 0] = (beta + dimension * zeta) / (beta + zeta)
    shear = math.sqrt(0.5 * dimension * beta * zeta) / (beta + zeta)
    stress[0, 1] = stress[1, 0] = -math.copysign(shear, shear_rate)
    kinetic = density * temperature * stress
    return SimpleShear(temperature, kinetic, np.zeros_like(kinetic))
