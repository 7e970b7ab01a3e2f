"""Which places are inside a closed surface of triangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.particles import Array
from carom.types import Integers
from carom.walls.mesh_features import crossed, dots

# A direction along which no edge of a drawing lies.
_SLANTED = np.array([0.5403023058681398, 0.6765321546894231, 0.5002891764382077])
_AT_ONCE = 4_000_000  # places times triangles


def is_inside(vertices: Array, triangles: Integers, places: Array) -> Any:
    """Which places (n, 3) are inside: a ray from there passes the surface an odd number of times.

    It does not ask which way triangles turn (Möller & Trumbore 1997).
    """
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    first, second = b - a, c - a
    ray = np.broadcast_to(_SLANTED, first.shape)
    p = crossed(ray, second)
    inverse = 1.0 / dots(first, p)
    at_once = max(1, _AT_ONCE // len(triangles))
    return np.concatenate(
        [
            [_is_one(x, a, first, second, ray, p, inverse) for x in places[k : k + at_once]]
            for k in range(0, len(places), at_once)
        ]
    )


def _is_one(
    x: Array, a: Array, first: Array, second: Array, ray: Any, p: Array, inverse: Array
) -> bool:
    """Whether a ray from one place passes an odd number of triangles."""
    with np.errstate(invalid="ignore", over="ignore"):
        s = x - a
        u = dots(s, p) * inverse
        q = crossed(s, first)
        v = dots(ray, q) * inverse
        t = dots(second, q) * inverse
        hit = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (t > 0.0)
    return bool(np.count_nonzero(hit) % 2)
