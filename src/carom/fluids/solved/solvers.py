"""Linear systems of a fluid that exchanges momentum with particles, by conjugate gradients."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.views import borrowed
from carom.errors import FlowNotSolved
from carom.fluids.solved.bands import in_bands
from carom.fluids.solved.nine_point import apply
from carom.particles import Array

# Multiplies a field, which it may write over, with a symmetric matrix P: (P r, r · P r).
Filter = Callable[[Array], tuple[Array, float]]

# The source has at most as many eigenvalues beside 1 as there are particles; few of them matter.
MOST_ITERATIONS = 500


class Solution(NamedTuple):
    """How a linear system was solved."""

    iterations: int
    residual: float  # an upper bound of the error of the field, both as root mean squares
    rest: Array  # (n, m, 2) what the equations are off by


class ConjugateGradients:
    """Solves P (b − M x) = 0 for x in the range of P, given as a filter.

    M = 1 + spreading · A + D is the matrix of a nine-point stencil. With P = (1 + spreading · A)⁻¹
    these are the equations M x = b, preconditioned as in Sigurgeirsson, Stuart & Wan 2001, A.3.2.
    With a projection P, and no spreading, it is the part of the equations that lies in the range
    of P (Gould, Hribar & Nocedal, SIAM J. Sci. Comput. 23, 1376, 2001).

    The error e of x obeys e · e ≤ e · M e ≤ r · P r, with r = b − M x, in both cases: iterations
    end when √(r · P r) is below the tolerance times √(b · b).
    """

    def __init__(self, shape: tuple[int, int], tolerance: float) -> None:
        self._tolerance = tolerance
        self._image, self._direction, self._rest, self._filtered = np.empty((4, *shape, 2))

    def solve(self, stencil: Array, filter: Filter, right: Array, x: Array) -> Solution:
        """Bring x (n, m, 2), a first guess in the range of the filter, to the solution."""
        direction, rest, image = self._direction, self._rest, self._image
        apply(stencil, x, image)
        size = begin(right, image, rest, self._filtered)
        steepest, error = filter(self._filtered)
        before, iterations = math.inf, 0
        while not error <= self._tolerance * self._tolerance * size:
            if iterations == MOST_ITERATIONS or not math.isfinite(error):
                raise self._failure(iterations, error, size)
            if iterations == 0:
                direction[...] = steepest
            else:
                turn(direction, steepest, error / before)
            step = error / apply(stencil, direction, image)
            go_along(x, rest, direction, image, step, self._filtered)
            before = error
            steepest, error = filter(self._filtered)
            iterations += 1
        return Solution(iterations, math.sqrt(error / size) if size > 0.0 else 0.0, rest)

    def _failure(self, iterations: int, error: float, size: float) -> FlowNotSolved:
        if not (math.isfinite(error) and math.isfinite(size)):
            return FlowNotSolved(
                "The fluid's equations have entries that are not finite numbers: positions or "
                "velocities of particles, or the forcing, are not. Use a shorter dt.",
                iterations,
                math.nan,
            )
        residual = math.sqrt(error / size)
        return FlowNotSolved(
            f"After {iterations} iterations the fluid's equations are solved to {residual:.2g}, "
            f"but tolerance={self._tolerance:g} is asked for. Use a shorter dt or a weaker "
            "exchange, both of which make the equations easier, or a larger tolerance.",
            iterations,
            residual,
        )


@in_bands
def begin(rows: Any, right: Array, image: Array, rest: Array, copy: Array) -> float:
    """Write what the equations are off by, right − image, to rest and copy; right · right."""
    right, image, rest, copy = borrowed((right, image, rest, copy))
    size = 0.0
    for i in range(rows[0], rows[1]):
        of_row = 0.0
        for j in range(right.shape[1]):
            for axis in range(2):
                value = right[i, j, axis]
                of_row += value * value
                rest[i, j, axis] = value - image[i, j, axis]
                copy[i, j, axis] = rest[i, j, axis]
        size += of_row
    return size


@in_bands
def go_along(
    rows: Any, x: Array, rest: Array, direction: Array, image: Array, step: float, copy: Array
) -> None:
    """Go a step along a direction: x += step · direction, rest −= step · image, copied to copy."""
    x, rest, direction, image, copy = borrowed((x, rest, direction, image, copy))
    for i in range(rows[0], rows[1]):
        for j in range(x.shape[1]):
            for axis in range(2):
                x[i, j, axis] += step * direction[i, j, axis]
                left = rest[i, j, axis] - step * image[i, j, axis]
                rest[i, j, axis] = left
                copy[i, j, axis] = left


@in_bands
def turn(rows: Any, direction: Array, steepest: Array, share: float) -> None:
    """Change a direction to steepest + share · direction."""
    direction, steepest = borrowed((direction, steepest))
    for i in range(rows[0], rows[1]):
        for j in range(direction.shape[1]):
            for axis in range(2):
                direction[i, j, axis] = steepest[i, j, axis] + share * direction[i, j, axis]
