"""Where particles are some time after: van Hove's function, as numbers in shells."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom.particles import Array
from carom.statistics.boxes import RepeatingBox


class VanHoveCounts(NamedTuple):
    """Mean numbers per particle in shells of distance, (m,) each."""

    own: Array  # displacements of the particle itself
    others: Array  # distances from where it was to where others are


def van_hove_counts(before: Array, now: Array, box: RepeatingBox, edges: Array) -> VanHoveCounts:
    """From unwrapped positions (n, d) at two times; shells reach up to half the box."""
    from scipy.spatial import cKDTree

    sides = np.array(box.sides)
    if box.offset != 0.0 or box.jump != 0.0 or edges[-1] > 0.5 * sides.min():
        raise ValueError(
            f"van Hove's function needs a box at rest, and edges up to half its shortest side, "
            f"{0.5 * sides.min():g}; not {edges[-1]:g} in {box!r}."
        )
    n, away = len(now), now - before
    own, _ = np.histogram(np.sqrt(np.einsum("ij,ij->i", away, away)), edges)
    earlier, later = (cKDTree(box.wrapped(one), boxsize=sides) for one in (before, now))
    nearer = earlier.count_neighbors(later, edges).astype(np.float64)
    # A shell has its lower edge, but a tree counts up to its radius: of two equal positions, too.
    nearer[edges == 0.0] = 0.0
    every = np.diff(nearer)
    # Among all are particles with themselves, at the distance of the nearest image.
    nearest = away - np.rint(away / sides) * sides
    themselves, _ = np.histogram(np.sqrt(np.einsum("ij,ij->i", nearest, nearest)), edges)
    return VanHoveCounts(own / n, (every - themselves) / n)
