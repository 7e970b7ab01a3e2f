"""Particles at random places that do not overlap."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.checks import random_numbers
from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import row
from carom.domains import (
    Domain,
    Periodic,
    Space,
    compiled_planes,
    compiled_space,
    height_over,
)
from carom.functions import power
from carom.neighbours import Cells, deepest_overlap, insert, locate, new_cells
from carom.packings.arguments import (
    asked_for,
    check_arguments,
    check_volume,
    volume_of_one,
)
from carom.packings.room import Region, Room, room_in
from carom.packings.velocities import thermal_velocities
from carom.particles import Particles
from carom.sizes import Sizes
from carom.species import Species
from carom.types import Array, Integers

# Random sequential addition saturates near 0.547 (2D) and 0.384 (3D) for equal particles; close
# to that the number of trials diverges.
REACHABLE = {2: 0.50, 3: 0.35}
TRIALS_PER_PARTICLE = 100_000
PARTICLES_AT_ONCE = 256
CELLS_PER_PARTICLE = 8
TIGHT = 1e-12  # of the width of a room: what is left is rounding


def random(
    n: int | None = None,
    packing_fraction: float | None = None,
    *,
    domain: Domain | None = None,
    region: Region | None = None,
    dimension: int | None = None,
    radius: ArrayLike | Sizes = 0.5,
    mass: ArrayLike = 1.0,
    temperature: float = 1.0,
    species: Species = None,
    seed: int | None = None,
) -> tuple[Particles, Any]:
    """n particles placed one after the other where there is room, and their periodic box.

    - ``radius`` and ``mass`` are one number or n of them; a radius also one of ``carom.sizes``.
      Large particles are placed first.
    - ``domain``: a box to fill, walls included, instead of one that follows from n and
      ``packing_fraction``; give one of these then. It is handed back.
    - ``region``: the part of it to fill. Two opposite corners, between which the particles are
      wholly; or a plane, or several, in front of which they are (where their normals point to).
    - ``dimension``: 3 when left out, or that of the domain.
    - ``species``: one name or n of them, as for :class:`carom.Particles`.

    Velocities are Maxwellian of exactly this temperature, without total momentum; in a sheared
    box, add ``domain.flow(particles.position)``.
    """
    asked = asked_for(n, packing_fraction, domain, region, dimension, radius)
    n, packing_fraction, dimension, room = asked
    check_arguments(n, packing_fraction, dimension, temperature)
    if packing_fraction is not None and not 0.0 < packing_fraction <= REACHABLE[dimension]:
        raise ValueError(
            f"packing_fraction={packing_fraction!r} is beyond what random addition reaches in "
            f"{dimension} dimensions (0 to {REACHABLE[dimension]}). Use "
            "packings.grow, which lets them grow among collisions."
        )
    rng = random_numbers("packings.random", seed)
    if isinstance(radius, Sizes):
        radius = radius.radii(rng, int(n), dimension)
    particles = Particles(np.zeros((n, dimension)), None, radius, mass, species=species)
    check_volume(particles.volume)
    if domain is None:
        length = power(particles.volume / packing_fraction, 1.0 / dimension)
        domain = Periodic((length,) * dimension)
    room = room or room_in(domain, None, dimension)
    particles.position = _places(particles, room, rng)
    particles.unwrapped = particles.position.copy()
    particles.velocity = thermal_velocities(
        n, dimension, particles.mass, temperature, rng, walled=room.walled
    )
    return particles, domain


def _places(particles: Particles, room: Room, rng: np.random.Generator) -> Any:
    """A place for every particle, the largest first."""
    n, dimension = particles.position.shape
    # No more than a few cells for each particle, however dilute.
    most = math.ceil((CELLS_PER_PARTICLE * n) ** (1.0 / dimension))
    sides = room.upper - room.lower
    across = np.clip(sides / (2.0 * particles.radius.max()), 1, most).astype(np.int64)
    flat = 3 - dimension
    corners = np.pad(np.array([room.lower, room.upper]), ((0, 0), (0, flat)))
    number, extent = np.pad(across, (0, flat), constant_values=1), corners[1] - corners[0]
    cells = new_cells(n, number, corners[0], np.where(extent > 0.0, extent, 1.0))
    space = compiled_space(tuple(sides), room.repeats)
    planes = compiled_planes(list(room.planes)) if room.planes else np.zeros((0, 8))
    order = np.argsort(-particles.radius, kind="stable")
    position = np.zeros((n, 3))
    fits = bool((2.0 * particles.radius.max() <= sides).all())
    found = 0
    for first in range(0, n, PARTICLES_AT_ONCE):  # in between Python hears Ctrl-C
        some = order[first : first + PARTICLES_AT_ONCE]
        if fits:
            found += _add(position, particles.radius, some, corners, planes, space, cells, rng)
        if found < first + len(some):
            raise _no_room(particles, room, order, found)
    return np.ascontiguousarray(position[:, :dimension])


def _no_room(particles: Particles, room: Room, order: Any, found: int) -> ValueError:
    radius, n = particles.radius, len(particles)
    volume = np.array([volume_of_one(float(r), particles.dimension) for r in radius[order]])
    reached, asked = (float(part.sum()) / room.volume for part in (volume[:found], volume))
    sizes = f"{radius.min():g}" + (f" to {radius.max():g}" if np.ptp(radius) > 0.0 else "")
    return ValueError(
        f"room was found for {found} of {n} particles of radius {sizes} in {room.described()}: a "
        f"packing fraction of {reached:.4g} of {asked:.4g}. The next one, of radius "
        f"{radius[order[found]]:g}, found none in {TRIALS_PER_PARTICLE:,} trials; use fewer or "
        "smaller particles, or packings.grow."
    )


@entry_point
def _add(
    position: Array,
    radius: Array,
    order: Integers,
    corners: Array,
    planes: Any,
    space: Space,
    cells: Cells,
    rng: np.random.Generator,
) -> int:
    """Place the particles in this order between two corners; how many found room."""
    for k in range(len(order)):
        i = order[k]
        for _ in range(TRIALS_PER_PARTICLE):
            for axis in range(3):
                border = 0.0 if space.periodic[axis] else min(radius[i], 0.5 * space.lengths[axis])
                extent = space.lengths[axis] - 2.0 * border
                position[i, axis] = (corners[0, axis] + border) + rng.random() * extent
            if not _is_inside(position, radius[i], i, corners, planes, space):
                continue
            locate(cells, i, (position[i, 0], position[i, 1], position[i, 2]))
            if deepest_overlap(cells, space, position, radius, i)[0] <= 0.0:
                insert(cells, i)
                break
        else:
            return k
    return len(order)


@inner_kernel
def _is_inside(
    position: Array, radius: float, i: int, corners: Any, planes: Any, space: Space
) -> bool:
    """Whether a particle crosses neither the walls around nor a plane, not even by rounding."""
    for axis in range(3):
        # Where it fills the whole width, it has but one place.
        width = space.lengths[axis]
        if space.periodic[axis] or width - 2.0 * radius <= TIGHT * width:
            continue
        x = position[i, axis]
        if x - radius < corners[0, axis] or x + radius > corners[1, axis]:
            return False
    lowest = math.inf
    for k in range(len(planes)):
        lowest = min(lowest, height_over(planes, k, row(position, i)))
    return lowest >= radius
