"""Enskog's theory of elastic hard disks and spheres.

Chapman & Cowling, The Mathematical Theory of Non-Uniform Gases, 3rd edition 1970, chapter 16, for
spheres; Gass, J. Chem. Phys. 54, 1898 (1971), for disks. The temperature is m <v²> / d, Boltzmann's
constant 1, and chi, where it is not given, ``contact_value``. Pressure and mean free time are as
good as chi; dense fluids, of spheres beyond a packing fraction of about 0.3, are more viscous than
this.
"""

from __future__ import annotations

import math

from carom.theory.contact_values import contact_value

# By how much Sonine's first polynomial gives too low a viscosity to a dilute gas.
HIGHER_ORDERS = {2: 1.022, 3: 1.016}
# How much momentum collisions pass on, times phi chi: of a deviator of the second moment, relative
# to what it carries itself; and of the mean flow, in dilute viscosities, times another phi.
TRANSFER = {2: 1.0, 3: 8.0 / 5.0}
TRANSFER_OF_FLOW = {2: 8.0 / math.pi, 3: 768.0 / (25.0 * math.pi)}


def number_density(dimension: int, phi: float, diameter: float = 1.0) -> float:
    """Particles per area or volume at a packing fraction phi."""
    size = 0.25 * math.pi * diameter**2 if dimension == 2 else math.pi / 6.0 * diameter**3
    return phi / size


def cross_section(dimension: int, diameter: float = 1.0) -> float:
    """Of two particles that meet: 2 diameters in the plane, pi diameter² in space."""
    return 2.0 * diameter if dimension == 2 else math.pi * diameter**2


def mean_relative_speed(dimension: int, temperature: float = 1.0, mass: float = 1.0) -> float:
    """E|v_i − v_j| of Maxwellian velocities."""
    per_component = math.sqrt(temperature / mass)
    return (math.sqrt(math.pi) if dimension == 2 else 4.0 / math.sqrt(math.pi)) * per_component


def collision_frequency(
    dimension: int,
    phi: float,
    temperature: float = 1.0,
    *,
    diameter: float = 1.0,
    mass: float = 1.0,
    chi: float | None = None,
) -> float:
    """Collisions of one particle per time."""
    flux = number_density(dimension, phi, diameter)
    flux *= mean_relative_speed(dimension, temperature, mass)
    chi = contact_value(dimension, phi) if chi is None else chi
    return flux * cross_section(dimension, diameter) * chi


def mean_free_time(
    dimension: int,
    phi: float,
    temperature: float = 1.0,
    *,
    diameter: float = 1.0,
    mass: float = 1.0,
    chi: float | None = None,
) -> float:
    """The time between two collisions of a particle; exact in equilibrium with the exact chi."""
    rate = collision_frequency(dimension, phi, temperature, diameter=diameter, mass=mass, chi=chi)
    return 1.0 / rate


def pressure(
    dimension: int,
    phi: float,
    temperature: float = 1.0,
    *,
    diameter: float = 1.0,
    chi: float | None = None,
) -> float:
    """n T (1 + 2^(d−1) phi chi)."""
    chi = contact_value(dimension, phi) if chi is None else chi
    compressibility = 1.0 + 2.0 ** (dimension - 1) * phi * chi
    return number_density(dimension, phi, diameter) * temperature * compressibility


def dilute_viscosity(
    dimension: int, temperature: float = 1.0, *, diameter: float = 1.0, mass: float = 1.0
) -> float:
    """The shear viscosity of a dilute gas by Sonine's first polynomial."""
    momentum = math.sqrt(mass * temperature / math.pi)
    if dimension == 2:
        return momentum / (2.0 * diameter)
    return 5.0 * momentum / (16.0 * diameter**2)


def shear_viscosity(
    dimension: int,
    phi: float,
    temperature: float = 1.0,
    *,
    diameter: float = 1.0,
    mass: float = 1.0,
    chi: float | None = None,
    higher_orders: bool = True,
) -> float:
    """The shear viscosity by Sonine's first polynomial, or with the higher ones.

    In units of the dilute gas, with y = phi chi: (1 + y)² / chi + 8/pi phi y for disks, and
    (1 + 8/5 y)² / chi + 768/(25 pi) phi y for spheres. The last terms, due to the mean flow alone,
    do not depend on the polynomials.
    """
    chi = contact_value(dimension, phi) if chi is None else chi
    dilute = dilute_viscosity(dimension, temperature, diameter=diameter, mass=mass)
    from_moments = (1.0 + TRANSFER[dimension] * phi * chi) ** 2 / chi
    if higher_orders:
        from_moments *= HIGHER_ORDERS[dimension]
    return dilute * (from_moments + TRANSFER_OF_FLOW[dimension] * phi**2 * chi)
