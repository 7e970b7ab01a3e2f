"""Disks in the plane, drawn to scale."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.collections import EllipseCollection
from matplotlib.patches import Rectangle

from carom.domains.images import images_around
from carom.particles import Array
from carom.plotting.style import FAINT, INK, soften
from carom.system import System

# Room around what has no periodic border, as a share of the longer side.
MARGIN = 0.02


def draw_disks(
    axes: Any,
    simulation: Any,
    colours: Array,
    corners: tuple[Array, Array] | None = None,
    edges: str = "none",
) -> None:
    """Draw all disks, the box and the walls; corners other than those of ``view`` can be given."""
    particles, system = simulation.particles, simulation.system
    lower, upper = view(system, particles) if corners is None else corners
    offset = system.offset(simulation.time)
    position, own = with_images(system, particles.position, particles.radius, offset)
    diameter = 2.0 * particles.radius[own]
    disks = EllipseCollection(
        diameter,
        diameter,
        np.zeros(len(own)),
        units="xy",
        offsets=position,
        offset_transform=axes.transData,
        facecolors=colours[own],
        edgecolors=edges,
        linewidths=0.4,
    )
    axes.add_collection(disks)
    drawn: list[Any] = [disks]
    for wall in system.further_planes:
        along = (-wall.normal[1], wall.normal[0])
        second = tuple(p + a for p, a in zip(wall.point, along, strict=True))
        drawn.append(axes.axline(wall.point, second, color=INK, linewidth=1.6))
    if system.sides is not None:
        for artist in drawn:
            artist.set_clip_path(Rectangle((0.0, 0.0), *system.sides, transform=axes.transData))
    _draw_borders(axes, system)
    axes.set_xlim(lower[0], upper[0])
    axes.set_ylim(lower[1], upper[1])
    axes.set_aspect("equal")
    soften(axes)
    for spine in axes.spines.values():
        spine.set_visible(False)


def view(system: System, particles: Any) -> tuple[Array, Array]:
    """The corners of what is shown: the box, or in open space the particles and their walls."""
    if system.sides is not None:
        lower, upper = np.zeros(system.dimension), np.array(system.sides)
    else:
        shown = [particles.position - particles.radius[:, None]]
        shown += [particles.position + particles.radius[:, None]]
        shown += [_foot(wall, particles.position) for wall in system.further_planes]
        lower = np.concatenate(shown).min(axis=0)
        upper = np.concatenate(shown).max(axis=0)
    margin = MARGIN * float((upper - lower).max())
    return lower - margin, upper + margin


def _foot(wall: Any, position: Array) -> Array:
    """The point (1, d) of a wall that is nearest to any particle."""
    height = (position - np.array(wall.point)) @ np.array(wall.normal)
    nearest = int(np.argmin(np.abs(height)))
    return position[nearest : nearest + 1] - height[nearest] * np.array(wall.normal)


def with_images(
    system: System, position: Array, radius: Array, offset: float = 0.0
) -> tuple[Array, Any]:
    """Positions with those images that reach into the box, and the particle each belongs to.

    ``offset`` is the displacement of the images above in a sheared box.
    """
    if system.sides is None:
        return position, np.arange(len(position))
    places, owners, _ = images_around(position, radius, system.sides, system.periodic, offset)
    return places, owners


def _draw_borders(axes: Any, system: System) -> None:
    """Walls as solid lines, periodic borders as faint broken ones."""
    if system.sides is None:
        return
    (width, height), (x_repeats, y_repeats) = system.sides, system.periodic
    wall = {"color": INK, "linewidth": 1.6, "solid_capstyle": "projecting"}
    seam = {"color": FAINT, "linewidth": 0.8, "linestyle": (0, (4, 3))}
    for x in (0.0, width):
        axes.plot([x, x], [0.0, height], **(seam if x_repeats else wall))
    for y in (0.0, height):
        axes.plot([0.0, width], [y, y], **(seam if y_repeats else wall))
