"""The self-diffusion coefficient of the hard-sphere fluid, without the effect of periodic images.

In a cubic periodic box a sphere meets the shear waves of its own images and diffuses more slowly,
in proportion to 1/L for a box of length L (Yeh & Hummer, J. Phys. Chem. B 108, 15873, 2004). With
the coefficient measured at L and 2 L the effect drops out: D = 2 D(2L) − D(L).
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from block_average import mean_and_error
from equilibrium import BLOCKS, settled
from hard_sphere_theory import (
    SELF_DIFFUSION,
    mean_free_time,
    self_diffusion_in_box,
    slowest_decay,
)

import carom
from carom.theory.equations_of_state import kolafa_labik_malijevsky

SMALL, LARGE = 256, 2048  # the larger box is twice as long
FRAMES_PER_LAG = 4
# Collisions in the smaller and the larger box; the 2 % demanded are then four standard errors.
RUNS = {0.50: (6_000_000, 40_000_000), 0.80: (10_000_000, 60_000_000)}


def mean_square_displacement(frames, lag):
    """Over all pairs of frames that are so many frames apart."""
    return np.mean(np.sum((frames[lag:] - frames[:-lag]) ** 2, axis=2))


def diffusion_in_box(density, n, collisions, seed):
    """The coefficient in a periodic box, and its standard error.

    It is a sixth of the slope of the mean square displacement between two and four decay times
    of the slowest shear wave. What then is left of the decay is proportional to 1/L like the
    effect of the images, and drops out with it.
    """
    phi = density * math.pi / 6.0
    particles, box = carom.packings.lattice(n, phi, radius=0.5, seed=seed)
    simulation = settled(particles, box)
    lag = 2.0 * slowest_decay(density, box.lengths[0])
    duration = 2.0 * collisions / n * mean_free_time(phi, kolafa_labik_malijevsky(phi))
    frames_per_block = max(4 * FRAMES_PER_LAG, int(duration / lag * FRAMES_PER_LAG / BLOCKS))
    blocks = int(duration / lag * FRAMES_PER_LAG / frames_per_block)
    values = []
    for _ in range(blocks):
        frames = [simulation.particles.unwrapped]
        for _ in range(frames_per_block):
            simulation.run(duration=lag / FRAMES_PER_LAG)
            frames.append(simulation.particles.unwrapped)
        frames = np.array(frames)
        rise = mean_square_displacement(frames, 2 * FRAMES_PER_LAG)
        rise -= mean_square_displacement(frames, FRAMES_PER_LAG)
        values.append(rise / (6.0 * lag))
    return mean_and_error(values)


@pytest.mark.slow
@pytest.mark.parametrize("density", RUNS)
def test_self_diffusion(density):
    few, many = RUNS[density]
    small, small_error = diffusion_in_box(density, SMALL, few, seed=13)
    large, large_error = diffusion_in_box(density, LARGE, many, seed=14)
    value = 2.0 * large - small
    error = math.hypot(2.0 * large_error, small_error)
    reference = SELF_DIFFUSION[density]
    small_box, large_box = ((n / density) ** (1.0 / 3.0) for n in (SMALL, LARGE))
    images = self_diffusion_in_box(density, large_box) - self_diffusion_in_box(density, small_box)
    print(
        f"density {density}: D = {small:.5f} ± {small_error:.5f} (n = {SMALL}), "
        f"{large:.5f} ± {large_error:.5f} (n = {LARGE}), {value:.5f} ± {error:.5f} "
        f"({error / value:.2%}) without images, published {reference} "
        f"({value / reference - 1.0:+.2%}); effect of the images {large - small:.5f}, "
        f"by theory {images:.5f}"
    )
    assert error < 0.02 / 3.0 * value
    assert value == pytest.approx(reference, rel=0.02)
