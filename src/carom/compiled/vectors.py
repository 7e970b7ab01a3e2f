"""Small vectors as tuples of three numbers; planar systems keep the third at zero.

One three-dimensional kernel serves both dimensions: with one layer of cells it is as fast as a
planar one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.compiled.kernels import inner_kernel


def three_columns(rows: Any) -> Any:
    """Rows of three numbers; the third of a planar vector is zero."""
    full = np.zeros((len(rows), 3))
    full[:, : rows.shape[1]] = rows
    return full


@inner_kernel
def row(array: Any, i: int) -> Any:
    """Row i of an (n, 3) array."""
    return (array[i, 0], array[i, 1], array[i, 2])


@inner_kernel
def set_row(array: Any, i: int, vector: Any) -> None:
    """Write a vector into row i of an (n, 3) array."""
    array[i, 0] = vector[0]
    array[i, 1] = vector[1]
    array[i, 2] = vector[2]


@inner_kernel
def part(array: Any, i: int, first: int) -> Any:
    """Three numbers of row i, from column ``first`` on."""
    return (array[i, first], array[i, first + 1], array[i, first + 2])


@inner_kernel
def dot(a: Any, b: Any) -> Any:
    """a . b"""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inner_kernel
def plus(a: Any, factor: float, b: Any) -> Any:
    """a + factor b"""
    return (a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2])


@inner_kernel
def minus(a: Any, b: Any) -> Any:
    """a - b"""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])
