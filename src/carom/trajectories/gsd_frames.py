"""GSD files, which OVITO and HOOMD read: boxes are centred on the origin, numbers of 32 bits."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import gsd.hoomd
import numpy as np

from carom.errors import UnreadableFile
from carom.trajectories.frame import REPEATS, Cell, Frame, in_three
from carom.trajectories.frame_files import FrameReader, FrameWriter

TIME, LOWER = "carom/time", "carom/lower"
BOUNDARIES, SHEAR_RATE = "carom/boundaries", "carom/shear_rate"
IDENTITY, NOBODY = "carom/identity", -1


def gsd_frame(frame: Frame) -> Any:
    """A frame as the package gsd writes it."""
    cell, dimension = frame.cell, frame.dimension
    written = gsd.hoomd.Frame()
    written.configuration.step = frame.step
    written.configuration.dimensions = dimension
    # A flat box keeps programs happy that divide by its height.
    sides = in_three(cell.sides, 1.0)
    written.configuration.box = [*sides, cell.offset / sides[1], 0.0, 0.0]
    centred = frame.position - (cell.lower + 0.5 * cell.sides)
    written.particles.N = len(centred)
    written.particles.position = in_three(centred).astype(np.float32)
    written.particles.image = in_three(frame.image).astype(np.int32)
    # The package takes names for ASCII, and reads UTF-8.
    written.particles.types = [name.encode() for name in frame.species_names]
    written.particles.typeid = frame.species.astype(np.uint32)
    written.particles.velocity = in_three(frame.velocity).astype(np.float32)
    written.particles.diameter = (2.0 * np.asarray(frame.radius)).astype(np.float32)
    written.particles.mass = frame.mass.astype(np.float32)
    written.log[TIME] = np.array([frame.time])
    written.log[LOWER] = cell.lower
    written.log[BOUNDARIES] = np.frombuffer(cell.boundaries.encode(), dtype=np.uint8)
    written.log[SHEAR_RATE] = np.array([cell.shear_rate])
    if frame.identity is not None:
        # An empty array would not be written, and that of the first frame be read instead.
        identity = frame.identity if len(frame.identity) else [NOBODY]
        written.log[IDENTITY] = np.array(identity, dtype=np.int64)
    return written


class GsdReader(FrameReader):
    """The frames of a GSD file, of carom or of another program."""

    title = "a GSD trajectory"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        try:
            self._file = gsd.hoomd.open(str(path), "r")
        except RuntimeError as error:
            raise self._unreadable(error) from error

    def __len__(self) -> int:
        return len(self._file)

    def frame(self, k: int) -> Frame:
        """The frame of this number."""
        read = self._read(k)
        dimension = int(read.configuration.dimensions)
        box = np.asarray(read.configuration.box, dtype=np.float64)
        sides, offset = box[:dimension], float(box[3] * box[1])
        lower = np.asarray(read.log.get(LOWER, self._lower(read, sides)))
        letters = bytes(read.log.get(BOUNDARIES, REPEATS.encode() * dimension)).decode()
        rate = float(read.log.get(SHEAR_RATE, [0.0])[0])
        position, velocity = (
            np.asarray(rows, dtype=np.float64)[:, :dimension]
            for rows in (read.particles.position, read.particles.velocity)
        )
        return Frame(
            _time(read),
            int(read.configuration.step),
            Cell(lower, sides, letters, offset, rate),
            position + lower + 0.5 * sides,
            np.asarray(read.particles.image[:, :dimension]),
            velocity,
            0.5 * read.particles.diameter.astype(np.float64),
            read.particles.mass.astype(np.float64),
            read.particles.typeid.astype(np.int64),
            list(read.particles.types),
            _identity(read),
        )

    def _lower(self, read: Any, sides: Any) -> Any:
        """Where the box begins if a file does not say it: at zero in earlier files of carom, and
        half its lengths before the origin in those of others."""
        return np.zeros_like(sides) if TIME in read.log else -0.5 * sides

    def time(self, k: int) -> float:
        """The time of a frame."""
        return _time(self._read(k))

    def _read(self, k: int) -> Any:
        """A frame as the package gsd knows it, of a file whose last part may have been lost."""
        try:
            return self._file[k]
        except (RuntimeError, OSError) as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> UnreadableFile:
        return UnreadableFile(f"{self.path} cannot be read as GSD: {error}.")


def _identity(read: Any) -> Any:
    """The identities of a frame, if the file knows any."""
    known = read.log.get(IDENTITY)
    return None if known is None else known[known != NOBODY].astype(np.int64)


def _time(read: Any) -> float:
    return float(read.log.get(TIME, [read.configuration.step])[0])


class GsdWriter(FrameWriter):
    """A GSD file that grows."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._file: Any = None

    def begin(self, frames: int) -> None:
        """Begin anew, or leave only so many frames."""
        if frames > 0:
            _keep_frames(self.path, frames)
        self._file = gsd.hoomd.open(str(self.path), "r+" if frames > 0 else "w")

    def __len__(self) -> int:
        return len(self._file)

    def write(self, frame: Frame) -> None:
        """Write a frame."""
        self._file.append(gsd_frame(frame))
        self._file.flush()

    def sync(self) -> None:
        """See to it that all frames are on the disk."""
        with self.path.open("r+b") as file:
            os.fsync(file.fileno())


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
