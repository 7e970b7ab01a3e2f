"""How energy is carried along by particles, and handed on in their collisions."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from carom.compiled.entry_points import entry_point
from carom.particles import Array
from carom.types import Columns


class EnergyFlux(NamedTuple):
    """The integral of the flux of energy, and particles whose flight is not in it yet."""

    integral: Array  # (d,)
    velocity: Array  # (n, d) of each particle since its last collision
    since: Array  # (n,) the time up to which its flight is in the integral
    mass: Array  # (n,)

    def collide(self, columns: Columns) -> None:
        """Add collisions between particles, in the order in which they happen."""
        _collide(
            columns["time"],
            columns["i"],
            columns["j"],
            columns["impulse"],
            np.ascontiguousarray(columns["separation"]),
            self.integral,
            self.velocity,
            self.since,
            self.mass,
        )

    def fly(self, time: float) -> None:
        """Add the flight of all particles up to a time."""
        squares = np.einsum("ij,ij->i", self.velocity, self.velocity)
        energy = 0.5 * self.mass * squares * (time - self.since)
        self.integral[:] += np.einsum("i,ij->j", energy, self.velocity)
        self.since[:] = time


@entry_point
def _collide(
    time: Array,
    first: Array,
    second: Array,
    impulse: Array,
    separation: Array,
    integral: Array,
    velocity: Array,
    since: Array,
    mass: Array,
) -> None:
    """Flights end in a collision, and the energy that the first gains jumps by the separation."""
    dimension = velocity.shape[1]
    for c in range(len(time)):
        i, j = first[c], second[c]
        distance = 0.0
        for axis in range(dimension):
            distance += separation[c, axis] * separation[c, axis]
        distance = math.sqrt(distance)
        gained = 0.0
        for side in range(2):
            k = i if side == 0 else j
            push = (impulse[c] if side == 0 else -impulse[c]) / mass[k]
            energy = 0.0
            for axis in range(dimension):
                energy += 0.5 * mass[k] * velocity[k, axis] * velocity[k, axis]
            after = 0.0
            for axis in range(dimension):
                integral[axis] += energy * velocity[k, axis] * (time[c] - since[k])
                velocity[k, axis] += push * separation[c, axis] / distance
                after += 0.5 * mass[k] * velocity[k, axis] * velocity[k, axis]
            since[k] = time[c]
            if side == 0:
                gained = after - energy
        for axis in range(dimension):
            integral[axis] += gained * separation[c, axis]
