"""Pieces of VTK's XML files: arrays, and series of files with their times, as ParaView has them."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import numpy as np

from carom.files import replacing

HEAD = (
    '<?xml version="1.0"?>\n'
    '<VTKFile type="{}" version="1.0" byte_order="LittleEndian" header_type="UInt64">\n'
)
# NumPy's names of the kinds of numbers in VTK.
KINDS = {
    "Float64": "<f8",
    "Float32": "<f4",
    "Int64": "<i8",
    "Int32": "<i4",
    "UInt64": "<u8",
    "UInt32": "<u4",
    "UInt8": "|u1",
}


def data_array(name: str, values: Any, kind: str = "Float64", more: str = "") -> str:
    """An array in XML: one number or several (in the last axis) for each point."""
    numbers = np.ascontiguousarray(values, dtype=KINDS[kind])
    width = numbers.shape[-1] if numbers.ndim > 1 else 1
    content = numbers.tobytes()
    size = np.array(len(content), dtype="<u8").tobytes()
    return (
        f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{width}"{more} '
        f'format="binary">\n{base64.b64encode(size + content).decode()}\n</DataArray>\n'
    )


def series_entry(time: float, file: str) -> str:
    """One file of a series."""
    return f'<DataSet timestep="{float(time)!r}" file="{file}"/>'


def series_entries(path: Path) -> list[str]:
    """The files that a series lists, with their times; none where there is no series."""
    return re.findall(r"<DataSet .*/>", path.read_text()) if path.exists() else []


def write_series(path: Path, entries: list[str]) -> None:
    """Write the list of a series, all or nothing."""
    listed = "\n".join(entries)
    with replacing(path) as file:
        file.write(
            b'<?xml version="1.0"?>\n<VTKFile type="Collection" version="1.0">\n'
            + f"<Collection>\n{listed}\n</Collection>\n</VTKFile>\n".encode()
        )
