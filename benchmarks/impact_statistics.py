"""What the collision log says about overlaps."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray


def last_places(separation: Array) -> Array:
    """How many floats the distance of each row (.., 3) is from 1; negative when spheres overlap."""
    # Rounded once: a square in double precision would be counted at the diameter too often.
    square = (separation.astype(np.longdouble) ** 2).sum(axis=1)
    distance = np.sqrt(square).astype(np.float64)
    spacing = np.where(distance < 1.0, 2.0**-53, 2.0**-52)
    return np.rint((distance - 1.0) / spacing).astype(np.int64)


def chance_of_three_body(log: Any, n: int, coefficient: float) -> float:
    """Three-body collisions per collision if the next impact were as likely at any time.

    After a contact with overlap o, unit masses part with the speed ε J / (1 + ε) · 2, J being the
    impulse, and the overlap is gone after o over that. For n spheres of diameter and mass 1.
    """
    overlap = 1.0 - np.sqrt((log["separation"] ** 2).sum(axis=1))
    overlapping = overlap > 0.0
    parting = 2.0 * log["impulse"] * coefficient / (1.0 + coefficient)
    lasting = (overlap[overlapping] / parting[overlapping]).sum() / len(overlap)
    rate = 2.0 * len(overlap) / (n * (log["time"][-1] - log["time"][0]))
    # Either of the two may meet a third, and must overlap that one as well.
    return float(2.0 * rate * lasting * overlapping.mean())
