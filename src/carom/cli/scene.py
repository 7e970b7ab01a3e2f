"""What a scene file may say: tables, keys, types, limits and defaults."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from carom.cli.columns import group_columns, needs_coupling, needs_depth
from carom.cli.scene_exchange import EXCHANGE, InletActor, OutletActor, RecirculationActor
from carom.cli.scene_methods import EventDrivenMethod, Method
from carom.cli.scene_table import Table
from carom.cli.scene_values import (
    BoxRestitution,
    Coefficient,
    Lengths,
    NotNegative,
    Positive,
    PositiveNumbers,
    Species,
    Vector,
    Vectors,
    VelocityRows,
)
from carom.cli.scene_walls import Wall
from carom.observers.quantities import (
    USUAL,
    is_known,
    is_one_number,
    known_numbers,
    refuse_other_species,
)
from carom.species import ONLY
from carom.spelling import suggestion


class Region(Table):
    """A rectangle or cuboid, from its lower to its upper corner."""

    lower: Vector
    upper: Vector

    @model_validator(mode="after")
    def _has_volume(self) -> Region:
        if len(self.lower) != len(self.upper):
            raise ValueError("lower and upper must have as many components as each other")
        if not all(low < high for low, high in zip(self.lower, self.upper, strict=True)):
            raise ValueError("upper must lie beyond lower along every axis")
        return self


class Group(Table):
    """[particles], or one of several [[particles]]: a packing, or positions."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*$")] | None = None
    packing: Literal["lattice", "random", "grow"] | None = None
    number: Annotated[int, Field(ge=1)] | None = None
    packing_fraction: Annotated[float, Field(gt=0.0, lt=1.0)] | None = None
    dimension: Literal[2, 3] | None = None
    region: Region | None = None
    position: Vectors | None = None
    velocity: VelocityRows | None = None
    temperature: NotNegative | None = None
    radius: PositiveNumbers = 0.5
    mass: PositiveNumbers = 1.0
    acceleration: Vector | None = None
    species: Species | None = None

    @property
    def all_species(self) -> str | list[str]:
        """The species of all its particles, or of each: if none is given, the name of the group."""
        return self.species or self.name or ONLY

    @model_validator(mode="after")
    def _is_placed_one_way(self) -> Group:
        if (self.packing is None) == (self.position is None):
            raise ValueError(
                'give either packing = "lattice", "random" or "grow", or position = [[x, y], ...]'
            )
        if self.position is not None:
            for name in ("number", "packing_fraction", "region", "dimension"):
                if getattr(self, name) is not None:
                    raise ValueError(f"{name} belongs to a packing; the positions are given")
        elif self.number is None and self.packing_fraction is None:
            raise ValueError("a packing needs a number or a packing_fraction")
        elif self.velocity is not None and isinstance(self.velocity[0], list):
            raise ValueError("velocity of a packing is one vector, added to the thermal velocities")
        return self


class Domain(Table):
    """[domain]: where particles may be."""

    kind: Literal["periodic", "lees_edwards", "box", "open"]
    lengths: Lengths | None = None
    shear_rate: float | None = None
    periodic: Annotated[str, Field(pattern=r"^[xyz]*$")] = ""
    restitution: BoxRestitution = "law"

    @model_validator(mode="after")
    def _suits_its_kind(self) -> Domain:
        for name in ("periodic", "restitution"):
            if self.kind != "box" and name in self.model_fields_set:
                raise ValueError(f'{name} belongs to kind = "box"')
        if self.kind == "open" and self.lengths is not None:
            raise ValueError('kind = "open" has no lengths')
        if (self.kind == "lees_edwards") != (self.shear_rate is not None):
            raise ValueError('kind = "lees_edwards", and no other, needs a shear_rate')
        return self


class ElasticLaw(Table):
    """[law] kind = "elastic"."""

    kind: Literal["elastic"]


class ConstantLaw(Table):
    """[law] kind = "constant"."""

    kind: Literal["constant"]
    restitution: Coefficient


class ViscoelasticLaw(Table):
    """[law] kind = "viscoelastic"."""

    kind: Literal["viscoelastic"]
    young_modulus: Positive
    poisson_ratio: Annotated[float, Field(gt=-1.0, le=0.5)]
    dissipation_time: NotNegative


class RoughLaw(Table):
    """[law] kind = "rough"."""

    kind: Literal["rough"]
    normal: Coefficient
    tangential: Annotated[float, Field(ge=-1.0, le=1.0)]


class ContactDurationLaw(Table):
    """[law] kind = "contact_duration", around the law in [law.law]."""

    kind: Literal["contact_duration"]
    duration: NotNegative
    law: Law


class PairLaw(Table):
    """One of the [[law.pairs]]: two species, or one and "wall", with their law."""

    species: Annotated[list[str], Field(min_length=2, max_length=2)]
    law: Law


class ByPairLaw(Table):
    """[law] kind = "by_pair", with [[law.pairs]] and the law of all others in [law.otherwise]."""

    kind: Literal["by_pair"]
    pairs: list[PairLaw] = Field(default_factory=list)
    otherwise: Law | None = None


Law = Annotated[
    ElasticLaw | ConstantLaw | ViscoelasticLaw | RoughLaw | ContactDurationLaw | ByPairLaw,
    Field(discriminator="kind"),
]
for table in (ContactDurationLaw, PairLaw, ByPairLaw):
    table.model_rebuild()  # it was defined before Law, which it may hold


