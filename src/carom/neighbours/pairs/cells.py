"""Particles sorted into cells: one grid, or one for each class of sizes.

The particles are copied in the order of their cells, level by level, so that the cells beside each
other along x are one piece of memory. Each cell is compared with itself and with half of those
around it (Muth et al. 2007, Figs. 3 and 4), and, where there are several levels, each particle with
all that are near it on the finer ones: every pair is seen once.

Cells are cells of places (places.py). Along axes that repeat they go on beyond the box with numbers
below zero and above the last; so nothing is special about boxes that are one or two cells wide.
Along the other axes cells cover the particles, and those at the ends go on for ever.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom.compiled.kernels import inner_kernel
from carom.compiled.lent import lasting
from carom.compiled.memory import in_cache_lines, rows
from carom.functions import power
from carom.neighbours.pairs.lattice import Lattice
from carom.neighbours.pairs.near_lanes import EIGHT
from carom.neighbours.pairs.pair_list import MARGIN, RADIUS, X, Y, Z
from carom.neighbours.pairs.places import extent_of, place_of, slope_of
from carom.types import Array, Integers, Records

# Along an axis; more would come into the reach of rounding.
MOST_CELLS = 1 << 20
CELLS_PER_PARTICLE = 1
CELLS_AT_LEAST = 8  # of each level
# Rows of Cells.frame: where the cells begin, how long they are together, and how far a sphere of
# radius 1 reaches, all in the units of an axis.
BEGIN, SPAN, EXTENT = 0, 1, 2

LEVEL = np.dtype(
    [
        ("particles", np.int64),
        ("largest", np.float64),  # radius
        ("first", np.int64),  # its first cell
        ("number", np.int64, 3),  # of cells along each axis
        ("around", np.int64, 3),  # how many cells on either side are in reach
    ],
    align=True,
)


@lasting
class Cells(NamedTuple):
    """Levels of cells, the finest first, and the particles in their order."""

    levels: Records  # (levels,) of LEVEL
    bounds: Array  # (levels,) the largest radius that belongs to each; more in the last
    cell_size: Array  # (1,) the least width of a cell
    frame: Array  # (3, 3)
    cell: Integers  # (n,) int32, of each particle
    boxes: Integers  # (n,) int8, how many boxes along x from the particle's place to where it is
    start: Integers  # (cells + 2,) int32, where each cell begins in the order
    order: Integers  # (n + 8,) int32, the particles in the order of their cells, and room to read
    sorted: Array  # (4, n + 8) their places in the box and their radii
    seen: Array  # (4, n + 8) scratch: those of the particles in view of a cell
    seen_order: Integers  # (n + 8,) int32, scratch: who they are
    window: Integers  # (2, 3) scratch: the first and the last cell to look at, along each axis


def new_cells(n: int, bounds: Array, cell_size: float = 0.0) -> Cells:
    """Cells for n particles, with a level for each bound of the radii."""
    levels = len(bounds)
    room = CELLS_PER_PARTICLE * n + CELLS_AT_LEAST * levels
    return Cells(
        levels=rows(levels, LEVEL),
        bounds=np.array(bounds, dtype=np.float64),
        cell_size=np.array([cell_size]),
        frame=np.zeros((3, 3)),
        cell=in_cache_lines(n, np.int32),
        boxes=in_cache_lines(n, np.int8),
        start=in_cache_lines(room + 2, np.int32),
        order=in_cache_lines(n + EIGHT, np.int32),
        sorted=in_cache_lines(4 * (n + EIGHT), np.float64).reshape(4, n + EIGHT),
        seen=in_cache_lines(4 * (n + EIGHT), np.float64).reshape(4, n + EIGHT),
        seen_order=in_cache_lines(n + EIGHT, np.int32),
        window=np.zeros((2, 3), dtype=np.int64),
    )


@inner_kernel
def sort_into_cells(cells: Cells, lattice: Lattice, sphere: Array, skin: float) -> None:
    """Sort the particles into cells in which those with a gap below ``skin`` are neighbours."""
    _count_levels(cells, sphere)
    _set_frame(cells, lattice, sphere, skin)
    first = 0
    for k in range(len(cells.levels)):
        level = cells.levels[k]
        level.first = first
        _divide(cells, k, skin)
        first += level.number[0] * level.number[1] * level.number[2]
    _place(cells, lattice, sphere, first)


@inner_kernel
def level_of(cells: Cells, radius: float) -> int:
    """The class of sizes to which a radius belongs."""
    level = 0
    while level < len(cells.levels) - 1 and radius > cells.bounds[level]:
        level += 1
    return level


@inner_kernel
def _count_levels(cells: Cells, sphere: Array) -> None:
    for k in range(len(cells.levels)):
        cells.levels[k].particles = 0
        cells.levels[k].largest = 0.0
    for i in range(len(sphere)):
        level = cells.levels[level_of(cells, sphere[i, RADIUS])]
        level.particles += 1
        level.largest = max(level.largest, sphere[i, RADIUS])


@inner_kernel
def _set_frame(cells: Cells, lattice: Lattice, sphere: Array, skin: float) -> None:
    frame, slope = cells.frame, slope_of(lattice)
    reach = 0.0
    for k in range(len(cells.levels)):
        reach = max(reach, 2.0 * cells.levels[k].largest + skin)
    number = 1.0
    for axis in range(3):
        frame[BEGIN, axis], frame[SPAN, axis] = 0.0, 1.0
        frame[EXTENT, axis] = extent_of(lattice, axis, slope)
        if not lattice.periodic[axis]:
            _cover(frame, sphere, axis)
        number *= max(frame[SPAN, axis] / (frame[EXTENT, axis] * reach), 1.0)
    if number > CELLS_PER_PARTICLE * len(sphere):
        for axis in range(3):
            if not lattice.periodic[axis]:
                _leave_out_the_farthest(frame, sphere, axis)


@inner_kernel
def _cover(frame: Array, sphere: Array, axis: int) -> None:
    """Let an axis begin and end with the particles."""
    low, high = sphere[0, axis], sphere[0, axis]
    for i in range(1, len(sphere)):
        low, high = min(low, sphere[i, axis]), max(high, sphere[i, axis])
    frame[BEGIN, axis], frame[SPAN, axis] = low, high - low


@inner_kernel
def _leave_out_the_farthest(frame: Array, sphere: Array, axis: int) -> None:
    """Let an axis begin and end with most of the particles.

    With cells as far as a few that have flown away, all others would be in one cell.
    """
    for _ in range(8):
        low = frame[BEGIN, axis]
        high = low + frame[SPAN, axis]
        inside, mean = 0, 0.0
        for i in range(len(sphere)):
            if low <= sphere[i, axis] <= high:
                inside += 1
                mean += (sphere[i, axis] - mean) / inside
        deviation = 0.0
        for i in range(len(sphere)):
            if low <= sphere[i, axis] <= high:
                deviation += abs(sphere[i, axis] - mean)
        # Spread evenly they would all be within two mean deviations, and at most an eighth is
        # farther away than eight.
        away = 8.0 * deviation / max(inside, 1)
        if low >= mean - away and high <= mean + away:
            break
        frame[BEGIN, axis] = max(low, mean - away)
        frame[SPAN, axis] = min(high, mean + away) - frame[BEGIN, axis]


@inner_kernel
def _divide(cells: Cells, k: int, skin: float) -> None:
    """Choose the number of cells of a level along each axis."""
    level, frame = cells.levels[k], cells.frame
    reach = MARGIN * (2.0 * level.largest + skin)
    width = max(reach, cells.cell_size[0])
    for axis in range(3):
        most = frame[SPAN, axis] / (frame[EXTENT, axis] * width)
        level.number[axis] = max(1, np.int64(min(most, float(MOST_CELLS))))
    _keep_few(level.number, CELLS_PER_PARTICLE * level.particles + CELLS_AT_LEAST)
    for axis in range(3):
        level.around[axis] = 1
        if frame[SPAN, axis] < level.number[axis] * frame[EXTENT, axis] * reach:
            level.around[axis] = 2  # in a box narrower than a particle and its skin


@inner_kernel
def _keep_few(number: Any, room: int) -> None:
    """Make numbers of cells along the axes less until there is room for all; the least is one."""
    while number[0] * number[1] * number[2] > room:
        axes = 0
        for axis in range(3):
            axes += number[axis] > 1
        share = power(room / (number[0] * number[1] * number[2]), 1.0 / axes)
        for axis in range(3):
            number[axis] = max(1, np.int64(number[axis] * share))


@inner_kernel
def _place(cells: Cells, lattice: Lattice, sphere: Array, number: int) -> None:
    """Sort by counting: the particles of a cell stay in the order of their numbers."""
    start, cell, order = cells.start, cells.cell, cells.order
    for c in range(number + 2):
        start[c] = 0
    slope = slope_of(lattice)
    for i in range(len(sphere)):
        place, boxes = place_of(lattice, sphere, i, slope)
        c = cell_at(cells, level_of(cells, sphere[i, RADIUS]), place)
        cell[i] = c
        cells.boxes[i] = boxes
        start[c + 2] += 1
    for c in range(2, number + 2):
        start[c] += start[c - 1]
    # What stands one place further on than it should, moves to where it should be.
    for i in range(len(sphere)):
        c = cell[i] + 1
        k = start[c]
        start[c] = k + 1
        order[k] = i
        x = sphere[i, X]
        if slope != 0.0:
            x -= cells.boxes[i] * lattice.lengths[0]
        cells.sorted[X, k], cells.sorted[Y, k] = x, sphere[i, Y]
        cells.sorted[Z, k], cells.sorted[RADIUS, k] = sphere[i, Z], sphere[i, RADIUS]


@inner_kernel
def cell_at(cells: Cells, k: int, place: Any) -> int:
    """The cell of level k at a place; beyond the ends, the cell at the end."""
    number = cells.levels[k].number
    x = _along(cells, k, 0, place[0])
    y = _along(cells, k, 1, place[1])
    z = _along(cells, k, 2, place[2])
    return cells.levels[k].first + (z * number[1] + y) * number[0] + x


@inner_kernel
def _along(cells: Cells, k: int, axis: int, place: float) -> int:
    number, span = cells.levels[k].number[axis], cells.frame[SPAN, axis]
    if number == 1:
        return 0
    along = (place - cells.frame[BEGIN, axis]) * (number / span)
    return np.int64(min(max(along, 0.0), number - 0.5))
