"""Velocities on a grid in one HDF5 file, as ``carom.fluids.GridField.from_hdf5`` reads it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from carom.errors import CheckpointError
from carom.hdf5 import changing, make_empty, opened
from carom.particles import Array

TIMES, VELOCITY = "times", "velocity"


class Hdf5Frames:
    """Two datasets that grow: ``times`` (T,) and ``velocity`` (T, nodes along each axis, d).

    A kill while a frame is written leaves the file as it was before, see ``carom.undoable``.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def check(self, frames: int, last: float) -> None:
        """Refuse to go on after so many frames, the last of that time, where they are not."""
        there, found = 0, None
        if self._path.is_file():
            try:
                with opened(self._path) as file:
                    there = len(file[TIMES]) if TIMES in file else 0
                    found = float(file[TIMES][frames - 1]) if there >= frames else None
            except OSError as error:
                raise CheckpointError(
                    f"{self._path} cannot be read ({error}); start again."
                ) from error
        if there < frames:
            raise CheckpointError(
                f"{self._path} has {there} of the {frames} frames that the checkpoint "
                "continues; start again."
            )
        if found != last:
            raise CheckpointError(
                f"{self._path} has frames of another run than the checkpoint continues: frame "
                f"{frames - 1} is of time {found}, not {last}; start again."
            )

    def begin(self, frames: int) -> None:
        """Go on after so many frames; later ones, which a killed run has left, go."""
        if frames == 0:
            make_empty(self._path, ", or give FluidFrames a folder for VTK images.")
            return
        with changing(self._path) as file:
            for name in (TIMES, VELOCITY):
                file[name].resize(frames, axis=0)

    def write(self, frame: int, time: float, velocity: Array, lengths: Sequence[float]) -> None:
        """Write a frame."""
        with changing(self._path) as file:
            if TIMES not in file:
                file.create_dataset(TIMES, (0,), "f8", maxshape=(None,))
                shape = velocity.shape
                file.create_dataset(
                    VELOCITY, (0, *shape), "f8", maxshape=(None, *shape), chunks=(1, *shape)
                )
                file[VELOCITY].attrs["lengths"] = list(lengths)
            for name, value in ((TIMES, time), (VELOCITY, velocity)):
                file[name].resize(frame + 1, axis=0)
                file[name][frame] = value
