"""Arrays for compiled code: where they begin, and how their fields are named."""

from __future__ import annotations

from typing import Any

import numpy as np

CACHE_LINE = 64


def in_cache_lines(n: int, dtype: Any) -> Any:
    """An array (n,) of zeros that begins at a cache line; structured ones know their fields."""
    dtype = np.dtype(dtype)
    store = np.zeros(n * dtype.itemsize + CACHE_LINE, dtype=np.uint8)
    start = -store.ctypes.data % CACHE_LINE
    array = store[start : start + n * dtype.itemsize].view(dtype)
    return array if dtype.names is None else array.view(np.recarray)


def rows(n: int, dtype: np.dtype[Any]) -> Any:
    """Rows of zeros whose fields are attributes, in Python as in compiled code."""
    return np.zeros(n, dtype=dtype).view(np.recarray)
