"""Files that are neither scenes nor checkpoints: what they are."""

from __future__ import annotations

import zipfile
from pathlib import Path

from carom.trajectories.formats import format_of

GSD = b"\xdf\x65" * 4
HDF5 = b"\x89HDF\r\n\x1a\n"
# How files of other kinds begin.
BEGINNINGS = {
    b"\x89PNG\r\n\x1a\n": "a PNG picture",
    b"GIF8": "a GIF film or picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"%PDF": "a PDF document",
    b"\x93NUMPY": "a NumPy array",
    b"\x1f\x8b": "a file compressed with gzip",
    b"<?xml": "an XML file",
}
LONGEST = 4096


def kind_of(path: Path) -> str | None:
    """What a file is, as a phrase; None for text, which may be a scene."""
    if not path.is_file():
        return "a folder" if path.is_dir() else "not a regular file"
    with path.open("rb") as file:
        start = file.read(LONGEST)
    if not start:
        return "an empty file"
    if start.startswith(HDF5):
        return _hdf5(path)
    if b"<VTKFile" in start and not _has_points(path, start):
        return "a VTK file, for ParaView"
    if format_of(path) is not None and (start.startswith(GSD) or _is_text(start)):
        return _trajectory(path)
    if start[4:8] == b"ftyp":
        return "an MP4 film"
    for beginning, kind in BEGINNINGS.items():
        if start.startswith(beginning):
            return kind
    if zipfile.is_zipfile(path):
        return _archive(path)
    if path.suffix.lower() == ".csv":
        return _table(path)
    return None if _is_text(start) else "of a kind that carom does not know"


def _trajectory(path: Path) -> str:
    """What a file is that ends as a trajectory does."""
    reader = format_of(path).reader  # type: ignore[union-attr]
    try:
        read = reader(path)
        n = len(read[0].position) if len(read) else 0
    except ImportError as error:
        return f"{reader.title}; {error}"
    except (RuntimeError, OSError, KeyError, ValueError) as error:
        return f"{reader.title} that is damaged or cut short ({error})"
    of_particles = f" of {_counted(n, 'particle')}" if len(read) else ""
    return f"{reader.title} of {_counted(len(read), 'frame')}{of_particles}"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def _has_points(path: Path, start: bytes) -> bool:
    """Whether a VTK file, or the first of a series, is one of particles."""
    return b'"PolyData"' in start or (path.suffix == ".pvd" and b".vtp" in start)


def _hdf5(path: Path) -> str:
    try:
        import h5py  # an extra

        with h5py.File(path, "r") as file:
            if "h5md" in file and format_of(path) is not None:
                return _trajectory(path)
            names = ", ".join(f"{name} {getattr(file[name], 'shape', '')}" for name in file)
    except ImportError:
        return "an HDF5 file"
    except (OSError, RuntimeError, KeyError) as error:
        return f"an HDF5 file that is damaged or cut short ({error})"
    return f"an HDF5 file with {names}" if names else "an empty HDF5 file"


def _archive(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    are_arrays = bool(names) and all(name.endswith(".npy") for name in names)
    return f"a file of {_counted(len(names), 'NumPy array')}" if are_arrays else "a ZIP archive"


def _table(path: Path) -> str:
    head, *lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return f"a table of {_counted(len(lines), 'line')} with the columns {head}"


def _is_text(start: bytes) -> bool:
    try:
        # The last character may be cut.
        start[:-4].decode() if len(start) == LONGEST else start.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in start
