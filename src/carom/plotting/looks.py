"""Looks at a simulation at several times: kept in memory, or read from a trajectory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gsd.hoomd
import numpy as np

from carom.observers import Observer
from carom.particles import Array, Particles
from carom.plotting.flow import FlowSample, FlowView, sampled_flow
from carom.system import System


class Look(NamedTuple):
    """What a picture has to know of a simulation at one time."""

    system: System
    time: float
    particles: Particles
    flow: FlowSample | None = None


def checked_look(look: Any) -> Any:
    """A simulation, or a look at one, as it is; anything else is refused."""
    if not all(hasattr(look, name) for name in ("system", "time", "particles")):
        raise TypeError(f"a picture is of a carom.Simulation or of a Look at one, not {look!r}.")
    return look


class Looks(Observer, Sequence[Look]):
    """Keeps all particles every so often, for a film, and a flow under them if one is given.

    ``FlowView()`` is that of the simulation. Velocities are asked for during the run, so that the
    flow may be one that is only known at its time.
    """

    def __init__(self, every: float, flow: FlowView | None = None) -> None:
        super().__init__(every)
        self._flow = flow
        self._kept: list[Look] = []

    def observe(self, simulation: Any) -> None:
        """Keep what is there now."""
        flow = None if self._flow is None else sampled_flow(self._flow, simulation)
        look = Look(simulation.system, simulation.time, simulation.particles, flow)
        self._kept.append(look)

    def __len__(self) -> int:
        return len(self._kept)

    def __getitem__(self, k: Any) -> Any:
        return self._kept[k]


class TrajectoryLooks(Sequence[Look]):
    """The frames of a trajectory of a system that ``carom.Trajectory`` has written.

    Positions and velocities are in single precision, as they are in the file.
    """

    def __init__(self, path: str | Path, system: System) -> None:
        self._system = system
        self._file = gsd.hoomd.open(str(path), "r")

    def __len__(self) -> int:
        return len(self._file)

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return [self[index] for index in range(*k.indices(len(self)))]
        frame = self._file[k]
        position, velocity = (
            np.asarray(rows, dtype=np.float64)[:, : self._system.dimension]
            for rows in (frame.particles.position, frame.particles.velocity)
        )
        particles = Particles(
            self._placed(frame, position),
            velocity,
            0.5 * frame.particles.diameter.astype(np.float64),
            frame.particles.mass,
            species=self._system.particles.species,
            species_names=self._system.particles.species_names,
        )
        return Look(self._system, float(frame.log["carom/time"][0]), particles)

    def _placed(self, frame: Any, centred: Array) -> Array:
        """Positions in the box of the system, from those around the centre of the frame's box."""
        sides = np.asarray(frame.configuration.box[: self._system.dimension], dtype=np.float64)
        # Files of earlier versions do not say where a box begins: at zero.
        position = centred + frame.log.get("carom/lower", np.zeros_like(sides)) + 0.5 * sides
        # Those of a sheared box are in the frame's box, which leans.
        inside = position - np.floor(position / sides) * sides
        return np.asarray(np.where(self._system.periodic, inside, position))
