"""chi, the pair correlation of hard disks and spheres at contact, by packing fraction phi."""

from __future__ import annotations

# ``contact_value``, which chooses among them, is in ``carom.theory``.
__all__ = [
    "carnahan_starling_1969",
    "from_compressibility",
    "henderson_1975",
    "luding_2001",
    "torquato_1995",
]


def henderson_1975(phi: float) -> float:
    """chi of disks, Henderson, Mol. Phys. 30, 971 (1975); within 1.5 % up to phi = 0.6.

    Jenkins & Richman 1985 write it as (16 − 7 phi) / (16 (1 − phi)²).
    """
    return (1.0 - 7.0 / 16.0 * phi) / (1.0 - phi) ** 2


def luding_2001(phi: float) -> float:
    """chi of disks below freezing, Luding, Phys. Rev. E 63, 042201 (2001).

    Henderson's with a term that takes off what it has too much at high density.
    """
    return henderson_1975(phi) - phi**3 / (128.0 * (1.0 - phi) ** 4)


def carnahan_starling_1969(phi: float) -> float:
    """chi of spheres, Carnahan & Starling, J. Chem. Phys. 51, 635 (1969); the fluid only."""
    return (1.0 - 0.5 * phi) / (1.0 - phi) ** 3


def torquato_1995(dimension: int, phi: float) -> float:
    """chi of disks or spheres up to random close packing, Torquato, Phys. Rev. E 51, 3170 (1995).

    Beyond freezing the pressure of the disordered state has a simple pole.
    """
    if dimension == 2:
        freezing, closest = 0.69, 0.82
        at = min(phi, freezing)
        fluid = (1.0 - 0.436 * at) / (1.0 - at) ** 2
    else:
        freezing, closest = 0.494, 0.64
        fluid = carnahan_starling_1969(min(phi, freezing))
    if phi <= freezing:
        return fluid
    return fluid * (closest - freezing) / (closest - phi)


def contact_value(dimension: int, phi: float) -> float:
    """chi where nothing else is asked for: Henderson for disks, Carnahan & Starling for spheres."""
    return henderson_1975(phi) if dimension == 2 else carnahan_starling_1969(phi)


def from_compressibility(dimension: int, phi: float, z: float) -> float:
    """chi from z = P V / (n kT) = 1 + 2^(d−1) phi chi, which is exact in equilibrium."""
    return (z - 1.0) / (2.0 ** (dimension - 1) * phi)
