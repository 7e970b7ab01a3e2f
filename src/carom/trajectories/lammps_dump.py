"""Text dumps of LAMMPS, which OVITO, MDAnalysis and ASE read; they have no names of species.

https://docs.lammps.org/dump.html; boxes that lean have the bounds of
https://docs.lammps.org/Howto_triclinic.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from carom.trajectories.frame import Cell, Frame, in_three
from carom.trajectories.lammps_boxes import (
    check_tilts,
    flat,
    is_planar,
    kinds_of_types,
    tilted_cell,
)
from carom.trajectories.text_frames import Lines, TextReader, TextWriter, text_table

# MDAnalysis reads no head but that of nine lines, so that the time is in a column, called as LAMMPS
# calls one of a variable.
TIME = "v_time"
COLUMNS = f"id type x y z ix iy iz vx vy vz radius mass {TIME}"
KNOWN = set(f"{COLUMNS} xu yu zu xs ys zs diameter".split())
LABEL = "typelabel"  # LAMMPS can name types; ASE reads no dump with names, so that none is written
ITEM = "ITEM: "


class LammpsDumpReader(TextReader):
    """The frames of a dump; particles are in the order of their numbers."""

    title = "a LAMMPS dump"

    def lines_after_head(self, take: Callable[[], Lines]) -> int:
        """All up to the names of the columns."""
        n = 0
        while True:
            line = take()
            item = line.take().strip()
            if item.startswith(f"{ITEM}NUMBER OF ATOMS"):
                counted = take()
                n = counted.count(counted.take())
            elif item.startswith(f"{ITEM}ATOMS"):
                return n
            elif item.startswith(f"{ITEM}BOX BOUNDS"):
                for _ in range(3):
                    take()
            elif item.startswith(ITEM):
                take()
            else:
                raise line.error(f"there should be an {ITEM}..., not {item!r}")

    def frame(self, k: int) -> Frame:
        """The frame of this number."""
        lines = self.lines(k)
        step, time, n, cell = k, None, 0, None
        while not (item := lines.take()).startswith(f"{ITEM}ATOMS"):
            if item.startswith(f"{ITEM}TIMESTEP"):
                (step,) = lines.numbers([lines.take()], int)
            elif item.startswith(f"{ITEM}TIME"):
                (time,) = lines.numbers([lines.take()])
            elif item.startswith(f"{ITEM}NUMBER"):
                (n,) = lines.numbers([lines.take()], int)
            elif item.startswith(f"{ITEM}BOX"):
                cell = _cell(lines, item.split()[3:])
            else:
                lines.take()
        names = item.split()[2:]
        if cell is None:
            raise lines.error("a frame has no BOX BOUNDS")
        table = lines.table(n, or_none=True).read(
            k for k, name in enumerate(names) if name in KNOWN
        )

        def columns(*wanted: str, kind: type = float) -> Any:
            """These columns, or None where one is missing."""
            if any(name not in names for name in wanted):
                return None
            return table.columns([names.index(name) for name in wanted], kind)

        position = columns("x", "y", "z")
        if position is None:
            position = columns("xu", "yu", "zu")
        if position is None:
            scaled = columns("xs", "ys", "zs")
            if scaled is None:
                raise lines.error(f"there are no columns x y z, xu yu zu or xs ys zs: {names}")
            position = cell.corner + scaled @ cell.vectors
        velocity = columns("vx", "vy", "vz")
        dimension = 2 if is_planar(cell, position, velocity) else 3
        image = columns("ix", "iy", "iz", kind=int)
        radius, diameter = columns("radius"), columns("diameter")
        if radius is None and diameter is not None:
            radius = 0.5 * diameter
        mass, numbers = columns("mass"), columns("id", kind=int)
        labels = table.words(names.index(LABEL)) if LABEL in names else None
        kinds = kinds_of_types(columns("type", kind=int), n, labels)
        times = columns(TIME)
        if time is None and times is not None and n > 0:
            time = times[0, 0]
        order = np.arange(n) if numbers is None else np.argsort(numbers[:, 0], kind="stable")
        return Frame(
            float(step if time is None else time),
            step,
            flat(cell, dimension),
            position[order, :dimension],
            np.zeros((n, dimension), dtype=int) if image is None else image[order, :dimension],
            np.zeros((n, dimension)) if velocity is None else velocity[order, :dimension],
            None if radius is None else radius[order, 0],
            np.ones(n) if mass is None else mass[order, 0],
            kinds.numbers[order],
            kinds.names,
            None if numbers is None else _identity(numbers[order, 0]),
        )


class LammpsDumpWriter(TextWriter):
    """A dump that grows."""

    reader = LammpsDumpReader

    def text_of(self, frame: Frame) -> str:
        """A frame as text."""
        cell, n = frame.cell, len(frame.position)
        lower = in_three(cell.corner, -0.5)
        upper = lower + in_three(cell.sides, 1.0)
        letters = " ".join(2 * letter for letter in cell.boundaries.ljust(3, "p"))
        leans = cell.shear_rate != 0.0
        if leans:
            lower[0] += min(0.0, cell.offset)
            upper[0] += max(0.0, cell.offset)
        bounds = "".join(
            f"{float(low)!r} {float(high)!r}" + (f" {float(tilt)!r}\n" if leans else "\n")
            for low, high, tilt in zip(lower, upper, (cell.offset, 0.0, 0.0), strict=True)
        )
        columns = [
            np.arange(1, n + 1) if frame.identity is None else frame.identity + 1,
            frame.species.astype(int) + 1,
            in_three(frame.position),
            in_three(frame.image),
            in_three(frame.velocity),
            frame.radius,
            frame.mass,
            np.full(n, float(frame.time)),
        ]
        return (
            f"{ITEM}TIMESTEP\n{frame.step}\n{ITEM}NUMBER OF ATOMS\n{n}\n"
            f"{ITEM}BOX BOUNDS {'xy xz yz ' if leans else ''}{letters}\n{bounds}"
            f"{ITEM}ATOMS {COLUMNS}\n{text_table(columns)}"
        )


def _identity(numbers: Any) -> Any:
    """Those of particles that come and go: numbers that are not just all from 1 on."""
    return None if (numbers == np.arange(1, len(numbers) + 1)).all() else numbers - 1


def _cell(lines: Lines, words: list[str]) -> Cell:
    """The box from the words behind BOX BOUNDS and three lines."""
    leans = words[:3] == ["xy", "xz", "yz"]
    rows = np.array([_bounds(lines, axis, 2 + leans) for axis in "xyz"])
    letters = "".join(word[0] for word in words if len(word) == 2 and word[0] in "pfsm")[-3:]
    tilts = rows[:, 2] if leans else np.zeros(3)
    check_tilts(lines, tilts)
    # The bounds are those of all of the box, where it leans.
    lower, upper = rows[:, 0].copy(), rows[:, 1].copy()
    lower[0] -= min(0.0, tilts[0])
    upper[0] -= max(0.0, tilts[0])
    lines.extent("x", lower[0], upper[0])
    return tilted_cell(lower, upper, float(tilts[0]), letters.replace("m", "s"))


def _bounds(lines: Lines, axis: str, number: int) -> list[float]:
    """The numbers of a line below BOX BOUNDS: two, and a tilt if the box may lean."""
    line = lines.take()
    numbers: list[float] = lines.numbers(line.split())
    if len(numbers) != number:
        wanted = "lower and upper end of the box" + (", and a tilt" if number == 3 else "")
        raise lines.error(
            f"there should be {number} numbers ({wanted} along {axis}), not {line.strip()!r}"
        )
    lines.extent(axis, numbers[0], numbers[1])
    return numbers
