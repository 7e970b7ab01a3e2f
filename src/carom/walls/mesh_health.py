"""What is wrong with a mesh: counted, and mended where that is safe."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom.particles import Array
from carom.types import Integers
from carom.walls.mesh_features import crossed, dots, sides_of

# The height of a triangle, in units of its longest side, below which it has no normal.
THIN = 1e-10


class Health(NamedTuple):
    """What was found in a mesh, in numbers of triangles and of edges."""

    triangles: int  # that are kept
    degenerate: int  # without an area, and left out
    duplicated: int  # there twice, and left out
    open_edges: int  # with one triangle
    crowded_edges: int  # with more than two
    inverted: int  # edges whose two triangles turn in opposite ways

    @property
    def left_out(self) -> int:
        """How many triangles were left out."""
        return self.degenerate + self.duplicated

    @property
    def is_closed(self) -> bool:
        """Whether the surface has an inside."""
        return self.open_edges == 0 and self.crowded_edges == 0

    def __str__(self) -> str:
        said = [f"{self.triangles} triangles"]
        remarks = (
            (self.degenerate, "without an area were left out"),
            (self.duplicated, "that were there twice were left out"),
            (self.open_edges, "edges are open (one triangle): the surface is not closed"),
            (self.crowded_edges, "edges have more than two triangles"),
            (
                self.inverted,
                "edges have triangles that turn in opposite ways, which does no harm: walls are "
                "solid from both sides",
            ),
        )
        said += [f"{count} {remark}" for count, remark in remarks if count]
        return "; ".join(said) + "."


def examined(vertices: Array, triangles: Integers) -> tuple[Integers, Health]:
    """The triangles that are some, and what was found."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    longest = np.sqrt(np.max([dots(b - a, b - a), dots(c - b, c - b), dots(a - c, a - c)], axis=0))
    normal = crossed(b - a, c - a)
    degenerate = np.sqrt(dots(normal, normal)) <= THIN * longest * longest
    kept = triangles[~degenerate]
    _, first = np.unique(np.sort(kept, axis=1), axis=0, return_index=True)
    single = kept[np.sort(first)]
    sides, _ = sides_of(single)
    _, number, count = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
    # A side that is passed upwards counts 1, downwards -1; neighbours pass theirs in opposite ways.
    ways = np.concatenate([single[:, (k + 1) % 3] > single[:, k] for k in range(3)])
    balance = np.bincount(number.ravel(), 2.0 * ways - 1.0, minlength=len(count))
    return single, Health(
        triangles=len(single),
        degenerate=int(degenerate.sum()),
        duplicated=len(kept) - len(single),
        open_edges=int((count == 1).sum()),
        crowded_edges=int((count > 2).sum()),
        inverted=int(((count == 2) & (balance != 0.0)).sum()),
    )
