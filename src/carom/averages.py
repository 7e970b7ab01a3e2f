"""Averages over time: where they begin, and the stress tensor."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom.particles import Array, Particles


class Origin(NamedTuple):
    """Where averages begin: the sums that an engine had made up to then."""

    time: float
    collisions: int
    virial: Array  # (3, 3) sums of impulse_a separation_b
    kinetic: Array  # (3, 3) time integrals of the sum of m v_a v_b
    wall_impulse: Array
    drift: Array  # (3, 3) the part of these integrals since then that belongs to past momenta
    drift_from: float  # since when the total momentum is what it is now

    def described(self) -> dict[str, Any]:
        """What a checkpoint keeps beside the wall impulse."""
        return {
            "time": self.time,
            "collisions": self.collisions,
            "virial": self.virial.tolist(),
            "kinetic": self.kinetic.tolist(),
            "drift": self.drift.tolist(),
            "drift_from": self.drift_from,
        }


def first_origin(walls: int) -> Origin:
    """Averages from the start on."""
    nothing = np.zeros((3, 3))
    return Origin(0.0, 0, nothing, nothing, np.zeros(walls), nothing, 0.0)


def origin_from(description: dict[str, Any], wall_impulse: Array) -> Origin:
    """The origin that ``described`` gave."""
    # Files of before know of one momentum only.
    past = {"drift": np.zeros((3, 3)), "drift_from": description["time"]}
    description = past | description
    tensors = {name: np.array(description[name]) for name in ("virial", "kinetic", "drift")}
    return Origin(**(description | tensors), wall_impulse=wall_impulse.copy())


def products_of_drift(particles: Particles, flow: Array, shear_rate: float, duration: float) -> Any:
    """The time integral (d, d) of P_a P_b / M over the duration that ends now.

    P is the total momentum relative to the flow and M the mass. P is constant, but for its x in
    a sheared box: a centre of mass that drifts along y meets an ever faster flow.
    """
    now = relative_to(particles, flow).momentum
    before = now.copy()
    before[0] += shear_rate * now[1] * duration
    mixed = np.outer(now, before)
    squares = np.outer(now, now) + 0.5 * (mixed + mixed.T) + np.outer(before, before)
    return duration * squares / (3.0 * particles.mass.sum())


def relative_to(particles: Particles, flow: Array) -> Particles:
    """The particles with velocities relative to a flow (n, d)."""
    velocity = particles.velocity - flow
    return Particles(particles.position, velocity, particles.radius, particles.mass)
