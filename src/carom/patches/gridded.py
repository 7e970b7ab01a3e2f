"""Many faces, edges and corners, found through cells.

A cell lists all patches that a particle with its centre in there can touch. Cells without any know
how many cells around them have none either, so that a path leaps through empty space. The first and
the last cell along an axis have no end.

Who asks says until when nothing else happens; a path is followed no further, and of the patches in
a list most are out of reach until then.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, part
from carom.detection.stable import time_to_close
from carom.patches.corners import Corners
from carom.patches.edges import Edges
from carom.patches.faces import Faces
from carom.patches.patch import (
    count_of,
    deepest,
    first_touch,
    is_out_of_reach,
    nearest_point,
    time_to_patch,
    wall_of,
)
from carom.patches.path import Line, Parabola, farthest, place_on
from carom.types import Vector

# No path leads through more cells.
MOST_CELLS = 1_000_000


class Gridded(NamedTuple):
    """Faces, edges and corners, numbered one after the other, and the cells that list them."""

    faces: Faces
    edges: Edges
    corners: Corners
    low: Any  # (3,) where the cells begin
    width: float  # of a cell
    per_width: float  # 1 / width
    number: Any  # (3,) how many cells there are
    empty: Any  # (cells,) the distance to the nearest cell with patches, in cells
    start: Any  # (cells + 1,) where the list of each begins
    listed: Any  # (m,) patches, cell by cell
    around: Any  # (patches, 4) centre and radius of a sphere around each patch


_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@inner_kernel
def _index(patches: Gridded, axis: int, x: float) -> int:
    """The cell of a coordinate along an axis."""
    cell = math.floor((x - patches.low[axis]) * patches.per_width)
    last = patches.number[axis] - 1
    return int(min(max(cell, 0.0), last))


@inner_kernel
def _face(patches: Gridded, axis: int, cell: int) -> float:
    """Where a cell begins along an axis."""
    if cell <= 0:
        return -math.inf
    if cell >= patches.number[axis]:
        return math.inf
    return patches.low[axis] + cell * patches.width


@inner_kernel
def _cell_at(patches: Gridded, x: Vector) -> Any:
    return (_index(patches, 0, x[0]), _index(patches, 1, x[1]), _index(patches, 2, x[2]))


@inner_kernel
def _place_of(patches: Gridded, cell: Any) -> int:
    """Where a cell is in memory."""
    return cell[0] + patches.number[0] * (cell[1] + patches.number[1] * cell[2])


@dispatch_on("path")
def _time_between(path: Any, axis: int, t: float, below: float, above: float) -> Any:
    """When a path, followed up to t, leaves a range along an axis, and whether upwards."""


@_time_between.register(Line)
@inner_kernel
def _(path: Line, axis: int, t: float, below: float, above: float) -> Any:
    v = path.v[axis]
    if v == 0.0:
        return math.inf, False
    return max(((above if v > 0.0 else below) - path.x[axis]) / v, t), v > 0.0


@_time_between.register(Parabola)
@inner_kernel
def _(path: Parabola, axis: int, t: float, below: float, above: float) -> Any:
    x, v, a = place_on(path, t)[axis], path.v[axis] + t * path.a[axis], path.a[axis]
    down = time_to_close(x - below, v, a) if below > -math.inf else math.inf
    up = time_to_close(above - x, -v, -a) if above < math.inf else math.inf
    return (t + up, True) if up < down else (t + down, False)


@first_touch.register(Gridded)
@inner_kernel
def _(patches: Gridded, path: Any, radius: float, before: float) -> Any:
    cell = _cell_at(patches, path.x)
    # In the bulk this is all: it gets nowhere near a patch.
    if (patches.empty[_place_of(patches, cell)] - 1) * patches.width > farthest(path, before):
        return math.inf, -1
    t = 0.0
    for _ in range(MOST_CELLS):
        place = _place_of(patches, cell)
        empty = patches.empty[place]
        around = max(empty - 1, 0)
        leaving, through, beyond = math.inf, 0, 0
        for axis in range(3):
            below = _face(patches, axis, cell[axis] - around)
            above = _face(patches, axis, cell[axis] + around + 1)
            out, upwards = _time_between(path, axis, t, below, above)
            if out < leaving:
                leaving, through = out, axis
                beyond = cell[axis] + around + 1 if upwards else cell[axis] - around - 1
        if empty == 0:
            touch, k = _first_listed(patches, place, path, radius, min(leaving, before))
            if k >= 0:
                return touch, k
        if leaving >= before or leaving == math.inf:
            break
        t = leaving
        x = place_on(path, t)
        near = _cell_at(patches, x)
        # Which face it leaves through is known better than the place, which is rounded.
        cell = (
            beyond if through == 0 else near[0],
            beyond if through == 1 else near[1],
            beyond if through == 2 else near[2],
        )
    return math.inf, -1


@inner_kernel
def _first_listed(patches: Gridded, place: int, path: Any, radius: float, before: float) -> Any:
    """How long until a sphere touches a patch of one cell, not later than a time, and which."""
    faces, edges = count_of(patches.faces), count_of(patches.edges)
    # What happens at the very end of a stay in a cell belongs to it.
    earliest, which = before * (1.0 + 1e-12), -1
    flown = farthest(path, earliest)
    for n in range(patches.start[place], patches.start[place + 1]):
        k = patches.listed[n]
        apart = minus(path.x, part(patches.around, k, 0))
        reach = patches.around[k, 3] + radius + flown
        if dot(apart, apart) > reach * reach:
            continue
        if k < faces:
            t = _time_within(patches.faces, k, path, radius, earliest)
        elif k < faces + edges:
            t = _time_within(patches.edges, k - faces, path, radius, earliest)
        else:
            t = _time_within(patches.corners, k - faces - edges, path, radius, earliest)
        if t < earliest:
            earliest, which = t, k
    return earliest, which


@inner_kernel
def _time_within(patches: Any, k: int, path: Any, radius: float, before: float) -> float:
    """How long until a sphere touches patch k, if that is before a time."""
    if is_out_of_reach(patches, k, path, radius, before):
        return math.inf
    return time_to_patch(patches, k, path, radius, before)


@count_of.register(Gridded)
@inner_kernel
def _(patches: Gridded) -> int:
    return count_of(patches.faces) + count_of(patches.edges) + count_of(patches.corners)


@nearest_point.register(Gridded)
@inner_kernel
def _(patches: Gridded, k: int, x: Vector, radius: float) -> Any:
    faces, edges = count_of(patches.faces), count_of(patches.edges)
    if k < faces:
        return nearest_point(patches.faces, k, x, radius)
    if k < faces + edges:
        return nearest_point(patches.edges, k - faces, x, radius)
    return nearest_point(patches.corners, k - faces - edges, x, radius)


@wall_of.register(Gridded)
@inner_kernel
def _(patches: Gridded, k: int) -> int:
    faces, edges = count_of(patches.faces), count_of(patches.edges)
    if k < faces:
        return patches.faces.wall[k]
    if k < faces + edges:
        return patches.edges.wall[k - faces]
    return patches.corners.wall[k - faces - edges]


@deepest.register(Gridded)
@inner_kernel
def _(patches: Gridded, x: Vector, radius: float) -> Any:
    place = _place_of(patches, _cell_at(patches, x))
    worst, which = -math.inf, -1
    for n in range(patches.start[place], patches.start[place + 1]):
        seen = nearest_point(patches, patches.listed[n], x, radius)
        depth = radius - math.sqrt(dot(seen.away, seen.away))
        if seen.is_there and depth > worst:
            worst, which = depth, patches.listed[n]
    return worst, which
