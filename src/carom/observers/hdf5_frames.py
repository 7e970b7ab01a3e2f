"""Velocities on a grid in one HDF5 file, as ``carom.fluids.GridField.from_hdf5`` reads it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from carom.errors import CheckpointError
from carom.files import replacing
from carom.particles import Array
from carom.undoable import Before, Change

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
                with Before(self._path) as raw, self._hdf5(raw, "r") as file:
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
            empty = io.BytesIO()
            self._hdf5(empty, "w").close()
            with replacing(self._path) as raw:
                raw.write(empty.getvalue())
            return
        with self._changed() as file:
            for name in (TIMES, VELOCITY):
                file[name].resize(frames, axis=0)

    def write(self, frame: int, time: float, velocity: Array, lengths: Sequence[float]) -> None:
        """Write a frame."""
        with self._changed() as file:
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

    @contextmanager
    def _changed(self) -> Iterator[Any]:
        """The file, to be changed as a whole or not at all."""
        with Change(self._path) as raw:
            with self._hdf5(raw, "r+") as file:
                yield file
            raw.complete()

    def _hdf5(self, raw: Any, mode: str) -> Any:
        try:
            import h5py  # only who writes such files needs it
        except ImportError as error:
            raise ImportError(
                f"to write {self._path} the package h5py is needed; install it with: "
                "pip install 'carom[hdf5]', or give FluidFrames a folder for VTK images."
            ) from error
        return h5py.File(raw, mode)
