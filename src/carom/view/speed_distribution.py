"""How speeds are distributed, beside Maxwell's distribution."""

from __future__ import annotations

import math

import numpy as np

from carom.compiled.entry_points import entry_point
from carom.types import Array
from carom.view.colours import Painted

BINS = 32
WIDEST = 4.0  # in units of the thermal speed of each particle, √(T/m)


def speed_distribution(painted: Painted, flow: Array | None = None) -> tuple[float, Array]:
    """The temperature, and the density (bins,) of v √(m/T), which Maxwell's distribution has the
    same for all masses: u exp(−u²/2) in the plane, √(2/π) u² exp(−u²/2) in space.

    Velocities are relative to a ``flow`` (n, d), if there is one.
    """
    d = painted.dimension
    velocity = painted.rows[:, 3 : 3 + d]
    if flow is not None:
        velocity = velocity - flow
    energy = painted.mass * np.einsum("ij,ij->i", velocity, velocity)
    temperature = float(energy.sum()) / (d * max(len(energy), 1))
    if temperature <= 0.0:
        return 0.0, np.zeros(BINS)
    counts = np.zeros(BINS)
    _count(energy, temperature, BINS / WIDEST, counts)
    return temperature, counts / (len(energy) * WIDEST / BINS)


@entry_point
def _count(energy: Array, temperature: float, bins: float, counts: Array) -> None:
    """Count how many speeds, in thermal ones, are in each bin; so many bins are one wide."""
    for k in range(len(energy)):
        bin_number = int(math.sqrt(energy[k] / temperature) * bins)
        if bin_number < len(counts):
            counts[bin_number] += 1.0
