"""Maxwellian velocities."""

from __future__ import annotations

import numpy as np

from carom.functions import standard_normal
from carom.particles import Array


def thermal_velocities(
    n: int,
    dimension: int,
    mass: Array,
    temperature: float,
    rng: np.random.Generator,
    *,
    walled: bool = False,
) -> Array:
    """Velocities (n, d) of exactly this temperature, without total momentum.

    The temperature is the sum of m v² over the d (n − 1) degrees of freedom that are left when
    the total momentum stays zero, or over d n between walls (``walled``), which change it; in
    units in which Boltzmann's constant is 1.
    """
    if not (np.isfinite(temperature) and temperature >= 0.0):
        raise ValueError(f"temperature must be zero or positive, not {temperature!r}.")
    velocity = standard_normal(rng, (n, dimension)) / np.sqrt(mass)[:, None]
    if n == 1:
        return np.asarray(velocity * np.sqrt(temperature))
    velocity -= (mass[:, None] * velocity).sum(axis=0) / mass.sum()
    freedom = dimension * (n if walled else n - 1)
    now = (mass * (velocity**2).sum(axis=1)).sum() / freedom
    return np.asarray(velocity * np.sqrt(temperature / now))
