"""Pairs of points that are near each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from carom.particles import Array
from carom.statistics.boxes import RepeatingBox

# Points whose neighbours are looked for at once: it bounds the memory, not the result.
PORTION = 8192


class NearPairs(NamedTuple):
    """Some pairs of points i < j."""

    i: Any  # (k,)
    j: Any  # (k,)
    separation: Array  # (k, d) from the nearest image of j, or another near one, to i
    distance: Array  # (k,)
    rows: Any  # (k,) how many boxes above its own, along y, that image of j is


def near_pairs(position: Array, reach: float, box: RepeatingBox) -> Iterator[NearPairs]:
    """All pairs of points of a box up to a distance, in portions.

    Every image of j within reach of i makes a pair. A point makes none with its own images.
    """
    from scipy.spatial import cKDTree

    places, owner, boxes = box.images(position, reach)
    everywhere = cKDTree(places)
    for start in range(0, len(position), PORTION):
        some = cKDTree(position[start : start + PORTION])
        found = some.sparse_distance_matrix(everywhere, reach, output_type="ndarray")
        i, place = found["i"] + start, found["j"]
        # Seen from j, the pair comes once more.
        once = owner[place] > i
        i, place = i[once], place[once]
        separation = position[i] - places[place]
        distance = np.sqrt(np.einsum("ij,ij->i", separation, separation))
        yield NearPairs(i, owner[place], separation, distance, boxes[place, 1])
