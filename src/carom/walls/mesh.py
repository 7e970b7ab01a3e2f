"""A surface of triangles, from arrays or from a file."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.checks import numbers_in
from carom.errors import CaromWarning
from carom.particles import BEYOND, LARGEST, Array
from carom.patches.corners import Corners
from carom.patches.edges import Edges
from carom.patches.faces import Faces
from carom.representation import shown_as_call
from carom.types import Integers
from carom.walls.mesh_features import corner_rows, edge_rows, face_rows, joined, sharp_edges
from carom.walls.mesh_files import read_triangles
from carom.walls.mesh_health import Health, examined
from carom.walls.shape import Patches, Shape, wrong_of
from carom.walls.surface import Surface
from carom.walls.winding import is_inside


@shown_as_call
@dataclass(frozen=True, eq=False)
class Mesh(Shape):
    """A surface of triangles, solid from both sides, with its edges and corners.

    - ``vertices``: places (v, 3); equal ones are joined.
    - ``triangles``: three numbers of vertices for each (t, 3).
    - ``side``: with ``"inside"`` or ``"outside"`` of a closed surface, particles that start on the
      other one are refused.

    ``Mesh.read(path)`` reads STL, OBJ, PLY and others. Triangles without an area and those that are
    there twice are left out, with a warning; ``health`` says what was found.
    """

    vertices: ArrayLike
    triangles: ArrayLike
    side: str | None = None
    health: Health = field(init=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        vertices, triangles = self._checked_arrays()
        vertices, triangles = joined(vertices, triangles)
        triangles, health = examined(vertices, triangles)
        if len(triangles) == 0:
            raise ValueError(f"Mesh: no triangle is left: {health}")
        for array in (vertices, triangles):
            array.flags.writeable = False
        self._set(vertices=vertices, triangles=triangles, health=health)
        if health.left_out:
            warnings.warn(f"Mesh: {health}", CaromWarning, stacklevel=4)
        self._check_side(self.side)
        if self.side is not None and not health.is_closed:
            raise ValueError(
                f"Mesh: side={self.side!r} needs a closed surface: {health} Close it, or leave "
                "side out."
            )

    @classmethod
    def read(
        cls,
        path: str | Path,
        *,
        scale: float = 1.0,
        side: str | None = None,
        restitution: float | None = None,
        name: str | None = None,
    ) -> Mesh:
        """A mesh from an STL, OBJ or PLY file, with lengths times ``scale``.

        This is done by ``trimesh``: ``pip install "carom[meshes]"``.
        """
        vertices, triangles = read_triangles(Path(path))
        name = Path(path).stem if name is None else name
        made = scale * np.asarray(vertices)
        return cls(made, triangles, side, restitution=restitution, name=name)

    def _checked_arrays(self) -> tuple[Array, Integers]:
        vertices = numbers_in("Mesh: vertices", self.vertices)
        triangles = np.asarray(self.triangles)
        if vertices.ndim != 2 or vertices.shape[1] != 3:
            raise ValueError(f"Mesh: vertices must have shape (v, 3), not {vertices.shape}.")
        if triangles.ndim != 2 or triangles.shape[1] != 3 or triangles.dtype.kind not in "iu":
            raise ValueError(
                "Mesh: triangles must be whole numbers of shape (t, 3), not "
                f"{triangles.dtype} of {triangles.shape}."
            )
        bad = np.flatnonzero(~np.isfinite(vertices).all(axis=1))
        if len(bad):
            raise ValueError(f"Mesh: vertex {bad[0]} is not finite: {vertices[bad[0]]}.")
        if len(vertices) and np.abs(vertices).max() > LARGEST:
            raise ValueError(f"Mesh: a vertex {BEYOND}.")
        outside = ((triangles < 0) | (triangles >= len(vertices))).any(axis=1)
        if outside.any():
            k = int(np.flatnonzero(outside)[0])
            raise ValueError(
                f"Mesh: triangle {k} has the vertices {triangles[k].tolist()}, but they are "
                f"numbered from 0 to {len(vertices) - 1}."
            )
        return vertices + 0.0, triangles.astype(np.int64)  # no negative zeros: they are compared

    @property
    def described(self) -> str:
        """How messages call it."""
        name = "a mesh" if self.name is None else f"the mesh {self.name!r}"
        return f"{name} of {len(np.asarray(self.triangles))} triangles"

    def patches(self) -> Patches:
        """Its faces, and the edges and corners that stick out on a side."""
        vertices, triangles = np.asarray(self.vertices), np.asarray(self.triangles)
        edges, ends = edge_rows(vertices, triangles)
        faces = face_rows(vertices, triangles)
        return [(Faces, faces), (Edges, edges), (Corners, corner_rows(vertices, ends))]

    def on_wrong_side(self, places: Array) -> Any:
        """Which places (n, 3) are on the side where no particles are to be."""
        if self.side is None:
            return super().on_wrong_side(places)
        inside = is_inside(np.asarray(self.vertices), np.asarray(self.triangles), places)
        return wrong_of(self.side, inside)

    def surface(self, lower: Array, upper: Array) -> Surface:
        """Its triangles, and its sharp edges."""
        return self._surface

    @cached_property
    def _surface(self) -> Surface:
        vertices, triangles = np.asarray(self.vertices), np.asarray(self.triangles)
        return Surface(vertices[triangles], vertices[sharp_edges(vertices, triangles)])
