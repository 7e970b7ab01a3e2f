"""What the colours of particles can show: each a number for every particle."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.entry_points import entry_point
from carom.particles import SMALLEST
from carom.types import Array, Plain

SPEED, SIZE, SPECIES, TEMPERATURE = "speed", "size", "species", "temperature around"
COLLISIONS, PLAIN = "collisions", "plain"
PER_CELL = 8  # particles whose temperature is that of their surroundings
# The fastest few would leave all the others in one colour.
BRIGHTEST = 99.0
SAMPLE = 4000  # particles from which the top of a scale is estimated

Quantity = Callable[[Any], Array]


class Painted(NamedTuple):
    """The particles of a frame."""

    rows: Any  # (n, 6) positions and velocities in single precision
    mass: Array  # (n,)
    radius: Array  # (n,)
    species: Array  # (n,)
    dimension: int


@entry_point
def with_values(painted: Any, values: Any, out: Any) -> None:
    """Fill in x, y, z and a value (n, 4)."""
    for i in range(len(painted)):
        out[i, 0], out[i, 1], out[i, 2] = painted[i, 0], painted[i, 1], painted[i, 2]
        out[i, 3] = values[i]


def speeds(painted: Painted) -> Array:
    """The speeds (n,) of particles."""
    found = np.empty(len(painted.rows))
    _fill_in_speeds(painted.rows, found)
    return found


@entry_point
def _fill_in_speeds(painted: Any, speed: Any) -> None:
    for i in range(len(painted)):
        x, y, z = painted[i, 3], painted[i, 4], painted[i, 5]
        speed[i] = math.sqrt(x * x + y * y + z * z)


def temperatures_around(painted: Painted) -> Array:
    """The temperature (n,) of the cell in which a particle is, relative to the motion of the cell.

    Cells hold some eight particles; where one is alone its temperature is not known, and zero.
    """
    d = painted.dimension
    if len(painted.rows) == 0:
        return np.zeros(0)
    place, velocity = painted.rows[:, :d].astype(np.float64), painted.rows[:, 3 : 3 + d]
    lower, upper = place.min(axis=0), place.max(axis=0)
    extent = np.maximum(upper - lower, 1e-30)
    across = (len(place) / PER_CELL / np.prod(extent)) ** (1.0 / d)
    cells = np.clip(np.ceil(across * extent), 1, 1024).astype(np.int64)
    index = np.minimum(((place - lower) / extent * cells).astype(np.int64), cells - 1)
    cell = np.ravel_multi_index(tuple(index.T), tuple(cells))
    number = np.bincount(cell)
    mass = np.bincount(cell, painted.mass)
    energy = np.bincount(cell, painted.mass * np.einsum("ij,ij->i", velocity, velocity))
    for k in range(d):
        momentum = np.bincount(cell, painted.mass * velocity[:, k])
        energy -= np.divide(momentum**2, mass, out=np.zeros_like(mass), where=mass > 0.0)
    freedom = d * np.maximum(number - 1, 1)
    return np.asarray((np.maximum(energy, 0.0) / freedom)[cell])


def values_of(colour: str, painted: Painted, species: int) -> tuple[Array, float]:
    """What colours show that need nothing but the particles, and the top of their scale."""
    if colour == SPECIES:
        return painted.species, float(max(species, 1))
    if colour == PLAIN:
        return np.zeros(len(painted.rows)), 1.0
    if colour == SIZE:
        return painted.radius, float(painted.radius.max(initial=SMALLEST))
    values = temperatures_around(painted) if colour == TEMPERATURE else speeds(painted)
    return values, top_of(values)


def described_particle(painted: Painted, k: int | None, names: Any) -> Plain | None:
    """The numbers of a particle that was picked, if it is there."""
    if k is None or k >= len(painted.rows):
        return None
    d = painted.dimension
    return {
        "number": k,
        "position": painted.rows[k, :d],
        "velocity": painted.rows[k, 3 : 3 + d],
        "radius": float(painted.radius[k]),
        "mass": float(painted.mass[k]),
        "species": names[int(painted.species[k])],
    }


def top_of(values: Array) -> float:
    """The top of the scale for values (n,): the largest few do not count."""
    if len(values) > SAMPLE:
        values = values[:: len(values) // SAMPLE]
    top = float(np.percentile(values, BRIGHTEST)) if len(values) else 0.0
    return top if np.isfinite(top) and top > 0.0 else 1.0
