"""The particles of one group of a scene: packed between what is there, or where they are told."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from carom import packings
from carom.cli.placement import random_places
from carom.cli.scene import Group
from carom.domains import Periodic, Plane
from carom.functions import power
from carom.packings import thermal_velocities
from carom.packings.lattice_sites import lattice_places
from carom.packings.room import Room
from carom.particles import Array, Particles
from carom.patches.new_walls import depths_in_shapes
from carom.walls import Shape


class Surroundings(NamedTuple):
    """What a group is placed into; ``sides`` of the box are None in open space."""

    dimension: int
    sides: tuple[float, ...] | None
    walls: list[Plane | Shape]
    others: list[Particles]

    def are_free(self, places: Array, radius: float) -> Any:
        """Which of the places (k, d) a particle can have without touching anything, (k,)."""
        free = np.ones(len(places), dtype=bool)
        shapes = [wall for wall in self.walls if isinstance(wall, Shape)]
        for wall in self.walls:
            if isinstance(wall, Plane):
                free &= np.abs(wall.heights(places)) >= radius
            else:
                free &= ~wall.on_wrong_side(places)
        if shapes:
            free &= depths_in_shapes(shapes, places, radius) <= 0.0
        for particles in self.others:
            for other in np.unique(particles.radius):
                centres = cKDTree(particles.position[particles.radius == other])
                free &= centres.query(places)[0] >= radius + other
        return free


def packing_with_box(group: Group, dimension: int, seed: int) -> tuple[Particles, Periodic]:
    """The packing of carom.packings, whose box follows from number and packing fraction."""
    number, fraction = _number_and_fraction(group)
    if group.packing == "lattice":
        _refuse_lists(group)
    pack: Any = getattr(packings, str(group.packing))
    sizes = {"radius": group.radius}
    particles, box = pack(
        number,
        fraction,
        dimension=dimension,
        mass=group.mass,
        temperature=_temperature(group),
        species=group.all_species,
        seed=seed,
        **sizes,
    )
    particles.velocity += _given_velocity(group, particles)
    return particles, box


def side_around(group: Group, dimension: int) -> float:
    """The side of the square or cube in which so many particles have this packing fraction."""
    number, fraction = _number_and_fraction(group)
    return float(power(number * _volume_of_one(group, dimension) / fraction, 1.0 / dimension))


def placed_group(group: Group, around: Surroundings, rng: np.random.Generator) -> Particles:
    """The particles of a group, packed into its region or at the positions given."""
    position: Any = group.position
    if position is None:
        position = _packed(group, around, rng)
    species = group.all_species
    particles = Particles(position, None, group.radius, group.mass, species=species)
    if particles.dimension != around.dimension:
        raise ValueError(
            f"'particles.position' has {particles.dimension} components, but the scene has "
            f"{around.dimension} dimensions."
        )
    particles.velocity = thermal_velocities(
        len(particles), particles.dimension, particles.mass, _temperature(group), rng
    )
    particles.velocity += _given_velocity(group, particles)
    return particles


def _packed(group: Group, around: Surroundings, rng: np.random.Generator) -> Array:
    """Places for a packing inside its region, which is the whole box when it has none."""
    if group.packing == "grow":
        raise ValueError(
            'packing = "grow" makes a periodic box of its own: it needs a number and a '
            "packing_fraction, and no lengths, region or other particles."
        )
    region, volume_of_one = group.region, _volume_of_one(group, around.dimension)
    if region is None and around.sides is None:
        raise ValueError("a packing in open space needs a region = { lower = ..., upper = ... }.")
    lower = np.array(region.lower if region else [0.0] * around.dimension, dtype=np.float64)
    upper = np.array(region.upper if region else around.sides, dtype=np.float64)
    if len(lower) != around.dimension:
        raise ValueError(
            f"'particles.region' has {len(lower)} components, but the scene has "
            f"{around.dimension} dimensions."
        )
    number = group.number
    if group.packing_fraction is not None:
        if number is not None:
            raise ValueError(
                "'particles' has a number and a packing_fraction, but the size of the box or "
                "region is given as well; leave one of them out."
            )
        filled = group.packing_fraction * float(np.prod(upper - lower))
        number = max(1, round(filled / volume_of_one))
    assert number is not None
    place = lattice_places if group.packing == "lattice" else random_places
    assert isinstance(group.radius, (int, float))
    walled = (False,) * around.dimension
    room = Room(lower, upper, walled, around.are_free)
    return place(number, float(group.radius), room, rng)


def _number_and_fraction(group: Group) -> tuple[int, float]:
    if group.number is None or group.packing_fraction is None:
        raise ValueError(
            "'particles' needs both number and packing_fraction where nothing else says how large "
            "the box is; or give 'domain.lengths'."
        )
    return group.number, group.packing_fraction


def _volume_of_one(group: Group, dimension: int) -> float:
    _refuse_lists(group)
    return Particles(np.zeros((1, dimension)), None, group.radius).volume


def _refuse_lists(group: Group) -> None:
    for name in ("radius", "mass"):
        if isinstance(getattr(group, name), list):
            raise ValueError(
                f"'particles.{name}' must be one number in this packing; use a group of particles "
                "for each size, or give positions."
            )


def _temperature(group: Group) -> float:
    if group.temperature is not None:
        return group.temperature
    return 1.0 if group.position is None else 0.0


def _given_velocity(group: Group, particles: Particles) -> Array:
    """The velocity to add to the thermal ones: one vector for all, or one for each."""
    n, dimension = particles.position.shape
    if group.velocity is None:
        return np.zeros(dimension)
    vectors = np.asarray(group.velocity, dtype=np.float64)
    if vectors.shape not in ((dimension,), (n, dimension)):
        raise ValueError(
            f"'particles.velocity' must be one vector of {dimension} numbers, or {n} of them."
        )
    return vectors
