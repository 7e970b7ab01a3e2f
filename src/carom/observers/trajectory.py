"""Frames of all particles, in a GSD file that OVITO opens."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import gsd.hoomd
import numpy as np

from carom.errors import CheckpointError
from carom.observers.observer import Observer


class Trajectory(Observer):
    """Writes positions, velocities, diameters and masses every so often.

    GSD boxes are centred on the origin: x there is x − L/2 here. Sheared boxes are written as
    tilted ones. Planar systems are written with two dimensions. The time of a frame is in its log
    as ``carom/time``, and the lower corner of its box, which in open space goes with the particles,
    as ``carom/lower``.
    """

    def __init__(self, path: str | Path, every: float) -> None:
        super().__init__(every)
        self.path = Path(path)
        self._file: Any = None

    def begin(self, simulation: Any, state: dict[str, Any] | None) -> None:
        """Start a new file, or cut the old one back to where the checkpoint was."""
        super().begin(simulation, state)
        if state is None:
            self._file = gsd.hoomd.open(str(self.path), "w")
        else:
            _keep_frames(self.path, state["past"])
            self._file = gsd.hoomd.open(str(self.path), "r+" if state["past"] else "w")

    def observe(self, simulation: Any) -> None:
        """Write a frame."""
        self._file.append(frame_of(simulation, self.looks))
        self._file.flush()

    def state(self) -> dict[str, Any]:
        """The schedule, once all frames so far are on the disk."""
        with self.path.open("r+b") as file:
            os.fsync(file.fileno())
        return super().state()


def frame_of(simulation: Any, step: int) -> Any:
    """The simulation now, as a GSD frame."""
    particles, system = simulation.particles, simulation.system
    n, dimension = particles.position.shape
    lower, lengths = _frame_box(system, particles)
    frame = gsd.hoomd.Frame()
    frame.configuration.step = step
    frame.configuration.dimensions = dimension
    # A flat box keeps programs happy that divide by its height.
    sides = [*lengths, *([1.0] * (3 - dimension))]
    # A sheared box leans, and its particles are where they are in that box.
    lean = system.offset(simulation.time) / sides[1]
    frame.configuration.box = [*sides, lean, 0.0, 0.0]
    centred = particles.position - lower - 0.5 * lengths
    if lean != 0.0:
        centred[:, 0] -= sides[0] * np.floor(
            (centred[:, 0] - lean * centred[:, 1]) / sides[0] + 0.5
        )
    frame.particles.N = n
    frame.particles.position = _three(centred)
    frame.particles.velocity = _three(particles.velocity)
    frame.particles.diameter = (2.0 * particles.radius).astype(np.float32)
    frame.particles.mass = particles.mass.astype(np.float32)
    frame.log["carom/time"] = np.array([simulation.time])
    frame.log["carom/lower"] = lower
    return frame


def _frame_box(system: Any, particles: Any) -> tuple[Any, Any]:
    if system.sides is not None:
        return np.zeros(system.dimension), np.array(system.sides)
    lower = (particles.position - particles.radius[:, None]).min(axis=0)
    upper = (particles.position + particles.radius[:, None]).max(axis=0)
    return lower, upper - lower


def _three(rows: Any) -> Any:
    full = np.zeros((len(rows), 3), dtype=np.float32)
    full[:, : rows.shape[1]] = rows
    return full


def _keep_frames(path: Path, number: int) -> None:
    """Cut a trajectory back to its first frames; what a killed run left behind them goes."""
    available = _number_of_frames(path)
    if available < number:
        raise CheckpointError(
            f"{path} has {available} of the {number} frames that the checkpoint continues; start "
            "again without --resume."
        )
    if available == number:
        return
    rest = path.with_name(f".{path.name}.part")
    with gsd.hoomd.open(str(path), "r") as old, gsd.hoomd.open(str(rest), "w") as new:
        for k in range(number):
            new.append(old[k])
    os.replace(rest, path)


def _number_of_frames(path: Path) -> int:
    if not path.exists():
        return 0
    try:
        with gsd.hoomd.open(str(path), "r") as file:
            return len(file)
    except RuntimeError as error:
        raise CheckpointError(
            f"{path} cannot be read ({error}); start again without --resume."
        ) from error
