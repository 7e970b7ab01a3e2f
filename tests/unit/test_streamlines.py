"""Lines along a flow: that they follow it, keep apart, and end where they have to."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from carom.raster import streamlines


def grid(rows: int, columns: int, flow: Any) -> Any:
    """Velocities (rows, columns, 2) of a flow of x and y in cells."""
    y, x = np.indices((rows, columns), dtype=float)
    return np.stack(np.broadcast_arrays(*flow(x, y)), axis=-1).astype(float)


def starts_on(rows: int, columns: int, every: int = 4) -> Any:
    return np.stack(np.meshgrid(range(0, columns, every), range(0, rows, every)), -1).reshape(-1, 2)


def test_lines_of_a_whirl_are_circles() -> None:
    """A velocity that is linear in the place is known exactly everywhere; half steps of second
    order along a circle of radius r leave it by r (h / r)⁴ / 8 a step."""
    whirl = grid(101, 101, lambda x, y: (-(y - 50.0), x - 50.0))
    for radius in (10.0, 25.0, 45.0):
        start = [[50.0 + radius, 50.0]]
        (line,) = streamlines(whirl, start, 3.0, (1.0, 14.0 * radius))
        distance = np.hypot(*(line - 50.0).T)
        assert np.abs(distance - radius).max() < len(line) * radius * (0.5 / radius) ** 4 / 4.0
        # Once round, counter-clockwise, until it is back in the square where it began.
        angle = np.unwrap(np.arctan2(*(line - 50.0).T[::-1]))
        assert (np.diff(angle) > 0.0).all()
        assert 2.0 * math.pi - 8.0 / radius < np.ptp(angle) <= 2.0 * math.pi


def test_steps_are_half_a_cell_whatever_the_speed() -> None:
    for speed in (1e-150, 1.0, 1e150):
        (line,) = streamlines(
            grid(20, 60, lambda x, y, v=speed: (v * (1.0 + x), 0.0)), [[30, 10]], 4.0, (1.0, 40.0)
        )
        np.testing.assert_allclose(line[:, 1], 10.0, rtol=0)
        np.testing.assert_allclose(np.diff(line[:, 0]), 0.5, rtol=1e-12)
        assert len(line) == 81  # as long as lines may be, both ways from the start
        assert line[40, 0] == 30.0


def test_lines_keep_apart_and_end_at_the_border() -> None:
    """Of two lines no place is in the same square."""
    rows, columns = 90, 120
    flow = grid(
        rows,
        columns,
        lambda x, y: (np.sin(x / 9.0) * np.cos(y / 9.0) + 0.2, -np.cos(x / 9.0) * np.sin(y / 9.0)),
    )
    lines = streamlines(flow, starts_on(rows, columns), 5.0, (6.0, 60.0))
    assert len(lines) > 30
    owners: dict[tuple[int, int], int] = {}
    for k, line in enumerate(lines):
        assert 6.0 <= 0.5 * (len(line) - 1) <= 60.0
        assert (line >= 0.0).all()
        assert (line <= [columns - 1, rows - 1]).all()
        for square in {(int(x // 5), int(y // 5)) for x, y in line}:
            assert owners.setdefault(square, k) == k
        # Forwards along the flow, as that is at the nearest point of the grid.
        steps, middles = np.diff(line, axis=0), 0.5 * (line[1:] + line[:-1])
        column, row = np.round(middles).astype(int).T
        along = (steps * flow[row, column]).sum(axis=1)
        fast = np.hypot(*flow[row, column].T) > 0.3
        assert (along[fast] > 0.0).all()


def test_lines_end_where_nothing_flows() -> None:
    towards = grid(41, 41, lambda x, y: (20.25 - x, 20.25 - y))
    (line,) = streamlines(towards, [[2.0, 20.25]], 2.0, (1.0, 400.0))
    assert line[0, 0] < 0.6  # it comes from the border
    assert abs(line[-1, 0] - 20.25) < 2.0
    assert streamlines(np.zeros((5, 5, 2)), [[2, 2]], 1.0, (1.0, 4.0)) == []
    assert streamlines(towards, np.empty((0, 2)), 1.0, (1.0, 4.0)) == []


@pytest.mark.parametrize("shape", [(2, 2), (2, 50), (50, 2)])
def test_the_smallest_grids(shape: tuple[int, int]) -> None:
    flow = grid(*shape, lambda x, y: (1.0 + 0.0 * x, 1.0 + 0.0 * y))
    corners = [[0, 0], [shape[1] - 1, shape[0] - 1]]
    for line in streamlines(flow, corners, 0.7, (0.5, 10.0)):
        assert (line >= 0.0).all()
        assert (line <= [shape[1] - 1, shape[0] - 1]).all()
