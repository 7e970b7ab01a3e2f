"""Room for particles that come in: places in a region where they touch nobody and no wall."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from carom.compiled.vectors import three_columns
from carom.particles import Array
from carom.patches.new_walls import compiled_walls, deepest_overlap_with_walls
from carom.regions import Region
from carom.regions.region import squared
from carom.system import System

# Places that are tried for a particle in one act, and of these at a time.
TRIALS, AT_ONCE = 96, 16
# Particles in a row that find no place, after which no further one is tried in this act.
MOST_FRUITLESS = 8
# Nobody comes nearer to others than this share of the distance at contact, which rounding needs.
GAP = 1e-9


class Places:
    """Finds free places in a region; who has found one is in the way of the next."""

    def __init__(
        self,
        system: System,
        region: Region,
        position: Array,
        radius: Array,
        largest: float,
        random: np.random.Generator,
    ) -> None:
        self._system, self._region, self._random = system, region, random
        self._near, self._radius = _around(system, region, position, radius, largest)
        self._largest = float(self._radius.max(initial=0.0))
        self._shifts = np.array(_shifts(system))
        # Who has found a place, by cells as wide as two of them need to be apart.
        self._width = 2.0 * largest * (1.0 + 1e-6)
        self._placed: dict[tuple[int, ...], list[tuple[Array, float]]] = {}
        self._steps = list(itertools.product((-1, 0, 1), repeat=system.dimension))
        self._shapes: Any = None
        if system.shapes:
            self._shapes = compiled_walls([], system.shapes, largest)
        self._tree: Any = None
        if len(self._near):
            from scipy.spatial import cKDTree  # it would make ``import carom`` slower

            self._tree = cKDTree(self._near)

    def find(self, radius: float) -> Array | None:
        """A free place (d,) at random, or None if none of so many was."""
        for _ in range(TRIALS // AT_ONCE):
            trial = self._region.places(self._random, AT_ONCE)
            for k in np.flatnonzero(self._are_off_walls(trial, radius)).tolist():
                if self._is_apart(trial[k], radius):
                    self._note(trial[k], radius)
                    return trial[k]
        return None

    def _are_off_walls(self, trial: Array, radius: float) -> Any:
        """At which of the places (k, d) no wall is touched."""
        free = np.ones(len(trial), dtype=bool)
        n_box = self._system.box_walls
        for k, plane in enumerate(self._system.planes):
            height = plane.heights(trial)
            # Nothing is outside of a box; other walls are solid on both sides.
            free &= (height if k < n_box else np.abs(height)) >= radius * (1.0 + GAP)
        for k in np.flatnonzero(free).tolist() if self._system.shapes else ():
            place = three_columns(trial[k : k + 1])
            depth, _, _ = deepest_overlap_with_walls(self._shapes, place, np.array([radius]))
            free[k] = depth < -GAP * radius
        return free

    def _is_apart(self, place: Array, radius: float) -> bool:
        """Whether a place is away from all who are there, and who have found one."""
        if self._tree is not None:
            near = self._tree.query_ball_point(place, (radius + self._largest) * (1.0 + 1e-6))
            distance = (radius + self._radius[near]) * (1.0 + GAP)
            if (squared(self._near[near], place) < distance * distance).any():
                return False
        cell = self._cell(place)
        for step in self._steps:
            around = tuple(a + b for a, b in zip(cell, step, strict=True))
            for other, size in self._placed.get(around, ()):
                distance = (radius + size) * (1.0 + GAP)
                apart = other - place
                if math.fsum((apart * apart).tolist()) < distance * distance:
                    return False
        return True

    def _note(self, place: Array, radius: float) -> None:
        """Note who has found a place, with the images that may be in the way."""
        lower, upper = self._region.corners
        images = place + self._shifts
        near = ((images >= lower - self._width) & (images <= upper + self._width)).all(axis=1)
        for image in images[near]:
            self._placed.setdefault(self._cell(image), []).append((image, radius))

    def _cell(self, place: Array) -> tuple[int, ...]:
        return tuple(math.floor(x / self._width) for x in place.tolist())


def _shifts(system: System) -> list[Array]:
    """The vectors to the boxes around, and to the box itself."""
    if system.sides is None:
        return [np.zeros(system.dimension)]
    steps = [
        (-side, 0.0, side) if repeats else (0.0,)
        for side, repeats in zip(system.sides, system.periodic, strict=True)
    ]
    return [np.array(shift) for shift in itertools.product(*steps)]


def _around(
    system: System, region: Region, position: Array, radius: Array, largest: float
) -> tuple[Array, Array]:
    """The centres (k, d) and radii of all particles, images included, that may be in the way of
    some in a region up to a radius."""
    lower, upper = region.corners
    places, sizes = [], []
    for shift in _shifts(system):
        image = position + shift
        reach = (radius + largest)[:, None] * (1.0 + 1e-6)
        near = ((image >= lower - reach) & (image <= upper + reach)).all(axis=1)
        places.append(image[near])
        sizes.append(radius[near])
    return np.concatenate(places), np.concatenate(sizes)
