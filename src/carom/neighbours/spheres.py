"""Spheres beside the members of a grid: which of those in view overlap a given one?

A sphere is kept in eight bytes, so that those of a cell fit into a cache line: its centre from the
corner of the cell on, and its radius, in whole units. Centres beyond the cells at the ends of an
axis are brought back to their edge. That makes no distance larger, and the radii take up what
rounding can do: no overlap is missed, and few are found that are none.

In a sheared box centres are in upright coordinates (see ``domains/sliding_images.py``), and
``lean`` says how far the box leans at the moment: x per y, in units of 1 / LEAN_UNITS.

Eight spheres are a block: eight times x, then y, z and the radius. ``_overlapping_lanes`` compares
with all eight at once, ``one_by_one`` is the same in plain Python.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba.core.types import int64  # type: ignore[attr-defined]
from numba.extending import intrinsic

from carom.compiled import lanes
from carom.compiled.intrinsics import prefetch
from carom.compiled.kernels import inner_kernel
from carom.compiled.memory import in_cache_lines
from carom.compiled.views import data_of
from carom.neighbours.grids import (
    BITS,
    EVERY_AXIS,
    FOUR,
    MARGIN,
    MASK,
    Grid,
    beyond,
    coordinate,
    last_slot,
    room_of,
    slot_of,
    window,
)
from carom.types import Array, Integers, Vector

EIGHT = 8
UNITS_PER_CELL = 1 << 12
# A centre is up to half a unit from where it is said to be, along three axes; two radii that are
# larger by this take it up.
ROUNDING = 1
# Where the centre of no sphere is along z: out of reach from anywhere in view.
FAR = 20_000
LEAN_BITS = 12
LEAN_UNITS = 1 << LEAN_BITS
# Beyond this the squares would not fit into 32 bits.
MOST_LEAN = 1.5
# What a lean adds to the rounding, beside its own size: it is rounded itself, by what makes up to
# a unit along x for centres two cells apart, and so is its product.
LEAN_ROUNDING = 3
# Rows of a block.
X, Y, Z, RADIUS = 0, EIGHT, 2 * EIGHT, 3 * EIGHT
BLOCK = 4 * EIGHT
BLOCK_BYTES = 2 * BLOCK


class Spheres(NamedTuple):
    """A sphere for each member of a grid."""

    corners: Integers  # (3, longest) of the cells, from cell -MARGIN on
    per_unit: float  # units per length
    blocks: Any  # (blocks * BLOCK,)
    rows: Any  # scratch: the blocks in view
    overlaps: Any  # scratch: of each of them the lanes that overlap, as bits
    words: Any  # the same, eight blocks at a time


def new_spheres(grid: Grid) -> Spheres:
    """A sphere for each member of a grid whose cells have room for eights; none is marked yet."""
    corners = _corners(grid)
    width = float((corners[:, 1] - corners[:, 0]).max())
    blocks = in_cache_lines(len(grid.members) // EIGHT * BLOCK, np.int16)
    in_view = 27 * FOUR * len(grid.fours) // EIGHT + EIGHT
    overlaps = in_cache_lines(in_view // EIGHT * EIGHT, np.uint8)
    per_unit = UNITS_PER_CELL / width if width > 0.0 else 0.0
    rows = np.zeros(len(overlaps), dtype=np.int64)
    return Spheres(corners, per_unit, blocks, rows, overlaps, overlaps.view(np.uint64))


def _corners(grid: Grid) -> Any:
    """The lower corners of the cells.

    Beyond the ends they go on as if there were cells: seen from there, images are in place.
    """
    corners = np.zeros((3, grid.index.shape[1]))
    for axis in range(3):
        number = int(grid.number[axis])
        faces = grid.faces[axis, : number + 1]
        known = np.flatnonzero(np.isfinite(faces))
        if len(known) > 1:
            width = (faces[known[-1]] - faces[known[0]]) / (known[-1] - known[0])
            cells = np.arange(-MARGIN, number + MARGIN)
            corners[axis, : len(cells)] = faces[known[0]] + width * (cells - known[0])
    return corners


def mark_all(spheres: Spheres, grid: Grid, place: Integers, centre: Array, radius: Array) -> None:
    """Write the spheres of all particles, as ``mark`` does."""
    blocks = spheres.blocks.reshape(-1, 4, EIGHT)
    blocks[:, 2] = FAR
    room = FOUR * len(grid.fours)
    used = np.flatnonzero(np.arange(room) < grid.inside[:, None])
    i = grid.members[used]
    block, lane = used // EIGHT, used % EIGHT
    for axis in range(3):
        corners, end = spheres.corners[axis], MARGIN + grid.number[axis]
        cell = (place[i] >> (BITS * axis)) & MASK
        inside = np.clip(centre[i, axis], corners[MARGIN], corners[end])
        blocks[block, axis, lane] = np.rint((inside - corners[MARGIN + cell]) * spheres.per_unit)
    blocks[block, 3, lane] = np.ceil(radius[i] * spheres.per_unit) + ROUNDING


@inner_kernel
def _clipped(spheres: Spheres, grid: Grid, centre: Vector) -> Any:
    """A position, brought back to the edge of the cells where it is beyond."""
    corners, number = spheres.corners, grid.number
    return (
        min(max(centre[0], corners[0, MARGIN]), corners[0, MARGIN + number[0]]),
        min(max(centre[1], corners[1, MARGIN]), corners[1, MARGIN + number[1]]),
        min(max(centre[2], corners[2, MARGIN]), corners[2, MARGIN + number[2]]),
    )


@inner_kernel
def _units(spheres: Spheres, axis: int, x: float, cell: int) -> int:
    """How far a coordinate is from the corner of a cell, which is counted from -MARGIN on."""
    return int(np.rint((x - spheres.corners[axis, cell]) * spheres.per_unit))


@inner_kernel
def _radius(spheres: Spheres, radius: float) -> int:
    return math.ceil(radius * spheres.per_unit) + ROUNDING


@inner_kernel
def _rounding(lean: int) -> int:
    """By how much a radius has to be larger where the box leans."""
    return LEAN_ROUNDING + (abs(lean) >> LEAN_BITS) if lean != 0 else 0


@inner_kernel
def _at(slot: int) -> int:
    """Where the block of a member has its x."""
    return (slot // np.uint64(EIGHT)) * np.uint64(BLOCK) + slot % np.uint64(EIGHT)


@inner_kernel
def mark(
    spheres: Spheres, grid: Grid, cell: int, i: int, place: int, centre: Vector, radius: float
) -> None:
    """Write the sphere of particle i, which is a member of a cell."""
    at = _at(slot_of(grid, cell, i))
    x = _clipped(spheres, grid, centre)
    spheres.blocks[at + np.uint64(X)] = _units(spheres, 0, x[0], MARGIN + coordinate(place, 0))
    spheres.blocks[at + np.uint64(Y)] = _units(spheres, 1, x[1], MARGIN + coordinate(place, 1))
    spheres.blocks[at + np.uint64(Z)] = _units(spheres, 2, x[2], MARGIN + coordinate(place, 2))
    spheres.blocks[at + np.uint64(RADIUS)] = _radius(spheres, radius)


@inner_kernel
def forget(spheres: Spheres, grid: Grid, cell: int, i: int) -> None:
    """Wipe out the sphere of particle i, before it is removed from its cell."""
    at, last = _at(slot_of(grid, cell, i)), _at(last_slot(grid, cell))
    for row in (X, Y, Z, RADIUS):
        spheres.blocks[at + np.uint64(row)] = spheres.blocks[last + np.uint64(row)]
    spheres.blocks[last + np.uint64(Z)] = FAR


@inner_kernel
def overlapping(
    spheres: Spheres,
    grid: Grid,
    place: int,
    i: int,
    centre: Vector,
    radius: float,
    lean: int,
    found: Any,
) -> Any:
    """List all but particle i whose spheres overlap this one; their number.

    Also 0 if none of them can be beyond an edge. No more than ``found`` has room for are listed.
    """
    index, inside, members = grid.index, grid.inside, grid.members
    x_first, x_end = window(grid, 0, place, EVERY_AXIS, 0)
    y_first, y_end = window(grid, 1, place, EVERY_AXIS, 0)
    z_first, z_end = window(grid, 2, place, EVERY_AXIS, 0)
    blocks, own = room_of(grid) // EIGHT, _radius(spheres, radius) + _rounding(lean)
    at = _clipped(spheres, grid, centre)
    seen = np.uint64(0)
    for z in range(z_first, z_end):
        z_away = _units(spheres, 2, at[2], z)
        for y in range(y_first, y_end):
            part = index[2, z] + index[1, y]
            y_away = _units(spheres, 1, at[1], y)
            for x in range(x_first, x_end):
                cell = part + index[0, x]
                x_away = _units(spheres, 0, at[0], x)
                for k in range(blocks):
                    if k == 0 or inside[cell] > EIGHT * k:
                        row = np.int64(cell) * blocks + k
                        spheres.rows[seen] = row
                        spheres.overlaps[seen] = _overlapping_lanes(
                            spheres.blocks, row, x_away, y_away, z_away, own, lean
                        )
                        seen += np.uint64(1)
    while seen % np.uint64(EIGHT) != 0:
        spheres.overlaps[seen] = 0
        seen += np.uint64(1)
    number, most = np.uint64(0), np.uint64(len(found) - 1)
    for word in range(seen // np.uint64(EIGHT)):
        bits = spheres.words[word]
        while bits != 0:
            lane = lanes.lowest_bit(bits)
            bits &= bits - np.uint64(1)
            row = spheres.rows[np.uint64(EIGHT) * word + lane // np.uint64(EIGHT)]
            j = members[np.uint64(EIGHT) * np.uint64(row) + lane % np.uint64(EIGHT)]
            found[number] = j
            number = min(number + np.uint64(j != i), most)
    at_edge = beyond(grid, 0, x_first, x_end)
    at_edge |= beyond(grid, 1, y_first, y_end) | beyond(grid, 2, z_first, z_end)
    return np.int64(number), at_edge


@inner_kernel
def fetch_spheres(spheres: Spheres, grid: Grid, place: int) -> None:
    """Ask for the blocks that ``overlapping`` will read."""
    x_first, x_end = window(grid, 0, place, EVERY_AXIS, 0)
    y_first, y_end = window(grid, 1, place, EVERY_AXIS, 0)
    z_first, z_end = window(grid, 2, place, EVERY_AXIS, 0)
    for z in range(z_first, z_end):
        for y in range(y_first, y_end):
            part = grid.index[2, z] + grid.index[1, y]
            for x in range(x_first, x_end):
                first = np.int64(part + grid.index[0, x]) * room_of(grid)
                prefetch(spheres.blocks, first * (BLOCK // EIGHT))


@inner_kernel
def one_by_one(blocks: Any, row: int, x: int, y: int, z: int, radius: int, lean: int) -> int:
    """The lanes of a block whose spheres overlap this one, as bits; the twin of the vectors."""
    bits = 0
    for lane in range(EIGHT):
        at = row * BLOCK + lane
        # Sixteen bits would not hold the squares.
        dx, dy = np.int64(blocks[at + X]) - x, np.int64(blocks[at + Y]) - y
        dz = np.int64(blocks[at + Z]) - z
        dx += (lean * dy) >> LEAN_BITS
        touching = np.int64(blocks[at + RADIUS]) + radius
        if dx * dx + dy * dy + dz * dz < touching * touching:
            bits |= 1 << lane
    return bits


@intrinsic
def _vector_lanes(
    typingctx: Any, blocks: Any, row: Any, x: Any, y: Any, z: Any, radius: Any, lean: Any
) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = data_of(context, builder, signature.args[0], args[0])
        start = builder.mul(args[1], ir.Constant(lanes.i64, BLOCK_BYTES))
        narrow = ir.VectorType(lanes.i16, EIGHT)
        wide = ir.VectorType(lanes.i32, EIGHT)

        def row_of(k: int) -> Any:
            offset = builder.add(start, ir.Constant(lanes.i64, k * 2 * EIGHT))
            loaded = builder.load(lanes.at(builder, data, offset, narrow))
            loaded.align = 2 * EIGHT
            return builder.sext(loaded, wide)

        given = [
            lanes.everywhere(builder, builder.trunc(value, lanes.i32), EIGHT) for value in args[2:]
        ]
        apart = [builder.sub(row_of(axis), given[axis]) for axis in range(3)]
        # Where there is no lean, it is the constant 0 and all of this vanishes.
        bits = ir.Constant(wide, [LEAN_BITS] * EIGHT)
        apart[0] = builder.add(apart[0], builder.ashr(builder.mul(given[4], apart[1]), bits))
        x_square, y_square, z_square = (builder.mul(part, part) for part in apart)
        square = builder.add(builder.add(x_square, y_square), z_square)
        touching = builder.add(row_of(3), given[3])
        overlap = builder.icmp_signed("<", square, builder.mul(touching, touching))
        return builder.zext(builder.bitcast(overlap, lanes.i8), lanes.i64)

    return int64(blocks, int64, int64, int64, int64, int64, int64), codegen


if numba.config.DISABLE_JIT:
    _overlapping_lanes = one_by_one
else:
    _overlapping_lanes = _vector_lanes
