"""Averages over time: where they begin, and the stress tensor."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom.particles import Array, Particles
from carom.types import Plain


class Origin(NamedTuple):
    """Where averages begin: the sums that an engine had made up to then."""

    time: float
    collisions: int
    virial: Array  # (3, 3) sums of impulse_a separation_b
    kinetic: Array  # (3, 3) time integrals of the sum of m v_a v_b
    wall_impulse: Array
    crowd: float = 0.0  # the time integral of the number of particles, where that changes

    def described(self) -> Plain:
        """What a checkpoint keeps beside the wall impulse."""
        return {
            "time": self.time,
            "collisions": self.collisions,
            "virial": self.virial.tolist(),
            "kinetic": self.kinetic.tolist(),
            "crowd": self.crowd,
        }


def first_origin(walls: int) -> Origin:
    """Averages from the start on."""
    return Origin(0.0, 0, np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(walls))


def origin_from(description: Plain, wall_impulse: Array) -> Origin:
    """The origin that ``described`` gave."""
    tensors = {name: np.array(description[name]) for name in ("virial", "kinetic")}
    return Origin(**(description | tensors), wall_impulse=wall_impulse.copy())


def products_of_drift(particles: Particles, flow: Array, shear_rate: float, duration: float) -> Any:
    """The time average (d, d) of P_a P_b / M over the duration that ends now.

    P is the total momentum relative to the flow and M the mass. P is constant, but for its x in
    a sheared box: a centre of mass that drifts along y meets an ever faster flow.
    """
    now = relative_to(particles, flow).momentum
    before = now.copy()
    before[0] += shear_rate * now[1] * duration
    mixed = np.outer(now, before)
    squares = np.outer(now, now) + 0.5 * (mixed + mixed.T) + np.outer(before, before)
    return squares / (3.0 * particles.mass.sum())


def relative_to(particles: Particles, flow: Array) -> Particles:
    """The particles with velocities relative to a flow (n, d)."""
    return particles.with_velocity(particles.velocity - flow)
