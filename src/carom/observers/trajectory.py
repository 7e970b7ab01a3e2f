"""Frames of all particles, in a GSD file that OVITO opens."""

from __future__ import annotations

import os
from pathlib import Path
from string import ascii_uppercase
from typing import Any, NamedTuple

import gsd.hoomd
import numpy as np

from carom.errors import CheckpointError
from carom.files import refuse_other_suffixes, refuse_unwritable
from carom.observers.observer import Observer
from carom.particles import Array, Particles
from carom.species import ONLY
from carom.types import Plain

SUFFIXES = (".gsd",)


class Kinds(NamedTuple):
    """The types of particles: their names, and the number of its own for each particle."""

    names: list[str]
    numbers: Any


class Trajectory(Observer):
    """Writes positions, velocities, diameters and masses every so often, to a file ending in .gsd.

    GSD boxes are centred on the origin: x there is x − L/2 here. Sheared boxes are written as
    tilted ones. Planar systems are written with two dimensions. ``image`` counts the boxes that a
    particle has gone through: its position and so many vectors of the box of that frame are the
    unwrapped position. Types are the species; where none is named, particles of one size and mass
    are of one type, A, B, ... from the smallest on, and where there are more than 26 kinds, all are
    A. The time of a frame is in its log as
    ``carom/time``, and the lower corner of its box as ``carom/lower``; in open space boxes grow
    with the particles and stay around the middle of the first frame.
    """

    keeps = True

    def __init__(self, path: str | Path, every: float) -> None:
        super().__init__(every)
        self.path = Path(path)
        refuse_other_suffixes(
            self, self.path, SUFFIXES, "other programs read these with gsd, or in OVITO"
        )
        self._file: Any = None
        self._last: float | None = None
        self._kinds: Kinds | None = None
        self._middle: Array | None = None

    def settings(self) -> Plain:
        """The name of the file and the schedule."""
        return super().settings() | {"path": self.path.name}

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse a file that cannot be, or is not the one to continue."""
        refuse_unwritable(self.path)
        if state is not None and state["past"] > 0:
            _refuse_another_file(self.path, state["past"], state["last"])

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Start a new file, or cut the old one back to where the checkpoint was."""
        super().begin(simulation, state)
        self._kinds = kinds_of(simulation.system.particles)
        if state is None or state["past"] == 0:
            self._file = gsd.hoomd.open(str(self.path), "w")
        else:
            self._last, self._middle = state["last"], np.array(state["middle"])
            _keep_frames(self.path, state["past"])
            self._file = gsd.hoomd.open(str(self.path), "r+")

    def observe(self, simulation: Any) -> None:
        """Write a frame."""
        if self._middle is None:
            self._middle = middle_of(simulation.particles)
        # An interrupt may have come between the last frame and the note that it is there.
        if len(self._file) <= self.looks:
            self._file.append(frame_of(simulation, self.looks, self._kinds, self._middle))
            self._file.flush()
        self._last = simulation.time

    def state(self) -> Plain:
        """The schedule, once all frames so far are on the disk."""
        with self.path.open("r+b") as file:
            os.fsync(file.fileno())
        middle = None if self._middle is None else self._middle.tolist()
        return super().state() | {"last": self._last, "middle": middle}


def kinds_of(particles: Particles) -> Kinds:
    """The species; where there is one, those of one radius and mass are of one kind, and the
    smallest is the first."""
    if particles.species_names != (ONLY,):
        return Kinds(list(particles.species_names), particles.species.astype(np.uint32))
    columns = np.stack([particles.radius, particles.mass], axis=1)
    kinds, numbers = np.unique(columns, axis=0, return_inverse=True)
    if len(kinds) > len(ascii_uppercase):
        return Kinds(["A"], np.zeros(len(particles), dtype=np.uint32))
    return Kinds(list(ascii_uppercase[: len(kinds)]), numbers.reshape(-1).astype(np.uint32))


def middle_of(particles: Particles) -> Array:
    """The middle (d,) of the smallest box around all particles."""
    lower = (particles.position - particles.radius[:, None]).min(axis=0)
    upper = (particles.position + particles.radius[:, None]).max(axis=0)
    return np.asarray(0.5 * (lower + upper))


