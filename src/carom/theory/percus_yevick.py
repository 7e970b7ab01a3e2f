"""The structure of the fluid of hard spheres by Percus and Yevick.

Solved by Wertheim, Phys. Rev. Lett. 10, 321 (1963), and Thiele, J. Chem. Phys. 39, 474 (1963). Good
to a few per cent up to a packing fraction of some 0.4; the first peak is then a little too high.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carom.particles import Array
from carom.theory.gas import Gas


def structure_factor(gas: Gas, wave_number: ArrayLike) -> Array:
    """S(k) of spheres: 1 / (1 − n c(k)), with the direct correlation function c.

    −c(r) = λ_1 + 6 φ λ_2 r/σ + φ/2 λ_1 (r/σ)³ inside the diameter σ, and zero outside, with
    λ_1 = (1 + 2 φ)² / (1 − φ)⁴ and λ_2 = −(1 + φ/2)² / (1 − φ)⁴ (Wertheim 1963).
    """
    if gas.dimension != 3:
        raise ValueError(
            "the theory of Percus and Yevick is solved for spheres; dimension must be 3."
        )
    phi = gas.packing_fraction
    q = np.asarray(wave_number, np.float64) * gas.diameter
    first = (1.0 + 2.0 * phi) ** 2 / (1.0 - phi) ** 4
    second = -((1.0 + 0.5 * phi) ** 2) / (1.0 - phi) ** 4
    inside = sum(
        factor * _moment(q, power)
        for factor, power in ((first, 1), (6.0 * phi * second, 2), (0.5 * phi * first, 4))
    )
    # n σ³ = 6 φ / π, and the transform of −c is 4π / q times the integral of r sin(q r) (−c).
    return np.asarray(1.0 / (1.0 + 24.0 * phi * inside))


def _moment(q: Array, power: int) -> Array:
    """The integral of r^power sin(q r) / q over 0 < r < 1; by Gauss and Legendre, for small q too.

    The nodes suffice for twelve waves in a diameter, q up to 75.
    """
    node, weight = np.polynomial.legendre.leggauss(64)
    r = 0.5 * (node + 1.0)
    waves = r * np.sinc(np.multiply.outer(q, r) / np.pi)
    return np.asarray(0.5 * waves @ (weight * r**power))
