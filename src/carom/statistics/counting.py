"""Clustering by counting the points in boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.functions import power
from carom.statistics.boxes import RepeatingBox

# Points in a counting box, on average, where nobody says how many boxes there are.
PER_BOX = 10.0


def box_counts(position: ArrayLike, box: RepeatingBox, boxes: Sequence[int] | None = None) -> Any:
    """How many points lie in each of the equal parts of a box, in the shape of the parts.

    ``boxes`` says into how many parts each side is cut; left out, they are nearly cubes that hold
    ten points on average.
    """
    places = box.wrapped(position)
    number = _boxes_for(len(places), box) if boxes is None else tuple(int(k) for k in boxes)
    if len(number) != box.dimension or min(number) < 1:
        raise ValueError(f"boxes must be {box.dimension} positive numbers, not {boxes!r}.")
    parts = np.floor(places / box.sides * number).astype(np.int64)
    # Rounding may put what is just inside the upper end into a part behind it.
    parts = np.minimum(parts, np.array(number) - 1)
    flat = np.ravel_multi_index(tuple(parts.T), number)
    return np.bincount(flat, minlength=int(np.prod(number))).reshape(number)


def count_dispersion(counts: ArrayLike) -> float:
    """The variance of the counts over their mean.

    It is 1 for random points, exactly so on average: the variance has one less than the number of
    boxes for divisor, as the total is given. It is less for points that avoid each other, and
    grows with the boxes for clusters.
    """
    numbers = np.asarray(counts, dtype=np.float64).ravel()
    if len(numbers) < 2 or numbers.sum() <= 0.0:
        raise ValueError("the dispersion of counts needs two boxes or more, and a point in them.")
    return float(numbers.var(ddof=1) / numbers.mean())


def _boxes_for(n: int, box: RepeatingBox) -> tuple[int, ...]:
    """Two or more along each side."""
    size = power(box.volume * PER_BOX / n, 1.0 / box.dimension)
    return tuple(max(2, round(side / size)) for side in box.sides)
