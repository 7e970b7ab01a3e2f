"""Published results on the fluid of hard spheres, in units of diameter, mass and kT.

phi is the packing fraction, z the compressibility P V / (n kT), tau a mean free time.
"""

from __future__ import annotations

import math

# Kolafa, Labík & Malijevský, Phys. Chem. Chem. Phys. 6, 2335 (2004): powers of phi / (1 − phi)
# fitted to simulations of which the authors give the relative error, with 95 % confidence.
KLM = dict(enumerate((1.0, 4.0, 6.0, 2.3647684, -0.8698551, 1.1062803, -1.095049, 0.637614)))
KLM |= {10: -0.2279397, 14: 0.1098948, 22: -0.00906797}
KLM_ERROR = 4e-5

# B_k / B_2^(k−1) for k = 1..10, Clisby & McCoy, J. Stat. Phys. 122, 15 (2006), table 1.
VIRIAL_COEFFICIENTS = (
    *(1.0, 1.0, 0.625, 0.2869495, 0.110252),
    *(0.03888198, 0.01302354, 0.0041832, 0.0013094, 0.0004035),
)

# Self-diffusion coefficients in the limit of infinitely many spheres, by number density:
# Pieprzyk, Bannerman, Brańka, Chudak & Heyes, Phys. Chem. Chem. Phys. 21, 6886 (2019).
SELF_DIFFUSION = {0.50: 0.265009, 0.80: 0.072934}


def kolafa_labik_malijevsky(phi: float) -> float:
    """The compressibility of the fluid."""
    x = phi / (1.0 - phi)
    return sum(c * x**k for k, c in KLM.items())


def virial_series(phi: float) -> tuple[float, float]:
    """The compressibility from ten virial coefficients, and how much the rest adds at most.

    The ratio of successive coefficients has been falling; held at its last value it bounds
    the rest.
    """
    x = 4.0 * phi  # B_2 times the number density
    b = VIRIAL_COEFFICIENTS
    ratio = x * b[9] / b[8]
    rest = b[9] * x**9 * ratio / (1.0 - ratio) if ratio < 1.0 else math.inf
    return sum(c * x**k for k, c in enumerate(b)), rest


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


def mean_free_time(z: float) -> float:
    """tau by Enskog's theory, exact in equilibrium: the contact value is (z − 1) / (4 phi)."""
    return math.sqrt(math.pi) / (6.0 * (z - 1.0))


def boublik_mansoori(phi: float, diameters, shares) -> float:
    """The compressibility of a mixture with these diameters and shares in the number of spheres.

    Boublík, J. Chem. Phys. 53, 471 (1970); Mansoori, Carnahan, Starling & Leland, ibid. 54, 1523
    (1971).
    """
    m1, m2, m3 = (sum(x * d**k for d, x in zip(diameters, shares, strict=True)) for k in (1, 2, 3))
    free = 1.0 - phi
    second = 3.0 * phi / free**2 * m1 * m2 / m3
    third = phi**2 * (3.0 - phi) / free**3 * m2**3 / m3**2
    return 1.0 / free + second + third


def enskog_viscosity(phi: float) -> float:
    """The shear viscosity by Enskog's theory (Chapman & Cowling, chapter 16)."""
    chi = (kolafa_labik_malijevsky(phi) - 1.0) / (4.0 * phi)
    dilute = 1.016 * 5.0 / 16.0 / math.sqrt(math.pi)
    return dilute * (1.0 / chi + 0.8 * 4.0 * phi + 0.7615 * (4.0 * phi) ** 2 * chi)
