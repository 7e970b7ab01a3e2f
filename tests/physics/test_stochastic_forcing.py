"""A fluid under random forcing, against the theory of its discrete equations.

Tolerances are standard errors, with a limit of 4.5 that chance passes in one of 10⁵ cases.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import fft

from carom.fluids import DiffusionFlow, StochasticForcing, coupled_stream
from carom.fluids.solved.forcing import Nodes

SHAPE, LENGTHS, VISCOSITY, SPEED, SCALE, DT = (8, 6), (1.0, 1.5), 0.05, 1.7, 0.2, 0.03
LIMIT = 4.5


class Theory:
    """The independent half of all waves: their numbers, k², ε_k, and the discrete Laplacian's λ."""

    def __init__(self) -> None:
        reach = [range(-((n - 1) // 2), (n - 1) // 2 + 1) for n in SHAPE]
        numbers = [(i, j) for i in reach[0] for j in reach[1] if (i, j) > (0, 0)]
        self.at = tuple(np.array(numbers).T)
        self.square = sum(
            (2.0 * math.pi * j / length) ** 2 for j, length in zip(self.at, LENGTHS, strict=True)
        )
        x = SCALE**2 * self.square
        self.energy = x * (1.0 + x) ** (-7.0 / 3.0)
        self.energy *= SPEED**2 / (2.0 * self.energy.sum())
        self.discrete = sum(
            (2.0 * n / length * np.sin(math.pi * j / n)) ** 2
            for j, n, length in zip(self.at, SHAPE, LENGTHS, strict=True)
        )

    def modes(self, field: Any) -> Any:
        """û_k (waves, 2)."""
        return fft.fft2(field, axes=(0, 1), norm="forward")[self.at]


def assert_exponential(mean: Any, expected: Any, samples: int) -> None:
    """|û|² of a complex normal mode is exponential: its deviation is its mean."""
    assert (np.abs(mean / expected - 1.0) * math.sqrt(samples)).max() < LIMIT


def test_increments_are_those_of_the_process() -> None:
    """E|û|² = 2 ν k² ε_k Δt for steps of any length, independent from one to the next."""
    theory, samples = Theory(), 4000
    forcing = StochasticForcing(speed=SPEED, length_scale=SCALE, seed=4)
    force = forcing.prepared(Nodes(SHAPE, LENGTHS, VISCOSITY))
    for dt in (DT, 3.0 * DT):
        square, product, last = np.zeros(len(theory.square)), np.zeros(len(theory.square)), 0.0
        for sample in range(samples):
            modes = theory.modes(force.impulse(sample * dt, dt))
            square += (np.abs(modes) ** 2).sum(axis=1)
            product += np.real(modes * np.conj(last)).sum(axis=1)
            last = modes
        expected = 2.0 * VISCOSITY * theory.square * theory.energy * dt
        assert_exponential(square / samples, expected, samples)
        # Re û û'* of independent modes has the variance E|û|² E|û'|² / 2.
        assert (np.abs(product / samples / expected) * math.sqrt(2.0 * samples)).max() < LIMIT


def test_diffusion_without_particles_holds_the_energies_of_the_spectrum() -> None:
    """û' = (û + increment) / (1 + ν Δt λ): E|û|² = 2 ν k² ε_k Δt / ((1 + ν Δt λ)² − 1), which tends
    to ε_k for fine grids and short steps. Samples are so far apart that they are independent."""
    theory, samples, dt = Theory(), 400, 10.0 * DT
    forcing = StochasticForcing(speed=SPEED, length_scale=SCALE, seed=4)
    stream = coupled_stream(DiffusionFlow(SHAPE, VISCOSITY, forcing), LENGTHS, 2)
    decay = 1.0 + VISCOSITY * dt * theory.discrete
    apart = math.ceil(4.0 / math.log(decay.min()))
    energy = np.zeros(len(theory.square))
    for sample in range(samples):
        for step in range(apart):
            stream.go_to((sample * apart + step + 1) * dt)
        energy += (np.abs(theory.modes(stream.field.velocity)) ** 2).sum(axis=1)
    expected = 2.0 * VISCOSITY * theory.square * theory.energy * dt / (decay**2 - 1.0)
    assert_exponential(energy / samples, expected, samples)
