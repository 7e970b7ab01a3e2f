"""Particles on a regular lattice in a periodic box."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from carom.checks import check_positive, random_numbers
from carom.domains import Domain, Periodic
from carom.errors import CaromWarning
from carom.functions import log, power
from carom.packings.arguments import (
    asked_for,
    check_arguments,
    check_volume,
    volume_of_one,
)
from carom.packings.lattice_sites import lattice_places
from carom.packings.room import Region
from carom.packings.velocities import thermal_velocities
from carom.particles import Array, Particles
from carom.species import Species

CLOSEST = {2: math.pi / (2.0 * math.sqrt(3.0)), 3: math.pi / (3.0 * math.sqrt(2.0))}

# Up to here a lattice melts by itself. Beyond, hard spheres freeze (fluid and crystal coexist from
# .494 to .545: Hoover & Ree, J. Chem. Phys. 49, 3609, 1968), hard disks become hexatic (coexistence
# from .700 to .716: Bernard & Krauth, Phys. Rev. Lett. 107, 155704, 2011).
MELTS_BELOW = {2: 0.700, 3: 0.494}


def lattice(
    n: int | None = None,
    packing_fraction: float | None = None,
    *,
    domain: Domain | None = None,
    region: Region | None = None,
    dimension: int | None = None,
    radius: float = 0.5,
    mass: float = 1.0,
    temperature: float = 1.0,
    species: Species = None,
    seed: int | None = None,
    crystal: bool = False,
) -> tuple[Particles, Any]:
    """n particles of one size on a triangular (2D) or face-centred cubic (3D) lattice, and a box.

    Velocities are Maxwellian of exactly this temperature, without total momentum. The box is as
    near to a square or cube as the lattice allows; sites that n does not fill stay empty, chosen
    at random.

    ``domain`` is a box to fill, walls included, instead of one that follows from n and
    ``packing_fraction``; give one of these then. ``region`` is the part of it to fill: two opposite
    corners, between which the particles are wholly; or a plane, or several, in front of which they
    are. The lattice is as wide as there is room. ``species`` is one name or n of them, as for
    :class:`carom.Particles`. In a sheared box, add
    ``domain.flow(particles.position)`` to the velocities.

    In a simulation the lattice melts, and a fluid is left, below a packing fraction of .494 (3D) or
    .700 (2D). Beyond that it stays a crystal, which a ``CaromWarning`` says unless
    ``crystal=True``; ``packings.grow`` makes a fluid there.
    """
    check_positive("radius", radius)
    check_positive("mass", mass)
    asked = asked_for(n, packing_fraction, domain, region, dimension, radius)
    n, packing_fraction, dimension, room = asked
    check_arguments(n, packing_fraction, dimension, temperature)
    if packing_fraction is not None:
        _check(packing_fraction, dimension)
    rng = random_numbers("packings.lattice", seed)
    if room is None:
        position, domain = _in_own_box(n, packing_fraction, dimension, radius, rng)
    else:
        check_volume(n * volume_of_one(radius, dimension))
        position = lattice_places(n, float(radius), room, rng)
        packing_fraction = n * volume_of_one(radius, dimension) / room.volume
    if packing_fraction >= MELTS_BELOW[dimension] and not crystal:
        warnings.warn(
            f"a lattice of packing_fraction={packing_fraction} does not melt: in {dimension} "
            f"dimensions the crystal lasts from {MELTS_BELOW[dimension]:.3f} on. Use packings.grow "
            "for a fluid or a glass, or crystal=True if a crystal is meant.",
            CaromWarning,
            stacklevel=2,
        )
    walled = room is not None and room.walled
    masses = np.full(n, mass)
    velocity = thermal_velocities(n, dimension, masses, temperature, rng, walled=walled)
    return Particles(position, velocity, radius, mass, species=species), domain


def _in_own_box(
    n: int, packing_fraction: float, dimension: int, radius: float, rng: np.random.Generator
) -> tuple[Array, Periodic]:
    """Places on a lattice, and the box in which they have this packing fraction."""
    sites, lengths = _triangular(n) if dimension == 2 else _face_centred_cubic(n)
    filled = np.sort(rng.permutation(len(sites))[:n])
    unit = math.pi if dimension == 2 else 4.0 / 3.0 * math.pi
    volume = n * unit * power(radius, dimension)
    check_volume(volume)
    wanted = volume / packing_fraction
    scale = power(wanted / float(np.prod(lengths)), 1.0 / dimension)
    spacing = scale * _nearest_distance(sites, lengths)
    if spacing < 2.0 * radius * (1.0 - 1e-12):
        reach = packing_fraction * (spacing / (2.0 * radius)) ** dimension
        raise ValueError(
            f"{n} particles do not fill a lattice, so that at most packing_fraction={reach:.4f} is "
            f"possible, not {packing_fraction}; n={len(sites)} fills it."
        )
    box = Periodic(tuple(float(length) for length in scale * lengths))
    return sites[filled] * scale, box


def _check(packing_fraction: float, dimension: int) -> None:
    if not 0.0 < packing_fraction <= CLOSEST[dimension] + 1e-12:
        raise ValueError(
            f"packing_fraction must lie between 0 and {CLOSEST[dimension]:.5f} (the densest "
            f"packing in {dimension} dimensions), not {packing_fraction!r}."
        )


def _triangular(n: int) -> tuple[Array, Array]:
    """Sites of a triangular lattice of spacing 1 in the squarest box of at least n sites."""
    best: tuple[float, int, int] | None = None
    for rows in range(2, 2 * math.isqrt(2 * n) + 4, 2):
        columns = -(-n // rows)
        width, height = columns * 1.0, rows * math.sqrt(0.75)
        waste = abs(log(width / height)) + 4.0 * (rows * columns - n) / n
        if best is None or waste < best[0]:
            best = (waste, columns, rows)
    assert best is not None
    _, columns, rows = best
    k, row = np.meshgrid(np.arange(columns), np.arange(rows))
    x = (k + 0.5 * (row % 2) + 0.25).ravel()
    y = ((row + 0.5) * math.sqrt(0.75)).ravel()
    return np.column_stack([x, y]), np.array([columns, rows * math.sqrt(0.75)])


def _face_centred_cubic(n: int) -> tuple[Array, Array]:
    """Sites of a face-centred cubic lattice with cube edge 1, at least n of them."""
    side = 1
    while 4 * side**3 < n:
        side += 1
    corner = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), axis=-1).reshape(-1, 1, 3)
    basis = np.array(
        [[0.25, 0.25, 0.25], [0.75, 0.75, 0.25], [0.75, 0.25, 0.75], [0.25, 0.75, 0.75]]
    )
    return (corner + basis).reshape(-1, 3), np.full(3, float(side))


def _nearest_distance(sites: Array, lengths: Array) -> float:
    """Distance of neighbouring sites, images in the box included."""
    if len(lengths) == 3:
        return math.sqrt(0.5)
    return float(min(1.0, lengths[0]))
