"""Refusal of starting states in which hard particles overlap."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from carom._jit import entry_point
from carom.domains import Space
from carom.neighbours import Cells, deepest_overlap, insert, locate
from carom.particles import Particles
from carom.system import System
from carom.vectors import row


def round_off(scale: float) -> float:
    """How deep an overlap may be that only rounding has caused, for coordinates of this scale."""
    return 64.0 * float(np.finfo(np.float64).eps) * scale


def refuse_overlap_with_walls(system: System) -> None:
    """Refuse particles that reach into a wall deeper than round-off."""
    particles = system.particles
    for k, plane in enumerate(system.planes):
        height = (particles.position - np.asarray(plane.point)) @ np.asarray(plane.normal)
        # The walls of a box come first; their normals point inwards, and nothing is outside.
        is_box_wall = k < len(system.planes) - len(system.walls)
        depth = particles.radius - (height if is_box_wall else np.abs(height))
        worst = int(np.argmax(depth))
        reach = np.abs(particles.position[worst]).max() + np.abs(plane.point).max()
        if depth[worst] > round_off(float(reach + particles.radius[worst])):
            raise ValueError(
                f"particle {worst} at {particles.position[worst]} overlaps the wall through "
                f"{plane.point} with normal {plane.normal} by {depth[worst]:.3g} (its radius is "
                f"{particles.radius[worst]:g}). Move it at least that far away from the wall."
            )


def refuse_overlapping_pairs(
    particles: Particles, position: Any, space: Space, cells: Cells
) -> None:
    """Refuse pairs that overlap deeper than round-off, naming the worst."""
    radius, largest = particles.radius, float(particles.radius.max())
    allowed = round_off(float(np.abs(position).max() + 2.0 * largest))
    sides = space.lengths[space.periodic]
    if largest < 2.0 * radius.min() and (sides > 8.0 * largest).all():
        depth, i, j = _worst_by_tree(position, radius, space, 2.0 * largest - allowed)
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


def _worst_by_tree(position: Any, radius: Any, space: Space, reach: float) -> Any:
    """``_worst_overlap`` for particles of similar size in a wide box; nothing is compiled.

    Only pairs nearer than ``reach`` are looked at.
    """
    lengths = np.where(space.periodic, space.lengths, 0.0)
    # A coordinate below zero by less than its rounding is at the other end.
    inside = np.where((lengths > 0.0) & (position >= lengths), 0.0, position)
    pairs = cKDTree(inside, boxsize=lengths).query_pairs(reach, output_type="ndarray")
    if len(pairs) == 0:
        return -math.inf, 0, 0
    apart = inside[pairs[:, 0]] - inside[pairs[:, 1]]
    inverse = np.divide(1.0, lengths, out=np.zeros(3), where=lengths > 0.0)
    apart -= lengths * np.rint(apart * inverse)
    depth = radius[pairs].sum(axis=1) - np.sqrt((apart**2).sum(axis=1))
    worst = int(depth.argmax())
    return float(depth[worst]), int(pairs[worst, 0]), int(pairs[worst, 1])


@entry_point
def _worst_overlap(position: Any, radius: Any, space: Space, cells: Cells) -> Any:
    """Depth and particles of the deepest overlap; negative when nothing touches."""
    cells.head[:] = -1
    worst, first, second = -math.inf, 0, 0
    for i in range(len(radius)):
        locate(cells, i, row(position, i))
        depth, j = deepest_overlap(cells, space, position, radius, i)
        if depth > worst:
            worst, first, second = depth, j, i
        insert(cells, i)
    return worst, first, second
