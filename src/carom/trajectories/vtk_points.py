"""Particles as points of VTK: one file for each frame, and a series, which ParaView opens."""

from __future__ import annotations

import base64
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np

from carom.errors import UnreadableFile
from carom.files import replacing
from carom.trajectories.frame import Cell, Frame, in_three, joined, split, surrounding_cell
from carom.trajectories.frame_files import FrameReader, FrameWriter
from carom.trajectories.vtk_files import (
    HEAD,
    KINDS,
    data_array,
    series_entries,
    series_entry,
    write_series,
)

SERIES, POINTS = ".pvd", ".vtp"


def points_text(frame: Frame) -> str:
    """The XML of all particles: points with velocities, radii, ... and the box beside them."""
    n, cell = len(frame.position), frame.cell
    of_box: dict[str, Any] = {
        "TimeValue": [frame.time],
        "step": [frame.step],
        "lower": cell.lower,
        "sides": cell.sides,
        "lean": [cell.offset, cell.shear_rate],
    }
    texts = {"boundaries": cell.boundaries, "type_names": joined(frame.species_names)}
    field = "".join(
        data_array(name, values, more=f' NumberOfTuples="{len(values)}"')
        for name, values in of_box.items()
    ) + "".join(
        data_array(name, list(text.encode()), "UInt8", f' NumberOfTuples="{len(text)}"')
        for name, text in texts.items()
    )
    of_points = (
        data_array("velocity", in_three(frame.velocity))
        + data_array("radius", frame.radius)
        + data_array("diameter", 2.0 * np.asarray(frame.radius))
        + data_array("mass", frame.mass)
        + data_array("type", frame.species, "Int32")
        + data_array("image", in_three(frame.image), "Int32")
        + ("" if frame.identity is None else data_array("id", frame.identity, "Int64"))
    )
    vertices = data_array("connectivity", np.arange(n), "Int64") + data_array(
        "offsets", np.arange(1, n + 1), "Int64"
    )
    return (
        HEAD.format("PolyData")
        + f"<PolyData>\n<FieldData>\n{field}</FieldData>\n"
        + f'<Piece NumberOfPoints="{n}" NumberOfVerts="{n}" NumberOfLines="0" '
        + 'NumberOfStrips="0" NumberOfPolys="0">\n'
        + f'<PointData Scalars="radius" Vectors="velocity">\n{of_points}</PointData>\n'
        + f"<Points>\n{data_array('Points', in_three(frame.position))}</Points>\n"
        + f"<Verts>\n{vertices}</Verts>\n</Piece>\n</PolyData>\n</VTKFile>\n"
    )


