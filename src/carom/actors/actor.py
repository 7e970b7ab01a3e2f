"""What all actors share, and the actors of one simulation at work."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import is_dataclass
from typing import ClassVar

import numpy as np

from carom.checks import check_positive, several
from carom.particles import Array, Particles
from carom.schedule import Schedule, checked_interval
from carom.types import Plain


class Actor:
    """Changes the velocities of a simulation every so often.

    A subclass is a frozen dataclass whose fields, ``every`` among them, are all that it knows: an
    actor can be shared by simulations and is described in their checkpoints. It defines
    ``velocities(particles, random)``. The first act is ``every`` after the start.
    """

    every: float
    # Whether the total momentum stays as it is.
    conserves_momentum: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checked_interval(self, self.every, endless=False)

    def velocities(self, particles: Particles, random: np.random.Generator) -> Array:
        """New velocities (n, d) for all particles, which are as they are at the present time."""
        raise NotImplementedError(
            f"{type(self).__name__} must define velocities(particles, random)."
        )

    def _check_positive(self, *names: str) -> None:
        for name in names:
            check_positive(f"{type(self).__name__}: {name}", getattr(self, name))


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
        schedules = [{"start": 0.0, "past": 1} for _ in actors] if state is None else state["at"]
        self._schedules = [
            Schedule(actor.every, **schedule)
            for actor, schedule in zip(actors, schedules, strict=True)
        ]
        self.work_done = 0.0 if state is None else float(state["work_done"])

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
        now = particles.with_velocity(particles.velocity - flow)
        due = [k for k, schedule in enumerate(self._schedules) if schedule.due <= time]
        for k in due:
            velocity = self.actors[k].velocities(now, random)
            now = now.with_velocity(velocity)
        # Only now, when none of them has failed.
        for k in due:
            self._schedules[k].advance()
        now = now.with_velocity(now.velocity + flow)
        self.work_done += now.kinetic_energy - particles.kinetic_energy
        return now.velocity

    def state(self) -> Plain:
        """What a checkpoint has to keep, beside the actors."""
        return {
            "at": [schedule.state() for schedule in self._schedules],
            "work_done": self.work_done,
        }


def drift(particles: Particles) -> Array:
    """The velocity (d,) of the centre of mass."""
    return np.asarray(particles.momentum / particles.mass.sum())
