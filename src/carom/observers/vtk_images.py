"""Velocities on a grid as VTK image data, one file for each time, which ParaView opens."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from carom.errors import CheckpointError
from carom.files import replacing
from carom.particles import Array
from carom.trajectories.vtk_files import (
    HEAD,
    data_array,
    series_entries,
    series_entry,
    write_series,
)

# All files of a series with their times; this is the one to open.
SERIES = "fluid.pvd"


def image_text(velocity: Array, lengths: Sequence[float]) -> str:
    """The XML of velocities (nodes along each axis, d) in a periodic box.

    The nodes at the far sides are those at the near ones again, so that the picture fills the box.
    Planar fields are images of one layer, and all vectors have three components.
    """
    *shape, dimension = velocity.shape
    around = np.pad(velocity, [(0, 1)] * dimension + [(0, 0)], mode="wrap")
    full = np.zeros((*(nodes + 1 for nodes in shape), *[1] * (3 - dimension), 3))
    full[..., :dimension] = around.reshape(*full.shape[:3], dimension)
    # x is the fastest index in VTK.
    numbers = data_array("velocity", full.transpose(2, 1, 0, 3))
    steps = [length / nodes for length, nodes in zip(lengths, shape, strict=True)]
    spacing = " ".join(repr(float(step)) for step in [*steps, *[1.0] * (3 - dimension)])
    extent = " ".join(f"0 {nodes - 1}" for nodes in full.shape[:3])
    return (
        HEAD.format("ImageData")
        + f'<ImageData WholeExtent="{extent}" Origin="0 0 0" Spacing="{spacing}">\n'
        f'<Piece Extent="{extent}">\n<PointData Vectors="velocity">\n'
        f"{numbers}</PointData>\n</Piece>\n</ImageData>\n</VTKFile>\n"
    )


class VtkImages:
    """A folder of images, and a file with their times."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._entries: list[str] = []

    def check(self, frames: int, last: float) -> None:
        """Refuse to go on after so many frames, the last of that time, where they are not."""
        entries = self._listed()[:frames]
        names = [_name(k) for k in range(frames)]
        if len(entries) < frames or not all((self._folder / name).exists() for name in names):
            raise CheckpointError(
                f"{self._folder} has lost some of the {frames} frames that the checkpoint "
                "continues; start again."
            )
        if entries[-1] != _entry(frames - 1, last):
            raise CheckpointError(
                f"{self._folder} has frames of another run than the checkpoint continues: "
                f"{names[-1]} is not of time {last!r}; start again."
            )

    def begin(self, frames: int) -> None:
        """Go on after so many frames; later ones, which a killed run has left, go."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._entries = self._listed()[:frames]

    def _listed(self) -> list[str]:
        return series_entries(self._folder / SERIES)

    def write(self, frame: int, time: float, velocity: Array, lengths: Sequence[float]) -> None:
        """Write a frame; a kill on the way leaves those before it."""
        with replacing(self._folder / _name(frame)) as file:
            file.write(image_text(velocity, lengths).encode())
        self._entries[frame:] = [_entry(frame, time)]
        write_series(self._folder / SERIES, self._entries)


def _name(frame: int) -> str:
    return f"fluid_{frame:06d}.vti"


def _entry(frame: int, time: float) -> str:
    return series_entry(time, _name(frame))
