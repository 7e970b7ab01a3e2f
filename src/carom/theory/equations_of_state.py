"""Compressibilities z = P V / (n kT) of hard disks and spheres, by packing fraction phi."""

from __future__ import annotations

import math
from collections.abc import Sequence

# B_k / B_2^(k−1) for k = 1..10, Clisby & McCoy, J. Stat. Phys. 122, 15 (2006), table 1.
DISK_VIRIAL_COEFFICIENTS = (
    *(1.0, 1.0, 0.782004, 0.53223180, 0.33355604),
    *(0.1988425, 0.11486728, 0.0649930, 0.0362193, 0.0199537),
)
SPHERE_VIRIAL_COEFFICIENTS = (
    *(1.0, 1.0, 0.625, 0.2869495, 0.110252),
    *(0.03888198, 0.01302354, 0.0041832, 0.0013094, 0.0004035),
)

# Powers of phi / (1 − phi) fitted to simulations of which the authors give the relative error,
# with 95 % confidence: Kolafa, Labík & Malijevský, Phys. Chem. Chem. Phys. 6, 2335 (2004).
KLM = dict(enumerate((1.0, 4.0, 6.0, 2.3647684, -0.8698551, 1.1062803, -1.095049, 0.637614)))
KLM |= {10: -0.2279397, 14: 0.1098948, 22: -0.00906797}
KLM_ERROR = 4e-5
# The same with the coefficients of Pieprzyk, Bannerman, Brańka, Chudak & Heyes, ibid. 21, 6886
# (2019).
KLM_2019 = dict(enumerate((1.0, 4.0, 6.0, 2.3647684, -0.8698551, 1.1062803, -1.1014221)))
KLM_2019 |= {7: 0.66605866, 8: -0.03633431, 10: -0.20965164, 14: 0.10555569, 22: -0.00872380}


def disk_virial_series(phi: float) -> tuple[float, float]:
    """z of hard disks from ten virial coefficients and a tail, and its uncertainty.

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


def sphere_virial_series(phi: float) -> tuple[float, float]:
    """z of hard spheres from ten virial coefficients, and how much the rest adds at most.

    The ratio of successive coefficients has been falling; held at its last value it bounds
    the rest.
    """
    x = 4.0 * phi  # B_2 times the number density
    b = SPHERE_VIRIAL_COEFFICIENTS
    ratio = x * b[9] / b[8]
    rest = b[9] * x**9 * ratio / (1.0 - ratio) if ratio < 1.0 else math.inf
    return sum(c * x**k for k, c in enumerate(b)), rest


def carnahan_starling(phi: float) -> float:
    """z of hard spheres, Carnahan & Starling, J. Chem. Phys. 51, 635 (1969)."""
    return (1.0 + phi + phi**2 - phi**3) / (1.0 - phi) ** 3


def kolafa_labik_malijevsky(phi: float) -> float:
    """z of the hard-sphere fluid as published in 2004; its relative error is ``KLM_ERROR``."""
    x = phi / (1.0 - phi)
    return sum(c * x**k for k, c in KLM.items())


def sphere_equation_of_state(phi: float) -> tuple[float, float]:
    """z of the hard-sphere fluid with the coefficients of 2019, and its uncertainty.

    It also reproduces the known virial coefficients.
    """
    x = phi / (1.0 - phi)
    z = sum(c * x**k for k, c in KLM_2019.items())
    return z, KLM_ERROR * z


def boublik_mansoori(phi: float, diameters: Sequence[float], shares: Sequence[float]) -> float:
    """z of a mixture with these diameters and shares in the number of spheres.

    Boublík, J. Chem. Phys. 53, 471 (1970); Mansoori, Carnahan, Starling & Leland, ibid. 54, 1523
    (1971).
    """
    m1, m2, m3 = (sum(x * d**k for d, x in zip(diameters, shares, strict=True)) for k in (1, 2, 3))
    free = 1.0 - phi
    second = 3.0 * phi / free**2 * m1 * m2 / m3
    third = phi**2 * (3.0 - phi) / free**3 * m2**3 / m3**2
    return 1.0 / free + second + third
