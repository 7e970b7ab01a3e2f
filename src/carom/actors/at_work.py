"""The actors of one simulation at work: when each is due, and what they have done."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import is_dataclass, replace

import numpy as np

from carom.actors.actor import Actor
from carom.actors.exchange import Crowd, ExchangeActor, Traffic
from carom.checks import several
from carom.particles import Array, Particles
from carom.schedule import Schedule
from carom.system import System
from carom.types import Plain


class ActorsAtWork:
    """The actors of a simulation, when each is due, and the work that they have done."""

    def __init__(self, actors: Sequence[Actor], state: Plain | None = None) -> None:
        actors = several("actors", actors)
        for actor in actors:
            if not (isinstance(actor, Actor) and is_dataclass(actor)):
                raise TypeError(
                    f"actors must be carom.Actor dataclasses such as "
                    f"carom.RescalingThermostat(temperature=1.0, every=0.1), not {actor!r}."
                )
        self.actors = tuple(actors)
        self.changes_number = any(isinstance(actor, ExchangeActor) for actor in actors)
        schedules = [{"start": 0.0, "past": 1} for _ in actors] if state is None else state["at"]
        self._schedules = [
            Schedule(actor.every, **schedule)
            for actor, schedule in zip(actors, schedules, strict=True)
        ]
        self.work_done = 0.0 if state is None else float(state["work_done"])
        kept = {} if state is None else state.get("exchange", {})
        self._exchange: dict[int, Plain] = {
            k: copy.deepcopy(kept[str(k)]) if str(k) in kept else actor.begin()
            for k, actor in enumerate(self.actors)
            if isinstance(actor, ExchangeActor)
        }
        self.next_identity = None if state is None else state.get("next_identity")

    @property
    def conserve_momentum(self) -> bool:
        """Whether none of them changes the total momentum."""
        return all(actor.conserves_momentum for actor in self.actors)

    @property
    def due(self) -> float:
        """The time of the next act; infinite without actors."""
        return min((schedule.due for schedule in self._schedules), default=math.inf)

    def refuse_too_many_acts(self, end: float) -> None:
        """Refuse a run until a time in which they would act without end."""
        for schedule in self._schedules:
            schedule.refuse_too_many(end)

    def refuse_too_many_acts_within(self, flight: float) -> None:
        """Refuse to act so often in a time in which next to nothing happens."""
        for schedule in self._schedules:
            schedule.refuse_too_many_within(flight)

    def velocities(
        self, time: float, particles: Particles, flow: Array, random: np.random.Generator
    ) -> Array:
        """The velocities (n, d) that the actors due at a time leave, each after the one before.

        What they act on are velocities relative to the mean ``flow`` (n, d).
        """
        due = self._due(time, exchange=False)
        if len(particles) == 0:
            for k in due:
                self._schedules[k].advance()
            return particles.velocity
        now = particles.with_velocity(particles.velocity - flow)
        for k in due:
            velocity = self.actors[k].velocities(now, random)
            now = now.with_velocity(velocity)
        # Only now, when none of them has failed.
        for k in due:
            self._schedules[k].advance()
        now = now.with_velocity(now.velocity + flow)
        self.work_done += now.kinetic_energy - particles.kinetic_energy
        return now.velocity

    def _due(self, time: float, *, exchange: bool) -> list[int]:
        """The numbers of the actors that are due, of one kind or the other."""
        return [
            k
            for k, schedule in enumerate(self._schedules)
            if schedule.due <= time and (k in self._exchange) == exchange
        ]

    def exchange_is_due(self, time: float) -> bool:
        """Whether particles may come or go now."""
        return bool(self._due(time, exchange=True))

    def velocities_are_due(self, time: float) -> bool:
        """Whether velocities change now."""
        return bool(self._due(time, exchange=False))

    def exchange(self, time: float, crowd: Crowd) -> dict[int, Plain]:
        """Let the actors that are due take particles out and let others in, one after the other;
        what they remember then, for ``exchanged``."""
        states = {k: copy.deepcopy(self._exchange[k]) for k in self._due(time, exchange=True)}
        for k, state in states.items():
            actor = self.actors[k]
            assert isinstance(actor, ExchangeActor)
            actor.exchange(k, crowd, state)
        return states

    def exchanged(self, states: dict[int, Plain], crowd: Crowd, work: float) -> None:
        """Note an act that has succeeded, and the energy that it has brought."""
        self._exchange |= states
        self.next_identity = crowd.next_identity
        self.work_done += work
        for k in states:
            self._schedules[k].advance()

    def traffic(self, dimension: int) -> tuple[Traffic, ...]:
        """What has come and gone through each of the actors that let particles do so."""
        return tuple(
            actor.traffic(self._exchange[k], dimension)
            for k, actor in enumerate(self.actors)
            if isinstance(actor, ExchangeActor)
        )

    def state(self) -> Plain:
        """What a checkpoint has to keep, beside the actors."""
        kept = {
            "at": [schedule.state() for schedule in self._schedules],
            "work_done": self.work_done,
        }
        if not self.changes_number:
            return kept
        exchange = {str(k): copy.deepcopy(state) for k, state in self._exchange.items()}
        return kept | {"exchange": exchange, "next_identity": self.next_identity}


def with_intervals(actors: Sequence[Actor], system: System) -> Sequence[Actor]:
    """The actors, of which those that were not told how often to look know it."""
    if not any(isinstance(actor, ExchangeActor) for actor in actors):
        return actors
    for actor in actors:
        if isinstance(actor, ExchangeActor):
            actor.check(system)
    return [
        replace(actor, every=_usual_interval(actors, system, actor))  # type: ignore[type-var]
        if isinstance(actor, ExchangeActor) and actor.every is None
        else actor
        for actor in actors
    ]


def arriving(actors: Sequence[Actor], dimension: int) -> list[Particles]:
    """Some of those who may come in."""
    exchanges = (actor for actor in actors if isinstance(actor, ExchangeActor))
    return [some for actor in exchanges if (some := actor.typical(dimension)) is not None]


def with_arriving(actors: Sequence[Actor], system: System) -> System:
    """A system with some of those who may come in, for who chooses a step."""
    crowds = [system.particles, *arriving(actors, system.dimension)]
    names = system.particles.species_names
    columns = {
        name: np.concatenate([getattr(crowd, name) for crowd in crowds])
        for name in ("position", "velocity", "radius", "mass")
    }
    if len(columns["radius"]) == 0:
        return system
    # Numbers in a table of laws by pair are those of who is there.
    first = system.particles.species[:1] if len(system.particles) else np.zeros(1, dtype=np.int16)
    more = np.repeat(first, len(columns["radius"]) - len(system.particles))
    species = np.concatenate([system.particles.species, more])
    return system.among(Particles(**columns, species=species, species_names=names))


def _usual_interval(actors: Sequence[Actor], system: System, whose: Actor) -> float:
    """The time in which the fastest moves a mean diameter."""
    crowds = [system.particles, *arriving(actors, system.dimension)]
    radius = np.concatenate([crowd.radius for crowd in crowds])
    if len(radius) == 0:
        raise ValueError(f"{whose!r}: there are no particles, and none come in; give every=...")
    diameter = 2.0 * float(radius.mean())
    speed = max(
        math.sqrt(float((crowd.velocity**2).sum(axis=1).max(initial=0.0))) for crowd in crowds
    )
    if system.gravity is not None:
        speed = max(speed, math.sqrt(2.0 * diameter * float(np.abs(system.gravity).max())))
    if speed == 0.0:
        raise ValueError(
            f"{whose!r}: nothing moves at the start, so that it is not known how often to look; "
            "give every=..."
        )
    return float(f"{diameter / speed:.3g}")
