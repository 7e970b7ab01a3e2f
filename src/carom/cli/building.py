"""From a checked scene to the system, the method and the actors that it describes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import carom
from carom.cli import scene as tables
from carom.cli.groups import Surroundings, packing_with_box, placed_group, side_around
from carom.cli.scene_exchange import EXCHANGE, exchange_of
from carom.cli.scene_files import SceneFile
from carom.cli.scene_fluids import CoupledMethod, LadenMethod, coupled_of, laden_of
from carom.cli.scene_walls import MeshWall, PlaneWall
from carom.domains import Domain
from carom.errors import SceneError
from carom.methods import Method
from carom.particles import Array, Particles
from carom.system import System


class Start(NamedTuple):
    """Where a scene starts; ``sizes`` are the numbers of particles in its groups."""

    system: System
    method: Method
    actors: list[carom.Actor]
    sizes: list[int]


def start_of(file: SceneFile, seed: int) -> Start:
    """The system, method, actors and groups of a scene; what cannot work is a ``SceneError``."""
    scene = file.scene
    try:
        walls = [_wall(k, wall, file.folder) for k, wall in enumerate(scene.walls)]
        groups, domain = _placed(scene, walls, seed)
        if isinstance(domain, carom.LeesEdwards):
            for group in groups:
                group.velocity += domain.flow(group.position)
        joined: dict[str, Any] = {
            name: np.concatenate([getattr(group, name) for group in groups])
            for name in ("position", "velocity", "radius", "mass")
        }
        species = [group.species_names[k] for group in groups for k in group.species]
        system = System(
            Particles(**joined, species=species, species_names=_names(scene, species)),
            domain,
            law=law_of(scene.law),
            gravity=scene.gravity,
            acceleration=_acceleration(scene, groups),
            walls=walls,
            force=force_of(scene.force, scene.dimension),
        )
        method = method_of(scene.method)
        actors = [actor_of(table) for table in scene.actors]
        return Start(system, method, actors, [len(group) for group in groups])
    except ValueError as error:
        raise SceneError(f"{file.given}: {error}") from error


def _names(scene: tables.Scene, species: list[str]) -> list[str]:
    """The names of the species, in the order in which particles have them; then of who comes."""
    return list(dict.fromkeys([*species, *scene.species]))


def law_of(table: Any) -> Any:
    """The collision law of a [law] table."""
    if isinstance(table, tables.ConstantLaw):
        return carom.ConstantRestitution(table.restitution)
    if isinstance(table, tables.ViscoelasticLaw):
        return carom.ViscoelasticRestitution(
            table.young_modulus, table.poisson_ratio, table.dissipation_time
        )
    if isinstance(table, tables.RoughLaw):
        return carom.RoughRestitution(table.normal, table.tangential)
    if isinstance(table, tables.ContactDurationLaw):
        return carom.ContactDuration(law_of(table.law), table.duration)
    if isinstance(table, tables.ByPairLaw):
        return _law_by_pair(table)
    return carom.Elastic()


def _law_by_pair(table: tables.ByPairLaw) -> carom.ByPair:
    laws: dict[tuple[str, str], Any] = {}
    for row in table.pairs:
        first, second = row.species
        if (first, second) in laws:
            raise ValueError(f"'law.pairs' has two laws for {row.species}.")
        laws[first, second] = law_of(row.law)
    otherwise = None if table.otherwise is None else law_of(table.otherwise)
    return carom.ByPair(laws, otherwise)


ACTORS = {
    "andersen": carom.AndersenThermostat,
    "rescaling": carom.RescalingThermostat,
    "random_kicks": carom.RandomKicks,
}


def actor_of(table: Any) -> carom.Actor:
    """The actor of one of the [[actors]] tables."""
    if isinstance(table, EXCHANGE):
        return exchange_of(table)
    actor: carom.Actor = ACTORS[table.kind](**table.model_dump(exclude={"kind"}))
    return actor


METHODS = {
    "event_driven": carom.EventDriven,
    "time_stepped": carom.TimeStepped,
    "soft_contacts": carom.SoftContacts,
}
NEIGHBOURS = {
    "all_pairs": carom.AllPairs,
    "verlet_list": carom.VerletList,
    "linked_cells": carom.LinkedCells,
    "linked_linear_list": carom.LinkedLinearList,
    "hierarchical_cells": carom.HierarchicalCells,
}


def method_of(table: Any) -> Method:
    """The method of a [method] table."""
    if isinstance(table, LadenMethod):
        return laden_of(table)
    if isinstance(table, CoupledMethod):
        return coupled_of(table)
    options = table.model_dump(exclude={"kind", "neighbours"})
    if "neighbours" in type(table).model_fields:
        options["neighbours"] = neighbours_of(table.neighbours)
    method: Method = METHODS[table.kind](**options)
    return method


def neighbours_of(table: Any) -> Any:
    """The neighbour method of a table, or "auto"."""
    if table.kind == "auto":
        return "auto"
    return NEIGHBOURS[table.kind](**table.model_dump(exclude={"kind"}))


def force_of(table: Any, dimension: int) -> Any:
    """The force of a [force] table, if there is one."""
    if table is None:
        return None
    if isinstance(table, tables.LinearDragForce):
        flow = [0.0] * dimension if table.flow is None else table.flow
        return carom.forces.LinearDrag(table.coefficient, *_of_length("flow", flow, dimension))
    centre = _of_length("centre", table.centre, dimension)
    return carom.forces.HarmonicTrap(table.stiffness, *centre)


def _of_length(key: str, vector: list[float], dimension: int) -> list[float]:
    if len(vector) != dimension:
        raise ValueError(f"'force.{key}' must have {dimension} components, not {len(vector)}.")
    return [float(component) for component in vector]


def _coefficient(value: Any) -> Any:
    """A restitution as the domains take it; lists and tables likewise."""
    if isinstance(value, dict):
        return {axis: _coefficient(walls) for axis, walls in value.items()}
    if isinstance(value, list):
        return [_coefficient(wall) for wall in value]
    return None if value == "law" else float(value)


def _wall(k: int, table: Any, folder: Path) -> carom.Plane | carom.walls.Shape:
    """The wall of one of the [[walls]] tables; files are looked for in the folder of the scene."""
    restitution = _coefficient(table.restitution)
    if isinstance(table, PlaneWall):
        return carom.Plane(table.point, table.normal, restitution)
    options = table.model_dump(exclude={"shape", "file"}) | {"restitution": restitution}
    kind: Any = getattr(carom.walls, table.shape.capitalize())
    try:
        if isinstance(table, MeshWall):
            made: carom.walls.Shape = kind.read(folder / table.file, **options)
        else:
            made = kind(**options)
    except (ValueError, OSError, ImportError) as error:
        raise ValueError(f"'walls[{k}]': {error}") from error
    return made


def _placed(
    scene: tables.Scene, walls: list[carom.Plane | carom.walls.Shape], seed: int
) -> tuple[list[Particles], Domain]:
    """The particles of each group, and the domain."""
    groups, table, dimension = list(scene.particles), scene.domain, scene.dimension
    side = None
    if _makes_its_box(scene):
        if table is None or table.kind in ("periodic", "lees_edwards"):
            particles, box = packing_with_box(groups[0], dimension, seed)
            return [particles], _repeating(table, box.lengths)
        side = side_around(groups[0], dimension)
        groups = [groups[0].model_copy(update={"packing_fraction": None})]
    domain = _domain(table, side)
    around = Surroundings(dimension, domain.sides(dimension), walls, [])
    rng = np.random.default_rng(seed)
    placed: dict[int, Particles] = {}
    # Random packings look for room between all the others, whatever the order in the file.
    for k in sorted(range(len(groups)), key=lambda k: groups[k].packing == "random"):
        placed[k] = placed_group(groups[k], around, rng)
        around.others.append(placed[k])
    return [placed[k] for k in range(len(groups))], domain


def _makes_its_box(scene: tables.Scene) -> bool:
    """Whether the size of the box follows from a single packing."""
    group, table = scene.particles[0], scene.domain
    is_packing = group.packing is not None and group.region is None
    has_size = table is not None and (table.kind == "open" or table.lengths is not None)
    return len(scene.particles) == 1 and is_packing and not has_size


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
    if table.kind != "box":
        return _repeating(table, lengths)
    return carom.Box(lengths, table.periodic, _coefficient(table.restitution))


def _repeating(table: tables.Domain | None, lengths: Any) -> Domain:
    """A periodic box, sheared if the table says so."""
    if table is None or table.shear_rate is None:
        return carom.Periodic(lengths)
    return carom.LeesEdwards(lengths, table.shear_rate)


def _acceleration(scene: tables.Scene, groups: list[Particles]) -> Array | None:
    if all(table.acceleration is None for table in scene.particles):
        return None
    rows = [np.zeros_like(group.position) for group in groups]
    for table, own in zip(scene.particles, rows, strict=True):
        if table.acceleration is not None:
            if len(table.acceleration) != scene.dimension:
                raise ValueError(
                    f"'particles.acceleration' must have {scene.dimension} components, not "
                    f"{len(table.acceleration)}."
                )
            own += table.acceleration
    return np.concatenate(rows)
