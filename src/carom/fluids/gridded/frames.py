"""Frames of a velocity field in an HDF5 file, read one at a time."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from carom.particles import Array
from carom.undoable import Before, journal_of


@dataclass(frozen=True)
class Hdf5Frames:
    """The frames of a dataset (T, nodes, d); a file larger than the memory is no obstacle."""

    path: str
    name: str
    shape: tuple[int, ...]

    def __getitem__(self, frame: int) -> Array:
        with _opened(self.path) as file:
            return np.asarray(file[self.name][frame], dtype=np.float64)


def hdf5_frames(path: str | os.PathLike[str], velocity: str, times: str) -> tuple[Array, Any]:
    """The times of the frames in a file, and the frames themselves, to be read when needed."""
    path = os.fspath(Path(path).resolve())
    with _opened(path) as file:
        for option, name in (("velocity", velocity), ("times", times)):
            if name not in file:
                raise ValueError(
                    f"{path} has no dataset {name!r}; it has {', '.join(map(repr, file))}. Name it "
                    f"with {option}=..."
                )
        return np.asarray(file[times], dtype=np.float64), Hdf5Frames(
            path, velocity, tuple(file[velocity].shape)
        )


def _opened(path: str) -> Any:
    try:
        import h5py  # only who reads such files needs it
    except ImportError as error:
        raise ImportError(
            f"to read {path} the package h5py is needed; install it with: pip install 'carom[hdf5]'"
        ) from error
    # A run that was killed while it wrote has left the way back beside its file.
    is_whole = not journal_of(Path(path)).exists()
    return h5py.File(path if is_whole else Before(Path(path)), "r")
