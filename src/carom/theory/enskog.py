"""Enskog's theory of elastic hard disks and spheres.

Chapman & Cowling, The Mathematical Theory of Non-Uniform Gases, 3rd edition 1970, chapter 16, for
spheres; Gass, J. Chem. Phys. 54, 1898 (1971), for disks. Pressure and mean free time are as good as
chi; dense fluids, of spheres beyond a packing fraction of about 0.3, are more viscous than this.
The restitution of the gas does not matter.
"""

from __future__ import annotations

import math

from carom.theory.gas import Gas

# By how much Sonine's first polynomial gives too low a viscosity to a dilute gas.
HIGHER_ORDERS = {2: 1.022, 3: 1.016}
# How much momentum collisions pass on, times phi chi: of a deviator of the second moment, relative
# to what it carries itself; and of the mean flow, in dilute viscosities, times another phi.
TRANSFER = {2: 1.0, 3: 8.0 / 5.0}
TRANSFER_OF_FLOW = {2: 8.0 / math.pi, 3: 768.0 / (25.0 * math.pi)}


def collision_frequency(gas: Gas) -> float:
    """Collisions of one particle per time."""
    return gas.number_density * gas.mean_relative_speed * gas.cross_section * gas.chi


def mean_free_time(gas: Gas) -> float:
    """The time between two collisions of a particle; exact in equilibrium with the exact chi."""
    return 1.0 / collision_frequency(gas)


def pressure(gas: Gas) -> float:
    """n T (1 + 2^(d−1) phi chi)."""
    compressibility = 1.0 + 2.0 ** (gas.dimension - 1) * gas.packing_fraction * gas.chi
    return gas.number_density * gas.temperature * compressibility


def dilute_viscosity(gas: Gas) -> float:
    """The shear viscosity by Sonine's first polynomial, if the gas were dilute."""
    momentum = math.sqrt(gas.mass * gas.temperature / math.pi)
    if gas.dimension == 2:
        return momentum / (2.0 * gas.diameter)
    return 5.0 * momentum / (16.0 * gas.diameter**2)


def shear_viscosity(gas: Gas, *, higher_orders: bool = True) -> float:
    """The shear viscosity by Sonine's first polynomial, or with the higher ones.

    In units of the dilute gas, with y = phi chi: (1 + y)² / chi + 8/pi phi y for disks, and
    (1 + 8/5 y)² / chi + 768/(25 pi) phi y for spheres. The last terms, due to the mean flow alone,
    do not depend on the polynomials.
    """
    dimension, phi, chi = gas.dimension, gas.packing_fraction, gas.chi
    from_moments = (1.0 + TRANSFER[dimension] * phi * chi) ** 2 / chi
    if higher_orders:
        from_moments *= HIGHER_ORDERS[dimension]
    return dilute_viscosity(gas) * (from_moments + TRANSFER_OF_FLOW[dimension] * phi**2 * chi)


def self_diffusion(gas: Gas) -> float:
    """How fast single spheres diffuse among others, with the higher polynomials of Sonine.

    1.019 · 3/8 √(T / (π m)) / (n σ² chi). Each collision is as if it were the first: spheres up to
    phi = 0.4 diffuse faster, denser ones more slowly.
    """
    if gas.dimension != 3:
        raise ValueError("the self-diffusion is that of spheres; dimension must be 3.")
    speed = math.sqrt(gas.temperature / (math.pi * gas.mass))
    return 1.01896 * 3.0 / 8.0 * speed / (gas.number_density * gas.diameter**2 * gas.chi)


def thermal_conductivity(gas: Gas) -> float:
    """The conduction of heat in spheres, with the higher polynomials of Sonine.

    In units of the dilute gas by the first polynomial, 75 √(T / (π m)) / (64 σ²), and with
    y = phi chi: 1.02513 (1 + 12/5 y)² / chi + 512/(25 pi) phi y.
    """
    if gas.dimension != 3:
        raise ValueError("the thermal conductivity is that of spheres; dimension must be 3.")
    phi, chi = gas.packing_fraction, gas.chi
    dilute = 75.0 * math.sqrt(gas.temperature / (math.pi * gas.mass)) / (64.0 * gas.diameter**2)
    carried = 1.02513 * (1.0 + 12.0 / 5.0 * phi * chi) ** 2 / chi
    return dilute * (carried + 512.0 / (25.0 * math.pi) * phi**2 * chi)
