"""Results on the fluid of hard spheres that tests refer to, in units of diameter, mass and kT.

phi is the packing fraction, z the compressibility P V / (n kT).
"""

from __future__ import annotations

import math

from carom.theory import Gas, enskog
from carom.theory.contact_values import from_compressibility
from carom.theory.equations_of_state import kolafa_labik_malijevsky

# Self-diffusion coefficients in the limit of infinitely many spheres, by number density:
# Pieprzyk, Bannerman, Brańka, Chudak & Heyes, Phys. Chem. Chem. Phys. 21, 6886 (2019).
SELF_DIFFUSION = {0.50: 0.265009, 0.80: 0.072934}
# Of 1,372 spheres at unit temperature, mass and diameter, by density, computed with an independent
# code: diffusion, and with standard errors viscosity and conductivity.
DIFFUSION = {0.5: 0.2416, 0.8: 0.0652}
VISCOSITY = {0.1: (0.202, 0.014), 0.3: (0.300, 0.009), 0.5: (0.553, 0.010), 0.8: (2.08, 0.05)}
CONDUCTIVITY = {0.1: (0.74, 0.06), 0.3: (1.21, 0.04), 0.5: (2.34, 0.07)}
# Of the images in a cube, as for charges: Yeh & Hummer, J. Phys. Chem. B 108, 15873 (2004).
IMAGES = 2.837297


def size_correction(phi: float) -> float:
    """n times what the compressibility of n spheres in a periodic box lacks, to first order.

    The configurations of exactly n spheres are those of the grand canonical ensemble divided by
    the probability of n, 1 / √(2π n κ), where 1/κ = d(phi z)/d phi. The pressure, a derivative
    of the logarithm of their number, thus lacks half of d ln(1/κ) / d ln phi, divided by n.
    """

    def log_stiffness(at: float) -> float:
        h = 1e-4
        rise = (at + h) * kolafa_labik_malijevsky(at + h)
        return math.log((rise - (at - h) * kolafa_labik_malijevsky(at - h)) / (2.0 * h))

    h = 1e-3
    return 0.5 * phi * (log_stiffness(phi + h) - log_stiffness(phi - h)) / (2.0 * h)


def mean_free_time(phi: float, z: float) -> float:
    """Enskog's, with the contact value that belongs to z."""
    return enskog.mean_free_time(Gas(3, phi, contact_value=from_compressibility(3, phi, z)))


def enskog_viscosity(phi: float) -> float:
    """The shear viscosity by Enskog's theory, with the best contact value."""
    return enskog.shear_viscosity(_spheres(phi))


def enskog_conductivity(phi: float) -> float:
    """The thermal conductivity, likewise."""
    return enskog.thermal_conductivity(_spheres(phi))


def self_diffusion_in_box(density: float, length: float) -> float:
    """The self-diffusion coefficient at long lags in a periodic cube, to first order in 1/length.

    Shear waves that a sphere sends out come back to it. A wave fades at the rate ν k², and the
    sphere forgets where it sent it from at D k²: only waves that fit into the box are there, which
    costs 2.837 T / (6π n (ν + D) length), by the theory of mode coupling (Erpenbeck & Wood, Phys.
    Rev. A 32, 412, 1985). With ν alone, as in liquids, this is the result of Yeh & Hummer.
    """
    decay = slowest_decay(density, length)
    spreading = (0.5 * length / math.pi) ** 2 / decay
    return SELF_DIFFUSION[density] - IMAGES / (6.0 * math.pi * density * spreading * length)


def slowest_decay(density: float, length: float) -> float:
    """How long the slowest shear wave of a box and a sphere that it carries remember each other:
    1 / ((ν + D) k²)."""
    viscosity = VISCOSITY[density][0] / density
    return (0.5 * length / math.pi) ** 2 / (viscosity + SELF_DIFFUSION[density])


def speed_of_sound(phi: float) -> float:
    """In units of √(T/m): c² = ∂(n Z)/∂n + 2/3 Z²."""
    h = 1e-4
    rise = (phi + h) * kolafa_labik_malijevsky(phi + h)
    rise -= (phi - h) * kolafa_labik_malijevsky(phi - h)
    return math.sqrt(rise / (2.0 * h) + 2.0 / 3.0 * kolafa_labik_malijevsky(phi) ** 2)


def _spheres(phi: float) -> Gas:
    chi = from_compressibility(3, phi, kolafa_labik_malijevsky(phi))
    return Gas(3, phi, contact_value=chi)
