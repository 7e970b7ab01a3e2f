"""All particles at one time, as files of every format hold them."""

from __future__ import annotations

from string import ascii_uppercase
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

import numpy as np

from carom.particles import Array, Particles
from carom.species import ONLY
from carom.types import Integers

# What is at the two sides of a box along an axis, in the letters of LAMMPS.
REPEATS, WALLED, ENDLESS = "p", "f", "s"


class Kinds(NamedTuple):
    """The types of particles: their names, and the number of its own for each particle."""

    names: list[str]
    numbers: Any


class Cell(NamedTuple):
    """The box of a frame: from ``lower`` on, of lengths ``sides``.

    A sheared box leans around its middle: its upper face is half an ``offset`` further along x, its
    lower face as much further back. ``boundaries`` has a letter for each axis: p where the box
    repeats, f where it has walls, s where space is endless and the box only
    surrounds the particles.
    """

    lower: Array
    sides: Array
    boundaries: str
    offset: float = 0.0
    shear_rate: float = 0.0

    @property
    def corner(self) -> Array:
        """The lower corner (d,), where it is while the box leans."""
        corner = np.array(self.lower, dtype=np.float64)
        corner[0] -= 0.5 * self.offset
        return corner

    @property
    def vectors(self) -> Array:
        """The edges of the box, one in each row (d, d)."""
        edges = np.diag(np.asarray(self.sides, dtype=np.float64))
        edges[1, 0] = self.offset
        return edges

    @property
    def periodic(self) -> tuple[bool, ...]:
        """Along which axes the box repeats."""
        return tuple(letter == REPEATS for letter in self.boundaries)

    @property
    def is_open(self) -> bool:
        """Whether there is no box but that around the particles."""
        return set(self.boundaries) == {ENDLESS}


class Frame(NamedTuple):
    """All particles at one time, of which a file holds several.

    - ``time``, and ``step``: the number of the frame, or what the program that wrote it counted.
    - ``cell``: the box, with ``lower``, ``sides``, ``boundaries`` and ``vectors``.
    - ``position`` (n, d) in the box, and ``image`` (n, d): by so many vectors of the box a particle
      is away from there on its unwrapped path.
    - ``velocity`` (n, d), ``radius`` (n,) and ``mass`` (n,); radii are None where a file says
      nothing of them.
    - ``species`` (n,) are numbers, and ``species_names`` their names.
    - ``identity`` (n,) are the numbers that particles keep while others come and go; None where
      they have none but their places.
    """

    time: float
    step: int
    cell: Cell
    position: Array
    image: Integers
    velocity: Array
    radius: Array | None
    mass: Array
    species: Integers
    species_names: list[str]
    identity: Integers | None = None

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return int(self.position.shape[1])

    @property
    def unwrapped(self) -> Array:
        """Positions (n, d) without the jumps at boundaries."""
        return np.asarray(self.position + self.image @ self.cell.vectors)


def kinds_of(particles: Particles, *, by_size: bool = True) -> Kinds:
    """The species; where there is one, those of one radius and mass are of one kind, and the
    smallest is the first, unless it is not asked for ``by_size``."""
    if particles.species_names != (ONLY,) or not by_size:
        return Kinds(list(particles.species_names), particles.species.astype(np.uint32))
    columns = np.stack([particles.radius, particles.mass], axis=1)
    kinds, numbers = np.unique(columns, axis=0, return_inverse=True)
    if len(kinds) > len(ascii_uppercase):
        return Kinds(["A"], np.zeros(len(particles), dtype=np.uint32))
    return Kinds(list(ascii_uppercase[: len(kinds)]), numbers.reshape(-1).astype(np.uint32))


def middle_of(particles: Particles) -> Array:
    """The middle (d,) of the smallest box around all particles."""
    if len(particles) == 0:
        return np.zeros(particles.dimension)
    lower = (particles.position - particles.radius[:, None]).min(axis=0)
    upper = (particles.position + particles.radius[:, None]).max(axis=0)
    return np.asarray(0.5 * (lower + upper))


def frame_of(
    simulation: Any, step: int, kinds: Kinds | None = None, middle: Array | None = None
) -> Frame:
    """The simulation now; in open space its box is around a ``middle``."""
    particles, system = simulation.particles, simulation.system
    cell = _cell_of(system, particles, simulation.time, middle)
    position = particles.position.copy()
    if cell.offset != 0.0:
        # A sheared box leans, and its particles are where they are in that box.
        along = position - cell.corner
        lean = along[:, 1] * (cell.offset / cell.sides[1])
        position[:, 0] -= cell.sides[0] * np.floor((along[:, 0] - lean) / cell.sides[0])
    changes = simulation.number_changes
    if kinds is None:
        kinds = kinds_of(particles, by_size=not changes)
    return Frame(
        simulation.time,
        step,
        cell,
        position,
        _images(particles.unwrapped - position, cell),
        particles.velocity,
        particles.radius,
        particles.mass,
        kinds.numbers,
        kinds.names,
        particles.identity if changes else None,
    )


def _cell_of(system: Any, particles: Particles, time: float, middle: Array | None) -> Cell:
    if system.sides is None:
        middle = middle_of(particles) if middle is None else middle
        return surrounding_cell(particles.position, particles.radius, middle)
    letters = "".join(REPEATS if repeats else WALLED for repeats in system.periodic)
    lower = np.zeros(system.dimension)
    offset = system.offset(time)
    return Cell(lower, np.array(system.sides), letters, offset, system.shear_rate)


def surrounding_cell(position: Array, radius: Array, middle: Array) -> Cell:
    """A box with this middle around all particles."""
    half = (np.abs(position - middle) + radius[:, None]).max(axis=0, initial=0.0)
    half[half == 0.0] = 0.5  # nobody is there
    return Cell(middle - half, 2.0 * half, ENDLESS * position.shape[1])


def _images(away: Array, cell: Cell) -> Any:
    """By how many vectors (n, d) of a box particles are away."""
    numbers = np.zeros(away.shape)
    for axis in (1, 0, 2)[: away.shape[1]]:  # the row first: it changes x
        if cell.periodic[axis]:
            lean = numbers[:, 1] * cell.offset if axis == 0 else 0.0
            numbers[:, axis] = np.rint((away[:, axis] - lean) / cell.sides[axis])
    return numbers.astype(np.int32)


def in_three(rows: Any, last: float = 0.0) -> Any:
    """Rows (n, 3) of vectors, or one vector (3,), of two or three dimensions."""
    missing = 3 - np.shape(rows)[-1]
    widths = [(0, 0)] * (np.ndim(rows) - 1) + [(0, missing)]
    return np.pad(rows, widths, constant_values=last)


def joined(names: list[str]) -> str:
    """Names as one word, which ``split`` takes apart."""
    return ",".join(quote(name) for name in names)


def split(word: str) -> list[str]:
    """The names in a word that ``joined`` has made."""
    return [unquote(name) for name in word.split(",")]


def numbered_names(words: Any) -> Kinds:
    """Kinds from a name for each particle, in the order in which they first appear."""
    numbers = {name: k for k, name in enumerate(dict.fromkeys(words))}
    return Kinds(list(numbers), np.array([numbers[name] for name in words], dtype=np.int64))
