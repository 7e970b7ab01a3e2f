"""Slopes of what grows in proportion to time."""

from __future__ import annotations

import math

import numpy as np

from carom.particles import Array
from carom.types import Integers


def part_between(time: Array, start: float | None, end: float | None) -> Integers:
    """Which of some times lie between two; left out, the second half of them."""
    first = 0.5 * float(time[-1]) if start is None else start
    last = float(time[-1]) if end is None else end
    # A lag is a multiple of the time between two looks, and as well known as these.
    slack = 1e-9 * float(time[-1])
    part = np.flatnonzero((time >= first - slack) & (time <= last + slack))
    if len(part) < 2:
        raise ValueError(
            f"a slope needs two lags or more between {first:g} and {last:g}; there are lags up to "
            f"{time[-1]:g}, {time[1] - time[0]:g} apart at first."
        )
    return part


def slope(x: Array, y: Array) -> float:
    """The slope of the straight line of least squares; NaN where a value is missing."""
    if not np.isfinite(y).all():
        return math.nan
    away = x - x.mean()
    return float((away * y).sum() / (away * away).sum())
