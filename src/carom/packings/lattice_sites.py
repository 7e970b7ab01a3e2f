"""Lattices that fill a given room."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.packings.arguments import volume_of_one
from carom.packings.room import Room
from carom.particles import Array

# Neighbours on a lattice stay apart by this factor, so that rounding never makes them overlap.
SLACK = 1.0 + 1e-9
MOST_CELLS = 1e8  # some gigabytes


def lattice_places(n: int, radius: float, room: Room, rng: np.random.Generator) -> Array:
    """n places (n, d) on a triangular or face-centred cubic lattice as wide as the room allows.

    Along axes that repeat the lattice is stretched to fit. Sites that n does not fill stay empty,
    chosen at random.
    """
    repeats = np.array(room.repeats)
    border = np.where(repeats, 0.0, radius)
    extent = room.upper - room.lower - 2.0 * border

    def sites(spacing: float) -> Array:
        if (extent < 0.0).any():
            return np.empty((0, len(extent)))
        inside = room.lower + border + _centred_lattice(extent, spacing, repeats)
        return np.asarray(inside[room.is_free(inside, radius)])

    narrowest = 2.0 * radius * SLACK
    densest = sites(narrowest)
    if len(densest) < n:
        reached, asked = (
            number * volume_of_one(radius, room.dimension) / room.volume
            for number in (len(densest), n)
        )
        raise ValueError(
            f"only {len(densest)} of {n} particles of radius {radius:g} fit on a lattice in "
            f"{room.described()}: a packing fraction of {reached:.4g}, not {asked:.4g}."
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


def _centred_lattice(extent: Array, spacing: float, repeats: Any) -> Array:
    """Lattice sites in a box from the origin, with as much room left below as above."""
    if len(extent) == 2:
        unit = np.array([1.0, math.sqrt(3.0)])
        basis = np.array([[0.0, 0.0], [0.5, 0.5]])
    else:
        unit = np.full(3, math.sqrt(2.0))
        basis = np.array([[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]])
    whole = [math.floor(side / (spacing * step)) for side, step in zip(extent, unit, strict=True)]
    counts = np.array(whole, dtype=float) + np.where(repeats, 0, 1)  # at a wall a cell may be cut
    if counts.prod() > MOST_CELLS:
        raise ValueError(
            f"a lattice with a spacing of {spacing:g} in a region of {extent.tolist()} has "
            f"{counts.prod():.2g} cells, more than {MOST_CELLS:g}; use a smaller region, or "
            "packings.random."
        )
    counts = counts.astype(np.int64)
    if (counts == 0).any():
        return np.empty((0, len(extent)))
    grid = np.stack(np.meshgrid(*map(np.arange, counts), indexing="ij"), axis=-1)
    sites = (grid.reshape(-1, 1, len(extent)) + basis).reshape(-1, len(extent)) * unit * spacing
    sites[:, repeats] *= (extent / (counts * unit * spacing))[repeats]
    sites = sites[(sites <= extent).all(axis=1)]
    return np.asarray(sites + 0.5 * (extent - sites.max(axis=0)))
