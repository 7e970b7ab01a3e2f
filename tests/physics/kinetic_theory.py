"""What theory says of hard disks and spheres of unit mass; references for the physics tests.

phi is the packing fraction, beta the standard deviation of a velocity component (kT = m beta²),
sigma the diameter and chi the contact value of the pair distribution function.
"""

from __future__ import annotations

import math

# B_k / B_2^(k-1) of hard disks for k = 1..10, Clisby & McCoy, J. Stat. Phys. 122, 15 (2006).
DISK_VIRIAL_COEFFICIENTS = (
    *(1.0, 1.0, 0.782004, 0.53223180, 0.33355604),
    *(0.1988425, 0.11486728, 0.0649930, 0.0362193, 0.0199537),
)


def disk_virial_series(phi: float) -> tuple[float, float]:
    """P V / (n kT) of hard disks from ten virial coefficients and a tail, and its uncertainty.

    In the tail the ratio of successive coefficients is held at its last value. It has been
    falling ever more slowly, so the truth lies between this and a ratio that falls on as fast.
    """
    x = 2.0 * phi  # B_2 times the number density
    b = DISK_VIRIAL_COEFFICIENTS
    last, fall = b[9] / b[8], b[8] / b[7] - b[9] / b[8]

    def tail(fall_per_term: float) -> float:
        total, term, ratio = 0.0, b[9] * x**9, last
        while ratio > 0.0 and term > 1e-12:
            ratio -= fall_per_term
            term *= ratio * x
            total += term
        return total

    held = tail(0.0)
    return sum(c * x**k for k, c in enumerate(b)) + held, held - tail(fall)


def carnahan_starling(phi: float) -> float:
    """P V / (n kT) of hard spheres, Carnahan & Starling, J. Chem. Phys. 51, 635 (1969)."""
    return (1.0 + phi + phi**2 - phi**3) / (1.0 - phi) ** 3


def sphere_equation_of_state(phi: float) -> tuple[float, float]:
    """P V / (n kT) of the hard-sphere fluid, and its uncertainty.

    A fit to long simulations: Kolafa, Labík & Malijevský, Phys. Chem. Chem. Phys. 6, 2335 (2004),
    who give 4e-5 for the accuracy of their data, with the coefficients of Pieprzyk et al., ibid.
    21, 6886 (2019). It also reproduces the known virial coefficients.
    """
    x = phi / (1.0 - phi)
    low = (1.0, 4.0, 6.0, 2.3647684, -0.8698551, 1.1062803, -1.1014221, 0.66605866, -0.03633431)
    high = {10: -0.20965164, 14: 0.10555569, 22: -0.00872380}
    z = sum(c * x**k for k, c in [*enumerate(low), *high.items()])
    return z, 4e-5 * z


def contact_value(dimension: int, phi: float) -> float:
    """chi: Henderson, Mol. Phys. 30, 971 (1975) for disks, Carnahan & Starling for spheres."""
    if dimension == 2:
        return (1.0 - 7.0 / 16.0 * phi) / (1.0 - phi) ** 2
    return (1.0 - 0.5 * phi) / (1.0 - phi) ** 3


def cross_section(dimension: int, radius: float) -> float:
    """Of two particles that meet at the distance 2 r: 4 r in the plane, 4 pi r² in space."""
    return 4.0 * radius if dimension == 2 else 4.0 * math.pi * radius**2


def mean_relative_speed(dimension: int, beta: float) -> float:
    """E|v_i − v_j| of Maxwellian velocities."""
    return math.sqrt(math.pi) * beta if dimension == 2 else 4.0 / math.sqrt(math.pi) * beta


def number_density(dimension: int, phi: float, radius: float) -> float:
    """Particles per area or volume."""
    return phi / (math.pi * radius**2 if dimension == 2 else 4.0 / 3.0 * math.pi * radius**3)


def collision_frequency(dimension: int, phi: float, radius: float, beta: float) -> float:
    """Collisions of one particle per time, by Enskog's theory."""
    flux = number_density(dimension, phi, radius) * mean_relative_speed(dimension, beta)
    return flux * cross_section(dimension, radius) * contact_value(dimension, phi)


def excess_kurtosis_factor(dimension: int, restitution: float) -> float:
    """a_2 of a cooling granular gas, van Noije & Ernst, Granul. Matter 1, 57 (1998).

    The fourth moment of the velocities is 1 + a_2 times that of a Maxwellian.
    """
    d, e = dimension, restitution
    numerator = 16.0 * (1.0 - e) * (1.0 - 2.0 * e**2)
    return numerator / (9.0 + 24.0 * d + (8.0 * d - 41.0) * e + 30.0 * e**2 * (1.0 - e))


def excess_kurtosis_factor_of_heated_gas(dimension: int, restitution: float) -> float:
    """a_2 of a granular gas heated by white noise, van Noije & Ernst, ibid."""
    d, e = dimension, restitution
    numerator = 16.0 * (1.0 - e) * (1.0 - 2.0 * e**2)
    return numerator / (73.0 + 56.0 * d - 24.0 * d * e - 105.0 * e + 30.0 * (1.0 - e) * e**2)


def cooling_factor(
    dimension: int, phi: float, radius: float, restitution: float, a_2: float
) -> float:
    """Gamma of dT/dt = −Gamma T^(3/2) for unit mass, van Noije & Ernst, ibid.

    A collision costs (1 − e²) / 4 of the squared approach speed, whose mean over the collisions
    of a Maxwellian gas is 4 T; the corrections of the rate and of the loss add up to 3/16 a_2.
    """
    omega = collision_frequency(dimension, phi, radius, beta=1.0)
    return (1.0 - restitution**2) * omega / dimension * (1.0 + 3.0 / 16.0 * a_2)
