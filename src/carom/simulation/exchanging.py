"""Particles that come and go in a simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.actors import Traffic
from carom.actors.at_work import ActorsAtWork, with_arriving
from carom.actors.exchange import Crowd
from carom.methods import Engine, Method
from carom.methods.exchange import Stays, refuse_exchange
from carom.methods.nobody import emptied
from carom.particles import Array
from carom.simulation.averages import Origin


class Exchanging:
    """The part of a ``Simulation`` that is about a number of particles that changes."""

    system: Any
    method: Method
    random: np.random.Generator
    observers: Any
    _acting: ActorsAtWork
    _engine: Engine
    _origin: Origin
    _seen: Any
    _time: float
    # When somebody came or went last, and the time integral of the number up to then.
    _crowd: tuple[float, float] = (0.0, 0.0)

    @property
    def number_changes(self) -> bool:
        """Whether there are actors that let particles come or go."""
        return self._acting.changes_number

    @property
    def number(self) -> int:
        """How many particles there are now."""
        return len(self.system.particles)

    @property
    def traffic(self) -> tuple[Traffic, ...]:
        """What has come and gone since the start through each ``Inlet``, ``Outlet`` and
        ``Recirculation``, in their order."""
        return self._acting.traffic(self.system.dimension)

    @property
    def entered(self) -> int:
        """How many particles have come in since the start."""
        return sum(one.entered for one in self.traffic)

    @property
    def left(self) -> int:
        """How many particles have gone out since the start."""
        return sum(one.left for one in self.traffic)

    @property
    def waiting(self) -> int:
        """How many particles should come in and find no room."""
        return sum(one.waiting for one in self.traffic)

    @property
    def entered_mass(self) -> float:
        """The mass of those who have come in."""
        return sum(one.entered_mass for one in self.traffic)

    @property
    def left_mass(self) -> float:
        """The mass of those who have gone out."""
        return sum(one.left_mass for one in self.traffic)

    @property
    def mean_number(self) -> float:
        """The number of particles, averaged over time since the start or ``reset_averages``."""
        duration = self._time - self._origin.time
        if not self._acting.changes_number or duration <= 0.0:
            return float(self.number)
        return (self._crowd_integral() - self._origin.crowd) / duration

    def _crowd_integral(self) -> float:
        """The time integral of the number of particles."""
        since, integral = self._crowd
        return integral + self.number * (self._time - since)

    def _settle(self) -> None:
        """Choose what depends on the particles with those in mind who will come."""
        if not self._acting.changes_number:
            return
        refuse_exchange(self.method)
        if getattr(self.method, "dt", None) == "auto":
            wider = with_arriving(self._acting.actors, self.system)
            if len(wider.particles):
                self.__dict__["method"] = self.method.settled(wider)  # type: ignore[attr-defined]

    def _exchange(self) -> None:
        """Let the actors that are due take particles out and let others in."""
        when = self._engine.moment(self._time)
        particles, state = self._engine.snapshot(when)[0], self.random.bit_generator.state
        identity = self._acting.next_identity
        if identity is None:
            identity = int(particles.identity.max(initial=-1)) + 1
        crowd = Crowd(self.system, particles, self._time, identity, self.random)
        try:
            states = self._acting.exchange(self._time, crowd)
            if not crowd.has_changed:
                self._acting.exchanged(states, crowd, 0.0)
                return
            elastic = self._engine.elastic_energy
            engine = self._successor(crowd, when)
            work = engine.elastic_energy - elastic + crowd.energy
        except BaseException:
            self.random.bit_generator.state = state
            raise
        self._crowd = (self._time, self._crowd_integral())
        self._engine = engine
        self.__dict__["system"] = engine.system
        self._seen = None
        self._acting.exchanged(states, crowd, work)
        for observer in self.observers:
            if observer.wants_passages:
                observer.passed(when, crowd.passages)

    def _successor(self, crowd: Crowd, when: float) -> Engine:
        """The engine that goes on with those who are there after an act."""
        particles, before, after = crowd.result()
        system = self.system.among(particles)
        if len(particles) == 0:
            return emptied(self._engine, when, system, self.method)
        try:
            return self._engine.exchanged(when, system, Stays(before, after))
        except ValueError as error:
            raise ValueError(
                f"at time {self._time:.6g} the run cannot go on with the particles that have come "
                f"in: {error}"
            ) from error

    def _identities(self, columns: dict[str, Array]) -> dict[str, Array]:
        """Columns of a log with the identities of particles in place of their rows."""
        identity, partner = self.system.particles.identity, columns["j"].copy()
        is_particle = partner >= 0
        partner[is_particle] = identity[partner[is_particle]]
        return columns | {"i": np.asarray(identity[columns["i"]]), "j": partner}
