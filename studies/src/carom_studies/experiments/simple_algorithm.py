"""The simple algorithm for balls on a table, as the text "Event Driven Collisions" has it.

Plain on purpose: equations are those of the text, in its order, and nothing is kept between events.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Events(NamedTuple):
    """The events of a run: j is the partner, or −1 − k for wall k (left, right, lower, upper)."""

    time: Any  # (.,)
    i: Any
    j: Any
    separation: Any  # (., 2), from the partner to i

    def same_order(self, other: Events) -> bool:
        """Whether the same meet in the same order, whichever of two is called i."""
        mine, theirs = (np.sort([events.i, events.j], axis=0) for events in (self, other))
        return bool((mine == theirs).all())


def simple_algorithm(
    position: Any, velocity: Any, radius: float, lengths: tuple[float, float], events: int
) -> Events:
    """The first so many events of equal balls in a box with a corner in the origin."""
    x, v = np.array(position), np.array(velocity)
    time, found = 0.0, []
    for _ in range(events):
        at_wall = _wall_times(x, v, radius, lengths)
        of_pair = _pair_times(x, v, radius)
        duration = min(at_wall.min(), of_pair.min())
        x, time = x + v * duration, time + duration
        if at_wall.min() <= of_pair.min():
            i, axis = np.unravel_index(at_wall.argmin(), at_wall.shape)
            upper = v[i, axis] > 0.0
            v[i, axis] *= -1.0
            separation = np.eye(2)[axis] * (-radius if upper else radius)
            found.append((time, i, -1 - (2 * axis + upper), separation))
        else:
            i, j = np.unravel_index(of_pair.argmin(), of_pair.shape)
            normal = (x[j] - x[i]) / np.sqrt(dot(x[j] - x[i], x[j] - x[i]))
            change = dot(v[j] - v[i], normal) * normal
            v[i], v[j] = v[i] + change, v[j] - change  # (11)
            found.append((time, i, j, x[i] - x[j]))
    return Events(*(np.array(column) for column in zip(*found, strict=True)))


def dot(a: Any, b: Any) -> Any:
    """The scalar product in the plane; those of libraries depend on the processor."""
    return a[0] * b[0] + a[1] * b[1]


def _wall_times(x: Any, v: Any, radius: float, lengths: tuple[float, float]) -> Any:
    """When each ball meets the wall ahead of it along either axis (n, 2)."""
    ahead = np.where(v > 0.0, np.array(lengths) - radius, radius)
    return (ahead - x) / v


def _pair_times(x: Any, v: Any, radius: float) -> Any:
    """When balls i and j meet (n, n); never = inf."""
    r, relative = x[None] - x[:, None], v[None] - v[:, None]
    closing = (r * relative).sum(axis=-1)
    speed = (relative**2).sum(axis=-1)
    a = closing**2 - speed * ((r**2).sum(axis=-1) - 4.0 * radius**2)  # (3)
    meet = (a > 0.0) & (closing < 0.0)
    duration = np.full(a.shape, np.inf)
    duration[meet] = -(closing[meet] + np.sqrt(a[meet])) / speed[meet]  # (6)
    return duration
