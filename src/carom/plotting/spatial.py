"""Spheres in space, seen from a corner: nearer ones in front, each with a highlight."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection

from carom.particles import Array
from carom.plotting.planar import view
from carom.plotting.style import FAINT, INK

AZIMUTH, ELEVATION = math.radians(-62.0), math.radians(22.0)
# Layers of a sphere: radius and offset towards the light as shares of its own, and how white.
LAYERS = ((1.0, 0.0, -0.25), (0.93, 0.03, 0.0), (0.66, 0.2, 0.14), (0.3, 0.38, 0.4))
LIGHT = np.array([-0.6, 0.8])  # on the screen, from the upper left
BEHIND, IN_FRONT = 0.5, 3.0  # matplotlib draws collections at 1
FOG = 0.45  # how far the hindmost spheres fade


def draw_spheres(
    axes: Any, simulation: Any, colours: Array, corners: tuple[Array, Array] | None = None
) -> None:
    """Draw all spheres, the edges of the box and the walls; corners other than those of ``view``
    can be given."""
    particles, system = simulation.particles, simulation.system
    lower, upper = view(system, particles) if corners is None else corners
    if system.sides is not None:
        lower, upper = np.zeros(3), np.array(system.sides)
    screen = _screen()
    _draw_edges(axes, lower, upper, screen)
    for wall in system.further_planes:
        outline = plane_in_box(np.array(wall.point), np.array(wall.normal), lower, upper)
        if len(outline):
            face = PolyCollection([outline @ screen[:2].T], facecolors=INK, alpha=0.12)
            axes.add_collection(face)
    axes.add_collection(_spheres(axes, particles, colours, screen))
    axes.autoscale_view()
    axes.set_aspect("equal")
    axes.set_axis_off()


def _screen() -> Array:
    """Rows: to the right, upwards, and towards the eye, as unit vectors in space."""
    across = np.array([-math.sin(AZIMUTH), math.cos(AZIMUTH), 0.0])
    flat = np.array([math.cos(AZIMUTH), math.sin(AZIMUTH), 0.0])
    towards = math.cos(ELEVATION) * flat + np.array([0.0, 0.0, math.sin(ELEVATION)])
    return np.stack([across, np.cross(towards, across), towards])


def _spheres(axes: Any, particles: Any, colours: Array, screen: Array) -> EllipseCollection:
    depth = particles.position @ screen[2]
    order = np.argsort(depth, kind="stable")
    place = (particles.position @ screen[:2].T)[order]
    radius = particles.radius[order]
    span = float(np.ptp(depth)) or 1.0
    fade = FOG * (depth.max() - depth[order]) / span
    base = _whitened(colours[order, :3], fade)
    # All layers of one sphere come together, so that nearer spheres cover the whole of it.
    offsets = np.stack([place + LIGHT * shift * radius[:, None] for _, shift, _ in LAYERS], axis=1)
    widths = np.stack([2.0 * share * radius for share, _, _ in LAYERS], axis=1).ravel()
    shades = np.stack([_whitened(base, np.full(len(base), white)) for *_, white in LAYERS], axis=1)
    return EllipseCollection(
        widths,
        widths,
        np.zeros(len(widths)),
        units="xy",
        offsets=offsets.reshape(-1, 2),
        offset_transform=axes.transData,
        facecolors=shades.reshape(-1, 3),
        edgecolors="none",
    )


def _whitened(colours: Array, share: Array) -> Array:
    """Colours mixed with white, or with black where the share is negative."""
    target = (share > 0.0).astype(np.float64)[:, None]
    return np.asarray(colours + np.abs(share)[:, None] * (target - colours))


def _draw_edges(axes: Any, lower: Array, upper: Array, screen: Array) -> None:
    """Draw the edges of a box, those at its hindmost corner behind everything else."""
    corners = [np.where(choice, upper, lower) for choice in itertools.product((0, 1), repeat=3)]
    hindmost = min(corners, key=lambda corner: float(corner @ screen[2]))
    for a, b in itertools.combinations(corners, 2):
        if np.count_nonzero(a != b) == 1:
            is_behind = (a == hindmost).all() or (b == hindmost).all()
            edge = LineCollection([np.array([a, b]) @ screen[:2].T], colors=FAINT, linewidths=0.8)
            edge.set_zorder(BEHIND if is_behind else IN_FRONT)
            axes.add_collection(edge)


def plane_in_box(point: Array, normal: Array, lower: Array, upper: Array) -> Array:
    """The corners (k, 3) of the part of a plane inside a box, in order around it."""
    first = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    reach = 2.0 * float(np.linalg.norm(upper - lower) + np.linalg.norm(point - lower))
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    corners = [point + reach * (a * first + b * second) for a, b in signs]
    for axis in range(3):
        for bound, side in ((lower[axis], 1.0), (upper[axis], -1.0)):
            corners = _cut(corners, axis, float(bound), side)
    return np.array(corners)


def _cut(corners: list[Array], axis: int, bound: float, side: float) -> list[Array]:
    """The part of a polygon on one side of a bound (Sutherland & Hodgman 1974)."""
    kept = []
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        height_a, height_b = side * (a[axis] - bound), side * (b[axis] - bound)
        if height_a >= 0.0:
            kept.append(a)
        if (height_a < 0.0) != (height_b < 0.0):
            kept.append(a + (b - a) * height_a / (height_a - height_b))
    return kept