def frame_of(
    simulation: Any, step: int, kinds: Kinds | None = None, middle: Array | None = None
) -> Any:
    """The simulation now, as a GSD frame; in open space its box is around a ``middle``."""
    particles, system = simulation.particles, simulation.system
    n, dimension = particles.position.shape
    lower, lengths = _frame_box(system, particles, middle)
    frame = gsd.hoomd.Frame()
    frame.configuration.step = step
    frame.configuration.dimensions = dimension
    # A flat box keeps programs happy that divide by its height.
    sides = [*lengths, *([1.0] * (3 - dimension))]
    # A sheared box leans, and its particles are where they are in that box.
    offset = system.offset(simulation.time)
    frame.configuration.box = [*sides, offset / sides[1], 0.0, 0.0]
    origin = lower + 0.5 * lengths
    centred = particles.position - origin
    if offset != 0.0:
        centred[:, 0] -= sides[0] * np.floor(
            (centred[:, 0] - offset / sides[1] * centred[:, 1]) / sides[0] + 0.5
        )
    away = particles.unwrapped - origin - centred
    kinds = kinds_of(particles) if kinds is None else kinds
    frame.particles.N = n
    frame.particles.position = _three(centred)
    frame.particles.image = _images(away, system.periodic, sides, offset)
    frame.particles.types, frame.particles.typeid = kinds
    frame.particles.velocity = _three(particles.velocity)
    frame.particles.diameter = (2.0 * particles.radius).astype(np.float32)
    frame.particles.mass = particles.mass.astype(np.float32)
    frame.log["carom/time"] = np.array([simulation.time])
    frame.log["carom/lower"] = lower
    return frame


def _frame_box(system: Any, particles: Particles, middle: Array | None) -> tuple[Any, Any]:
    if system.sides is not None:
        return np.zeros(system.dimension), np.array(system.sides)
    middle = middle_of(particles) if middle is None else middle
    half = (np.abs(particles.position - middle) + particles.radius[:, None]).max(axis=0)
    return middle - half, 2.0 * half


def _images(away: Array, periodic: Any, sides: Any, offset: float) -> Any:
    """By how many vectors (n, 3) of a box, which leans by an offset, particles are away."""
    numbers = np.zeros((len(away), 3))
    for axis in (1, 0, 2):  # the row first: it changes x
        if axis < len(periodic) and periodic[axis]:
            lean = numbers[:, 1] * offset if axis == 0 else 0.0
            numbers[:, axis] = np.rint((away[:, axis] - lean) / sides[axis])
    return numbers.astype(np.int32)


def _three(rows: Any) -> Any:
    full = np.zeros((len(rows), 3), dtype=np.float32)
    full[:, : rows.shape[1]] = rows
    return full


def _refuse_another_file(path: Path, number: int, last: float) -> None:
    """Refuse to continue a trajectory that lacks frames, or whose frames are of other times."""
    available, times = 0, [None]
    try:
        if path.is_file():
            with gsd.hoomd.open(str(path), "r") as file:
                available = len(file)
                if available >= number:
                    times = file[number - 1].log.get("carom/time", times)
    except (RuntimeError, OSError) as error:
        raise CheckpointError(
            f"{path} cannot be read ({error}); start again without --resume."
        ) from error
    if available < number:
        raise CheckpointError(
            f"{path} has {available} of the {number} frames that the checkpoint continues; start "
            "again without --resume."
        )
    if times[0] != last:
        raise CheckpointError(
            f"{path} is not the trajectory that the checkpoint continues: frame {number - 1} is "
            f"of time {times[0]}, not {last}; start again without --resume."
        )


def _keep_frames(path: Path, number: int) -> None:
    """Cut a trajectory back to its first frames; what a killed run left behind them goes."""
    rest = path.with_name(f".{path.name}.part")
    with gsd.hoomd.open(str(path), "r") as old:
        if len(old) == number:
            return
        with gsd.hoomd.open(str(rest), "w") as new:
            for k in range(number):
                new.append(old[k])
    os.replace(rest, path)
