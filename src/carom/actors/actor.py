"""What all actors share."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from carom.checks import check_positive
from carom.particles import Array, Particles
from carom.schedule import checked_interval


class Actor:
    """Changes the velocities of a simulation every so often.

    A subclass is a frozen dataclass whose fields, ``every`` among them, are all that it knows: an
    actor can be shared by simulations and is described in their checkpoints. It defines
    ``velocities(particles, random)``. The first act is ``every`` after the start.
    """

    every: float
    # Whether the total momentum stays as it is.
    conserves_momentum: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checked_interval(self, self.every, endless=False)

    def velocities(self, particles: Particles, random: np.random.Generator) -> Array:
        """New velocities (n, d) for all particles, which are as they are at the present time."""
        raise NotImplementedError(
            f"{type(self).__name__} must define velocities(particles, random)."
        )

    def _check_positive(self, *names: str) -> None:
        for name in names:
            check_positive(f"{type(self).__name__}: {name}", getattr(self, name))


def drift(particles: Particles) -> Array:
    """The velocity (d,) of the centre of mass."""
    return np.asarray(particles.momentum / particles.mass.sum())
