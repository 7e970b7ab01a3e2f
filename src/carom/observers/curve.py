"""What an observer has measured, as one curve."""

from __future__ import annotations

from typing import NamedTuple

from carom.particles import Array


class Curve(NamedTuple):
    """Values with standard errors over something, and what both are; rows are drawn as lines."""

    x: Array  # (m,)
    y: Array  # (m,) or (several, m)
    error: Array  # of the same shape
    labels: tuple[str, str]  # along x and y
    names: tuple[str, ...] = ()  # of several rows
    logarithmic: bool = False
