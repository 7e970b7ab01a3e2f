"""Random places for particles inside a region of a scene."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from carom.packings.room import Room
from carom.particles import Array

# Random sequential addition is given up when so many rounds in a row find no further place.
FRUITLESS_ROUNDS = 50
TRIALS_PER_ROUND = 2000


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
