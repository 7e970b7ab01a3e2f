"""The patches of a mesh: rows of faces, edges and corners from vertices and triangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.particles import Array
from carom.types import Integers

# Two faces are one plane where their normals differ by less: an edge between them sticks out on
# neither side, and is covered by the margins of both.
FLAT = 1e-8
# Two faces meet at a sharp edge where the cosine between their normals is less: 25 degrees.
SHARP = 0.9063


def joined(vertices: Array, triangles: Integers) -> tuple[Array, Integers]:
    """Vertices of which no two are equal, and the triangles with their numbers."""
    if len(vertices) == 0:
        return vertices, triangles
    places, first, number = np.unique(vertices, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)  # in the order in which they came
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return np.ascontiguousarray(places[order]), rank[number.ravel()][triangles]


def dots(a: Any, b: Any) -> Any:
    """The products of the rows of two arrays (k, 3), summed in the same order on all processors."""
    return a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1] + a[:, 2] * b[:, 2]


def crossed(a: Any, b: Any) -> Any:
    """The cross products of the rows of two arrays (k, 3)."""
    x, y, z = 0, 1, 2
    return np.stack(
        [
            a[:, y] * b[:, z] - a[:, z] * b[:, y],
            a[:, z] * b[:, x] - a[:, x] * b[:, z],
            a[:, x] * b[:, y] - a[:, y] * b[:, x],
        ],
        axis=1,
    )


def normalised(vectors: Any) -> Any:
    """The rows (k, 3) as unit vectors."""
    return vectors / np.sqrt(dots(vectors, vectors))[:, None]


def normals_of(vertices: Array, triangles: Integers) -> Any:
    """The unit normals of triangles (t, 3), to the side from which they turn counterclockwise."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return normalised(crossed(b - a, c - a))


def face_rows(vertices: Array, triangles: Integers) -> Array:
    """The rows of ``patches.faces``."""
    corners = [vertices[triangles[:, k]] for k in range(3)]
    middle = (corners[0] + corners[1] + corners[2]) / 3.0
    normals = normals_of(vertices, triangles)
    sides, reaches = [], []
    for k in range(3):
        start, end = corners[k], corners[(k + 1) % 3]
        out = normalised(crossed(normalised(end - start), normals))
        sides.append(out)
        reaches.append(dots(start - middle, out)[:, None])
    return np.hstack([middle, normals, *sides, *reaches])


def sides_of(triangles: Integers) -> tuple[Integers, Integers]:
    """The sides of all triangles (3 t, 2), the smaller number first, and whose they are (3 t,)."""
    sides = np.concatenate([triangles[:, [k, (k + 1) % 3]] for k in range(3)])
    return np.sort(sides, axis=1), np.tile(np.arange(len(triangles)), 3)


def edge_rows(vertices: Array, triangles: Integers) -> tuple[Array, Integers]:
    """The rows of ``patches.edges`` for all that stick out, and the vertices at their ends."""
    sides, owners = sides_of(triangles)
    edges, number, count = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(number.ravel(), kind="stable")
    start = np.cumsum(count) - count
    a, b = vertices[edges[:, 0]], vertices[edges[:, 1]]
    axis, length = normalised(b - a), np.sqrt(dots(b - a, b - a))
    away = np.zeros((2, len(edges), 3))
    normals = normals_of(vertices, triangles)
    centres = (
        vertices[triangles[:, 0]] + vertices[triangles[:, 1]] + vertices[triangles[:, 2]]
    ) / 3
    middle = 0.5 * (a + b)
    for nth in range(2):
        # Where more than two faces join, none of them rules the edge out.
        has = np.flatnonzero((count > nth) & (count <= 2))
        face = owners[order[start[has] + nth]]
        out = normalised(crossed(axis[has], normals[face]))
        outward = dots(middle[has] - centres[face], out)
        away[nth, has] = np.where(outward < 0.0, -1.0, 1.0)[:, None] * out
    sum_of_both = away[0] + away[1]
    flat = (count == 2) & (dots(sum_of_both, sum_of_both) < FLAT * FLAT)
    rows = np.hstack([middle, axis, 0.5 * length[:, None], away[0], away[1]])
    return rows[~flat], edges[~flat]


def corner_rows(vertices: Array, ends: Integers) -> Array:
    """The rows of ``patches.corners``: where edges end that stick out."""
    return vertices[np.unique(ends)]


def sharp_edges(vertices: Array, triangles: Integers) -> Any:
    """The vertices (k, 2) of the edges that are drawn: where one triangle ends, more than two meet,
    or two at a sharp angle."""
    rows, ends = edge_rows(vertices, triangles)
    return ends[dots(rows[:, 7:10], rows[:, 10:13]) > -SHARP]
