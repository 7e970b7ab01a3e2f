"""Cooling and heated granular gases, van Noije & Ernst, Granul. Matter 1, 57 (1998).

a_2 is how much the fourth moment of the velocities exceeds that of a Maxwellian, relative to it.
"""

from __future__ import annotations

from dataclasses import replace

from carom.theory.enskog import collision_frequency
from carom.theory.gas import Gas


def excess_kurtosis_factor(dimension: int, restitution: float) -> float:
    """a_2 of a cooling granular gas."""
    d, e = dimension, restitution
    numerator = 16.0 * (1.0 - e) * (1.0 - 2.0 * e**2)
    return numerator / (9.0 + 24.0 * d + (8.0 * d - 41.0) * e + 30.0 * e**2 * (1.0 - e))


def excess_kurtosis_factor_of_heated_gas(dimension: int, restitution: float) -> float:
    """a_2 of a granular gas heated by white noise."""
    d, e = dimension, restitution
    numerator = 16.0 * (1.0 - e) * (1.0 - 2.0 * e**2)
    return numerator / (73.0 + 56.0 * d - 24.0 * d * e - 105.0 * e + 30.0 * (1.0 - e) * e**2)


def cooling_factor(gas: Gas, a_2: float) -> float:
    """Gamma of dT/dt = −Gamma T^(3/2), whatever the temperature is.

    A collision costs (1 − e²) / 4 of the squared approach speed, whose mean over the collisions
    of a Maxwellian gas is 4 T / m; the corrections of the rate and of the loss add up to 3/16 a_2.
    """
    omega = collision_frequency(replace(gas, temperature=1.0))
    return (1.0 - gas.restitution**2) * omega / gas.dimension * (1.0 + 3.0 / 16.0 * a_2)
