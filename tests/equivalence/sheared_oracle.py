"""The brute-force engine in 50 digits for sheared boxes, independent of carom.

It looks at the endless system: positions are never wrapped, and every particle has its images at
k L_x along x and in the rows m L_y above, which are displaced by m times the offset at that time
and move with m times the velocity of the row above.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from mpmath import ceil, floor, mpf
from oracle import Oracle, Vector, combined, dot, first_closing_root

import carom


class ShearedOracle(Oracle):
    """The particles of a carom system in a LeesEdwards box, in 50 digits."""

    def __init__(self, system: carom.System, shaken: float = 0.0, seed: int = 0) -> None:
        super().__init__(system, shaken, seed)
        self.jump = mpf(system.domain.shear_rate) * self.lengths[1]

    def _pair_events(self, horizon: Any) -> Iterator[tuple[Any, int, int, Vector]]:
        for i, j in itertools.combinations(range(len(self.position)), 2):
            sigma = self.radius[i] + self.radius[j]
            for shift, faster in self._images(i, j, sigma, horizon):
                apart, velocity = self._relative(i, j, shift, faster)
                rate = 2 * dot(velocity, apart)
                if rate < 0:
                    gap = dot(apart, apart) - sigma * sigma
                    square = dot(velocity, velocity)
                    yield first_closing_root(square, rate, gap), i, j, [shift, faster]

    def _relative(self, i: int, j: int, shift: Vector, faster: Any) -> tuple[Vector, Vector]:
        """Separation and velocity of i relative to the image of j moved by -shift."""
        apart = combined(combined(self.position[i], -1, self.position[j]), 1, shift)
        velocity = combined(self.velocity[i], -1, self.velocity[j])
        return apart, [velocity[0] + faster, *velocity[1:]]

    def _images(self, i: int, j: int, sigma: Any, horizon: Any) -> Iterator[tuple[Vector, Any]]:
        """Shifts and velocities of all images that come within sigma up to the horizon."""
        apart = combined(self.position[i], -1, self.position[j])
        velocity = combined(self.velocity[i], -1, self.velocity[j])

        def boxes(x: Any, v: Any, length: Any) -> range:
            low, high = min(x, x + horizon * v) - sigma, max(x, x + horizon * v) + sigma
            return range(int(ceil(-high / length)), int(floor(-low / length)) + 1)

        across = [
            [k * length for k in boxes(x, v, length)]
            for x, v, length in zip(apart[2:], velocity[2:], self.lengths[2:], strict=True)
        ]
        for rows in boxes(apart[1], velocity[1], self.lengths[1]):
            faster = rows * self.jump
            offset = faster * self.time
            for k in boxes(apart[0] + offset, velocity[0] + faster, self.lengths[0]):
                start = [k * self.lengths[0] + offset, rows * self.lengths[1]]
                for rest in itertools.product(*across):
                    yield [*start, *rest], faster

    def _exchange(self, i: int, j: int, shift: Vector) -> None:
        # The image has been displaced since the event was found.
        vector, faster = shift
        moved = [vector[0] + faster * self._since, *vector[1:]]
        separation, velocity = self._relative(i, j, moved, faster)
        reduced = self.mass[i] * self.mass[j] / (self.mass[i] + self.mass[j])
        push = -(1 + self.restitution) * reduced * dot(velocity, separation)
        push /= dot(separation, separation)
        self.velocity[i] = combined(self.velocity[i], push / self.mass[i], separation)
        self.velocity[j] = combined(self.velocity[j], -push / self.mass[j], separation)

    def _next(self) -> tuple[Any, int, int, Vector]:
        found = super()._next()
        self._since = found[0]
        return found
