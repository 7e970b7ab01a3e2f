"""Extended XYZ, which ASE and OVITO read; and plain XYZ, of which only places are known.

The format is described at https://github.com/libAtoms/extxyz.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from carom.trajectories.frame import (
    ENDLESS,
    REPEATS,
    WALLED,
    Cell,
    Frame,
    in_three,
    joined,
    numbered_names,
    split,
    surrounding_cell,
)
from carom.trajectories.text_frames import Lines, Table, TextReader, TextWriter, text_table

# Types are numbers: ASE takes a column of species for chemical elements, and refuses all others.
PROPERTIES = "type:I:1:pos:R:3:velo:R:3:image:I:3:radius:R:1:mass:R:1"
PLAIN = "species:S:1:pos:R:3"
VECTORS = {"pos", "velo", "velocities", "vel", "image"}
KNOWN = {"type", "radius", "mass", "id", *VECTORS}
TRUTHS = {"T": REPEATS, "TRUE": REPEATS, "1": REPEATS, "F": WALLED, "FALSE": WALLED, "0": WALLED}
KEY = re.compile(r'(\w+)\s*=\s*(?:"([^"]*)"|(\S+))')


class ExtendedXyzReader(TextReader):
    """The frames of an XYZ file."""

    title = "an XYZ trajectory"

    def lines_after_head(self, take: Callable[[], Lines]) -> int:
        """The number of particles, and a line of keys."""
        head = take()
        while not (word := head.take()).strip():
            head = take()
        n = head.count(word)
        take()
        return n

    def frame(self, k: int) -> Frame:
        """The frame of this number."""
        lines = self.lines(k)
        while not (word := lines.take()).strip():
            pass
        n = int(word)
        keys = {name: quoted or plain for name, quoted, plain in KEY.findall(lines.take())}
        (time,) = _numbers(lines, keys, "Time" if "Time" in keys else "time", str(k))
        (step,) = _numbers(lines, keys, "Step", str(k), kind=int)
        columns = _columns(lines, keys.get("Properties", PLAIN))
        if "pos" not in columns:
            raise lines.error("there is no column pos; name the columns in Properties=...")
        given = _cell(lines, keys)
        dimension = (
            columns["pos"][1] - columns["pos"][0] if given is None else len(given.boundaries)
        )
        _check_widths(lines, columns, dimension)
        table = lines.table(n, or_none=given is not None).read(
            k for name in KNOWN & columns.keys() for k in range(*columns[name][:2])
        )

        def column(names: str, kind: type = float) -> Any:
            """The first of these columns that there is, or None."""
            for name in names.split():
                if name in columns:
                    first, last, _ = columns[name]
                    return table.columns(range(first, last), kind)
            return None

        position = column("pos")
        velocity, radius, mass = column("velo velocities vel"), column("radius"), column("mass")
        cell = _cell_around(position, radius) if given is None else given
        image = column("image", int)
        numbers, names = _species(column("type", int), keys, columns, table, n)
        return Frame(
            time,
            step,
            cell,
            position[:, :dimension],
            np.zeros((n, dimension), dtype=int) if image is None else image[:, :dimension],
            np.zeros((n, dimension)) if velocity is None else velocity[:, :dimension],
            None if radius is None else radius[:, 0],
            np.ones(n) if mass is None else mass[:, 0],
            numbers,
            names,
            None if (identity := column("id", int)) is None else identity[:, 0],
        )


class ExtendedXyzWriter(TextWriter):
    """An XYZ file that grows."""

    reader = ExtendedXyzReader

    def text_of(self, frame: Frame) -> str:
        """A frame as text."""
        cell = frame.cell
        vectors = np.eye(3)
        vectors[: frame.dimension, : frame.dimension] = cell.vectors
        keys = {
            "Lattice": _spelled(vectors.ravel()),
            # In the plane the box is one high, around it.
            "Origin": _spelled(in_three(cell.corner, -0.5)),
            "Properties": PROPERTIES if frame.identity is None else f"{PROPERTIES}:id:I:1",
            "pbc": " ".join("T" if repeats else "F" for repeats in in_three(cell.periodic)),
            "Time": repr(float(frame.time)),
            "Step": str(frame.step),
            "boundaries": cell.boundaries,
            "shear_rate": repr(float(cell.shear_rate)),
            "type_names": joined(frame.species_names),
        }
        head = " ".join(f'{name}="{value}"' for name, value in keys.items())
        columns: list[Any] = [
            frame.species,
            in_three(frame.position),
            in_three(frame.velocity),
            in_three(frame.image),
            frame.radius,
            frame.mass,
        ]
        table = text_table(columns if frame.identity is None else [*columns, frame.identity])
        return f"{len(frame.position)}\n{head}\n{table}"


def _spelled(numbers: Any) -> str:
    return " ".join(repr(float(number)) for number in numbers)


def _columns(lines: Lines, properties: str) -> dict[str, tuple[int, int, str]]:
    """The first column of each property, the one behind its last, and its kind."""
    words = properties.split(":")
    if len(words) % 3 or not all(width.isdigit() for width in words[2::3]):
        raise lines.error(f"Properties={properties!r} is not of the form name:R:3:name:S:1...")
    columns, at = {}, 0
    for name, kind, width in zip(words[::3], words[1::3], words[2::3], strict=True):
        columns[name] = (at, at + int(width), kind)
        at += int(width)
    return columns


def _check_widths(lines: Lines, columns: dict[str, tuple[int, int, str]], dimension: int) -> None:
    """Refuse vectors that have too few columns."""
    for name, (first, last, _) in columns.items():
        if name in VECTORS and last - first < max(2, dimension):
            raise lines.error(
                f"{name} has {last - first} columns in Properties; there should be three, as in "
                f"{name}:R:3"
            )


def _numbers(
    lines: Lines, keys: dict[str, str], name: str, default: str, number: int = 1, kind: type = float
) -> list[Any]:
    """The numbers that a key has, finite and so many."""
    text = keys.get(name, default)
    try:
        values = [kind(word) for word in text.split()]
    except ValueError:
        values = []
    if len(values) != number or not all(abs(value) < math.inf for value in values):
        what = "whole number" if kind is int else "number"
        wanted = f"one {what}" if number == 1 else f"{number} {what}s"
        raise lines.error(f"{name}={text!r} should be {wanted}")
    return values


def _cell_around(position: Any, radius: Any) -> Cell:
    """The box around all particles, where none is given."""
    sizes = np.zeros(len(position)) if radius is None else radius[:, 0]
    middle = 0.5 * (position.min(axis=0) + position.max(axis=0))
    return surrounding_cell(position, sizes, middle)


def _cell(lines: Lines, keys: dict[str, str]) -> Cell | None:
    """The box of a frame, if one is given."""
    if "Lattice" not in keys:
        return None
    vectors = np.array(_numbers(lines, keys, "Lattice", "", 9)).reshape(3, 3)
    offset = float(vectors[1, 0])
    vectors[1, 0] = 0.0
    if np.abs(vectors - np.diag(np.diag(vectors))).max() > 0.0:
        raise lines.error(
            "the Lattice is one of slanted edges; carom knows boxes along the axes, and those that "
            "lean along x as they are sheared"
        )
    origin = np.array(_numbers(lines, keys, "Origin", "0 0 0", 3))
    letters = keys.get("boundaries") or _letters(lines, keys.get("pbc", "T T T"))
    if len(letters) not in (2, 3) or set(letters) - {REPEATS, WALLED, ENDLESS}:
        raise lines.error(f"boundaries={letters!r} should have p, f or s for each axis")
    lower = origin[: len(letters)]
    lower[0] += 0.5 * offset
    sides = np.diag(vectors)[: len(letters)]
    for axis, low, side in zip("xyz", lower, sides, strict=False):
        lines.extent(axis, low, low + side)
    (rate,) = _numbers(lines, keys, "shear_rate", "0")
    return Cell(lower, sides, letters, offset, rate)


def _letters(lines: Lines, pbc: str) -> str:
    """The boundaries of the three axes, which are periodic or not."""
    words = pbc.upper().split()
    if len(words) != 3 or not TRUTHS.keys() >= set(words):
        raise lines.error(
            f'pbc={pbc!r} should be T or F for each of the three axes, as in pbc="T T F"'
        )
    return "".join(TRUTHS[word] for word in words)


def _species(
    numbers: Any, keys: dict[str, str], columns: dict[str, Any], table: Table, n: int
) -> tuple[Any, list[str]]:
    """The numbers and names of species: those of types, or of a column of names."""
    if numbers is not None and "type_names" in keys:
        return numbers[:, 0], split(keys["type_names"])
    if "species" in columns:
        first = columns["species"][0]
        names, of_each = numbered_names(table.words(first))
        return of_each, names
    words = ["A"] * n if numbers is None else [str(number) for number in numbers[:, 0]]
    names, of_each = numbered_names(words)
    return of_each, names
