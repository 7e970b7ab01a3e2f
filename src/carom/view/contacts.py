"""Soft contacts as lines from centre to centre, as strong as their overlap: chains of force."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from carom.domains.images import images_around
from carom.types import Array
from carom.view.colours import Painted
from carom.view.messages import CONTACTS, packed


def contact_lines(painted: Painted, system: Any, time: float) -> Array:
    """The lines (k, 8) of pairs that overlap: two ends, each with the overlap over that of all."""
    d, radius = painted.dimension, painted.radius
    places = painted.rows[:, :d].astype(np.float64)
    owners = np.arange(len(places))
    if system.sides is not None:
        places, owners, _ = images_around(
            places, radius, system.sides, system.periodic, system.offset(time)
        )
    if len(places) < 2:
        return np.zeros((0, 8))
    pairs = cKDTree(places).query_pairs(2.0 * float(radius.max()), output_type="ndarray")
    apart = places[pairs[:, 0]] - places[pairs[:, 1]]
    reach = radius[owners[pairs]].sum(axis=1)
    overlap = reach - np.sqrt((apart**2).sum(axis=1))
    kept = (overlap > 0.0) & (owners[pairs[:, 0]] != owners[pairs[:, 1]])
    pairs, overlap = pairs[kept], overlap[kept]
    lines = np.zeros((len(pairs), 8))
    lines[:, :d], lines[:, 4 : 4 + d] = places[pairs[:, 0]], places[pairs[:, 1]]
    if len(pairs):
        lines[:, 3] = lines[:, 7] = overlap / np.percentile(overlap, 99.0)
    return lines


def contacts_message(painted: Painted, system: Any, time: float, frame: int) -> bytes:
    """The contacts now."""
    lines = contact_lines(painted, system, time)
    return packed(CONTACTS, len(lines), frame, time, 1.0, lines)
