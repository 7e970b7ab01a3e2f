"""Clustering by the correlation dimension (Grassberger & Procaccia 1983)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.functions import log
from carom.particles import Array
from carom.statistics.boxes import RepeatingBox


def share_of_pairs(position: ArrayLike, radii: ArrayLike, box: RepeatingBox | None = None) -> Array:
    """C(r), the share of all pairs of points that are nearer than each of some radii.

    Without a box points have no images. In one, radii up to half its sides make sense.
    """
    from scipy.spatial import cKDTree

    distances = np.asarray(radii, dtype=np.float64)
    if distances.ndim != 1 or len(distances) == 0 or not (distances > 0.0).all():
        raise ValueError(f"radii must be positive numbers, not {radii!r}.")
    own = np.array(position, dtype=np.float64) if box is None else box.wrapped(position)
    n = len(own)
    if n < 2:
        raise ValueError("pairs need two points or more.")
    everywhere: Any = own if box is None else box.images(own, float(distances.max()))[0]
    number = cKDTree(own).count_neighbors(cKDTree(everywhere), distances)
    # Each point is near itself, and each pair is seen from both ends.
    return np.asarray((number - n) / (n * (n - 1.0)))


def correlation_dimension(
    position: ArrayLike, radii: ArrayLike, box: RepeatingBox | None = None
) -> float:
    """D₂, the slope of ln C(r) over ln r between the smallest and the largest of the radii.

    It is d for random points, and less for points that gather on lines, sheets or fractals, at
    the scales of these radii. The straight line is one of least squares through all of them.
    """
    distances = np.asarray(radii, dtype=np.float64)
    if distances.ndim != 1 or len(np.unique(distances)) < 2:
        raise ValueError(f"a slope needs two different radii or more, not {radii!r}.")
    share = share_of_pairs(position, distances, box)
    if not (share > 0.0).all():
        raise ValueError(
            f"no two points are nearer than {distances[share == 0.0].max():g}; use larger radii."
        )
    x, y = log(distances), log(share)
    away = x - x.mean()
    return float((away * y).sum() / (away * away).sum())
