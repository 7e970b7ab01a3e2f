"""The walls of a system as compiled code sees them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from carom.compiled.entry_points import entry_point
from carom.compiled.vectors import row, three_columns
from carom.domains import IMPULSE, NoPlanes, Plane, compiled_planes
from carom.patches import cones, corners, edges, faces, rims
from carom.patches.gridded import Gridded
from carom.patches.new_grid import gridded
from carom.patches.turning import WORK
from carom.patches.walls import (
    ACCOUNTS,
    RESTITUTION,
    Group,
    NoGroups,
    Walls,
    deepest_of,
)
from carom.patches.walls import IMPULSE as GIVEN
from carom.types import Array

# Faces, edges and corners beyond which they are found through cells.
FEW = 32
_IN_CELLS = (faces.Faces, edges.Edges, corners.Corners)
_COLUMNS = {
    faces.Faces: faces.COLUMNS,
    edges.Edges: edges.COLUMNS,
    corners.Corners: corners.COLUMNS,
}
_WITH_MEMORY = (cones.Cones, rims.Rims)


class OfPatches(Protocol):
    """What is asked of a shape of a wall."""

    @property
    def restitution(self) -> float | None:
        """One of its own; None asks the law."""

    def patches(self) -> list[tuple[type, Any]]:
        """Kinds of patches, each with rows of numbers."""


def compiled_walls(planes: list[Plane], shapes: Sequence[OfPatches], largest: float) -> Any:
    """Planes alone as rows of their own, as ever; or all walls, for particles up to a radius.

    Walls are numbered: first the planes, then the shapes.
    """
    rows = compiled_planes(planes)
    if not shapes:
        return rows
    accounts = np.zeros((len(planes) + len(shapes), ACCOUNTS))
    accounts[:, RESTITUTION] = math.nan
    for k, shape in enumerate(shapes):
        if shape.restitution is not None:
            accounts[len(planes) + k, RESTITUTION] = shape.restitution
    kinds = _tables(shapes, len(planes))
    if sum(len(kinds[kind].rows) for kind in _IN_CELLS if kind in kinds) > FEW:
        few = {kind: kinds.pop(kind, None) or _none_of(kind) for kind in _IN_CELLS}
        faces_, edges_, corners_ = few.values()
        kinds = {Gridded: gridded(faces_, edges_, corners_, largest)} | kinds
    return Walls(rows, _chained(list(kinds.values()), len(planes)), accounts)


def _tables(shapes: Iterable[OfPatches], first: int) -> dict[type, Any]:
    """All patches, kind by kind, in the order of their names."""
    rows: dict[type, list[Any]] = {}
    walls: dict[type, list[Any]] = {}
    for k, shape in enumerate(shapes):
        for kind, some in shape.patches():
            if len(some):
                rows.setdefault(kind, []).append(np.asarray(some, dtype=np.float64))
                walls.setdefault(kind, []).append(np.full(len(some), first + k))
    made = {}
    for kind in sorted(rows, key=lambda kind: kind.__name__):
        table = np.ascontiguousarray(np.concatenate(rows[kind]))
        memory = (np.zeros(WORK),) if kind in _WITH_MEMORY else ()
        made[kind] = kind(table, np.concatenate(walls[kind]), *memory)
    return made


def _none_of(kind: Any) -> Any:
    return kind(np.zeros((0, _COLUMNS[kind])), np.zeros(0, dtype=np.int64))


def _chained(kinds: list[Any], first: int) -> Any:
    """The groups one after the other, with numbers from ``first`` on."""
    if not kinds:
        return NoGroups()
    patches = kinds[0]
    parts = patches[:3] if isinstance(patches, Gridded) else (patches,)
    number = sum(len(part.rows) for part in parts)
    return Group(patches, first, _chained(kinds[1:], first + number))


def impulses_of(walls: Any) -> Array:
    """The momentum given to each wall, along its normals."""
    if isinstance(walls, Walls):
        impulse = walls.accounts[:, GIVEN].copy()
        planes = impulses_of(walls.planes)
        impulse[: len(planes)] = planes
        return np.asarray(impulse)
    return np.zeros(0) if isinstance(walls, NoPlanes) else np.array(walls[:, IMPULSE])


def give_impulses(walls: Any, impulse: Array) -> None:
    """Let walls have been given some momentum before, as ``impulses_of`` tells it."""
    if isinstance(walls, Walls):
        walls.accounts[:, GIVEN] = impulse
        give_impulses(walls.planes, impulse[: len(impulses_of(walls.planes))])
    elif not isinstance(walls, NoPlanes):
        walls[:, IMPULSE] = impulse


@entry_point
def deepest_overlap_with_walls(walls: Any, position: Array, radius: Array) -> Any:
    """Depth, particle and wall of the deepest overlap; negative when nothing touches."""
    worst, which, wall = -math.inf, 0, -1
    for i in range(len(radius)):
        depth, k = deepest_of(walls.groups, row(position, i), radius[i])
        if depth > worst:
            worst, which, wall = depth, i, k
    return worst, which, wall


def depths_in_shapes(shapes: Sequence[OfPatches], places: Array, radius: float) -> Array:
    """How deep spheres at these places (n, d) reach into shapes; negative if they are clear."""
    depths = np.empty(len(places))
    _write_depths(depths, compiled_walls([], shapes, radius), three_columns(places), radius)
    return depths


@entry_point
def _write_depths(depths: Array, walls: Any, position: Array, radius: float) -> None:
    for i in range(len(depths)):
        depths[i], _ = deepest_of(walls.groups, row(position, i), radius)
