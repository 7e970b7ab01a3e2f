"""Empty grids over a box; see ``grids.py``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.compiled.memory import in_cache_lines, rows
from carom.neighbours.folding import BLOCK_CELLS, block_sides
from carom.neighbours.grids import FOUR, LEVEL, MARGIN, MOST_FOURS, Grid, Grids
from carom.types import Integers, Records


def new_grids(
    origin: Any,
    extent: Any,
    periodic: Any,
    number: Any,
    doublings: Any,
    largest: Any,
    fours: int,
    most_fours: int = MOST_FOURS,
    lean: float = 0.0,
    fold: Any = None,
) -> Grid | Grids:
    """Empty grids over a box: so many finest cells, and levels with their largest radii.

    A ``Grid`` has no room for more than ``most_fours`` times four in a cell. ``lean`` is how far
    the boxes of a sheared system lean at most, x per y. ``fold`` (levels, 3) says how many cells
    along each axis have memory of their own; all, if it is left out.
    """
    number = np.asarray(number, dtype=np.int64)
    levels = rows(len(doublings), LEVEL)
    levels.doublings = doublings
    levels.number = on_levels(number, levels.doublings)
    levels.fold = levels.number if fold is None else fold
    width = np.asarray(extent) / number
    reach = _reach(width / [math.hypot(1.0, lean), 1.0, 1.0], number, levels.doublings, largest)
    # Whoever is in view must be nearer than half the box, and not by a hair.
    finest = np.minimum(levels.doublings[:, None], levels.doublings[None, :])
    views = np.full(3, float(((reach + 1) << finest).max()))
    views[0] += views[1] * lean * width[1] / width[0]
    narrow = np.asarray(periodic) & (number <= 2.0 * views)
    # The image along x depends on that along y, which must not be left to be found later.
    narrow[0] |= lean > 0.0 and narrow[1]
    wide = np.asarray(periodic) & ~narrow
    single = len(levels) == 1 and not narrow.any() and fours <= most_fours
    margin = MARGIN if single else int(reach.max()) + 1
    levels.lowest = np.where(wide, -margin, 0)
    levels.highest = levels.number - 1 + np.where(wide, margin, 0)
    index, cells = _index(levels, margin)
    faces = _faces(origin, extent, number, periodic)
    # Bytes where they do: the counts of the cells in view are then in few cache lines.
    few = single and fours * FOUR <= np.iinfo(np.uint8).max
    inside: Integers = np.zeros(cells, dtype=np.uint8 if few else np.uint32)
    members = in_cache_lines(cells * fours * FOUR, np.int32)
    if single:
        ends = np.stack([levels.lowest[0], levels.highest[0]])
        return Grid(
            number=number,
            ends=ends,
            index=index[0],
            faces=faces,
            inside=inside,
            members=members,
            fours=(0,) * fours,
        )
    repeats = narrow.astype(np.int64)
    if lean > 0.0 and narrow[0]:
        # In leaning cells the distance of contact can be more than a box along x.
        repeats[0] = -(-int((reach << finest).max()) // int(number[0]))
    return Grids(
        number=number,
        repeats=repeats,
        levels=levels,
        reach=reach,
        index=index,
        margin=margin,
        faces=faces,
        inside=inside,
        members=members,
        room=fours * FOUR,
    )


def on_levels(number: Any, doublings: Any) -> Any:
    """The cells (levels, 3) along each axis on levels, from those of the finest (3,)."""
    return np.maximum(number[None, :] >> doublings[:, None], 1)


def _reach(width: Any, number: Any, doublings: Any, largest: Any) -> Any:
    """For each pair of levels, the cells of the smaller that cover the distance of contact."""
    narrowest = float(width[number > 1].min()) if (number > 1).any() else math.inf
    finer = np.ldexp(narrowest, np.minimum(doublings[:, None], doublings[None, :]))
    touching = np.add.outer(largest, largest) * (1.0 + 1e-9)
    return np.maximum(np.ceil(touching / finer), 1).astype(np.int64)


def _index(levels: Records, margin: int) -> tuple[Any, int]:
    """The index of each cell along each axis, and the number of all cells that have memory."""
    sides = block_sides(bool(levels.number[0, 2] == 1))
    longest = int(levels.number.max()) + 2 * margin
    index = np.zeros((len(levels), 3, longest), dtype=np.uint32)
    cells = 0
    for level in range(len(levels)):
        stride, inner = BLOCK_CELLS, 1
        for axis, side in enumerate(sides):
            number, fold = int(levels.number[level, axis]), int(levels.fold[level, axis])
            cell = np.arange(-margin, number + margin) % number % fold
            index[level, axis, : len(cell)] = cell // side * stride + cell % side * inner
            stride *= -(-fold // side)
            inner *= side
        index[level, 0] += np.uint32(cells)
        cells += stride
    return index, cells


def _faces(origin: Any, extent: Any, number: Any, periodic: Any) -> Any:
    """Coordinates of the finest cells' faces; the ends of an axis that does not repeat are far."""
    faces = np.zeros((3, int(number.max()) + 1))
    for axis in range(3):
        n = int(number[axis])
        faces[axis, :n] = origin[axis] + np.arange(n) * (extent[axis] / n)
        faces[axis, n] = origin[axis] + extent[axis]
        if not periodic[axis]:
            faces[axis, 0], faces[axis, n] = -math.inf, math.inf
    return faces
