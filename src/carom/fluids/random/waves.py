"""Waves that a real periodic field on a grid is made of, in the half that SciPy's rfftn keeps.

The other half are their complex conjugates. Waves of the shortest length an even grid can hold
are left out: a grid does not tell their direction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import fft

from carom.particles import Array


class Waves:
    """The waves of a grid with ``shape`` nodes in a period with these lengths.

    - ``vector``: components of the wave vectors k, that broadcast to the shape of the half.
    - ``square``: ‖k‖².
    - ``used``: those that can be told from others, without the mean flow.
    - ``count``: how many waves of the whole each stands for, 1 or 2; 0 for those not used.
    """

    def __init__(self, shape: Sequence[int], lengths: Sequence[float]) -> None:
        numbers = [np.rint(fft.fftfreq(n, 1.0 / n)) for n in shape[:-1]]
        numbers.append(np.arange(shape[-1] // 2 + 1))
        mesh = np.ix_(*numbers)
        self.shape = tuple(shape)
        self.vector = [2.0 * math.pi / length * j for length, j in zip(lengths, mesh, strict=True)]
        self.square = sum(k**2 for k in self.vector)
        self.used = self.square > 0.0
        for n, j in zip(shape, mesh, strict=True):
            self.used &= 2 * np.abs(j) < n
        self.count = np.where(mesh[-1] > 0, 2, 1) * self.used
        self._halves = self._find_halves()

    def _find_halves(self) -> tuple[Any, Any]:
        """Where the waves are that lie in the plane of the last number 0, and their conjugates."""
        plane = np.indices(self.shape[:-1])
        mirrored = np.stack([-j % n for j, n in zip(plane, self.shape[:-1], strict=True)])
        number = np.ravel_multi_index(tuple(plane), self.shape[:-1])
        partner = np.ravel_multi_index(tuple(mirrored), self.shape[:-1])
        first = number < partner
        return tuple(plane[:, first]), tuple(mirrored[:, first])

    def join(self, modes: Any) -> None:
        """Make the modes (..., half) of the last number 0 conjugates of each other, in place."""
        first, second = self._halves
        modes[(..., *second, 0)] = modes[(..., *first, 0)].conj()

    def field(self, modes: Any) -> Array:
        """The real fields (c, nodes) with these complex modes (c, half), which are written over."""
        axes = tuple(range(1, 1 + len(self.shape)))
        return fft.irfftn(modes, self.shape, axes, norm="forward", overwrite_x=True)  # type: ignore[no-any-return]

    def curl(self) -> list[list[Any]]:
        """Factors c with u_a = Σ_b c_ab A_b that make a velocity of a vector potential.

        u = ∇ × A, so that u has no divergence. In the plane A has one component, the stream
        function ψ, and u = (∂ψ/∂y, −∂ψ/∂x); None is for factors that are zero.
        """
        derivative = [1j * k for k in self.vector]
        if len(self.shape) == 2:
            return [[derivative[1]], [-derivative[0]]]
        x, y, z = derivative
        return [[None, -z, y], [z, None, -x], [-y, x, None]]
