"""Frames of all particles, in a file that other programs open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from carom.errors import CheckpointError
from carom.files import refuse_unwritable
from carom.observers.observer import Observer
from carom.particles import Array
from carom.trajectories.formats import frames, writer_for
from carom.trajectories.frame import Kinds, frame_of, kinds_of, middle_of
from carom.types import Plain


class Trajectory(Observer):
    """Writes positions, velocities, radii and masses every so often, to a file of a known format:

    - ``.gsd``: GSD, in single precision, for OVITO, freud, MDAnalysis and HOOMD;
    - ``.xyz``, ``.extxyz``: extended XYZ, for ASE and OVITO;
    - ``.dump``, ``.lammpstrj``: a LAMMPS dump, for OVITO, ASE, MDAnalysis and LAMMPS
      itself; the time is in its column ``v_time``;
    - ``.h5``, ``.h5md``: HDF5 by the rules of H5MD, with the extra ``carom[hdf5]``, for
      MDAnalysis (of spheres) and all that reads HDF5;
    - ``.pvd``: VTK points for ParaView, in a folder of the same name beside the series.

    ``carom.frames`` and ``carom.read`` read all of them. Where particles come and go, each frame
    has as many as there are, with their identities (``id``, in LAMMPS dumps from 1 on, in GSD files
    ``carom/identity`` of the log, and in H5MD rows with the ``id`` −1 are nobody's), and types are
    the species. Boxes of GSD are centred on the origin: x
    there is x − L/2 here. Sheared boxes are written as tilted ones. ``image`` counts the boxes that
    a particle has gone through: its position and so many vectors of the box of that frame are the
    unwrapped position. Types are the species; where none is named, particles of one size and mass
    are of one type, A, B, ... from the smallest on, and where there are more than 26 kinds, all are
    A. In GSD files the time of a frame is in its log as ``carom/time``, and the lower corner of its
    box as ``carom/lower``; in open space boxes grow with the particles and stay around the middle
    of the first frame.
    """

    keeps = True

    def __init__(self, path: str | Path, every: float) -> None:
        super().__init__(every)
        self.path = Path(path)
        self._file = writer_for(self.path)
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
        # Where particles come and go, those of each frame are counted anew.
        self._kinds = None if simulation.number_changes else kinds_of(simulation.system.particles)
        if state is not None and state["past"] > 0:
            self._last, self._middle = state["last"], np.array(state["middle"])
        self._file.begin(0 if state is None else state["past"])

    def observe(self, simulation: Any) -> None:
        """Write a frame."""
        if self._middle is None:
            self._middle = middle_of(simulation.particles)
        # An interrupt may have come between the last frame and the note that it is there.
        if len(self._file) <= self.looks:
            self._file.append(frame_of(simulation, self.looks, self._kinds, self._middle))
        self._last = simulation.time

    def state(self) -> Plain:
        """The schedule, once all frames so far are on the disk."""
        self._file.sync()
        middle = None if self._middle is None else self._middle.tolist()
        return super().state() | {"last": self._last, "middle": middle}


def _refuse_another_file(path: Path, number: int, last: float) -> None:
    """Refuse to continue a trajectory that lacks frames, or whose frames are of other times."""
    available, time = 0, None
    try:
        if path.is_file():
            written = frames(path)
            available = len(written)
            if available >= number:
                time = written.time(number - 1)
    except (ValueError, RuntimeError, OSError) as error:
        raise CheckpointError(
            f"{path} cannot be read ({error}); start again without --resume."
        ) from error
    if available < number:
        raise CheckpointError(
            f"{path} has {available} of the {number} frames that the checkpoint continues; start "
            "again without --resume."
        )
    if time != last:
        raise CheckpointError(
            f"{path} is not the trajectory that the checkpoint continues: frame {number - 1} is "
            f"of time {time}, not {last}; start again without --resume."
        )
