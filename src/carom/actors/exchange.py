"""What all actors share that change the number of particles, and what they do in one act."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from carom.actors.actor import Actor
from carom.actors.placing import Places
from carom.particles import Array, Particles
from carom.regions import Region
from carom.system import System
from carom.types import Plain


class Newcomer(NamedTuple):
    """One that comes in; those that have been there before have an identity."""

    position: Array
    velocity: Array
    radius: float
    mass: float
    species: int
    identity: int | None = None


class Crowd:
    """The particles during an act, and what becomes of them."""

    def __init__(
        self,
        system: System,
        particles: Particles,
        time: float,
        next_identity: int,
        random: np.random.Generator,
    ) -> None:
        self.system, self.time, self.random = system, time, random
        self.next_identity = next_identity
        self._particles = particles
        self._remains = np.ones(len(particles), dtype=bool)
        self._newcomers: list[Newcomer] = []
        self.passages: list[Plain] = []

    @property
    def has_changed(self) -> bool:
        """Whether anybody has come or gone."""
        return bool(self._newcomers) or not self._remains.all()

    @property
    def energy(self) -> float:
        """What has come in with particles, less what has gone out with others."""
        total = 0.0
        for one in self.passages:
            carried = energy_of(one["particles"], self.system)
            total += carried if one["entered"] else -carried
        return total

    def remaining(self, region: Region) -> Any:
        """The rows of those who were there before the act, are still there, and are in a region."""
        return np.flatnonzero(self._remains & region.contains(self._particles.position))

    def take_out(self, actor: int, rows: Any, state: Plain) -> Particles:
        """Let particles go; they are counted in the state of an actor."""
        gone = self._particles.only(rows)
        self._remains[rows] = False
        self._note(actor, "left", gone, state)
        return gone

    def places(self, region: Region, largest: float) -> Places:
        """Where there is room in a region for particles up to a radius."""
        present = self._particles.only(self._remains)
        position, radius = present.position, present.radius
        if self._newcomers:
            position = np.concatenate([position, [one.position for one in self._newcomers]])
            radius = np.concatenate([radius, [one.radius for one in self._newcomers]])
        return Places(self.system, region, position, radius, largest, self.random)

    def let_in(self, actor: int, newcomers: list[Newcomer], state: Plain) -> None:
        """Let particles come in; they are counted in the state of an actor."""
        if not newcomers:
            return
        known = [one.identity is not None for one in newcomers]
        fresh = iter(range(self.next_identity, self.next_identity + known.count(False)))
        self.next_identity += known.count(False)
        newcomers = [
            one if one.identity is not None else one._replace(identity=next(fresh))
            for one in newcomers
        ]
        self._newcomers += newcomers
        self._note(actor, "entered", self._as_particles(newcomers), state)

    def _note(self, actor: int, way: str, particles: Particles, state: Plain) -> None:
        """Count particles in the state of an actor, with what they carry."""
        state[way] += len(particles)
        state[f"{way}_mass"] += float(particles.mass.sum())
        momentum = np.array(state[f"{way}_momentum"] or [0.0] * particles.dimension)
        state[f"{way}_momentum"] = (momentum + particles.momentum).tolist()
        state[f"{way}_energy"] += energy_of(particles, self.system)
        self.passages.append({"actor": actor, "entered": way == "entered", "particles": particles})

    def _as_particles(self, newcomers: list[Newcomer]) -> Particles:
        """In the order of their identities."""
        order = sorted(newcomers, key=lambda one: one.identity or 0)
        rows = {name: [getattr(one, name) for one in order] for name in Newcomer._fields}
        names = self._particles.species_names
        numbers = np.array(rows.pop("species"), dtype=np.int16)
        particles = Particles(**rows, species=numbers, species_names=names)
        if self._particles.angular_velocity is not None:
            n, d = particles.position.shape
            particles.angular_velocity = np.zeros(n if d == 2 else (n, 3))
        return particles

    def result(self) -> tuple[Particles, Any, Any]:
        """All that are there after the act in the order of their identities, and of those who stay
        the rows before and after."""
        stay = np.flatnonzero(self._remains)
        if not self._newcomers:
            return self._particles.only(stay), stay, np.arange(len(stay))
        new, old = self._as_particles(self._newcomers), self._particles.only(stay)
        identity = np.concatenate([old.identity, new.identity])
        order = np.argsort(identity)
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        both: dict[str, Any] = {}
        for name in (*Particles.COLUMNS, "identity"):
            one, other = getattr(old, name), getattr(new, name)
            both[name] = None if one is None else np.concatenate([one, other])[order]
        everybody = Particles(**both, species_names=old.species_names)
        return everybody, stay, place[: len(stay)]


def energy_of(particles: Particles, system: System) -> float:
    """Kinetic, rotational and potential energy, as of ``Simulation.energy``."""
    energy = particles.kinetic_energy + particles.rotational_energy
    if system.gravity is None:
        return energy
    return energy - float(
        (particles.mass * (particles.unwrapped * system.gravity).sum(axis=1)).sum()
    )


@dataclass(frozen=True)
class Traffic:
    """What has come and gone through an actor since the start, and what that carried.

    Energies are kinetic, rotational and potential ones. ``waiting`` are those for whom there has
    been no room so far.
    """

    entered: int
    left: int
    entered_mass: float
    left_mass: float
    entered_momentum: Array
    left_momentum: Array
    entered_energy: float
    left_energy: float
    waiting: int


class ExchangeActor(Actor):
    """Lets particles come in or go out every so often.

    A subclass defines ``exchange(number, crowd, state)``: what it does in one act, as the actor of
    this number, and what it then has to remember: values that JSON can hold.
    """

    conserves_momentum: ClassVar[bool] = False
    every: float | None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.every is not None:
            super().__post_init__()

    def begin(self) -> Plain:
        """What it remembers at the start."""
        counted = {"": 0, "_mass": 0.0, "_momentum": None, "_energy": 0.0}
        ways = ("entered", "left")
        return {f"{way}{what}": zero for way in ways for what, zero in counted.items()}

    def exchange(self, number: int, crowd: Crowd, state: Plain) -> None:
        """Let particles come and go, and change the state."""
        raise NotImplementedError(f"{type(self).__name__} must define exchange(...).")

    def waiting(self, state: Plain) -> int:
        """How many wait for room."""
        return 0

    def traffic(self, state: Plain, dimension: int) -> Traffic:
        """What a state says."""
        said: Plain = {name: state[name] for name in Traffic.__dataclass_fields__ if name in state}
        for way in ("entered_momentum", "left_momentum"):
            said[way] = np.array(state[way] or [0.0] * dimension)
        return Traffic(**said, waiting=self.waiting(state))

    @property
    def regions(self) -> dict[str, Region]:
        """Its regions by the names of the arguments."""
        raise NotImplementedError

    def usual_radius(self) -> float | None:
        """A radius of those who come, and None if nobody does."""
        return None

    def typical(self, dimension: int) -> Particles | None:
        """Some that may come, the smallest and the largest among them, for who chooses a step."""
        return None

    def check(self, system: System) -> None:
        """Refuse a system in which it cannot act."""
        name = type(self).__name__
        if system.shear_rate != 0.0:
            raise ValueError(
                f"{name}: in a LeesEdwards box all places are alike, and one where particles come "
                "or go would slide with the flow. Use another domain."
            )
        if system.acceleration is not None:
            raise ValueError(
                f"{name}: System(acceleration=...) is one row for each particle, but their number "
                "changes; use gravity=..."
            )
        for argument, region in self.regions.items():
            if region.dimension != system.dimension:
                raise ValueError(
                    f"{name}: {argument}={region!r} is one in {region.dimension} dimensions, but "
                    f"the particles move in {system.dimension}."
                )
