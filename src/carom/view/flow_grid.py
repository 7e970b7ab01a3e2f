"""The flow under or among the particles, on a coarse grid."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.types import Array
from carom.view.messages import FLOW, FLOW_ARROWS, packed

VORTICITY, SPEED, ARROWS, NONE = "vorticity", "speed", "arrows", "none"
SHOWN = (NONE, VORTICITY, SPEED, ARROWS)
NODES = 96  # along the longer side of a picture
ARROWS_ALONG = {2: 24, 3: 8}


def _grid(sides: tuple[float, ...], along: int) -> tuple[list[int], Array]:
    """Numbers of cells along each axis, and their middles (k, d)."""
    longest = max(sides)
    number = [max(2, round(along * side / longest)) for side in sides]
    axes = ((np.arange(n) + 0.5) * (side / n) for n, side in zip(number, sides, strict=True))
    return number, np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(sides))


def flow_message(simulation: Any, what: str, plane: tuple[int, float], frame: int) -> bytes:
    """The flow of a simulation now: arrows, or a picture of its speed or vorticity.

    In space the picture is in a plane across an axis, at a part of the box along it; the vorticity
    is that about the axis.
    """
    sides, time = simulation.system.sides, simulation.time
    if what == ARROWS:
        _, points = _grid(sides, ARROWS_ALONG[len(sides)])
        velocity = simulation.fluid.velocity(points)
        rows = np.zeros((len(points), 6))
        rows[:, : len(sides)], rows[:, 3 : 3 + len(sides)] = points, velocity
        top = float(np.sqrt((velocity**2).sum(axis=1)).max()) or 1.0
        return packed(FLOW_ARROWS, len(points), frame, time, top, rows)
    axis, at = plane if len(sides) == 3 else (2, 0.0)
    kept = [(axis + 1) % 3, (axis + 2) % 3]
    number, nodes = _grid(tuple(sides[k] for k in kept), NODES)
    points = np.empty((len(nodes), len(sides)))
    points[:, kept] = nodes
    if len(sides) == 3:
        points[:, axis] = at * sides[axis]
    velocity = simulation.fluid.velocity(points).reshape(*number, len(sides))
    if what == SPEED:
        values = np.sqrt((velocity**2).sum(axis=-1))
    else:
        step = [sides[k] / n for k, n in zip(kept, number, strict=True)]
        values = np.gradient(velocity[..., kept[1]], step[0], axis=0)
        values = values - np.gradient(velocity[..., kept[0]], step[1], axis=1)
    top = float(np.percentile(np.abs(values), 99.0)) or 1.0
    # Rows from below, as textures have them; the signed values of a vorticity have 0 in the middle.
    seen = values.T / top if what == SPEED else 0.5 + 0.5 * values.T / top
    height = at * sides[axis] if len(sides) == 3 else 0.0
    shape = np.array([number[0], number[1], 0.0 if what == SPEED else 1.0, axis, height])
    return packed(FLOW, number[0] * number[1], frame, time, top, shape, np.clip(seen, 0.0, 1.0))
