"""Frames of a velocity field in an HDF5 file, read one at a time."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from carom.hdf5 import opened
from carom.particles import Array


@dataclass(frozen=True)
class Hdf5Frames:
    """The frames of a dataset (T, nodes, d); a file larger than the memory is no obstacle."""

    path: str
    name: str
    shape: tuple[int, ...]

    def __getitem__(self, frame: int) -> Array:
        with opened(Path(self.path)) as file:
            return np.asarray(file[self.name][frame], dtype=np.float64)


def hdf5_frames(path: str | os.PathLike[str], velocity: str, times: str) -> tuple[Array, Any]:
    """The times of the frames in a file, and the frames themselves, to be read when needed."""
    path = os.fspath(Path(path).resolve())
    with opened(Path(path)) as file:
        for option, name in (("velocity", velocity), ("times", times)):
            if name not in file:
                raise ValueError(
                    f"{path} has no dataset {name!r}; it has {', '.join(map(repr, file))}. Name it "
                    f"with {option}=..."
                )
        return np.asarray(file[times], dtype=np.float64), Hdf5Frames(
            path, velocity, tuple(file[velocity].shape)
        )
