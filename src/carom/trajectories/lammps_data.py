"""Data files of LAMMPS, from which runs begin: one frame.

https://docs.lammps.org/read_data.html and https://docs.lammps.org/atom_style.html.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from carom.trajectories.frame import Frame
from carom.trajectories.frame_files import FrameReader
from carom.trajectories.lammps_boxes import (
    check_tilts,
    flat,
    is_planar,
    kinds_of_types,
    tilted_cell,
)
from carom.trajectories.text_frames import Lines, Table

# The columns of an atom up to z; those behind are the numbers of its image.
STYLES = {
    "atomic": "id type x y z",
    "charge": "id type q x y z",
    "molecular": "id molecule type x y z",
    "bond": "id molecule type x y z",
    "angle": "id molecule type x y z",
    "full": "id molecule type q x y z",
    "sphere": "id type diameter density x y z",
}
SECTION = re.compile(r"[A-Z][A-Za-z ]*$")
COUNT = re.compile(r"(\d+)\s+atoms$")
EXTENT = re.compile(r"(.*?)\s*\b([xyz])lo\s+\2hi$")
TILTS = re.compile(r"(.*?)\s*\bxy\s+xz\s+yz$")


class LammpsDataReader(FrameReader):
    """The one frame of a data file, of time 0."""

    title = "a LAMMPS data file"

    def __len__(self) -> int:
        return 1

    def frame(self, k: int) -> Frame:
        """All particles of the file."""
        file = _DataFile(self.path)
        cell = tilted_cell(file.lower, file.upper, file.tilt)
        columns = file.columns
        number = columns["id"].astype(int)
        place = {int(one): i for i, one in enumerate(number)}
        position = np.stack([columns[axis] for axis in "xyz"], axis=1)
        velocity = np.zeros_like(position)
        for one, *components in file.velocities:
            velocity[place[int(one)]] = components[:3]
        dimension = 2 if is_planar(cell, position, velocity) else 3
        radius = 0.5 * columns["diameter"] if "diameter" in columns else None
        types = columns["type"].astype(int)
        mass = np.ones(len(number))
        if radius is not None:
            mass = columns["density"] * 4.0 / 3.0 * np.pi * radius**3
        elif file.masses:
            mass = np.array([file.masses.get(int(kind), 1.0) for kind in types])
        order = np.argsort(number, kind="stable")
        kinds = kinds_of_types(types, len(number))
        return Frame(
            0.0,
            0,
            flat(cell, dimension),
            position[order, :dimension],
            file.images[order, :dimension],
            velocity[order, :dimension],
            None if radius is None else radius[order],
            mass[order],
            kinds.numbers[order],
            kinds.names,
        )


class _DataFile:
    """What the head and the sections of a data file say."""

    def __init__(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8", errors="replace")
        self.lines = Lines(path, text.splitlines())
        self.n = 0
        self.lower, self.upper = np.full(3, -0.5), np.full(3, 0.5)
        self.tilt = 0.0
        self.columns: dict[str, Any] = {}
        self.images: Any = None
        self.masses: dict[int, float] = {}
        self.velocities: list[list[float]] = []
        self.lines.take()  # a title
        while self.lines.left:
            line, _, comment = self.lines.take().partition("#")
            if line.strip():
                self._take(line.strip(), comment.strip())
        if not self.columns:
            raise self.lines.error("the file ends without a section Atoms")

    def _take(self, line: str, comment: str) -> None:
        """One line of the head, or a section."""
        if found := COUNT.match(line):
            self.n = int(found[1])
        elif found := EXTENT.match(line):
            axis = "xyz".index(found[2])
            ends = self._numbers(found[1], 2, line)
            self.lower[axis], self.upper[axis] = self.lines.extent(found[2], *ends)
        elif found := TILTS.match(line):
            tilts = self._numbers(found[1], 3, line)
            check_tilts(self.lines, tilts)
            self.tilt = tilts[0]
        elif line == "Atoms":
            self._take_atoms(comment)
        elif line == "Velocities":
            self._take_velocities()
        elif line == "Masses":
            self.masses = {int(kind): mass for kind, mass in self._pairs()}
        elif SECTION.match(line):
            self._skip()
        # Other lines of the head count bonds and types.

    def _numbers(self, words: str, number: int, line: str) -> list[float]:
        """So many numbers before the names in a line of the head."""
        numbers: list[float] = self.lines.numbers(words.split())
        if len(numbers) != number:
            raise self.lines.error(f"there should be {number} numbers before the names in {line!r}")
        return numbers

    def _take_atoms(self, style: str) -> None:
        if self.n == 0:
            raise self.lines.error("there is no line '... atoms' before the section Atoms")
        if style and style.split()[0] not in STYLES:
            raise self.lines.error(
                f"the atom style {style!r} is unknown here; write the file with one of "
                f"{', '.join(STYLES)}"
            )
        table = self._section()
        widths = table.widths
        width = min(widths)
        style = style.split()[0] if style else self._only_style(table, widths[0])
        names = STYLES[style].split()
        if width < len(names):
            raise table.error(
                widths.index(width),
                f"an atom has {width} columns; style {style} has {len(names)}: {' '.join(names)}",
            )
        has_images = width >= len(names) + 3
        table.read(range(len(names) + 3 * has_images))
        values = table.columns(range(len(names)))
        self.columns = dict(zip(names, values.T, strict=True))
        table.columns([names.index("type")], int)  # which refuses others than whole numbers
        self._refuse_doubles(table)
        self.images = np.zeros((self.n, 3), dtype=int)
        if has_images:
            self.images = table.columns(range(len(names), len(names) + 3), int)

    def _take_velocities(self) -> None:
        if not self.columns:
            raise self.lines.error("the section Velocities comes before the section Atoms")
        self.velocities = self._section().read(range(4)).columns(range(4)).tolist()
        known = set(self.columns["id"])
        for k, (atom, *_) in enumerate(self.velocities):
            if atom not in known:
                complaint = f"a velocity is of atom {atom:g}, which there is not"
                raise self.lines.error(complaint, self.n - 1 - k)

    def _refuse_doubles(self, table: Table) -> None:
        """Refuse atoms of the same number: what belongs to which could not be told."""
        numbers = table.columns([0], int)[:, 0]
        values, counts = np.unique(numbers, return_counts=True)
        doubled = values[counts > 1]
        if len(doubled):
            second = int(np.flatnonzero(numbers == doubled[0])[1])
            more = f", and so are {len(doubled) - 1} more" if len(doubled) > 1 else ""
            raise table.error(
                second, f"the id {doubled[0]} is there twice{more}; give each atom one of its own"
            )

    def _only_style(self, table: Table, width: int) -> str:
        """The style of a section that does not name it: the only one of so many columns."""
        styles = [
            style
            for style, names in STYLES.items()
            if width - len(names.split()) in (0, 3)  # without and with the numbers of images
        ]
        if len(styles) == 1:
            return styles[0]
        may_be = " or ".join(styles) if styles else "none that is known"
        named = " or ".join(f"'Atoms # {style}'" for style in styles or STYLES)
        raise table.error(
            0,
            f"an atom has {width} columns, and its style may be {may_be}; name it in the title of "
            f"the section: {named}",
        )

    def _section(self) -> Table:
        """The lines of a section with one for each atom, behind a blank one."""
        self.lines.take()
        return self.lines.table(self.n)

    def _pairs(self) -> list[list[float]]:
        """Numbers up to the next blank line."""
        self.lines.take()
        pairs = []
        while self.lines.left and (line := self.lines.take().partition("#")[0].strip()):
            pairs.append(self.lines.numbers(line.split())[:2])
        return pairs

    def _skip(self) -> None:
        """Go behind a section that is of no use here."""
        self.lines.take()
        while self.lines.left and self.lines.take().strip():
            pass
