"""Lines along a flow that is known on a grid, so far apart that each is seen by itself.

As in Matplotlib's streamplot the plane is divided into squares, in each of which there is one line
(Jobard & Lefer 1997 keep lines apart by their distance).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.types import Array, Integers

STEP = 0.5  # of a cell of the grid
SLOWEST = 1e-6  # of the fastest: where a line ends, since it leads nowhere


class Grid(NamedTuple):
    """Velocities (r, c, 2) at the middles of square cells, in cells."""

    velocity: Array
    slowest: float


def streamlines(
    velocity: Array, starts: Array, apart: float, lengths: tuple[float, float]
) -> list[Array]:
    """Lines (k, 2) along velocities (r, c, 2) on a grid, in the direction of the flow.

    Places are in cells, (0, 0) being where the first velocity is. Lines are begun at the starts
    (n, 2), one after the other, and go on both ways until they are as long as the second of the
    ``lengths``, leave the grid, or come to a square of the side ``apart`` through which another one
    goes. Those that would be shorter than the first of the lengths are left out.
    """
    shortest, longest = lengths
    rows, columns = velocity.shape[:2]
    grid = np.ascontiguousarray(velocity, dtype=np.float64)
    fastest = math.sqrt(float((grid**2).sum(axis=-1).max(initial=0.0)))
    if fastest == 0.0 or len(starts) == 0:
        return []
    most = math.ceil(0.5 * longest / STEP)
    place = np.empty((len(starts), 2 * most + 1, 2))
    ends = np.zeros((len(starts), 2), dtype=np.int64)
    taken = np.full((int(rows / apart) + 1, int(columns / apart) + 1), -1, dtype=np.int64)
    _trace(
        Grid(grid / fastest, SLOWEST),
        np.ascontiguousarray(starts, dtype=np.float64),
        float(apart),
        float(shortest),
        taken,
        place,
        ends,
    )
    return [line[first:end] for line, (first, end) in zip(place, ends, strict=True) if end > first]


@inner_kernel
def _direction(grid: Grid, x: float, y: float) -> tuple[float, float, bool]:
    """The direction of the flow at a place, and whether there is any."""
    rows, columns = grid.velocity.shape[0], grid.velocity.shape[1]
    if not (0.0 <= x <= columns - 1.0 and 0.0 <= y <= rows - 1.0):
        return 0.0, 0.0, False
    column, row = min(int(x), columns - 2), min(int(y), rows - 2)
    right, up = x - column, y - row
    here, beside = grid.velocity[row, column], grid.velocity[row, column + 1]
    above, across = grid.velocity[row + 1, column], grid.velocity[row + 1, column + 1]
    flow_x = (1.0 - up) * ((1.0 - right) * here[0] + right * beside[0])
    flow_x += up * ((1.0 - right) * above[0] + right * across[0])
    flow_y = (1.0 - up) * ((1.0 - right) * here[1] + right * beside[1])
    flow_y += up * ((1.0 - right) * above[1] + right * across[1])
    speed = math.sqrt(flow_x * flow_x + flow_y * flow_y)
    if speed <= grid.slowest:
        return 0.0, 0.0, False
    return flow_x / speed, flow_y / speed, True


@inner_kernel
def _next(grid: Grid, x: float, y: float, step: float) -> tuple[float, float, bool]:
    """The place one step farther, by the direction in its middle (Runge & Kutta's second order)."""
    along_x, along_y, flows = _direction(grid, x, y)
    if flows:
        middle_x, middle_y = x + 0.5 * step * along_x, y + 0.5 * step * along_y
        along_x, along_y, flows = _direction(grid, middle_x, middle_y)
    return x + step * along_x, y + step * along_y, flows


@entry_point
def _trace(
    grid: Grid,
    starts: Array,
    apart: float,
    shortest: float,
    taken: Any,
    place: Array,
    ends: Integers,
) -> None:
    """Each line from the middle of its row of ``place`` both ways; ``taken`` holds the line that
    goes through a square, or -1."""
    rows, columns = grid.velocity.shape[0], grid.velocity.shape[1]
    most = place.shape[1] // 2
    for k in range(len(starts)):
        if taken[int(starts[k, 1] / apart), int(starts[k, 0] / apart)] >= 0:
            continue
        reached = [0, 0]
        place[k, most] = starts[k]
        taken[int(starts[k, 1] / apart), int(starts[k, 0] / apart)] = k
        for way in range(2):
            step = STEP if way == 1 else -STEP
            x, y = starts[k, 0], starts[k, 1]
            last_row, last_column = int(y / apart), int(x / apart)
            for i in range(most):
                x, y, flows = _next(grid, x, y, step)
                if not (flows and 0.0 <= x <= columns - 1.0 and 0.0 <= y <= rows - 1.0):
                    break
                row, column = int(y / apart), int(x / apart)
                if row != last_row or column != last_column:
                    # Also where it has been itself: what goes round ends where it began.
                    if taken[row, column] >= 0:
                        break
                    taken[row, column] = k
                    last_row, last_column = row, column
                reached[way] = i + 1
                place[k, most + (i + 1 if way == 1 else -i - 1), 0] = x
                place[k, most + (i + 1 if way == 1 else -i - 1), 1] = y
        if (reached[0] + reached[1]) * STEP >= shortest:
            ends[k, 0], ends[k, 1] = most - reached[0], most + reached[1] + 1
        else:
            for row in range(taken.shape[0]):
                for column in range(taken.shape[1]):
                    if taken[row, column] == k:
                        taken[row, column] = -1
