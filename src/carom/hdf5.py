"""HDF5 files that a kill cannot leave half written, through h5py, which is an extra."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from carom.files import replacing
from carom.undoable import Before, Change, journal_of


def h5py_for(path: Path | str, purpose: str, instead: str = "") -> Any:
    """The package h5py, to read or write a file; where it is missing, the words that install it,
    and what may be done ``instead``."""
    try:
        import h5py  # only who reads or writes such files needs it
    except ImportError as error:
        raise ImportError(
            f"to {purpose} {path} the package h5py is needed; install it with: "
            f"pip install 'carom[hdf5]'{instead}"
        ) from error
    return h5py


def opened(path: Path) -> Any:
    """A file, to be read."""
    h5py = h5py_for(path, "read")
    # A run that was killed while it wrote has left the way back beside its file.
    is_whole = not journal_of(path).exists()
    return h5py.File(path if is_whole else Before(path), "r")


@contextmanager
def changing(path: Path) -> Iterator[Any]:
    """A file, to be changed as a whole or not at all."""
    h5py = h5py_for(path, "write")
    with Change(path) as raw:
        with h5py.File(raw, "r+") as file:
            yield file
        raw.complete()


def make_empty(path: Path, instead: str) -> None:
    """Begin a file anew, without anything in it."""
    h5py = h5py_for(path, "write", instead)
    empty = io.BytesIO()
    h5py.File(empty, "w").close()
    with replacing(path) as raw:
        raw.write(empty.getvalue())
