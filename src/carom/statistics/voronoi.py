"""Clustering by Voronoï cells: the part of space that is nearer to one point than to any other."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.functions import power
from carom.particles import Array
from carom.statistics.boxes import RepeatingBox

# Of the cells of random points, relative to the square of their mean, by dimension: Gilbert, Ann.
# Math. Stat. 33, 958 (1962); Ferenc & Néda, Physica A 385, 518 (2007).
VARIANCE_OF_RANDOM_POINTS = {2: 0.2802, 3: 0.1790}
# Images up to so many mean spacings around the box are tried first.
FIRST_MARGIN = 3.0


def voronoi_volumes(position: ArrayLike, box: RepeatingBox) -> Array:
    """The volumes (n,), in the plane areas, of the Voronoï cells of points in a repeating box.

    Exact: images are taken until no further one can reach a cell. The volumes add up to that of
    the box.
    """
    own = box.wrapped(position)
    margin = FIRST_MARGIN * power(box.volume / len(own), 1.0 / box.dimension)
    while True:
        cells = _Faces(box.images(own, margin)[0], len(own))
        if cells.are_complete(box, margin):
            return cells.volumes()
        margin *= 2.0


def relative_deviation(volumes: ArrayLike) -> float:
    """The standard deviation of volumes over their mean.

    Of Voronoï cells, it is about 0.53 for random points in the plane and 0.42 in space, the roots
    of ``VARIANCE_OF_RANDOM_POINTS``; clusters and voids make it larger.
    """
    values = np.asarray(volumes, dtype=np.float64)
    return float(values.std() / values.mean())


class _Faces:
    """The faces between the cells of the first n of some places and their neighbours."""

    def __init__(self, places: Array, n: int) -> None:
        from scipy.spatial import Voronoi

        diagram = Voronoi(places)
        ours = (diagram.ridge_points < n).any(axis=1)
        corners = list(itertools.compress(diagram.ridge_vertices, ours))
        self.n = n
        self.places = places
        self.neighbours = diagram.ridge_points[ours]  # (f, 2)
        self.number = np.fromiter(map(len, corners), dtype=np.int64)  # of the corners of each face
        # The corners of all faces, one face after the other; in order around each.
        self.index: Any = np.fromiter(itertools.chain.from_iterable(corners), dtype=np.int64)
        self.corners: Array = diagram.vertices[self.index]

    def are_complete(self, box: RepeatingBox, margin: float) -> bool:
        """Whether the cells would be the same with images from farther away.

        No place lies in the ball around a corner that touches its nearest places. Where the images
        reach beyond all of these balls, there is nothing left to cut off.
        """
        if (self.index < 0).any():
            return False
        first = np.repeat(self.neighbours[:, 0], self.number)
        ball = np.linalg.norm(self.corners - self.places[first], axis=1)[:, None]
        inside = (self.corners - ball > -margin) & (self.corners + ball < np.add(box.sides, margin))
        return bool(inside.all())

    def volumes(self) -> Array:
        """The cells (n,) as pyramids with their point for apex and a face for base."""
        ends = self.places[self.neighbours]
        height = 0.5 * np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
        pyramids = height * self._areas() / self.places.shape[1]
        both = np.concatenate([self.neighbours[:, 0], self.neighbours[:, 1]])
        volumes = np.bincount(both, np.tile(pyramids, 2), minlength=self.n)
        return np.asarray(volumes[: self.n], dtype=np.float64)

    def _areas(self) -> Array:
        """The areas (f,) of the faces, in the plane lengths of edges."""
        starts = np.concatenate([[0], np.cumsum(self.number)[:-1]])
        arms = self.corners - np.repeat(self.corners[starts], self.number, axis=0)
        if self.places.shape[1] == 2:
            return np.linalg.norm(arms[1::2], axis=1)
        # Triangles with the first corner of the face; between two faces an arm is zero.
        triangles = np.zeros_like(arms)
        triangles[:-1] = np.cross(arms[:-1], arms[1:])
        return 0.5 * np.linalg.norm(np.add.reduceat(triangles, starts, axis=0), axis=1)