class VtkPointsReader(FrameReader):
    """The frames of a series, or the one of a file of points."""

    title = "VTK points, for ParaView,"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._files = [path] if path.suffix.lower() == POINTS else self._listed()

    def _listed(self) -> list[Path]:
        root = _root(self.path)
        files = [entry.get("file") for entry in root.iter("DataSet")]
        if root.get("type") != "Collection" or None in files:
            raise UnreadableFile(
                f"{self.path} is no VTK collection, a list of files such as ParaView saves; the "
                "files of points themselves end in .vtp."
            )
        return [self.path.parent / str(file) for file in files]

    def __len__(self) -> int:
        return len(self._files)

    def time(self, k: int) -> float:
        """The time of a frame."""
        return float(self._arrays(k).get("TimeValue", [k])[0])

    def frame(self, k: int) -> Frame:
        """The frame of this number."""
        arrays = self._arrays(k)
        position = np.asarray(arrays["Points"], dtype=np.float64).reshape(-1, 3)
        n = len(position)
        radius = arrays.get("radius")
        sizes = np.zeros(n) if radius is None else radius
        cell = _cell(arrays)
        if cell is None:
            middle = 0.5 * (position.min(axis=0) + position.max(axis=0))
            cell = surrounding_cell(position, sizes, middle)
        dimension = len(cell.boundaries)
        names = bytes(arrays["type_names"]).decode() if "type_names" in arrays else "A"
        none = np.zeros(3 * n)
        return Frame(
            float(arrays.get("TimeValue", [k])[0]),
            int(arrays.get("step", [k])[0]),
            cell,
            position[:, :dimension],
            arrays.get("image", none).reshape(-1, 3)[:, :dimension].astype(np.int32),
            arrays.get("velocity", none).reshape(-1, 3)[:, :dimension].astype(np.float64),
            radius,
            arrays.get("mass", np.ones(n)),
            arrays.get("type", np.zeros(n)).astype(np.int64),
            split(names),
            None if "id" not in arrays else arrays["id"].astype(np.int64),
        )

    def _arrays(self, k: int) -> dict[str, Any]:
        """The numbers of all arrays of a file, by name."""
        path = self._files[k]
        root = _root(path)
        if root.get("type") != "PolyData" or root.get("compressor"):
            raise UnreadableFile(
                f"{path} is not a file of points without compression, such as carom writes."
            )
        size = np.dtype(KINDS[root.get("header_type", "UInt32")]).itemsize
        arrays = {}
        for array in root.iter("DataArray"):
            if array.get("format") == "ascii":
                content: Any = (array.text or "").split()
                values = np.array(content, dtype=KINDS[array.attrib["type"]])
            elif array.get("format") == "binary":
                content = base64.b64decode((array.text or "").strip())[size:]
                values = np.frombuffer(content, dtype=KINDS[array.attrib["type"]])
            else:
                raise UnreadableFile(
                    f"{path} has {array.get('format')} arrays; save it with ascii or binary ones."
                )
            arrays[array.get("Name", "")] = values
        if "Points" not in arrays:
            raise UnreadableFile(f"{path} has no array 'Points'.")
        return arrays


def _root(path: Path) -> ElementTree.Element:
    """The XML of a file; an unknown encoding is a LookupError, or a ValueError."""
    try:
        return ElementTree.parse(path).getroot()
    except (ElementTree.ParseError, OSError, LookupError, ValueError) as error:
        raise UnreadableFile(
            f"{path} cannot be read as VTK, neither as points nor as a VTK collection: {error}."
        ) from error


def _cell(arrays: dict[str, Any]) -> Cell | None:
    """The box, if the file has one."""
    if not {"boundaries", "lower", "sides", "lean"} <= arrays.keys():
        return None
    offset, rate = map(float, arrays["lean"])
    letters = bytes(arrays["boundaries"]).decode()
    return Cell(arrays["lower"], arrays["sides"], letters, offset, rate)


class VtkPointsWriter(FrameWriter):
    """A series that grows: ``run.pvd``, and ``run/run_000000.vtp``, ... beside it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._entries: list[str] = []

    def begin(self, frames: int) -> None:
        """Begin anew, or go on after so many frames."""
        self._folder.mkdir(exist_ok=True)
        self._entries = series_entries(self.path)[:frames]
        write_series(self.path, self._entries)
        # A longer run of before may have left files that the series does not list.
        for later in self._folder.glob(f"{self._folder.name}_*{POINTS}"):
            if later.stem[-6:].isdigit() and int(later.stem.rpartition("_")[2]) >= frames:
                later.unlink()

    @property
    def _folder(self) -> Path:
        return self.path.with_suffix("")

    def __len__(self) -> int:
        return len(self._entries)

    def write(self, frame: Frame) -> None:
        """Write a frame, and then that it is there."""
        name = f"{self._folder.name}_{len(self):06d}{POINTS}"
        with replacing(self._folder / name) as file:
            file.write(points_text(frame).encode())
        entries = [*self._entries, series_entry(frame.time, f"{self._folder.name}/{name}")]
        write_series(self.path, entries)
        self._entries = entries

    def sync(self) -> None:
        """All frames are on the disk once they are written."""
