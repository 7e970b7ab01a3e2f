"""Names for what stands in signatures: vectors, arrays, and plain data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = tuple[float, float, float]  # in kernels, of particles in the plane with z = 0
Array = NDArray[np.float64]
Integers = NDArray[np.integer[Any]]  # of any width; what is counted by millions has 32 bits or 8
Flags = NDArray[np.bool_]
Records = np.recarray[Any, np.dtype[np.void]]  # rows with named fields, as ledgers and tallies
Columns = dict[str, NDArray[Any]]  # arrays of any kind, by name
Plain = dict[str, Any]  # what JSON can hold, by name
