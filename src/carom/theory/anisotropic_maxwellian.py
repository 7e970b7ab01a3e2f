"""Disks and spheres at any dissipation: velocities with an anisotropic Maxwellian.

The peculiar velocities C are Gaussian with the second moment K = <C C>, which may be far from
isotropic; particles that meet are uncorrelated but for chi, and at different heights of the mean
flow. Jenkins & Richman, J. Fluid Mech. 192, 313 (1988), did so for dilute and for dense disks,
Richman, J. Rheol. 33, 1293 (1989), for dilute spheres, Chou & Richman, Physica A 259, 430 (1998),
for spheres of any density. Here the integrals over directions of contact are done by quadrature,
and the balance of second moments is solved as it stands. Left out: correlations of velocities,
which grow with density and dissipation, and moments beyond the second.

k is the direction from the first particle to the second, w = (v_1 − v_2)·k > 0 the speed of their
approach. It is Gaussian with variance 2 k·K·k and mean −shear_rate × diameter × k_x k_y, and M_p is
the mean of w^p over w > 0.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.optimize import root
from scipy.special import ndtr

from carom.theory import jenkins_richman_1985, lun_1984
from carom.theory.gas import Gas
from carom.theory.simple_shear import SimpleShear, check_steady
from carom.types import Array

# Over half a turn; the integrands are smooth, and 24 give twelve digits at e = 0.5, nine at 0.1.
POINTS = 32
TOLERANCE = 1e-12
CLOSE = 1e-9  # imbalance that rounding may leave, per strain
# The components of the second moment that do not vanish in simple shear.
INDEPENDENT = {2: ((0, 0), (0, 1), (1, 1)), 3: ((0, 0), (0, 1), (1, 1), (2, 2))}


class Directions(NamedTuple):
    """Directions of contact k (m, d) with weights (m,) that sum up to the unit sphere's surface."""

    k: Array
    weight: Array


class Exchange(NamedTuple):
    """What collisions do, per time and area or volume, for unit mass."""

    source: Array  # (d, d) change of the sum of C C
    stress: Array  # (d, d) collisional stress
    dissipation: float  # of kinetic energy


def directions(dimension: int, points: int = POINTS) -> Directions:
    """Directions for quadrature; those along z by Gauss, others equally spaced."""
    angle = 2.0 * math.pi * np.arange(2 * points) / (2 * points)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    step = math.pi / points
    if dimension == 2:
        return Directions(circle, np.full(len(angle), step))
    z, weight = np.polynomial.legendre.leggauss(points)
    across = np.sqrt(1.0 - z**2)
    k = np.column_stack(
        [np.kron(across, circle[:, 0]), np.kron(across, circle[:, 1]), np.repeat(z, len(angle))]
    )
    return Directions(k, np.repeat(weight, len(angle)) * step)


def approach_moments(mean: Array, variance: Array) -> tuple[Array, Array]:
    """M_2 and M_3 (m,) of Gaussian speeds of approach."""
    deviation = np.sqrt(variance)
    m_0 = ndtr(mean / deviation)
    density = np.exp(-0.5 * mean**2 / variance) / math.sqrt(2.0 * math.pi)
    m_1 = mean * m_0 + deviation * density
    m_2 = mean * m_1 + variance * m_0
    return m_2, mean * m_2 + 2.0 * variance * m_1


def exchange(
    second_moment: Array,
    shear_rate: float,
    restitution: float,
    density: float,
    *,
    diameter: float = 1.0,
    chi: float = 1.0,
    over: Directions | None = None,
) -> Exchange:
    """What collisions do at a second moment (d, d) and a number density.

    A collision changes C_1 by −(1 + e) / 2 w k and C_2 by the opposite. Of C_1 − C_2 at a given w
    the mean is K·k / (k·K·k) times its component along k.
    """
    dimension = len(second_moment)
    k, weight = over or directions(dimension)
    along = k @ second_moment
    spread = np.einsum("mi,mi->m", along, k)
    flow = shear_rate * diameter * k[:, 0] * k[:, 1]
    m_2, m_3 = approach_moments(-flow, 2.0 * spread)
    meetings = 0.5 * density**2 * chi * diameter ** (dimension - 1) * weight
    given = 0.5 * (1.0 + restitution)
    lost = -given * meetings * (m_3 + flow * m_2) / spread
    source = np.einsum("m,mi,mj->ij", lost, along, k)
    source = source + source.T
    source += np.einsum("m,mi,mj->ij", 2.0 * given**2 * meetings * m_3, k, k)
    stress = np.einsum("m,mi,mj->ij", given * diameter * meetings * m_2, k, k)
    loss = 0.25 * (1.0 - restitution**2) * float((meetings * m_3).sum())
    return Exchange(source, stress, loss)


def simple_shear(gas: Gas, shear_rate: float) -> SimpleShear:
    """The steady state, in which collisions make up for what the mean flow does to <C C>.

    The temperature follows from that, whatever that of the gas is.
    """
    check_steady(gas.restitution)
    # In units of the shear rate, the diameter and the mass.
    dimension, restitution, chi = gas.dimension, gas.restitution, gas.chi
    scaled = replace(gas, diameter=1.0, mass=1.0, contact_value=chi)
    density, over = scaled.number_density, directions(dimension)
    isotropic = (jenkins_richman_1985 if dimension == 2 else lun_1984).simple_shear(scaled, 1.0)
    unit = isotropic.temperature
    at = INDEPENDENT[dimension]

    def moments(factor: Array) -> Array:
        """The second moment from its Cholesky factor, so that it is positive."""
        lower = np.zeros((dimension, dimension))
        for (i, j), value in zip(at, factor, strict=True):
            lower[j, i] = value
        return unit * lower @ lower.T

    def imbalance(factor: Array) -> Array:
        """How fast the second moment would change: by collisions and by dC_x/dt = −C_y."""
        moment = moments(factor)
        change = exchange(moment, 1.0, restitution, density, chi=chi, over=over).source / density
        change[0] -= moment[1]
        change[:, 0] -= moment[1]
        return np.array([change[i, j] for i, j in at]) / unit

    start = np.array([1.0 if i == j else -0.3 for i, j in at])  # of the order of the solution
    found = root(imbalance, start, tol=TOLERANCE)
    if np.abs(found.fun).max() > CLOSE:
        raise ValueError(
            f"No steady shear found at packing fraction {gas.packing_fraction} and restitution "
            f"{restitution}: {found.message}"
        )
    moment = moments(found.x)
    collisional = exchange(moment, 1.0, restitution, density, chi=chi, over=over).stress
    return _in_units(moment, density * moment, collisional, shear_rate, gas)


def _in_units(
    second_moment: Array,
    kinetic: Array,
    collisional: Array,
    shear_rate: float,
    gas: Gas,
) -> SimpleShear:
    """From units of shear rate, diameter and mass; the other way round xy changes its sign."""
    dimension = len(second_moment)
    speed = (shear_rate * gas.diameter) ** 2
    turn = np.ones((dimension, dimension))
    turn[0, 1] = turn[1, 0] = math.copysign(1.0, shear_rate)
    scale = turn * gas.mass * speed / gas.diameter**dimension
    temperature = gas.mass * speed * float(np.trace(second_moment)) / dimension
    return SimpleShear(temperature, scale * kinetic, scale * collisional)
