"""Borrowed arrays behave like the arrays they are views of."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from carom.compiled.entry_points import entry_point
from carom.compiled.memory import rows
from carom.compiled.views import borrowed

PAIR = np.dtype([("a", np.float64), ("b", np.int32)], align=True)


class Foreign(NamedTuple):
    """A user's component, whose kernels may do anything with its arrays."""

    table: Any


@entry_point
def scale(tables, factor):
    """Twice or thrice what was in the tables; sums over rows, and the shapes."""
    line, square, cube, pairs = borrowed(tables)
    for i in range(len(line)):
        line[i] *= factor
    rows_summed = 0.0
    for i in range(square.shape[0]):
        row = square[i]
        for k in range(len(row)):
            rows_summed += row[k]
            square[i, k] = factor * row[k]
    cube[1, 2, 3] += factor
    layer = cube[0]
    pairs[1].a = factor
    pairs[2].b = np.int64(line[0])
    return rows_summed, square.shape, cube.shape, layer[1, 1], cube[1][2][3]


def test_views_read_and_write_the_arrays() -> None:
    line, square = np.arange(4.0), np.arange(6.0).reshape(2, 3)
    cube, pairs = np.arange(24).reshape(2, 3, 4), rows(3, PAIR)
    line[0] = 5.0
    before = square.sum(), square.copy(), cube.copy()
    total, shape, box, inner, corner = scale((line, square, cube, pairs), 2)
    assert line.tolist() == [10.0, 2.0, 4.0, 6.0]
    assert total == before[0]
    assert (square == 2.0 * before[1]).all()
    assert (shape, box) == ((2, 3), (2, 3, 4))
    assert inner == before[2][0, 1, 1]
    assert corner == cube[1, 2, 3] == before[2][1, 2, 3] + 2
    assert (pairs.a[1], pairs.b[2]) == (2.0, 10)


@entry_point
def interpolated(components, x):
    """What a user may do with an array."""
    inner = borrowed(components)[0]
    return np.interp(x, inner.table[0], inner.table[1])


def test_the_arrays_of_a_user_stay_arrays() -> None:
    table = np.array([[0.0, 1.0, 2.0], [0.0, 10.0, 0.0]])
    assert interpolated((Foreign(table), 1), 0.5) == pytest.approx(5.0)
