"""Means of correlated values with their statistical errors."""

from __future__ import annotations

import math

import numpy as np


def mean_and_error(values) -> tuple[float, float]:
    """The mean of equally long, practically independent blocks, and its standard error."""
    values = np.asarray(values, dtype=float)
    return float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))
