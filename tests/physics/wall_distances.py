"""Distances from walls, in NumPy and without anything of the package but what a wall was given."""

from __future__ import annotations

from typing import Any

import numpy as np


def distances(wall: Any, places: Any) -> Any:
    """How far places (n, d) are from a wall: (n,)."""
    return _DISTANCES[type(wall).__name__](wall, np.asarray(places, dtype=float))


def _norm(vectors: Any) -> Any:
    return np.sqrt((vectors * vectors).sum(axis=-1))


def _unit(vector: Any) -> Any:
    vector = np.asarray(vector, dtype=float)
    return vector / _norm(vector)


def _of_ball(wall: Any, x: Any) -> Any:
    return abs(_norm(x - np.array(wall.centre)) - wall.radius)


def _to_segment(start: Any, end: Any, x: Any) -> Any:
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    t = np.clip(((x - a) @ (b - a)) / ((b - a) @ (b - a)), 0.0, 1.0)
    return _norm(x - a - t[..., None] * (b - a))


def _of_arc(wall: Any, x: Any) -> Any:
    from_centre = x - np.array(wall.centre)
    angle = np.mod(np.arctan2(from_centre[:, 1], from_centre[:, 0]) - wall.start, 2 * np.pi)
    ends = [
        _norm(from_centre - wall.radius * np.array([np.cos(t), np.sin(t)]))
        for t in (wall.start, wall.end)
    ]
    on_arc = abs(_norm(from_centre) - wall.radius)
    return np.where(angle <= wall.end - wall.start, on_arc, np.minimum(*ends))


def _axial(point: Any, axis: Any, x: Any) -> Any:
    """The distances from an axis, and the places along it."""
    relative = x - np.array(point, dtype=float)
    along = relative @ axis
    return _norm(relative - along[:, None] * axis), along


def _of_cylinder(wall: Any, x: Any) -> Any:
    rho, z = _axial(wall.point, _unit(wall.axis), x)
    if wall.length is None:
        return abs(rho - wall.radius)
    return np.hypot(rho - wall.radius, z - np.clip(z, 0.0, wall.length))


def _of_cone(wall: Any, x: Any) -> Any:
    along = np.array(wall.end) - np.array(wall.start)
    rho, z = _axial(wall.start, _unit(along), x)
    ends = [wall.radii[0], 0.0], [wall.radii[1], _norm(along)]
    return _to_segment(*ends, np.stack([rho, z], axis=-1))


def _of_disk(wall: Any, x: Any) -> Any:
    rho, z = _axial(wall.centre, _unit(wall.normal), x)
    return np.hypot(rho - np.clip(rho, wall.opening or 0.0, wall.radius), z)


def _of_rectangle(wall: Any, x: Any) -> Any:
    sides = [np.array(side) for side in wall.sides]
    long, wide = map(_norm, sides)
    a, b = map(_unit, sides)
    relative = x - np.array(wall.corner) - 0.5 * (sides[0] + sides[1])
    p, q, height = relative @ a, relative @ b, relative @ np.cross(a, b)
    beside = np.hypot(p - np.clip(p, -long / 2, long / 2), q - np.clip(q, -wide / 2, wide / 2))
    if isinstance(wall.opening, float):
        beside = np.maximum(beside, wall.opening - np.hypot(p, q))
    elif wall.opening is not None:
        half = [length / 2 for length in wall.opening]
        to_edge = np.minimum(half[0] - abs(p), half[1] - abs(q))
        beside = np.maximum(beside, to_edge)
    return np.hypot(np.maximum(beside, 0.0), height)


def _to_triangle(a: Any, b: Any, c: Any, x: Any) -> Any:
    normal = _unit(np.cross(b - a, c - a))
    height = (x - a) @ normal
    foot = x - height[:, None] * normal
    sides = ((a, b), (b, c), (c, a))
    inside = np.all([(foot - p) @ np.cross(normal, q - p) >= 0.0 for p, q in sides], axis=0)
    return np.where(inside, abs(height), np.min([_to_segment(p, q, x) for p, q in sides], axis=0))


def _of_mesh(wall: Any, x: Any) -> Any:
    corners = np.array(wall.vertices)
    return np.min([_to_triangle(*corners[three], x) for three in wall.triangles], axis=0)


_DISTANCES = {
    "Sphere": _of_ball,
    "Circle": _of_ball,
    "Arc": _of_arc,
    "Segment": lambda wall, x: _to_segment(wall.start, wall.end, x),
    "Cylinder": _of_cylinder,
    "Cone": _of_cone,
    "Disk": _of_disk,
    "Rectangle": _of_rectangle,
    "Mesh": _of_mesh,
}


def icosphere(times: int, radius: float = 1.0) -> Any:
    """Vertices and triangles of a sphere, an icosahedron divided so many times."""
    p = 0.5 * (1.0 + 5.0**0.5)
    corners = [(-1, p, 0), (1, p, 0), (-1, -p, 0), (1, -p, 0), (0, -1, p), (0, 1, p), (0, -1, -p)]
    corners += [(0, 1, -p), (p, 0, -1), (p, 0, 1), (-p, 0, -1), (-p, 0, 1)]
    vertices = [_unit(corner) for corner in corners]
    text = "0b5 051 017 07a 0ab 159 5b4 ba2 a76 718 394 342 326 368 389 495 24b 62a 867 981"
    triangles = [tuple(int(letter, 16) for letter in word) for word in text.split()]
    for _ in range(times):
        known: dict[Any, int] = {}

        def between(a: int, b: int, known: dict[Any, int] = known) -> int:
            key = (min(a, b), max(a, b))
            if key not in known:
                vertices.append(_unit(vertices[a] + vertices[b]))
                known[key] = len(vertices) - 1
            return known[key]

        divided = []
        for a, b, c in triangles:
            x, y, z = between(a, b), between(b, c), between(c, a)
            divided += [(a, x, z), (b, y, x), (c, z, y), (x, y, z)]
        triangles = divided
    return radius * np.array(vertices), np.array(triangles)


def cuboid(half: Any, centre: Any = (0.0, 0.0, 0.0)) -> Any:
    """Vertices and triangles of a cuboid with half its sides."""
    signs = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [three for a, b, c, d in faces for three in ((a, b, c), (a, c, d))]
    return np.array(signs) * np.array(half) + np.array(centre), np.array(triangles)
