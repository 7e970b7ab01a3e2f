"""A flat rectangular plate, with an opening or without."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from carom.checks import is_positive
from carom.particles import Array
from carom.patches.corners import Corners
from carom.patches.edges import Edges
from carom.patches.plates import Plates
from carom.patches.rims import Rims
from carom.representation import shown_as_call
from carom.walls.segment import edge
from carom.walls.shape import Patches, Shape, apart
from carom.walls.surface import AROUND, Surface, chained, round_surface

# The sides may be off a right angle by this cosine: what rounding leaves.
_SQUARE = 1e-9


@shown_as_call
@dataclass(frozen=True)
class Rectangle(Shape):
    """A flat plate without thickness, from ``corner`` along two ``sides``, vectors that are
    perpendicular.

    ``opening`` is a hole in its middle: the radius of a round one, or the two lengths of a
    rectangular one.
    """

    corner: Sequence[float]
    sides: Sequence[Sequence[float]]
    opening: float | Sequence[float] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        given = self.sides
        self._set(corner=self._place("corner"))
        if not (isinstance(given, Sequence) or hasattr(given, "shape")) or len(given) != 2:
            raise ValueError(f"Rectangle: sides must be two vectors, not {given!r}.")
        vectors = []
        for one in given:
            self._set(sides=one)
            vectors.append(self._place("sides"))
        self._set(sides=tuple(vectors))
        (a, long), (b, wide) = (apart((0.0,) * 3, tuple(side)) for side in self.sides)
        if long == 0.0 or wide == 0.0:
            raise ValueError(f"Rectangle: a side of {self.sides} has no length.")
        cosine = sum(x * y for x, y in zip(a, b, strict=True))
        if abs(cosine) > _SQUARE:
            raise ValueError(
                f"Rectangle: its sides {self.sides} are not perpendicular: the angle between them "
                f"is {math.degrees(math.acos(max(-1.0, min(1.0, cosine)))):.6g} degrees. Other "
                "shapes are carom.walls.Mesh(vertices, triangles)."
            )
        self._check_opening(long, wide)

    def _check_opening(self, long: float, wide: float) -> None:
        hole = self.opening
        if hole is None:
            return
        if isinstance(hole, Sequence):
            if len(hole) != 2 or not all(map(is_positive, hole)):
                raise ValueError(f"Rectangle: opening must be two lengths, not {hole!r}.")
            self._set(opening=tuple(map(float, hole)))
            fits = hole[0] < long and hole[1] < wide
        else:
            self._set(opening=self._length("opening"))
            fits = 2.0 * hole < min(long, wide)
        if not fits:
            raise ValueError(
                f"Rectangle: an opening of {hole!r} does not fit into {long:g} times {wide:g}."
            )

    def patches(self) -> Patches:
        """A plate, and the edges, corners and rims around it and around its opening."""
        (a, long), (b, wide) = (apart((0.0,) * 3, tuple(side)) for side in self.sides)
        corner, (along, across) = self.corner, self.sides
        middle = [c + 0.5 * (x + y) for c, x, y in zip(corner, along, across, strict=True)]
        normal = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        is_slot = isinstance(self.opening, tuple)
        slot = [0.5 * length for length in self.opening] if is_slot else [0.0, 0.0]  # type: ignore[union-attr]
        hole = self.opening if isinstance(self.opening, float) else 0.0
        plate = [*middle, *normal, *a, *b, 0.5 * long, 0.5 * wide, hole, *slot]
        edges, corners = _frame(middle, a, b, 0.5 * long, 0.5 * wide, 1.0)
        if is_slot:
            more = _frame(middle, a, b, slot[0], slot[1], -1.0)
            edges, corners = edges + more[0], corners + more[1]
        rims = [[*middle, *normal, hole]] if hole else []
        return [(Plates, [plate]), (Edges, edges), (Corners, corners), (Rims, rims)]

    def surface(self, lower: Array, upper: Array) -> Surface:
        """The plate, and the lines around it and around its opening."""
        along, across = (0.5 * np.asarray(side) for side in self.sides)
        long, wide = (math.sqrt(float((half * half).sum())) for half in (along, across))
        middle = np.asarray(self.corner) + along + across
        hole = self.opening
        slot = tuple(0.5 * one for one in hole) if isinstance(hole, tuple) else ()
        angles = np.linspace(0.0, 2.0 * math.pi, AROUND + 1)
        corners = [
            sign * math.atan2(w, a) + turn
            for a, w in [(long, wide), *([slot] if slot else [])]
            for sign, turn in ((1, 0.0), (-1, math.pi), (1, math.pi), (-1, 2.0 * math.pi))
        ]
        angles = np.sort(np.concatenate([angles, corners]))
        turns = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        outer = turns * _reach(turns, long, wide)
        inner = turns * (_reach(turns, *slot) if slot else float(hole or 0.0))  # type: ignore[arg-type]
        rows = [
            middle + flat[:, :1] * along / long + flat[:, 1:] * across / wide
            for flat in (inner, outer)
        ]
        triangles = round_surface(rows, []).triangles
        lines = np.concatenate([chained(row) for row in (rows if hole else rows[1:])])
        return Surface(triangles, lines)


def _reach(turns: Array, long: float, wide: float) -> Array:
    """How far the border of a rectangle is from its middle in some directions (k, 2), as (k, 1)."""
    share = np.abs(turns) / (long, wide)
    return np.asarray(1.0 / share.max(axis=1, keepdims=True))


def _frame(
    middle: list[float], a: list[float], b: list[float], long: float, wide: float, out: float
) -> tuple[list[list[float]], list[list[float]]]:
    """The four edges and corners of a rectangle; the plate is inside (``out`` 1) or outside."""
    signs = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
    corners = [
        [m + s * long * x + t * wide * y for m, x, y in zip(middle, a, b, strict=True)]
        for s, t in signs
    ]
    edges = []
    for k in range(4):
        row = edge(corners[k], corners[(k + 1) % 4])
        # From the plate: below, to the right, above, to the left.
        away = b if k % 2 == 0 else a
        sign = out * (1.0 if k in (1, 2) else -1.0)
        row[7:10] = [sign * x for x in away]
        edges.append(row)
    return edges, corners
