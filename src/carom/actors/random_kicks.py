"""Heating by random kicks, as of a gas on a vibrating or blown-through bed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from carom.actors.actor import Actor, drift
from carom.functions import standard_normal
from carom.particles import Array, Particles
from carom.representation import shown_as_call


@shown_as_call
@dataclass(frozen=True)
class RandomKicks(Actor):
    """Adds independent Gaussian numbers of variance ``strength`` · ``every`` to the velocities.

    Every component of every velocity is kicked, whatever the mass of the particle; the mean
    momentum of the kicks is then taken away, so that the total momentum stays as it is. When
    ``every`` is short compared with the time between collisions this is white noise: the
    temperature of n equal particles rises at the rate mass · ``strength``. D. R. M. Williams,
    F. C. MacKintosh, Phys. Rev. E 54, R9 (1996).
    """

    strength: float
    every: float
    conserves_momentum: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_positive("strength")

    def velocities(self, particles: Particles, random: np.random.Generator) -> Array:
        """The velocities (n, d), kicked."""
        normal = standard_normal(random, particles.velocity.shape)
        kicks = particles.with_velocity(normal * np.sqrt(self.strength * self.every))
        return np.asarray(particles.velocity + (kicks.velocity - drift(kicks)))
