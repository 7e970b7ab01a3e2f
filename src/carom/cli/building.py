"""From a checked scene to the system and the method that it describes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import cKDTree

import carom
from carom.cli import scene as tables
from carom.cli.placement import Room, lattice_places, random_places
from carom.cli.scene_files import SceneFile
from carom.domains import Domain
from carom.errors import SceneError
from carom.packings import thermal_velocities
from carom.particles import Array, Particles
from carom.system import System

SPACE = 3  # the dimension when nothing in the scene says another, as in carom.packings


class Start(NamedTuple):
    """Where a scene starts; ``sizes`` are the numbers of particles in its groups."""

    system: System
    method: carom.EventDriven
    sizes: list[int]


def start_of(file: SceneFile, seed: int) -> Start:
    """The system, method and groups of a scene; what cannot work is a ``SceneError``."""
    scene = file.scene
    try:
        walls = [_plane(wall) for wall in scene.walls]
        groups, domain = _placed(scene, walls, seed)
        joined = (
            np.concatenate([getattr(group, name) for group in groups])
            for name in ("position", "velocity", "radius", "mass")
        )
        system = System(
            Particles(*joined),
            domain,
            law=law_of(scene.law),
            gravity=scene.gravity,
            acceleration=_acceleration(scene, groups),
            walls=walls,
        )
        method = carom.EventDriven(**scene.method.model_dump())
        return Start(system, method, [len(group) for group in groups])
    except ValueError as error:
        raise SceneError(f"{file.given}: {error}") from error


def law_of(table: Any) -> Any:
    """The collision law of a [law] table."""
    if isinstance(table, tables.ConstantLaw):
        return carom.ConstantRestitution(table.restitution)
    if isinstance(table, tables.ViscoelasticLaw):
        return carom.ViscoelasticRestitution(
            table.young_modulus, table.poisson_ratio, table.dissipation_time
        )
    if isinstance(table, tables.ContactDurationLaw):
        return carom.ContactDuration(law_of(table.law), table.duration)
    return carom.Elastic()


def _coefficient(value: Any) -> Any:
    """A restitution as the domains take it; lists and tables likewise."""
    if isinstance(value, dict):
        return {axis: _coefficient(walls) for axis, walls in value.items()}
    if isinstance(value, list):
        return [_coefficient(wall) for wall in value]
    return None if value == "law" else float(value)


def _plane(wall: tables.Wall) -> carom.Plane:
    return carom.Plane(wall.point, wall.normal, _coefficient(wall.restitution))


def _placed(
    scene: tables.Scene, walls: list[carom.Plane], seed: int
) -> tuple[list[Particles], Domain]:
    """The particles of each group, and the domain."""
    first, table = scene.particles[0], scene.domain
    dimension = _dimension(scene)
    makes_its_box = (
        len(scene.particles) == 1
        and first.packing is not None
        and first.region is None
        and (table is None or (table.kind != "open" and table.lengths is None))
    )
    if makes_its_box and (table is None or table.kind == "periodic"):
        particles, box = _packing_with_box(first, dimension, seed)
        return [particles], box
    domain = _domain(table, _side_around(first, dimension) if makes_its_box else None)
    sides = domain.sides(dimension)
    rng = np.random.default_rng(seed)
    placed: dict[int, Particles] = {}
    # Random packings look for room between all the others, whatever the order in the file.
    order = sorted(
        range(len(scene.particles)), key=lambda k: scene.particles[k].packing == "random"
    )
    for k in order:
        placed[k] = _group(scene.particles[k], dimension, sides, walls, list(placed.values()), rng)
    return [placed[k] for k in range(len(scene.particles))], domain


def _dimension(scene: tables.Scene) -> int:
    """The dimension, from whatever says it first."""
    for group in scene.particles:
        if group.dimension is not None:
            return group.dimension
        for rows in (group.position, [group.region.lower] if group.region else None):
            if rows is not None:
                return len(rows[0])
    lengths = scene.domain.lengths if scene.domain else None
    for vector in (lengths, scene.gravity, *(wall.point for wall in scene.walls)):
        if isinstance(vector, list):
            return len(vector)
    return SPACE


def _domain(table: tables.Domain | None, side: float | None) -> Domain:
    """The domain of a [domain] table; ``side`` is its length where the table gives none."""
    if table is None or table.kind == "open":
        return carom.Open()
    lengths = table.lengths if side is None else side
    if lengths is None:
        raise ValueError(
            "'domain.lengths' is missing; it can be left out only when there is a single packing "
            "with a number, a packing_fraction and no region."
        )
    if table.kind == "periodic":
        return carom.Periodic(lengths)
    return carom.Box(lengths, table.periodic, _coefficient(table.restitution))


def _both_given(group: tables.Group) -> tuple[int, float]:
    if group.number is None or group.packing_fraction is None:
        raise ValueError(
            "'particles' needs both number and packing_fraction where nothing else says how large "
            "the box is; or give 'domain.lengths'."
        )
    return group.number, group.packing_fraction


def _packing_with_box(
    group: tables.Group, dimension: int, seed: int
) -> tuple[Particles, carom.Periodic]:
    """The packing of carom.packings, whose box follows from number and packing fraction."""
    number, fraction = _both_given(group)
    if group.packing == "lattice":
        _refuse_lists(group)
    pack: Any = carom.packings.lattice if group.packing == "lattice" else carom.packings.random
    particles, box = pack(
        number,
        fraction,
        dimension=dimension,
        radius=group.radius,
        mass=group.mass,
        temperature=_temperature(group),
        seed=seed,
    )
    if group.velocity is not None:
        particles.velocity += _vectors("velocity", group.velocity, particles)
    return particles, box


def _side_around(group: tables.Group, dimension: int) -> float:
    """The side of the square or cube in which so many particles have this packing fraction."""
    number, fraction = _both_given(group)
    return float((number * _volume_of_one(group, dimension) / fraction) ** (1.0 / dimension))


def _volume_of_one(group: tables.Group, dimension: int) -> float:
    _refuse_lists(group)
    return Particles(np.zeros((1, dimension)), None, group.radius).volume


def _refuse_lists(group: tables.Group) -> None:
    for name in ("radius", "mass"):
        if isinstance(getattr(group, name), list):
            raise ValueError(
                f"'particles.{name}' must be one number in this packing; use a group of particles "
                "for each size, or give positions."
            )


def _temperature(group: tables.Group) -> float:
    if group.temperature is not None:
        return group.temperature
    return 1.0 if group.position is None else 0.0


def _group(
    group: tables.Group,
    dimension: int,
    sides: tuple[float, ...] | None,
    walls: list[carom.Plane],
    others: list[Particles],
    rng: np.random.Generator,
) -> Particles:
    """The particles of a group, packed between the others or at the positions given."""
    if group.position is not None:
        position: Any = group.position
    else:
        position = _packed(group, dimension, sides, walls, others, rng)
    particles = Particles(position, None, group.radius, group.mass)
    n, columns = particles.position.shape
    particles.velocity = thermal_velocities(n, columns, particles.mass, _temperature(group), rng)
    if group.velocity is not None:
        particles.velocity += _vectors("velocity", group.velocity, particles)
    return particles


def _vectors(key: str, values: list[Any], particles: Particles) -> Array:
    """One vector for all particles, or one for each, checked against their number."""
    n, dimension = particles.position.shape
    vectors = np.asarray(values, dtype=np.float64)
    if vectors.shape not in ((dimension,), (n, dimension)):
        raise ValueError(
            f"'particles.{key}' must be one vector of {dimension} numbers, or {n} of them."
        )
    return vectors


def _packed(
    group: tables.Group,
    dimension: int,
    sides: tuple[float, ...] | None,
    walls: list[carom.Plane],
    others: list[Particles],
    rng: np.random.Generator,
) -> Array:
    volume_of_one = _volume_of_one(group, dimension)
    region = group.region
    if region is None and sides is None:
        raise ValueError("a packing in open space needs a region = { lower = ..., upper = ... }.")
    lower = np.array(region.lower if region else [0.0] * dimension, dtype=np.float64)
    upper = np.array(region.upper if region else sides, dtype=np.float64)
    if group.number is not None and group.packing_fraction is not None:
        raise ValueError(
            "'particles' has a number and a packing_fraction, but the size of the region is given "
            "as well; leave one of them out."
        )
    number = group.number
    if number is None:
        assert group.packing_fraction is not None
        number = max(
            1, round(group.packing_fraction * float(np.prod(upper - lower)) / volume_of_one)
        )

    def is_free(places: Array, radius: float) -> Any:
        return _free_of_walls(places, radius, walls) & _free_of_others(places, radius, others)

    place = lattice_places if group.packing == "lattice" else random_places
    assert isinstance(group.radius, (int, float))
    return place(number, float(group.radius), Room(lower, upper, is_free), rng)


def _free_of_walls(places: Array, radius: float, walls: list[carom.Plane]) -> Any:
    free = np.ones(len(places), dtype=bool)
    for wall in walls:
        height = (places - np.asarray(wall.point)) @ np.asarray(wall.normal)
        free &= np.abs(height) >= radius
    return free


def _free_of_others(places: Array, radius: float, others: list[Particles]) -> Any:
    free = np.ones(len(places), dtype=bool)
    for particles in others:
        for other in np.unique(particles.radius):
            centres = cKDTree(particles.position[particles.radius == other])
            free &= centres.query(places)[0] >= radius + other
    return free


def _acceleration(scene: tables.Scene, groups: list[Particles]) -> Array | None:
    if all(table.acceleration is None for table in scene.particles):
        return None
    rows = [np.zeros_like(group.position) for group in groups]
    for table, group, own in zip(scene.particles, groups, rows, strict=True):
        if table.acceleration is not None:
            own += _vectors("acceleration", table.acceleration, group)
    return np.concatenate(rows)
