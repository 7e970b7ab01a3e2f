"""Room for particles that come in: places in a region where they touch nobody and no wall."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from carom.particles import Array
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
        self._placed: list[tuple[Array, float]] = []
        self._tree: Any = None
        if len(self._near):
            from scipy.spatial import cKDTree  # it would make ``import carom`` slower

            self._tree = cKDTree(self._near)

    def find(self, radius: float) -> Array | None:
        """A free place (d,) at random, or None if none of so many was."""
        for _ in range(TRIALS // AT_ONCE):
            trial = self._region.places(self._random, AT_ONCE)
            free = np.flatnonzero(self._are_free(trial, radius))
            if len(free):
                place = trial[free[0]]
                self._placed += [(image, radius) for image in self._images(place)]
                return place
        return None

    def _are_free(self, trial: Array, radius: float) -> Any:
        """Which of the places (k, d) are free."""
        free = np.ones(len(trial), dtype=bool)
        n_box = len(self._system.planes) - len(self._system.walls)
        for k, plane in enumerate(self._system.planes):
            height = plane.heights(trial)
            # Nothing is outside of a box; other walls are solid on both sides.
            free &= (height if k < n_box else np.abs(height)) >= radius * (1.0 + GAP)
        if self._tree is not None:
            reach = (radius + self._largest) * (1.0 + 1e-6)
            for k in np.flatnonzero(free).tolist():
                near = self._tree.query_ball_point(trial[k], reach)
                distance = (radius + self._radius[near]) * (1.0 + GAP)
                free[k] = (squared(self._near[near], trial[k]) >= distance * distance).all()
        if self._placed:
            places = np.array([place for place, _ in self._placed])
            distance = (radius + np.array([size for _, size in self._placed])) * (1.0 + GAP)
            for k in np.flatnonzero(free).tolist():
                free[k] = (squared(places, trial[k]) >= distance * distance).all()
        return free

    def _images(self, place: Array) -> list[Array]:
        """A place and its images in the boxes around."""
        return [place + shift for shift in _shifts(self._system)]


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
