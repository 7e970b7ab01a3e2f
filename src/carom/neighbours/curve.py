"""An order of particles in which neighbours in space are neighbours in memory."""

from __future__ import annotations

from typing import Any

import numpy as np


def order_along_curve(cells: Any) -> Any:
    """The particles along Morton's curve through their cells, three whole numbers each (n, 3)."""
    code = np.zeros(len(cells), dtype=np.int64)
    for axis in range(3):
        cell = cells[:, axis]
        for bit in range(int(cell.max()).bit_length()):
            code |= ((cell >> bit) & 1) << (3 * bit + axis)
    return np.argsort(code, kind="stable")
