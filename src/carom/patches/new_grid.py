"""Cells for many faces, edges and corners."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.patches import edges as edge_columns
from carom.patches import faces as face_columns
from carom.patches.corners import Corners
from carom.patches.edges import Edges
from carom.patches.faces import Faces
from carom.patches.gridded import Gridded
from carom.types import Array, Integers

# Cells per patch, and at least; large triangles are few, and span many cells.
CELLS_PER_PATCH = 4
FEWEST_CELLS = 4096
# Narrower cells would list each patch too often.
CELLS_PER_RADIUS = 2
# Lists reach a little further than the largest particle, for places and faces are rounded.
SLACK, ROUNDING = 1e-6, 1e-12
_FURTHEST = 255
_AT_ONCE = 1_000_000  # pairs of a patch and a cell


def gridded(faces: Faces, edges: Edges, corners: Corners, largest: float) -> Gridded:
    """The same patches with cells, for particles up to a largest radius."""
    lower, upper = _boxes(faces, edges, corners)
    around = np.hstack([0.5 * (lower + upper), 0.5 * _lengths(upper - lower)])
    reach = largest * (1.0 + SLACK) + ROUNDING * float(np.abs([lower, upper]).max())
    low, high = lower.min(axis=0) - reach, upper.max(axis=0) + reach
    wanted = max(CELLS_PER_PATCH * len(lower), FEWEST_CELLS)
    width = max(float(np.cbrt((high - low).prod() / wanted)), largest / CELLS_PER_RADIUS)
    number = np.ceil((high - low) / width).astype(np.int64) + 2
    low = low - width
    start, listed = _lists(lower - reach, upper + reach, low, width, number, faces, around, reach)
    return Gridded(
        faces,
        edges,
        corners,
        low,
        width,
        1.0 / width,
        number,
        _distances(np.diff(start) > 0, number),
        start,
        listed,
        around,
    )


def _lengths(vectors: Any) -> Any:
    """The lengths (k, 1) of vectors (k, 3)."""
    return np.sqrt((vectors * vectors).sum(axis=1))[:, None]


def _boxes(faces: Faces, edges: Edges, corners: Corners) -> tuple[Array, Array]:
    """The lower and upper corners (k, 3) of the boxes around all patches."""
    half = edges.rows[:, edge_columns.LENGTH][:, None] * np.abs(edges.rows[:, 3:6])
    middle = edges.rows[:, :3]
    points = _triangle_corners(faces.rows)
    lower = [points.min(axis=1), middle - half, corners.rows]
    upper = [points.max(axis=1), middle + half, corners.rows]
    return np.concatenate(lower), np.concatenate(upper)


def _triangle_corners(rows: Array) -> Array:
    """The corners (t, 3, 3) of triangles, where two of their sides meet."""
    middle, sides = (
        rows[:, :3],
        rows[:, face_columns.SIDES : face_columns.REACHES].reshape(-1, 3, 3),
    )
    reaches = rows[:, face_columns.REACHES :]
    corners = []
    for k in range(3):
        # In the plane: a p + b q with both products known, for the unit vectors p and q of sides.
        p, q = sides[:, k], sides[:, (k + 1) % 3]
        cosine = (p * q).sum(axis=1)
        sine = 1.0 - cosine * cosine
        a = (reaches[:, k] - cosine * reaches[:, (k + 1) % 3]) / sine
        b = (reaches[:, (k + 1) % 3] - cosine * reaches[:, k]) / sine
        corners.append(middle + a[:, None] * p + b[:, None] * q)
    return np.stack(corners, axis=1)


def _lists(
    lower: Array,
    upper: Array,
    low: Array,
    width: float,
    number: Integers,
    faces: Faces,
    around: Array,
    reach: float,
) -> tuple[Any, Any]:
    """Where the list of each cell begins, and the patches of all lists."""
    first = np.clip(np.floor((lower - low) / width).astype(np.int64), 1, number - 2)
    last = np.clip(np.floor((upper - low) / width).astype(np.int64), 1, number - 2)
    spans = last - first + 1
    each = spans.prod(axis=1)
    found_cells, found_patches = [], []
    ends = np.cumsum(each)
    begin = 0
    while begin < len(each):
        done = ends[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, done + _AT_ONCE, side="right")))
        patch = np.repeat(np.arange(begin, end), each[begin:end])
        offset = np.arange(len(patch)) - np.repeat(
            ends[begin:end] - each[begin:end] - done, each[begin:end]
        )
        x, rest = offset % spans[patch, 0], offset // spans[patch, 0]
        y, z = rest % spans[patch, 1], rest // spans[patch, 1]
        cell = first[patch] + np.stack([x, y, z], axis=1)
        near = _may_touch(patch, low + (cell + 0.5) * width, width, faces, around, reach)
        found_cells.append((cell @ np.array([1, number[0], number[0] * number[1]]))[near])
        found_patches.append(patch[near].astype(np.int32))
        begin = end
    cells, patches = np.concatenate(found_cells), np.concatenate(found_patches)
    order = np.argsort(cells, kind="stable")
    start = np.zeros(int(number.prod()) + 1, dtype=np.int64)
    start[1:] = np.cumsum(np.bincount(cells, minlength=int(number.prod())))
    return start, patches[order]


def _may_touch(
    patch: Integers, centre: Array, width: float, faces: Faces, around: Array, reach: float
) -> Any:
    """Whether a particle in a cell around each centre may touch the patch; never falsely no."""
    half = 0.5 * width * (1.0 + SLACK)
    sphere = around[patch]
    apart = centre - sphere[:, :3]
    near = (apart * apart).sum(axis=1) <= (sphere[:, 3] + reach + np.sqrt(3.0) * half) ** 2
    face = np.flatnonzero(near & (patch < len(faces.rows)))
    rows = faces.rows[patch[face]]
    relative = centre[face] - rows[:, :3]
    normal = rows[:, face_columns.NORMAL : face_columns.NORMAL + 3]
    height = np.abs((normal * relative).sum(axis=1)) - half * np.abs(normal).sum(axis=1)
    # From no less than this height a sphere reaches no further sideways.
    sideways = np.sqrt(np.maximum(reach * reach - np.maximum(height, 0.0) ** 2, 0.0))
    touches = height <= reach
    for k in range(3):
        first = face_columns.SIDES + 3 * k
        side, far = rows[:, first : first + 3], rows[:, face_columns.REACHES + k]
        beyond = (side * relative).sum(axis=1) - half * np.abs(side).sum(axis=1)
        touches &= beyond <= far + sideways
    near[face] = touches
    return near


def _distances(has_patches: Any, number: Integers) -> Any:
    """How many cells away the nearest one with patches is, diagonal steps counted as one."""
    from scipy.ndimage import distance_transform_cdt

    grid = ~has_patches.reshape(number[::-1])
    far = distance_transform_cdt(grid, metric="chessboard")
    return np.minimum(far, _FURTHEST).astype(np.uint8).ravel()
