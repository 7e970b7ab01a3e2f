"""Looks at a simulation at several times: kept in memory, or read from a trajectory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from carom.observers import Observer
from carom.particles import Particles
from carom.plotting.flow import FlowSample, FlowView, sampled_flow
from carom.system import System
from carom.trajectories.formats import frames
from carom.trajectories.reading import inside


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

    Those of GSD files are in single precision.
    """

    def __init__(self, path: str | Path, system: System) -> None:
        self._system = system
        self._frames = frames(path)

    def __len__(self) -> int:
        return len(self._frames)

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return [self[index] for index in range(*k.indices(len(self)))]
        frame, system = self._frames[k], self._system
        if len(frame.position) == 0:
            nobody = Particles.none(system.dimension, system.particles.species_names)
            return Look(system, frame.time, nobody)
        stays = frame.identity is None and len(frame.position) == len(system.particles)
        particles = Particles(
            # Those of a sheared box are in the frame's box, which leans.
            inside(frame.position, frame.cell.sides, system.periodic),
            frame.velocity,
            frame.radius,
            frame.mass,
            species=system.particles.species if stays else frame.species,
            species_names=system.particles.species_names if stays else frame.species_names,
        )
        return Look(system, frame.time, particles)
