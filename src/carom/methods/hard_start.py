"""Refusal of starting states in which hard particles overlap."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from carom.compiled.entry_points import entry_point
from carom.compiled.vectors import row, three_columns
from carom.domains import Space
from carom.neighbours import Cells, deepest_overlap, insert, locate
from carom.neighbours.folding import foldable, folded
from carom.particles import Particles
from carom.patches.new_walls import deepest_overlap_with_walls
from carom.system import System

# Of the search for overlaps: along an axis, and with memory of their own.
MOST_CELLS = 1 << 20
CELLS_PER_PARTICLE = 2
FREE_CELLS = 4096


def round_off(scale: float) -> float:
    """How deep an overlap may be that only rounding has caused, for coordinates of this scale."""
    return 64.0 * float(np.finfo(np.float64).eps) * scale


def refuse_overlap_with_walls(system: System) -> None:
    """Refuse particles of a start that reach into a wall deeper than round-off."""
    if system.under_way:
        return
    particles = system.particles
    for k, plane in enumerate(system.planes):
        height = plane.heights(particles.position)
        # The walls of a box come first; their normals point inwards, and nothing is outside.
        is_box_wall = k < system.box_walls
        depth = particles.radius - (height if is_box_wall else np.abs(height))
        worst = int(np.argmax(depth))
        reach = np.abs(particles.position[worst]).max() + np.abs(plane.point).max()
        if depth[worst] > round_off(float(reach + particles.radius[worst])):
            raise ValueError(
                f"particle {worst} at {particles.position[worst]} overlaps the wall through "
                f"{plane.point} with normal {plane.normal} by {depth[worst]:.3g} (its radius is "
                f"{particles.radius[worst]:g}). Move it at least that far away from the wall."
            )


def refuse_overlap_with_shapes(system: System, walls: Any) -> None:
    """The same for walls of other shapes, which are compiled already."""
    if not system.shapes:
        return
    particles = system.particles
    position = three_columns(particles.position)
    depth, i, k = deepest_overlap_with_walls(
        walls, position, np.ascontiguousarray(particles.radius)
    )
    reach = float(np.abs(position[i]).max() + particles.radius[i])
    if depth > round_off(reach):
        raise ValueError(
            f"particle {i} at {particles.position[i]} overlaps "
            f"{system.numbered_walls[k].described} by {depth:.3g} (its radius is "
            f"{particles.radius[i]:g}). Move it away from the wall, or make it smaller."
        )


def refuse_shapes(system: System, method: str) -> None:
    """Refuse walls that are no planes, for methods that do not know them."""
    if system.shapes:
        raise ValueError(
            f"{method} knows no walls but planes, and there is {system.shapes[0].described}. Use "
            "method=carom.EventDriven()."
        )


def refuse_coincident(system: System) -> None:
    """Refuse particles at one and the same place: nothing says in which direction to part them."""
    if system.under_way:
        return
    position = system.particles.position.copy()
    for axis, repeats in enumerate(system.periodic):
        if repeats and system.sides is not None:
            position[:, axis] %= system.sides[axis]
            position[position[:, axis] == system.sides[axis], axis] = 0.0
    # Squares of smaller numbers vanish, and so would a distance.
    position[np.abs(position) < 1e-100 * system.particles.radius.min()] = 0.0
    order = np.lexsort(position.T)
    same = (np.diff(position[order], axis=0) == 0.0).all(axis=1)
    if same.any():
        k = int(np.flatnonzero(same)[0])
        i, j = sorted((int(order[k]), int(order[k + 1])))
        raise ValueError(
            f"particles {i} and {j} are both at {system.particles.position[i]}: no contact has a "
            "direction there. Move one of them, or start from carom.packings."
        )


def refuse_overlapping_pairs(
    particles: Particles, position: Any, space: Space, cells: Cells
) -> None:
    """Refuse pairs that overlap deeper than round-off, naming the worst."""
    radius, largest = particles.radius, float(particles.radius.max())
    allowed = round_off(float(np.abs(position).max() + 2.0 * largest))
    sides = space.lengths[space.periodic]
    if largest < 2.0 * radius.min() and (sides > 8.0 * largest).all():
        depth, i, j = _worst_in_grid(position, radius, space, 2.0 * largest - allowed)
    else:
        depth, i, j = _worst_overlap(position, radius, space, cells)
    sigma = radius[i] + radius[j]
    if depth > allowed:
        raise ValueError(
            f"particles {i} and {j} overlap by {depth:.3g} ({depth / sigma:.2g} of the sum of "
            f"their radii): they are at {particles.position[i]} and {particles.position[j]}, with "
            f"radii {particles.radius[i]:g} and {particles.radius[j]:g}. No overlap is deeper. "
            "Move them apart, shrink them, or start from carom.packings."
        )


def _worst_in_grid(position: Any, radius: Any, space: Space, reach: float) -> Any:
    """``_worst_overlap`` for particles of similar size in a wide box; nothing is compiled.

    Of pairs that are further apart than ``reach`` none need be looked at.
    """
    cell, number, fold = _grid(position, space, reach)
    strides = np.array([1, fold[0], fold[0] * fold[1]])
    here = (cell % fold) @ strides
    inside = np.bincount(here, minlength=int(fold.prod()))
    order = np.argsort(here, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    start = np.cumsum(inside) - inside
    worst = (-math.inf, 0, 0)
    # Half of the cells around: each pair is met once.
    for offset in itertools.product((-1, 0, 1), repeat=3):
        if offset[::-1] < (0, 0, 0):
            continue
        beside = cell + offset
        there = (space.periodic | ((beside >= 0) & (beside < number))).all(axis=1)
        key = (beside % number % fold) @ strides
        candidates = np.where(there, inside[key], 0)
        for k in range(int(candidates.max())):
            i = np.flatnonzero(candidates > k)
            j = order[start[key[i]] + k]
            if offset == (0, 0, 0):
                i, j = i[rank[i] < rank[j]], j[rank[i] < rank[j]]
            worst = max(worst, _deepest(position, radius, space, i, j))
    return worst


def _grid(position: Any, space: Space, reach: float) -> Any:
    """The cells (n, 3) of all particles, how many there are along each axis, and how many of them
    have memory of their own."""
    low = np.where(space.periodic, 0.0, position.min(axis=0))
    extent = np.where(space.periodic, space.lengths, position.max(axis=0) - low)
    # No fewer than three along an axis that repeats.
    number = np.clip(np.floor(extent / reach), 1, MOST_CELLS).astype(np.int64)
    number = foldable(np.where(space.periodic, np.maximum(number, 3), number))
    width = np.where(extent > 0.0, extent / number, 1.0)
    cell = np.clip(((position - low) / width).astype(np.int64), 0, number - 1)
    occupied = np.array([[len(np.unique(cell[:, axis])) for axis in range(3)]])
    most = CELLS_PER_PARTICLE * len(position) + FREE_CELLS
    return cell, number, folded(number[None, :], occupied, most, False)[0]


def _deepest(position: Any, radius: Any, space: Space, i: Any, j: Any) -> Any:
    """The deepest overlap of the pairs (i, j), at their nearest images, and whose it is."""
    if len(i) == 0:
        return -math.inf, 0, 0
    lengths = np.where(space.periodic, space.lengths, 0.0)
    inverse = np.divide(1.0, lengths, out=np.zeros(3), where=lengths > 0.0)
    apart = position[i] - position[j]
    apart -= lengths * np.rint(apart * inverse)
    depth = radius[i] + radius[j] - np.sqrt((apart**2).sum(axis=1))
    k = int(depth.argmax())
    return float(depth[k]), int(min(i[k], j[k])), int(max(i[k], j[k]))


@entry_point
def _worst_overlap(position: Any, radius: Any, space: Space, cells: Cells) -> Any:
    """Depth and particles of the deepest overlap; negative when nothing touches."""
    for k in range(len(cells.head)):
        cells.head[k] = -1
    worst, first, second = -math.inf, 0, 0
    for i in range(len(radius)):
        locate(cells, i, row(position, i))
        depth, j = deepest_overlap(cells, space, position, radius, i)
        if depth > worst:
            worst, first, second = depth, j, i
        insert(cells, i)
    return worst, first, second
