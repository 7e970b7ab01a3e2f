"""All formats of trajectories: the end of a file's name chooses one."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from carom.errors import UnreadableFile
from carom.trajectories.extended_xyz import ExtendedXyzReader, ExtendedXyzWriter
from carom.trajectories.frame_files import FrameReader, FrameWriter
from carom.trajectories.gsd_frames import GsdReader, GsdWriter
from carom.trajectories.h5md import H5mdReader, H5mdWriter
from carom.trajectories.lammps_data import LammpsDataReader
from carom.trajectories.lammps_dump import LammpsDumpReader, LammpsDumpWriter
from carom.trajectories.vtk_points import VtkPointsReader, VtkPointsWriter


class Format(NamedTuple):
    """How files of some suffixes are read, and written where they can be."""

    suffixes: tuple[str, ...]
    reader: type[FrameReader]
    writer: type[FrameWriter] | None = None


FORMATS = (
    Format((".gsd",), GsdReader, GsdWriter),
    Format((".xyz", ".extxyz"), ExtendedXyzReader, ExtendedXyzWriter),
    Format((".dump", ".lammpstrj"), LammpsDumpReader, LammpsDumpWriter),
    Format((".h5", ".h5md"), H5mdReader, H5mdWriter),
    Format((".pvd",), VtkPointsReader, VtkPointsWriter),
    Format((".vtp",), VtkPointsReader),
    Format((".data", ".lmp"), LammpsDataReader),
)
WRITTEN = tuple(suffix for kind in FORMATS if kind.writer for suffix in kind.suffixes)
READ = tuple(suffix for kind in FORMATS for suffix in kind.suffixes)


def writer_for(path: Path) -> FrameWriter:
    """What writes a file of this name."""
    kind = format_of(path)
    if kind is None or kind.writer is None:
        raise UnreadableFile(
            f"trajectories are in files that end in {_listed(WRITTEN)}, not {str(path)!r}."
        )
    return kind.writer(path)


def frames(path: str | Path) -> FrameReader:
    """The frames of a trajectory, as a sequence of :class:`Frame`: ``carom.frames("run.gsd")[-1]``.

    Any frame is read when it is asked for. The end of the name says the format: .gsd, .xyz or
    .extxyz, .dump or .lammpstrj, .h5 or .h5md, .pvd or .vtp; a LAMMPS data file (.data, .lmp) has
    one frame.
    """
    path = Path(path)
    kind = format_of(path)
    if kind is None:
        raise UnreadableFile(f"carom reads files that end in {_listed(READ)}, not {str(path)!r}.")
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}.")
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; carom.read_run reads that of a run.")
    return kind.reader(path)


def format_of(path: Path) -> Format | None:
    """The format that the name of a file says; capitals do not matter."""
    suffix = path.suffix.lower()
    return next((kind for kind in FORMATS if suffix in kind.suffixes), None)


def _listed(suffixes: tuple[str, ...]) -> str:
    return f"{', '.join(suffixes[:-1])} or {suffixes[-1]}"
