"""A temperature kept by force."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from carom.actors.actor import Actor, drift
from carom.particles import Array, Particles, sum_of_squares
from carom.representation import shown_as_call


@shown_as_call
@dataclass(frozen=True)
class RescalingThermostat(Actor):
    """Scales the velocities relative to the centre of mass to exactly a temperature.

    The temperature is the sum of m v² of these velocities over their d (n − 1) degrees of freedom;
    the total momentum stays as it is.
    """

    temperature: float
    every: float
    conserves_momentum: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_positive("temperature")

    def velocities(self, particles: Particles, random: np.random.Generator) -> Array:
        """The velocities (n, d), scaled."""
        centre = drift(particles)
        relative = particles.velocity - centre
        now = sum_of_squares(particles.mass, relative)
        if not now > 0.0:
            raise ValueError(
                "RescalingThermostat: no particle moves relative to the others, so there are no "
                "velocities to scale; start with a temperature, or use AndersenThermostat."
            )
        wanted = self.temperature * particles.dimension * (len(particles) - 1)
        return np.asarray(centre + relative * np.sqrt(wanted / now))
