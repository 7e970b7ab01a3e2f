"""Velocities on a grid in one HDF5 file, as ``carom.fluids.GridField.from_hdf5`` reads it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from carom.errors import CheckpointError
from carom.particles import Array

TIMES, VELOCITY = "times", "velocity"


class Hdf5Frames:
    """Two datasets that grow: ``times`` (T,) and ``velocity`` (T, nodes along each axis, d)."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def begin(self, frames: int) -> None:
        """Go on after so many frames; later ones, which a killed run has left, go."""
        if frames == 0:
            self._opened("w").close()
            return
        with self._opened("r+") as file:
            there = len(file[TIMES]) if TIMES in file else 0
            if there < frames:
                raise CheckpointError(
                    f"{self._path} has {there} of the {frames} frames that the checkpoint "
                    "continues; start again."
                )
            for name in (TIMES, VELOCITY):
                file[name].resize(frames, axis=0)

    def append(self, time: float, velocity: Array, lengths: Sequence[float]) -> None:
        """Write a frame."""
        with self._opened("r+") as file:
            if TIMES not in file:
                file.create_dataset(TIMES, (0,), "f8", maxshape=(None,))
                shape = velocity.shape
                file.create_dataset(
                    VELOCITY, (0, *shape), "f8", maxshape=(None, *shape), chunks=(1, *shape)
                )
                file[VELOCITY].attrs["lengths"] = list(lengths)
            for name, value in ((TIMES, time), (VELOCITY, velocity)):
                file[name].resize(len(file[name]) + 1, axis=0)
                file[name][-1] = value

    def _opened(self, mode: str) -> Any:
        try:
            import h5py  # only who writes such files needs it
        except ImportError as error:
            raise ImportError(
                f"to write {self._path} the package h5py is needed; install it with: "
                "pip install 'carom[hdf5]', or give FluidFrames a folder for VTK images."
            ) from error
        return h5py.File(self._path, mode)
