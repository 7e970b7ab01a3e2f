"""Where particles come in."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from carom.actors.exchange import Crowd, ExchangeActor, Newcomer
from carom.actors.outlet import check_region
from carom.actors.placing import MOST_FRUITLESS
from carom.checks import (
    check_not_negative,
    check_one_of,
    check_positive,
    check_whole,
    is_number,
    numbers_in,
)
from carom.errors import CaromWarning
from carom.functions import log1p, power, standard_normal
from carom.particles import Particles
from carom.regions import Region
from carom.representation import shown_as_call
from carom.sizes import Sizes
from carom.species import number_of
from carom.system import System
from carom.types import Array, Plain

ARRIVALS = ("regular", "random")
# A share of an interval up to which an arrival is one of the present.
ROUNDING = 1e-9
# How many of the smallest and of the largest size a step must do for.
MANY = 20


@shown_as_call
@dataclass(frozen=True)
class Inlet(ExchangeActor):
    """Lets particles come in at random places in a ``region``, where they touch nobody.

    - ``rate``: how many come in per unit of time; ``math.inf`` for as many as find room.
    - ``radius``: of all, or one of ``carom.sizes``; ``mass`` of each (1 when left out), or the
      ``density`` from which it follows.
    - ``velocity``, at rest when left out; ``temperature`` of the velocities around it.
    - ``species``: their name, which one of the system's particles or of its ``species_names`` has.
    - ``until_number``, ``until_mass``: how many, or how much, come in altogether.
    - ``arrivals``: ``"regular"``, one every 1 / ``rate``, or ``"random"``, independent of each
      other, so that the number in a time is Poisson's.
    - ``every``: how often it looks. Who has arrived since the last look comes in at this one. Left
      out, it is the time in which the fastest at the start, or of those who come, moves one mean
      diameter.

    Who finds no room waits, in the order of arrival and with the size that it has, and tries again
    at the next look.
    """

    region: Region
    rate: float
    radius: float | Sizes = 0.5
    velocity: Sequence[float] | None = None
    temperature: float = 0.0
    mass: float | None = None
    density: float | None = None
    species: str | None = None
    until_number: int | None = None
    until_mass: float | None = None
    arrivals: str = "regular"
    every: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_region(self, "region", self.region, bounded=True)
        if not (is_number(self.rate) and self.rate > 0.0):
            raise ValueError(f"Inlet: rate must be a positive number, not {self.rate!r}.")
        if not isinstance(self.radius, Sizes):
            check_positive("Inlet: radius", self.radius)
        check_not_negative("Inlet: temperature", self.temperature)
        if self.mass is not None and self.density is not None:
            raise ValueError("Inlet: give mass or density, not both: each follows from the other.")
        for name in ("mass", "density", "until_mass"):
            if getattr(self, name) is not None:
                check_positive(f"Inlet: {name}", getattr(self, name))
        if self.until_number is not None:
            check_whole("Inlet: until_number", self.until_number, 1)
        check_one_of("Inlet: arrivals", self.arrivals, ARRIVALS)
        if self.arrivals == "random" and math.isinf(self.rate):
            raise ValueError("Inlet: arrivals='random' need a finite rate.")
        velocity_of(self)

    def check(self, system: System) -> None:
        """Refuse a system in which it cannot act."""
        super().check(system)
        inside_box(self, "region", self.region, system)
        names = system.particles.species_names
        if self.species is not None:
            number_of(self.species, names)
        elif len(names) > 1:
            raise ValueError(f"Inlet: say of which species those are who come in: one of {names}.")

    @property
    def regions(self) -> dict[str, Region]:
        """Where particles come in."""
        return {"region": self.region}

    @property
    def _ends(self) -> tuple[float, float]:
        """The smallest and the largest radius."""
        if isinstance(self.radius, Sizes):
            return self.radius.ends
        return float(self.radius), float(self.radius)

    def usual_radius(self) -> float | None:
        """A radius of those who come."""
        return 0.5 * sum(self._ends)

    def typical(self, dimension: int) -> Particles | None:
        """Some that may come, the smallest and the largest among them."""
        radius = np.repeat(self._ends, MANY)
        position = np.broadcast_to(np.mean(self.region.corners, axis=0), (len(radius), dimension))
        velocity = np.broadcast_to(self.velocity or [0.0] * dimension, position.shape)
        mass = np.array([self._mass(float(r), dimension) for r in radius])
        # Thermal velocities, two deviations of them, all along one axis.
        fast = velocity + 2.0 * np.sqrt(self.temperature / mass)[:, None] / math.sqrt(dimension)
        return Particles(position, fast, radius, mass)

    def _mass(self, radius: float, dimension: int) -> float:
        """That of one with a radius."""
        if self.density is None:
            return 1.0 if self.mass is None else float(self.mass)
        unit = math.pi if dimension == 2 else 4.0 / 3.0 * math.pi
        return float(self.density * unit * power(radius, dimension))

    def begin(self) -> Plain:
        """Nobody has arrived or waits; ``next`` is the time of the next random arrival."""
        arrived = {"arrived": 0, "next": None, "drawn": 0, "drawn_mass": 0.0}
        return super().begin() | arrived | {"queue": [], "told": False}

    def waiting(self, state: Plain) -> int:
        """How many wait for room; of a rate without limit none counts as waiting."""
        if math.isinf(self.rate):
            return 0
        return len(state["queue"]) + max(self._number_of_arrivals(state) - state["drawn"], 0)

    def _number_of_arrivals(self, state: Plain) -> int:
        """How many have arrived, up to the number at which it ends."""
        if self._has_enough(state):
            return int(state["drawn"])
        arrived = int(state["arrived"])
        return arrived if self.until_number is None else min(arrived, self.until_number)

    def _has_enough(self, state: Plain) -> bool:
        """Whether nobody comes any more, but for those who wait with the size that they have."""
        by_number = self.until_number is not None and state["drawn"] >= self.until_number
        by_mass = self.until_mass is not None and (
            state["drawn_mass"] >= self.until_mass * (1.0 - ROUNDING)
        )
        return by_number or by_mass

    def _count_arrivals(self, time: float, random: np.random.Generator, state: Plain) -> None:
        """Note who has arrived up to a time."""
        if math.isinf(self.rate):
            return
        if self.arrivals == "regular":
            state["arrived"] = math.floor(self.rate * time * (1.0 + 1e-14) + ROUNDING)
            return
        following = self._gap(random) if state["next"] is None else state["next"]
        while following <= time and not self._has_enough(state):
            state["arrived"] += 1
            following += self._gap(random)
        state["next"] = following

    def _gap(self, random: np.random.Generator) -> float:
        """The time between two random arrivals."""
        return float(-log1p(-random.random()) / self.rate)

    def _is_there_another(self, state: Plain) -> bool:
        if self._has_enough(state):
            return False
        return math.isinf(self.rate) or state["drawn"] < state["arrived"]

    def exchange(self, number: int, crowd: Crowd, state: Plain) -> None:
        """Let come in who has arrived and finds room."""
        self._count_arrivals(crowd.time, crowd.random, state)
        if not state["queue"] and not self._is_there_another(state):
            return
        dimension, places = crowd.system.dimension, crowd.places(self.region, self._ends[1])
        newcomers: list[Newcomer] = []
        waiting: list[float] = []
        queue, fruitless = list(state["queue"]), 0
        while fruitless < MOST_FRUITLESS and (queue or self._is_there_another(state)):
            radius = queue.pop(0) if queue else self._drawn(crowd, state)
            place = places.find(radius)
            if place is None:
                waiting.append(radius)
                fruitless += 1
                continue
            fruitless = 0
            newcomers.append(self._newcomer(place, radius, self._mass(radius, dimension), crowd))
        state["queue"] = waiting + queue
        crowd.let_in(number, newcomers, state)
        notice_of_waiting(self, self.waiting(state), crowd.time, state)

    def _drawn(self, crowd: Crowd, state: Plain) -> float:
        """The radius of the next who has arrived."""
        radius, dimension = self.radius, crowd.system.dimension
        if isinstance(radius, Sizes):
            radius = float(radius.radii(crowd.random, 1, dimension)[0])
        state["drawn"] += 1
        state["drawn_mass"] += self._mass(float(radius), dimension)
        return float(radius)

    def _newcomer(self, place: Array, radius: float, mass: float, crowd: Crowd) -> Newcomer:
        dimension = crowd.system.dimension
        velocity = np.array(self.velocity or [0.0] * dimension)
        if self.temperature > 0.0:
            spread = math.sqrt(self.temperature / mass)
            velocity = velocity + spread * standard_normal(crowd.random, dimension)
        names = crowd.system.particles.species_names
        species = 0 if self.species is None else number_of(self.species, names)
        return Newcomer(place, velocity, radius, mass, species)


def velocity_of(actor: Any) -> None:
    """Let the velocity of an actor be a tuple that suits its regions."""
    if actor.velocity is None:
        return
    kind, dimension = type(actor).__name__, next(iter(actor.regions.values())).dimension
    values = numbers_in(f"{kind}: velocity", actor.velocity)
    if values.shape != (dimension,) or not np.isfinite(values).all():
        raise ValueError(
            f"{kind}: velocity must be a vector of {dimension} finite numbers, not "
            f"{actor.velocity!r}."
        )
    object.__setattr__(actor, "velocity", tuple(values.tolist()))


def inside_box(actor: Any, name: str, region: Region, system: System) -> None:
    """Refuse a region that reaches out of the box."""
    if system.sides is None:
        return
    lower, upper = region.corners
    for axis, low, high, side in zip("xyz", lower, upper, system.sides, strict=False):
        if low < 0.0 or high > side:
            raise ValueError(
                f"{type(actor).__name__}: {name}={region!r} reaches from {low:g} to {high:g} along "
                f"{axis}, but the box from 0 to {side:g}."
            )


def notice_of_waiting(actor: Any, waiting: int, time: float, state: Plain) -> None:
    """Say once that some wait for room."""
    if waiting == 0 or state["told"]:
        return
    state["told"] = True
    kind = type(actor).__name__
    warnings.warn(
        f"{kind}: at time {time:.6g} there is no room for {waiting} of those who should come in; "
        "they wait. sim.waiting tells how many; a larger region, a higher velocity or a lower rate "
        "leaves them room.",
        CaromWarning,
        stacklevel=2,
    )
