"""How velocities are distributed."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carom.particles import Array


def fourth_cumulant(velocity: ArrayLike, mass: ArrayLike = 1.0) -> float:
    """a_2 = d ⟨c⁴⟩ / ((d + 2) ⟨c²⟩²) − 1 of velocities (n, d), with c² = m v².

    It is zero for a Maxwellian (van Noije & Ernst, Granul. Matter 1, 57, 1998). That n
    velocities have a given energy and no total momentum makes it 2 / (d n) less.
    """
    second, fourth = moments(np.asarray(velocity, np.float64), np.asarray(mass, np.float64))
    return cumulant_of(second, fourth, np.shape(velocity)[1])


def moments(velocity: Array, mass: Array) -> tuple[float, float]:
    """The means of m v² and of its square."""
    squares = mass * np.einsum("ij,ij->i", velocity, velocity)
    return float(squares.mean()), float((squares * squares).mean())


def cumulant_of(second: float, fourth: float, dimension: int) -> float:
    """a_2 from the moments."""
    return float(dimension / (dimension + 2.0) * fourth / second**2 - 1.0)
