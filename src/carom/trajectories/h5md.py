"""HDF5 files by the rules of H5MD 1.1 (https://www.nongnu.org/h5md), with all digits."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from carom._version import __version__
from carom.errors import UnreadableFile
from carom.hdf5 import changing, h5py_for, make_empty, opened
from carom.trajectories.frame import ENDLESS, REPEATS, WALLED, Cell, Frame
from carom.trajectories.frame_files import FrameReader, FrameWriter

GROUP = "particles/all"
# What is written of each frame; the first has the steps and times, which the others share.
ELEMENTS = ("position", "image", "velocity", "radius", "box/edges")
# What is written of each frame besides where particles come and go. Rows whose id is that of nobody
# are not there; there are as many rows as there have ever been particles at once.
OF_WHO_IS_THERE = ("mass", "species", "id")
NOBODY, LEAST_ROWS = -1, 64
# Beside what the rules know: attributes and elements of the group box.
BOUNDARIES, LOWER, SHEAR_RATE = "carom_boundaries", "box/carom_lower", "carom_shear_rate"


class H5mdReader(FrameReader):
    """The frames of the particles of an H5MD file; of several groups those of the first."""

    title = "an H5MD trajectory"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        try:
            self._file = opened(path)
        except OSError as error:
            raise UnreadableFile(f"{path} cannot be read as HDF5: {error}.") from error
        self._group: Any = None
        if "particles" in self._file:  # not in a file that was killed before its first frame
            names = list(self._file["particles"])
            if not names or "position" not in self._file["particles"][names[0]]:
                raise UnreadableFile(f"{path} has no positions in its group 'particles'.")
            self._group = self._file["particles"]["all" if "all" in names else names[0]]
        elif len(self._file):
            raise UnreadableFile(
                f"{path} has no group 'particles', as H5MD files have; it has "
                f"{', '.join(self._file)}."
            )

    def __len__(self) -> int:
        return 0 if self._group is None else len(self._group["position/value"])

    def frame(self, k: int) -> Frame:
        """The frame of this number."""
        position = np.asarray(self._group["position/value"][k], dtype=np.float64)
        n, dimension = position.shape

        def element(name: str, otherwise: Any) -> Any:
            """What is known at this time, or at all times."""
            if name not in self._group:
                return otherwise
            found = self._group[name]
            changes = not hasattr(found, "shape")  # a group with values and their times
            return np.asarray(found["value"][k] if changes else found[()])

        species, names = self._species(element("species", np.zeros(n, dtype=int)))
        step = self._group["position/step"]
        identity, radius = element("id", None), element("radius", None)
        if identity is not None and identity.shape != (n,):
            identity = None
        there = slice(None) if identity is None else identity >= 0
        return Frame(
            self.time(k),
            int(step[k] if step.shape else k * step[()]),
            self._cell(element, dimension),
            position[there],
            element("image", np.zeros((n, dimension), dtype=int))[there],
            element("velocity", np.zeros((n, dimension)))[there],
            None if radius is None else radius[there],
            element("mass", np.ones(n))[there],
            species[there],
            names,
            None if identity is None else identity[there],
        )

    def time(self, k: int) -> float:
        """The time of a frame."""
        times = self._group["position"].get("time", self._group["position/step"])
        # One number is the time between two frames.
        return float(times[k] if times.shape else k * times[()])

    def _cell(self, element: Any, dimension: int) -> Cell:
        box = self._group["box"]
        edges = element("box/edges", None)
        kinds = [_text(kind) for kind in box.attrs["boundary"]]
        letters = "".join(REPEATS if kind == "periodic" else WALLED for kind in kinds)
        letters = _text(box.attrs.get(BOUNDARIES, letters))
        lower = element(LOWER, np.zeros(dimension))
        if edges is None:
            return Cell(lower, np.ones(dimension), ENDLESS * dimension)
        vectors = np.diag(edges) if edges.ndim == 1 else np.array(edges)
        offset = float(vectors[1, 0])
        vectors[1, 0] = 0.0
        if np.abs(vectors - np.diag(np.diag(vectors))).max() > 0.0:
            raise UnreadableFile(
                f"{self.path} has a box of slanted edges; carom knows boxes along the axes, and "
                "those that lean along x as they are sheared."
            )
        rate = float(box.attrs.get(SHEAR_RATE, 0.0))
        return Cell(lower, np.diag(vectors).astype(np.float64), letters, offset, rate)

    def _species(self, numbers: Any) -> tuple[Any, list[str]]:
        """Numbers from 0 on, and names: those of an enumeration, or the numbers in the file."""
        found = self._group.get("species")
        if found is not None and not hasattr(found, "shape"):
            found = found["value"]
        kind = None if found is None else found.dtype
        named = None if kind is None else h5py_for(self.path, "read").check_enum_dtype(kind)
        if named is not None:
            return numbers.astype(np.int64), sorted(named, key=lambda name: named[name])
        present, places = np.unique(numbers, return_inverse=True)
        names = ["A"] if len(present) == 1 else [str(number) for number in present]
        return places.reshape(-1), names


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


class H5mdWriter(FrameWriter):
    """An H5MD file that grows. A kill while a frame is written leaves the file as it was before,
    see ``carom.undoable``."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._frames = 0

    def begin(self, frames: int) -> None:
        """Begin anew, or leave only so many frames."""
        self._frames = frames
        if frames == 0:
            make_empty(self.path, ", or write .gsd, .xyz, .dump or .pvd.")
            return
        with changing(self.path) as file:
            self._resize(file[GROUP], frames)

    def __len__(self) -> int:
        return self._frames

    def write(self, frame: Frame) -> None:
        """Write a frame."""
        with changing(self.path) as file:
            if GROUP not in file:
                self._create(file, frame)
            group = file[GROUP]
            self._resize(group, self._frames + 1)
            if frame.identity is not None:
                self._make_room(group, len(frame.position))
            rows = group["position/value"].shape[1]
            values = _values(frame, rows)
            values |= {"position/step": frame.step, "position/time": frame.time}
            for name, value in values.items():
                group[name][self._frames] = value
        self._frames += 1

    def sync(self) -> None:
        """See to it that all frames are on the disk."""
        with self.path.open("r+b") as file:
            os.fsync(file.fileno())

    def _resize(self, group: Any, frames: int) -> None:
        changing = (name for name in OF_WHO_IS_THERE if not hasattr(group[name], "shape"))
        elements = (*ELEMENTS, LOWER, *changing) if "id" in group else (*ELEMENTS, LOWER)
        for name in (*(f"{element}/value" for element in elements), *_TIMES):
            group[name].resize(frames, axis=0)

    def _make_room(self, group: Any, n: int) -> None:
        """See to it that there are so many rows for particles."""
        if n > group["position/value"].shape[1]:
            for element in (*ELEMENTS[:4], *OF_WHO_IS_THERE):
                group[f"{element}/value"].resize(2 * n, axis=1)

    def _create(self, file: Any, frame: Frame) -> None:
        """All that does not change, and room for what does."""
        h5py = h5py_for(self.path, "write")
        file.create_group("h5md").attrs["version"] = np.array([1, 1])
        for part, about in (
            ("author", {"name": "carom"}),
            ("creator", {"name": "carom", "version": __version__}),
        ):
            file.create_group(f"h5md/{part}").attrs.update(about)
        group, cell = file.create_group(GROUP), frame.cell
        for name, kind in zip(_TIMES, (np.int64, np.float64), strict=True):
            group.create_dataset(name, (0,), kind, maxshape=(None,))
        numbers = {name: k for k, name in enumerate(frame.species_names)}
        kinds = h5py.enum_dtype(numbers, basetype="i4")
        changes = frame.identity is not None
        rows = max(len(frame.position), LEAST_ROWS) if changes else len(frame.position)
        for name, value in _values(frame, rows).items():
            shape, most = np.shape(value), np.shape(value)
            if changes and name.removesuffix("/value") in (*ELEMENTS[:4], *OF_WHO_IS_THERE):
                most = (None, *shape[1:])
            group.create_dataset(
                name,
                (0, *shape),
                kinds if name == "species/value" else value.dtype,
                maxshape=(None, *most),
                chunks=(1, *shape),
                fillvalue=NOBODY if name == "id/value" else None,
            )
            element = group[name.removesuffix("/value")]
            if "step" not in element:
                element["step"], element["time"] = (group[times] for times in _TIMES)
        if not changes:
            group.create_dataset("species", data=frame.species.astype(np.int32), dtype=kinds)
            group["mass"] = frame.mass
        box = group["box"].attrs
        box["dimension"] = frame.dimension
        text = h5py.string_dtype()
        box["boundary"] = np.array(
            ["periodic" if repeats else "none" for repeats in cell.periodic], dtype=text
        )
        box[BOUNDARIES], box[SHEAR_RATE] = cell.boundaries, cell.shear_rate


_TIMES = ("position/step", "position/time")


def _values(frame: Frame, rows: int) -> dict[str, Any]:
    """What is written of each frame, by the name of its dataset, with so many rows."""
    columns = (frame.position, frame.image, frame.velocity, frame.radius, frame.cell.vectors)
    named: dict[str, Any] = dict(zip(ELEMENTS, columns, strict=True))
    if frame.identity is not None:
        who = (frame.mass, frame.species.astype(np.int32), frame.identity.astype(np.int64))
        named |= dict(zip(OF_WHO_IS_THERE, who, strict=True))
        for element in (*ELEMENTS[:4], *OF_WHO_IS_THERE):
            column = np.asarray(named[element])
            missing = np.zeros((rows - len(column), *column.shape[1:]), dtype=column.dtype)
            named[element] = np.concatenate([column, missing])
        named["id"][len(frame.position) :] = NOBODY
    values = {f"{element}/value": np.asarray(column) for element, column in named.items()}
    return values | {f"{LOWER}/value": np.asarray(frame.cell.lower, dtype=np.float64)}
