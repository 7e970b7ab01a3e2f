"""Random velocities without divergence on a periodic grid, mode by mode."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from carom.fluids.random.random_state import new_generator, set_words, words
from carom.fluids.random.waves import Waves
from carom.functions import write_standard_normal
from carom.particles import Array


class RandomWaves:
    """Draws modes of a potential, and makes velocities of them with E|û_k|² = ``energy``.

    The potential is the stream function in the plane, and a vector in space. Its modes come over
    their root mean square √(ε_k / (m k²)), with m the number of directions that the velocity of a
    mode may have, 1 in the plane and 2 in space.
    """

    def __init__(self, waves: Waves, energy: Array, seed: int) -> None:
        self._waves = waves
        directions = len(waves.shape) - 1
        size = np.sqrt(energy / (directions * np.where(waves.used, waves.square, 1.0)))
        self._to_velocity = [
            [None if factor is None else factor * size for factor in row] for row in waves.curl()
        ]
        self._generator = new_generator(seed)
        self._drawn = np.empty((len(self._to_velocity[0]), *waves.square.shape, 2))

    def normal(self, deviation: Any) -> Any:
        """Normal complex modes, real and imaginary parts with this deviation, in a buffer."""
        write_standard_normal(self._generator, self._drawn)
        modes = self._drawn.view(np.complex128)[..., 0]
        modes *= deviation
        self._waves.join(modes)
        return modes

    def write_velocity(self, modes: Any, out: Array) -> None:
        """Write the velocities (nodes, d) with these modes into ``out``."""
        of_velocity = np.stack(
            [
                sum(c * a for c, a in zip(row, modes, strict=True) if c is not None)
                for row in self._to_velocity
            ]
        )
        for component, values in enumerate(self._waves.field(of_velocity)):
            out[..., component] = values

    def words(self) -> NDArray[np.uint64]:
        """The state of the random numbers."""
        return words(self._generator)

    def set_words(self, state: Any) -> None:
        """Go on as from this state."""
        set_words(self._generator, state)
