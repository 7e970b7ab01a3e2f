"""A velocity field from elsewhere, given on a grid at some times."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.checks import numbers_in
from carom.domains.lengths import checked_lengths
from carom.fluids.gridded.frames import hdf5_frames
from carom.fluids.gridded.grid import new_grid
from carom.fluids.periods import Sides, check_whole_periods, period, repeats
from carom.fluids.stream import Scales
from carom.particles import Array


@dataclass(frozen=True, eq=False, repr=False)
class GridField:
    """A periodic flow that is linear in time between frames, and along each axis between nodes.

    - ``times``: T times that increase, or one for a steady flow. Before the first and after the
      last the flow is that of the first and of the last.
    - ``velocity``: (T, nx, ny, 2) or (T, nx, ny, nz, 3): an array, or anything with such a shape
      whose frames are read as velocity[k], such as ``numpy.memmap`` or a dataset of h5py. Node
      (i, j) lies at (i L_x / nx, j L_y / ny); the node at L_x is the first again and left out.
    - ``lengths``: after which the field repeats, those of the box when left out.
    """

    times: ArrayLike
    velocity: Any
    lengths: float | Sequence[float] | None = None

    def __post_init__(self) -> None:
        times = np.atleast_1d(numbers_in("GridField: times", self.times))
        with np.errstate(over="ignore", invalid="ignore"):
            apart = np.diff(times)
        if times.ndim != 1 or not np.isfinite(times).all() or not _are_durations(apart):
            raise ValueError(
                f"GridField: times must be finite and increase, not {self.times!r}; sort the "
                "frames, and leave out those at the same time."
            )
        object.__setattr__(self, "times", times)
        if not hasattr(self.velocity, "shape"):
            object.__setattr__(self, "velocity", numbers_in("GridField: velocity", self.velocity))
        shape = tuple(self.velocity.shape)
        dimension = len(shape) - 2
        if dimension not in (2, 3) or shape[-1] != dimension or shape[0] != len(times):
            raise ValueError(
                f"GridField: velocity must have shape (T, nx, ny, 2) or (T, nx, ny, nz, 3), with T "
                f"= {len(times)} times, not {shape}."
            )
        if min(shape) < 1:
            raise ValueError(f"GridField: velocity has no nodes, its shape is {shape}.")
        if self.lengths is not None:
            object.__setattr__(self, "lengths", checked_lengths("GridField", self.lengths))
        if isinstance(self.velocity, np.ndarray) and not isinstance(self.velocity, np.memmap):
            for k in range(len(times)):
                self.frame(k)

    @classmethod
    def from_hdf5(
        cls,
        path: str | os.PathLike[str],
        velocity: str = "velocity",
        times: str = "times",
        lengths: float | Sequence[float] | None = None,
    ) -> GridField:
        """The field in two datasets of an HDF5 file; frames are read when they are needed."""
        read_times, frames = hdf5_frames(path, velocity, times)
        return cls(read_times, frames, lengths)

    def __repr__(self) -> str:
        nodes = " × ".join(map(str, self.velocity.shape[1:-1]))
        return f"<GridField: {self.velocity.shape[0]} frames of {nodes} nodes>"

    def stream(
        self, sides: Sides, dimension: int, periodic: Sequence[bool] | None = None
    ) -> GridStream:
        """The field in a box, at time 0."""
        lengths = self._lengths(sides, dimension)
        check_whole_periods("GridField", lengths, repeats(sides, dimension, periodic), "lengths")
        return GridStream(self, lengths)

    def frame(self, k: int) -> Array:
        """The velocities (nodes, d) of frame k."""
        values = numbers_in(f"GridField: the velocities of frame {k}", self.velocity[k])
        if values.shape != tuple(self.velocity.shape[1:]):
            raise ValueError(
                f"GridField: frame {k} has the shape {values.shape}, not "
                f"{tuple(self.velocity.shape[1:])} as velocity.shape says."
            )
        bad = ~np.isfinite(values).all(axis=-1)
        if bad.any():
            node = tuple(int(i) for i in np.argwhere(bad)[0])
            raise ValueError(
                f"GridField: the velocity of frame {k} at node {node} is {values[node]}, which is "
                "not finite; repair the field, or leave the frame out."
            )
        return values

    def scales(self, sides: Sides, dimension: int) -> Scales:
        """The root mean square of the speed in the first frame, the shortest period, and the time
        to cross it."""
        speed = float(np.sqrt((self.frame(0) ** 2).sum(axis=-1).mean()))
        return Scales.of(speed, min(self._lengths(sides, dimension)))

    def _lengths(self, sides: Sides, dimension: int) -> tuple[float, ...]:
        given = self.velocity.shape[-1]
        if given != dimension:
            raise ValueError(
                f"GridField has velocities in {given} dimensions, but the particles move in "
                f"{dimension}."
            )
        return period("GridField", self.lengths, sides, dimension)  # type: ignore[arg-type]


def _are_durations(values: Array) -> bool:
    """Whether all are positive and finite."""
    return bool(((values > 0.0) & np.isfinite(values)).all())


class GridStream:
    """A field from elsewhere as it changes in time; two frames of it are in memory."""

    def __init__(self, source: GridField, lengths: Sequence[float]) -> None:
        self._source = source
        self._frames: dict[int, Array] = {}
        self._time = 0.0
        self.field = new_grid(source.velocity.shape[1:-1], lengths)
        self._show(self._time)

    def go_to(self, time: float) -> None:
        """Let the field be that at a time."""
        if time != self._time:
            self._show(time)  # which fails where a frame cannot be used
            self._time = time

    def arrays(self) -> dict[str, Array]:
        """Everything that changes, by name, for a checkpoint."""
        return {"time": np.array(self._time)}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Take over the arrays of a checkpoint, bit for bit."""
        self.go_to(float(arrays["time"]))

    def _show(self, time: float) -> None:
        """Write the velocity at the nodes at a time into the field, in place."""
        times = np.asarray(self._source.times)
        before = int(np.searchsorted(times, time, side="right")) - 1
        before = min(max(before, 0), len(times) - 1)
        after = min(before + 1, len(times) - 1)
        self._keep(before, after)
        share = 0.0
        if after > before and time > times[before]:
            share = (time - times[before]) / (times[after] - times[before])
        velocity = self.field.velocity
        np.multiply(self._frames[before], 1.0 - share, out=velocity)
        if share > 0.0:
            velocity += share * self._frames[after]

    def _keep(self, *needed: int) -> None:
        """Let these frames, and no others, be in memory."""
        self._frames = {
            k: self._frames[k] if k in self._frames else self._source.frame(k) for k in needed
        }
