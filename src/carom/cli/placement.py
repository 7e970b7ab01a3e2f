"""Places for particles inside a region that need not be a periodic box of its own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from carom.particles import Array

# Neighbours on a lattice stay apart by this factor, so that rounding never makes them overlap.
SLACK = 1.0 + 1e-9
# Random sequential addition is given up when so many rounds in a row find no further place.
FRUITLESS_ROUNDS = 50
TRIALS_PER_ROUND = 2000


class Room(NamedTuple):
    """Where the particles of a group may be: wholly between two corners, and where it is free."""

    lower: Array
    upper: Array
    is_free: Callable[[Array, float], Any]  # (positions (k, d), radius) -> (k,) bool

    def described(self) -> str:
        """The corners, for messages."""
        corners = " to ".join(
            "(" + ", ".join(f"{value:g}" for value in corner) + ")"
            for corner in (self.lower, self.upper)
        )
        return f"the region from {corners}"


def lattice_places(n: int, radius: float, room: Room, rng: np.random.Generator) -> Array:
    """n places (n, d) on a triangular or face-centred cubic lattice as wide as the room allows.

    Sites that n does not fill stay empty, chosen at random.
    """
    extent = room.upper - room.lower - 2.0 * radius

    def sites(spacing: float) -> Array:
        if (extent < 0.0).any():
            return np.empty((0, len(extent)))
        inside = room.lower + radius + _centred_lattice(extent, spacing)
        return np.asarray(inside[room.is_free(inside, radius)])

    narrowest = 2.0 * radius * SLACK
    densest = sites(narrowest)
    if len(densest) < n:
        raise ValueError(
            f"only {len(densest)} of {n} particles of radius {radius:g} fit on a lattice in "
            f"{room.described()}."
        )
    # Bisection: the number of sites falls as the spacing grows, up to steps at the border.
    lower, upper, found = narrowest, float(extent.max()) + narrowest, densest
    for _ in range(40):
        spacing = 0.5 * (lower + upper)
        trial = sites(spacing)
        if len(trial) >= n:
            lower, found = spacing, trial
        else:
            upper = spacing
    return found[np.sort(rng.permutation(len(found))[:n])]


def _centred_lattice(extent: Array, spacing: float) -> Array:
    """Lattice sites in a box from the origin, with as much room left below as above."""
    if len(extent) == 2:
        unit = np.array([1.0, math.sqrt(3.0)])
        basis = np.array([[0.0, 0.0], [0.5, 0.5]])
    else:
        unit = np.full(3, math.sqrt(2.0))
        basis = np.array([[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]])
    counts = [
        math.floor(side / (spacing * step)) + 1 for side, step in zip(extent, unit, strict=True)
    ]
    grid = np.stack(np.meshgrid(*map(np.arange, counts), indexing="ij"), axis=-1)
    sites = (grid.reshape(-1, 1, len(extent)) + basis).reshape(-1, len(extent)) * unit * spacing
    sites = sites[(sites <= extent).all(axis=1)]
    return np.asarray(sites + 0.5 * (extent - sites.max(axis=0)))


def random_places(n: int, radius: float, room: Room, rng: np.random.Generator) -> Array:
    """n places (n, d), one after the other wherever there is room (random sequential addition)."""
    lower, upper = room.lower + radius, room.upper - radius
    places = np.empty((0, len(lower)))
    fruitless = 0
    while len(places) < n:
        if fruitless == FRUITLESS_ROUNDS or (lower > upper).any():
            raise ValueError(
                f"no room was found for more than {len(places)} of {n} particles of radius "
                f"{radius:g} in {room.described()}; use fewer, or a lattice."
            )
        trial = rng.uniform(lower, upper, (max(n - len(places), TRIALS_PER_ROUND), len(lower)))
        trial = trial[room.is_free(trial, radius)]
        if len(places):
            trial = trial[cKDTree(places).query(trial)[0] >= 2.0 * radius]
        new = _apart(trial, 2.0 * radius)[: n - len(places)]
        fruitless = 0 if len(new) else fruitless + 1
        places = np.concatenate([places, new])
    return places


def _apart(places: Array, distance: float) -> Array:
    """The places without those that an earlier one is too near to."""
    if len(places) < 2:
        return places
    pairs = cKDTree(places).query_pairs(distance, output_type="ndarray")
    keep = np.ones(len(places), dtype=bool)
    keep[pairs.max(axis=1)] = False
    return places[keep]
