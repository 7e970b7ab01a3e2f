"""Sums over the nodes of a grid, row by row: in the same order in every run."""

from __future__ import annotations

from typing import Any

from carom.compiled.views import borrowed
from carom.fluids.solved.bands import in_bands
from carom.types import Array


@in_bands
def totals(rows: Any, field: Array) -> Any:
    """The sums over all nodes of both components, and of ½ |u|²."""
    field = borrowed(field)
    x = 0.0
    y = 0.0
    energy = 0.0
    for i in range(rows[0], rows[1]):
        row_x = 0.0
        row_y = 0.0
        of_row = 0.0
        for j in range(field.shape[1]):
            row_x += field[i, j, 0]
            row_y += field[i, j, 1]
            of_row += field[i, j, 0] * field[i, j, 0] + field[i, j, 1] * field[i, j, 1]
        x += row_x
        y += row_y
        energy += 0.5 * of_row
    return x, y, energy
