"""The velocity of a fluid at many places, for pictures and comparisons."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.compiled.entry_points import entry_point
from carom.fluids.flow import Place, velocity
from carom.particles import Array


def velocities(points: ArrayLike, time: float, flow: Any) -> Array:
    """The velocities (k, d) of a flow at points (k, d) and a time."""
    places = np.array(points, dtype=np.float64)
    if places.ndim != 2 or places.shape[1] not in (2, 3):
        raise ValueError(f"points must have shape (k, 2) or (k, 3), not {places.shape}.")
    rows = np.zeros((len(places), 3))
    rows[:, : places.shape[1]] = places
    _replace_by_velocities(rows, float(time), flow)
    return np.ascontiguousarray(rows[:, : places.shape[1]])


@entry_point
def _replace_by_velocities(rows: Array, time: float, flow: Any) -> None:
    """Write the velocity at each of the positions (k, 3) into its place."""
    for k in range(len(rows)):
        u, v, w = velocity(Place((rows[k, 0], rows[k, 1], rows[k, 2]), time), flow)
        rows[k, 0] = u
        rows[k, 1] = v
        rows[k, 2] = w