class AndersenActor(Table):
    """[[actors]] kind = "andersen"."""

    kind: Literal["andersen"]
    temperature: Positive
    every: Positive
    rate: Positive


class RescalingActor(Table):
    """[[actors]] kind = "rescaling"."""

    kind: Literal["rescaling"]
    temperature: Positive
    every: Positive


class RandomKicksActor(Table):
    """[[actors]] kind = "random_kicks"."""

    kind: Literal["random_kicks"]
    strength: Positive
    every: Positive


Actor = Annotated[
    AndersenActor
    | RescalingActor
    | RandomKicksActor
    | InletActor
    | OutletActor
    | RecirculationActor,
    Field(discriminator="kind"),
]


class LinearDragForce(Table):
    """[force] kind = "linear_drag"."""

    kind: Literal["linear_drag"]
    coefficient: NotNegative
    flow: Vector | None = None


class HarmonicTrapForce(Table):
    """[force] kind = "harmonic_trap"."""

    kind: Literal["harmonic_trap"]
    stiffness: NotNegative
    centre: Vector


Force = Annotated[LinearDragForce | HarmonicTrapForce, Field(discriminator="kind")]


class Run(Table):
    """[run]: how long, and from which random numbers."""

    until: Positive
    seed: Annotated[int, Field(ge=0)] = 1


class Output(Table):
    """[output]: what is written, how often, and what the picture shows."""

    trajectory_every: Positive | None = None
    log_every: Positive | None = None
    columns: list[str] = Field(default_factory=lambda: ["time", *USUAL], min_length=1)
    colour: Literal["speed", "density", "group", "species", "plain"] | None = None
    flow: Literal["speed", "vorticity", "none"] = "speed"
    plot: Annotated[list[str], Field(min_length=1)] | None = None
    film: Literal["gif", "mp4", "webm"] | None = None

    @field_validator("columns")
    @classmethod
    def _are_known(cls, columns: list[str]) -> list[str]:
        for name in columns:
            if not (is_known(name) and is_one_number(name)):
                raise ValueError(f"unknown column '{name}'{suggestion(name, known_numbers())}")
        return columns if "time" in columns else ["time", *columns]


class Scene(Table):
    """A whole scene file."""

    title: str = ""
    gravity: Vector | None = None
    particles: Annotated[list[Group], Field(min_length=1)]
    domain: Domain | None = None
    walls: list[Wall] = Field(default_factory=list)
    law: Law = ElasticLaw(kind="elastic")
    force: Force | None = None
    actors: list[Actor] = Field(default_factory=list)
    method: Method = EventDrivenMethod()
    run: Run
    output: Output = Output()

    @model_validator(mode="after")
    def _names_differ(self) -> Scene:
        names = [group.name for group in self.particles if group.name is not None]
        if len(set(names)) < len(names):
            raise ValueError("two groups of particles have the same name")
        return self

    @model_validator(mode="after")
    def _colours_who_stays(self) -> Scene:
        if self.output.colour == "group" and any(isinstance(one, EXCHANGE) for one in self.actors):
            raise ValueError(
                "'output.colour' = \"group\" is about the particles of the start, but some come "
                'and go; give the groups species and use colour = "species"'
            )
        return self

    @model_validator(mode="after")
    def _logs_what_there_is(self) -> Scene:
        for name in self.output.columns:
            if self.dimension == 2 and needs_depth(name):
                raise ValueError(f"'output.columns' names '{name}', but there is no z in the plane")
            refuse_other_species(name, self.species)
            if self.method.kind != "coupled" and needs_coupling(name):
                raise ValueError(
                    f"'output.columns' names '{name}', which is about a fluid that particles act "
                    'upon; it needs method.kind = "coupled"'
                )
        return self

    @model_validator(mode="after")
    def _plots_what_is_logged(self) -> Scene:
        for name in self.output.plot or []:
            if name not in self.columns:
                raise ValueError(
                    f"'output.plot' names a column that is not in the log, '{name}'"
                    f"{suggestion(name, self.columns)}"
                )
        return self

    @property
    def columns(self) -> list[str]:
        """All columns of the log: those asked for, and some for each group that has a name."""
        of_groups = [
            column
            for group in self.particles
            if group.name
            for column in group_columns(group.name, slice(0), self.dimension)
        ]
        return [*self.output.columns, *of_groups]

    @property
    def species(self) -> list[str]:
        """The names of all species, those of the start first."""
        given = [group.all_species for group in self.particles]
        names = [[one] if isinstance(one, str) else one for one in given]
        coming = [one.species for one in self.actors if isinstance(one, InletActor)]
        names.append([name for name in coming if name is not None])
        return list(dict.fromkeys(name for several in names for name in several))

    @property
    def dimension(self) -> int:
        """2 or 3, from whatever in the scene says it first; 3 as in carom.packings else."""
        for group in self.particles:
            if group.dimension is not None:
                return group.dimension
            for rows in (group.position, [group.region.lower] if group.region else None):
                if rows is not None:
                    return len(rows[0])
        lengths = self.domain.lengths if self.domain else None
        for vector in (lengths, self.gravity):
            if isinstance(vector, list):
                return len(vector)
        return self.walls[0].dimension if self.walls else 3
