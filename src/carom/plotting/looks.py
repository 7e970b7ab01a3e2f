"""Looks at a simulation at several times: kept in memory, or read from a trajectory."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from carom.observers import Observer
from carom.particles import Particles
from carom.plotting.flow import FlowSample, FlowView, sampled_flow
from carom.system import System
from carom.trajectories.formats import frames
from carom.trajectories.frame import Frame
from carom.trajectories.reading import inside


class FileBox(NamedTuple):
    """What a frame of a file knows of the system that it is of: the box."""

    dimension: int
    sides: tuple[float, ...] | None
    periodic: tuple[bool, ...]
    leaning: float  # of a sheared box
    shear_rate: float

    @property
    def further_planes(self) -> list[Any]:
        """No walls but those of the box."""
        return []

    @property
    def shapes(self) -> list[Any]:
        """No walls but those of the box."""
        return []

    def offset(self, time: float) -> float:
        """How far the images above are displaced at the time of the frame."""
        return self.leaning


class Look(NamedTuple):
    """What a picture has to know of a simulation at one time."""

    system: System | FileBox
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
    """The frames of a trajectory, of the system that ``carom.Trajectory`` has written.

    Without a system, the box is that of each frame, as the file has it, with no further walls;
    particles of a file that says nothing of radii need a ``radius``. Frames of GSD files are in
    single precision.
    """

    def __init__(
        self, path: str | Path, system: System | None = None, *, radius: float | None = None
    ) -> None:
        self._path, self._system, self._radius = path, system, radius
        self._frames = frames(path)
        self._numbers = range(len(self._frames))

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):  # of which each is read when it is asked for, as of all
            part = copy(self)
            part._numbers = self._numbers[k]
            return part
        frame, system = self._frames[self._numbers[k]], self._system
        if system is None:
            return self._from_file(frame)
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

    def _from_file(self, frame: Frame) -> Look:
        radius = frame.radius if self._radius is None else self._radius
        if radius is None:
            raise ValueError(f"{self._path} says nothing of radii; give one: radius=0.5.")
        cell = frame.cell
        lower = np.zeros(frame.dimension) if cell.is_open else cell.lower
        sides = None if cell.is_open else tuple(float(side) for side in cell.sides)
        box = FileBox(frame.dimension, sides, cell.periodic, cell.offset, cell.shear_rate)
        particles = Particles(
            inside(frame.position - lower, sides, cell.periodic),
            frame.velocity,
            radius,
            frame.mass,
            species=frame.species,
            species_names=frame.species_names,
        )
        return Look(box, frame.time, particles)
