"""A simulation in a file, or as a copy."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from carom.actors import Actor
from carom.actors.at_work import ActorsAtWork
from carom.io.checkpoint import write_checkpoint
from carom.io.description import (
    arrays_of_walls,
    described_actor,
    described_method,
    described_system,
)
from carom.io.observation import kept_observer
from carom.methods import Method
from carom.observers import Observer
from carom.simulation.averages import origin_from
from carom.simulation.changing import Change, at_start
from carom.system import System
from carom.types import Columns, Plain


class Keeping:
    """The part of a ``Simulation`` that is about saving and copying it."""

    system: System
    method: Method
    actors: Any
    random: np.random.Generator
    _acting: ActorsAtWork
    _changes: list[Change]
    _crowd: tuple[float, float]
    _engine: Any
    _left_out: Any
    _observers: Any
    _origin: Any
    _time: float

    def _hand_out_log(self) -> None:
        raise NotImplementedError

    def _refuse_without_observers(self) -> None:
        raise NotImplementedError

    def save(self, path: str | Path) -> None:
        """Write everything needed to go on bit for bit; the old file stays until it is complete."""
        self._refuse_without_observers()
        self._hand_out_log()
        header = {
            "system": described_system(self.system),
            "method": described_method(self.method),
            "actors": [described_actor(actor) for actor in self.actors],
            "observers": [kept_observer(observer) for observer in self._observers],
        }
        start = self.system.particles
        arrays: dict[str, Any] = {
            "system.position": start.position,
            "system.velocity": start.velocity,
            "system.radius": start.radius,
            "system.mass": start.mass,
        }
        if start.angular_velocity is not None:
            arrays["system.angular_velocity"] = start.angular_velocity
        if self._acting.changes_number:
            arrays["system.identity"] = start.identity
        if len(start.species_names) > 1:
            arrays["system.species"] = start.species
        if self.system.acceleration is not None:
            arrays["system.acceleration"] = self.system.acceleration
        arrays |= arrays_of_walls(self.system)
        write_checkpoint(Path(path), header | self._state(), arrays | self._state_arrays())

    def _state(self) -> Plain:
        """How far it has come, as values that JSON can hold."""
        return {
            "acting": self._acting.state(),
            "time": self._time,
            "random": self.random.bit_generator.state,
            "origin": self._origin.described(),
            "crowd": list(self._crowd),
            "changes": [list(change) for change in self._changes],
        }

    def _state_arrays(self) -> Columns:
        """How far it has come, in arrays."""
        arrays = {f"engine.{name}": array for name, array in self._engine.arrays().items()}
        return arrays | {"origin.wall_impulse": self._origin.wall_impulse}

    def __reduce__(self) -> Any:
        """For ``copy`` and ``pickle``: an engine hands addresses of its arrays to compiled code,
        and the copy needs one of its own."""
        for observer in self._observers:
            if hasattr(observer, "path"):
                raise TypeError(
                    f"a simulation with {observer!r} cannot be copied or pickled: two would write "
                    "to one file. Use sim.save(path) and carom.load(path, observers=[...])."
                )
        self._hand_out_log()
        arrays = {name: np.array(array) for name, array in self._state_arrays().items()}
        state = (self._state(), arrays, self._observers, self._left_out)
        return _copied, (type(self), self.system, self.method, self.actors, *state)

    def __copy__(self) -> Any:
        return copy.deepcopy(self)


def continued(
    kind: Any,
    system: System,
    method: Method,
    actors: Sequence[Actor],
    state: Plain,
    arrays: Columns,
) -> Any:
    """A simulation that goes on from the state of another of the same kind, with the same parts."""
    # The system as it was at the start: what an engine chooses, it has chosen then.
    simulation = kind(at_start(system), method=method)
    engine_arrays = {
        name.removeprefix("engine."): array
        for name, array in arrays.items()
        if name.startswith("engine.")
    }
    simulation._engine.restore(engine_arrays)
    simulation.__dict__["system"] = simulation._engine.system = system
    simulation._acting = ActorsAtWork(actors, state["acting"])
    simulation._time = state["time"]
    simulation.random.bit_generator.state = state["random"]
    simulation._crowd = tuple(state.get("crowd", (0.0, 0.0)))
    simulation._changes = [Change(*change) for change in state.get("changes", [])]
    simulation._origin = origin_from(state["origin"], arrays["origin.wall_impulse"])
    return simulation


def _copied(
    kind: Any,
    system: System,
    method: Method,
    actors: Sequence[Actor],
    state: Plain,
    arrays: Columns,
    observers: tuple[Observer, ...],
    left_out: Sequence[Plain],
) -> Any:
    """The simulation of which ``__reduce__`` has told; its observers go on as they are."""
    simulation = continued(kind, system, method, actors, state, arrays)
    if any(observer.wants_collisions for observer in observers):
        simulation._engine.keep_log()
    simulation._observers, simulation._left_out = observers, left_out
    return simulation
