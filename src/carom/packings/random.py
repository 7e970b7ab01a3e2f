"""Particles at random places that do not overlap."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.checks import random_numbers
from carom.compiled.entry_points import entry_point
from carom.domains import Periodic, Space, compiled_space
from carom.functions import power
from carom.neighbours import Cells, deepest_overlap, insert, locate, new_cells
from carom.packings.arguments import check_arguments, check_volume
from carom.packings.velocities import thermal_velocities
from carom.particles import Particles

# Random sequential addition saturates near 0.547 (2D) and 0.384 (3D) for equal particles; close
# to that the number of trials diverges.
REACHABLE = {2: 0.50, 3: 0.35}
TRIALS_PER_PARTICLE = 100_000
PARTICLES_AT_ONCE = 256
CELLS_PER_PARTICLE = 8


def random(
    n: int,
    packing_fraction: float,
    *,
    dimension: int = 3,
    radius: ArrayLike = 0.5,
    mass: ArrayLike = 1.0,
    temperature: float = 1.0,
    seed: int | None = None,
) -> tuple[Particles, Periodic]:
    """n particles placed one after the other where there is room, and their periodic box.

    ``radius`` and ``mass`` are one number or n of them; large particles are placed first.
    """
    check_arguments(n, packing_fraction, dimension, temperature)
    if not 0.0 < packing_fraction <= REACHABLE[dimension]:
        raise ValueError(
            f"packing_fraction={packing_fraction!r} is beyond what random addition reaches in "
            f"{dimension} dimensions (0 to {REACHABLE[dimension]}). Use "
            "packings.grow, which lets them grow among collisions."
        )
    rng = random_numbers("packings.random", seed)
    particles = Particles(np.zeros((n, dimension)), None, radius, mass)
    check_volume(particles.volume)
    length = power(particles.volume / packing_fraction, 1.0 / dimension)
    particles.position = _places(particles, length, rng)
    particles.unwrapped = particles.position.copy()
    particles.velocity = thermal_velocities(n, dimension, particles.mass, temperature, rng)
    return particles, Periodic((length,) * dimension)


def _places(particles: Particles, length: float, rng: np.random.Generator) -> Any:
    """A place for every particle, the largest first."""
    n, dimension = particles.position.shape
    # No more than a few cells for each particle, however dilute.
    most = math.ceil((CELLS_PER_PARTICLE * n) ** (1.0 / dimension))
    across = max(1, min(int(length / (2.0 * particles.radius.max())), most))
    number = [across] * dimension + [1] * (3 - dimension)
    cells = new_cells(n, number, np.zeros(3), np.full(3, length))
    space = compiled_space((length,) * dimension, (True,) * dimension)
    order = np.argsort(-particles.radius, kind="stable")
    position = np.zeros((n, 3))
    failed = -1
    for first in range(0, n, PARTICLES_AT_ONCE):  # in between Python hears Ctrl-C
        some = order[first : first + PARTICLES_AT_ONCE]
        failed = _add(position, particles.radius, some, space, cells, rng)
        if failed >= 0:
            break
    if failed >= 0:
        raise ValueError(
            f"no room was found for particle {failed} of radius {particles.radius[failed]:g} in "
            f"{TRIALS_PER_PARTICLE} trials; use a lower packing_fraction, or packings.grow."
        )
    return np.ascontiguousarray(position[:, :dimension])


@entry_point
def _add(position: Any, radius: Any, order: Any, space: Space, cells: Cells, rng: Any) -> int:
    """Place the particles in this order; the first that finds no room, or -1."""
    for i in order:
        for _ in range(TRIALS_PER_PARTICLE):
            for axis in range(3):
                position[i, axis] = rng.random() * space.lengths[axis]
            locate(cells, i, (position[i, 0], position[i, 1], position[i, 2]))
            if deepest_overlap(cells, space, position, radius, i)[0] <= 0.0:
                insert(cells, i)
                break
        else:
            return i
    return -1
