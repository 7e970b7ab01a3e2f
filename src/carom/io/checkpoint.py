"""Checkpoint files: a zip archive of arrays and a JSON header, without pickle.

A file appears under its name only when it is complete: it is written beside it and then takes
its place, so that a kill while saving leaves the old one.
"""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from carom.errors import CheckpointError

FORMAT = "carom checkpoint"
VERSION = 4
HEADER = "header"


def write_checkpoint(path: Path, header: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Write a header that JSON can hold and named arrays, all or nothing."""
    text = json.dumps({"format": FORMAT, "version": VERSION} | header)
    packed = {HEADER: np.frombuffer(text.encode(), dtype=np.uint8)} | arrays
    # Always the same name: what a killed process left there is written over by the next.
    partial = path.with_name(f".{path.name}.part")
    try:
        with partial.open("wb") as file:
            np.savez(file, **packed)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def read_checkpoint(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the arrays of a checkpoint."""
    if not path.exists():
        raise FileNotFoundError(f"there is no checkpoint {path}.")
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(bytes(arrays.pop(HEADER)))
    except (zipfile.BadZipFile, ValueError, KeyError, EOFError, OSError, TypeError) as error:
        raise CheckpointError(
            f"{path} is not a carom checkpoint, or it is damaged or cut short ({error})."
        ) from error
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise CheckpointError(f"{path} is not a carom checkpoint.")
    if header.get("version") != VERSION:
        raise CheckpointError(
            f"{path} has version {header.get('version')} of the checkpoint format; this carom "
            f"reads version {VERSION}. Use the carom that wrote it."
        )
    return header, arrays
