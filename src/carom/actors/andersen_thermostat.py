"""Particles that now and then meet a heat bath."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carom.actors.actor import Actor
from carom.functions import expm1, standard_normal
from carom.particles import Array, Particles
from carom.representation import shown_as_call


@shown_as_call
@dataclass(frozen=True)
class AndersenThermostat(Actor):
    """Draws velocities anew from the Maxwell–Boltzmann distribution of a temperature.

    Each particle meets the heat bath ``rate`` times per unit of time on average: in each interval
    ``every`` with the probability 1 − exp(−rate · every). The total momentum is not conserved.
    H. C. Andersen, J. Chem. Phys. 72, 2384 (1980).
    """

    temperature: float
    every: float
    rate: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_positive("temperature", "rate")

    def velocities(self, particles: Particles, random: np.random.Generator) -> Array:
        """The velocities (n, d), some of them new."""
        velocity = particles.velocity.copy()
        chosen = random.random(len(particles)) < -expm1(-self.rate * self.every)
        spread = np.sqrt(self.temperature / particles.mass[chosen])
        normal = standard_normal(random, (len(spread), particles.dimension))
        velocity[chosen] = normal * spread[:, None]
        return velocity
