"""Checkpoint files: a zip archive of arrays and a JSON header, without pickle.

The comment of the archive ends with a checksum of all that is before it: a file of which a single
byte has changed is refused. A file appears under its name only when it is complete, so that a kill
while saving leaves the old one.

``VERSION`` is raised whenever a file of before could not be read, or would not go on as it did, and
when something that an engine keeps gets another name.
Files of another version are refused, with the carom that wrote them.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from pathlib import Path
from typing import IO

import numpy as np

from carom._version import __version__
from carom.errors import CheckpointError
from carom.files import replacing
from carom.types import Columns, Plain

FORMAT = "carom checkpoint"
VERSION = 7
HEADER = "header"
SEAL = b"carom checkpoint, SHA-256 of all before: "
DIGITS = 64
PIECE = 1 << 20


def write_checkpoint(path: Path, header: Plain, arrays: Columns) -> None:
    """Write a header that JSON can hold and named arrays, all or nothing."""
    kind = {"format": FORMAT, "version": VERSION, "carom": __version__}
    try:
        text = json.dumps(kind | header)
    except (TypeError, ValueError) as error:
        raise CheckpointError(
            f"{path} was not written, since something of your own (a law, an actor, an observer) "
            f"has a parameter that a checkpoint cannot hold: {error}. Numbers, texts, and lists of "
            "them are possible."
        ) from error
    packed = {HEADER: np.frombuffer(text.encode(), dtype=np.uint8)} | arrays
    try:
        with replacing(path) as file:
            np.savez(file, **packed)  # type: ignore[arg-type]
            _seal(file)
    except OSError as error:
        raise OSError(
            error.errno,
            f"the checkpoint {path} could not be written ({error.strerror or error}); what was "
            "there before is as it was",
        ) from error


def _seal(file: IO[bytes]) -> None:
    """End an archive with the checksum of all before."""
    with zipfile.ZipFile(file, "a") as archive:
        archive.comment = SEAL + b"0" * DIGITS
    digest = _digest(file)
    file.seek(-DIGITS, os.SEEK_END)
    file.write(digest)


def _digest(file: IO[bytes]) -> bytes:
    """The checksum of all but the last digits of a file."""
    left = file.seek(0, os.SEEK_END) - DIGITS
    file.seek(0)
    checksum = hashlib.sha256()
    while left > 0:
        piece = file.read(min(left, PIECE))
        if not piece:
            break
        checksum.update(piece)
        left -= len(piece)
    return checksum.hexdigest().encode()


def read_checkpoint(path: Path) -> tuple[Plain, Columns]:
    """The header and the arrays of a checkpoint."""
    if not path.exists():
        raise FileNotFoundError(f"there is no checkpoint {path}.")
    if not path.is_file():
        what = "a folder" if path.is_dir() else "not a regular file"
        raise CheckpointError(f"{path} is {what}, not a carom checkpoint.")
    try:
        with path.open("rb") as file:
            if not _is_sealed(file):
                raise _refusal(path, file)
            file.seek(0)
            with np.load(file, allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in archive.files}
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror or error}.") from error
    header = json.loads(bytes(arrays.pop(HEADER)))
    if header["version"] != VERSION:
        raise CheckpointError(_other_version(path, header))
    return header, arrays


def is_checkpoint(path: Path) -> bool:
    """Whether a file was written as a checkpoint, of whatever version."""
    with path.open("rb") as file:
        return _header_at_any_rate(file) is not None


def _is_sealed(file: IO[bytes]) -> bool:
    size = file.seek(0, os.SEEK_END)
    length = len(SEAL) + DIGITS
    if size < length:
        return False
    file.seek(-length, os.SEEK_END)
    end = file.read()
    return end.startswith(SEAL) and end[len(SEAL) :] == _digest(file)


def _refusal(path: Path, file: IO[bytes]) -> CheckpointError:
    """Why a file without a valid seal cannot be read."""
    header = _header_at_any_rate(file)
    if header is not None and header.get("version") != VERSION:
        return CheckpointError(_other_version(path, header))
    if header is not None:
        return CheckpointError(
            f"{path} is damaged or cut short, or was changed after it was written: its checksum "
            "is wrong. Use an earlier checkpoint, or start again."
        )
    return CheckpointError(f"{path} is not a carom checkpoint, or it is damaged or cut short.")


def _header_at_any_rate(file: IO[bytes]) -> Plain | None:
    """The header of a checkpoint that is damaged, or of another version, if it can be read."""
    try:
        with zipfile.ZipFile(file) as archive, archive.open(f"{HEADER}.npy") as member:
            header = json.loads(bytes(np.lib.format.read_array(member)))
    except Exception:  # damage shows itself in any way
        return None
    is_ours = isinstance(header, dict) and header.get("format") == FORMAT
    return header if is_ours else None


def _other_version(path: Path, header: Plain) -> str:
    writer = f"carom {header['carom']}" if "carom" in header else "the carom that wrote it"
    return (
        f"{path} has version {header.get('version')} of the checkpoint format; this carom reads "
        f"version {VERSION}. Go on with {writer}, or take the last state from its trajectory."
    )
