"""Files that appear under their names only when they are complete, and names that fit them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any


@contextmanager
def replacing(path: Path) -> Iterator[IO[Any]]:
    """A file to write to, which takes its place under ``path`` at the end, on the disk.

    It is written beside it: a kill or an error on the way leaves the old file as it was.
    """
    # Always the same name: what a killed process left there is written over by the next.
    partial = path.with_name(f".{path.name}.part")
    try:
        with partial.open("w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
    _keep_name(path.parent)


def _keep_name(folder: Path) -> None:
    """Put the names in a folder on the disk, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def refuse_unwritable(path: Path) -> None:
    """Refuse a name under which no file can be, before anything is written."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; give the name of a file.")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.parent} for {path.name}; make it first.")


def refuse_other_suffixes(owner: object, path: Path, suffixes: Sequence[str], hint: str) -> None:
    """Refuse a file name that does not say what is in the file; capitals do not matter."""
    if path.suffix.lower() not in suffixes:
        wanted = " or ".join(suffixes)
        raise ValueError(
            f"{type(owner).__name__} writes files that end in {wanted}, not {str(path)!r}; {hint}."
        )
