"""Cells with linked lists of the particles whose centres they hold.

Two particles can touch only when they are in neighbouring cells, provided that a cell is at
least as wide as the largest particle. Along periodic axes the neighbours of a cell are images of
cells, each with its own shift. So an axis with two cells, or even one, is right as well: its
cell is its own neighbour, moved by one box length. (A nearest-image rule would not be: with
three cells a pair in adjacent cells can be nearer through the other side.)

Cells at the end of an axis that does not repeat reach to infinity.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.kernels import inner_kernel
from carom.domains import Space
from carom.types import Array, Integers


class Cells(NamedTuple):
    """A grid of cells. Lists are doubly linked: ``head[cell]``, ``after[i]``, ``before[i]``."""

    number: Integers  # (3,) cells along each axis
    origin: Array  # (3,)
    width: Array  # (3,)
    head: Integers  # (cells,) first particle of each list, -1 for none
    after: Integers  # (n,)
    before: Integers  # (n,)
    place: Integers  # (n, 3) the cell of each particle


def new_cells(n: int, number: Any, origin: Any, extent: Any) -> Cells:
    """Empty cells, ``number`` along each axis, over a box from ``origin`` of size ``extent``."""
    number = np.asarray(number, dtype=np.int64)
    # 32 bits: half the memory to wait for, and enough for two thousand million particles.
    none = np.full(n, -1, dtype=np.int32)
    return Cells(
        number=number,
        origin=np.array(origin, dtype=np.float64),
        width=np.asarray(extent, dtype=np.float64) / number,
        head=np.full(int(number.prod()), -1, dtype=np.int32),
        after=none,
        before=none.copy(),
        place=np.zeros((n, 3), dtype=np.int32),
    )


@inner_kernel
def cell_at(cells: Cells, axis: int, coordinate: float) -> int:
    """The cell along one axis that holds a coordinate; the end cells hold all beyond."""
    place = (coordinate - cells.origin[axis]) / cells.width[axis]
    # Compared as floats first: far outside, the integer would overflow.
    if place <= 0.0:
        return 0
    if place >= cells.number[axis]:
        return cells.number[axis] - 1
    return math.floor(place)


@inner_kernel
def cell_number(cells: Cells, x: int, y: int, z: int) -> int:
    """The number of the cell with these coordinates."""
    return (z * cells.number[1] + y) * cells.number[0] + x


@inner_kernel
def locate(cells: Cells, i: int, position: Any) -> None:
    """Find the cell of particle i; its list is another matter, see ``insert``."""
    for axis in range(3):
        cells.place[i, axis] = cell_at(cells, axis, position[axis])


@inner_kernel
def _cell_of(cells: Cells, i: int) -> int:
    return cell_number(cells, cells.place[i, 0], cells.place[i, 1], cells.place[i, 2])


@inner_kernel
def insert(cells: Cells, i: int) -> None:
    """Put particle i into the list of the cell in ``place[i]``."""
    cell = _cell_of(cells, i)
    first = cells.head[cell]
    cells.before[i] = -1
    cells.after[i] = first
    if first >= 0:
        cells.before[first] = i
    cells.head[cell] = i


@inner_kernel
def remove(cells: Cells, i: int) -> None:
    """Take particle i out of its cell's list."""
    before, after = cells.before[i], cells.after[i]
    if before >= 0:
        cells.after[before] = after
    else:
        cells.head[_cell_of(cells, i)] = after
    if after >= 0:
        cells.before[after] = before


@inner_kernel
def neighbour(cells: Cells, periodic: Any, axis: int, cell: int, offset: int) -> Any:
    """The cell at an offset of -1, 0 or 1 along an axis, and the box lengths to add to x_i − x_j.

    The cell is -1 where the grid ends.
    """
    other = cell + offset
    if other < 0:
        return (cells.number[axis] - 1, 1) if periodic[axis] else (-1, 0)
    if other >= cells.number[axis]:
        return (0, -1) if periodic[axis] else (-1, 0)
    return other, 0


@inner_kernel
def deepest_overlap(cells: Cells, space: Space, position: Any, radius: Any, i: int) -> Any:
    """How deep particle i overlaps one of those already in the cells, and which.

    Negative when it touches none; minus infinity without neighbours. The particle's own images
    do not count.
    """
    deepest, partner = -math.inf, -1
    for offset in range(27):
        x, x_boxes = neighbour(cells, space.periodic, 0, cells.place[i, 0], offset % 3 - 1)
        y, y_boxes = neighbour(cells, space.periodic, 1, cells.place[i, 1], offset // 3 % 3 - 1)
        z, z_boxes = neighbour(cells, space.periodic, 2, cells.place[i, 2], offset // 9 - 1)
        if x < 0 or y < 0 or z < 0:
            continue
        j = cells.head[cell_number(cells, x, y, z)]
        while j >= 0:
            dx = position[i, 0] - position[j, 0] + x_boxes * space.lengths[0]
            dy = position[i, 1] - position[j, 1] + y_boxes * space.lengths[1]
            dz = position[i, 2] - position[j, 2] + z_boxes * space.lengths[2]
            depth = radius[i] + radius[j] - math.sqrt(dx * dx + dy * dy + dz * dz)
            if j != i and depth > deepest:
                deepest, partner = depth, j
            j = cells.after[j]
    return deepest, partner
