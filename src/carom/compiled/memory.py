"""Arrays for compiled code: where they begin, on what pages, and how their fields are named."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np

CACHE_LINE = 64
HUGE_PAGE = 1 << 21


def in_cache_lines(n: int, dtype: Any) -> Any:
    """An array (n,) of zeros that begins at a cache line; structured ones know their fields."""
    dtype = np.dtype(dtype)
    store = _zeros(n * dtype.itemsize + CACHE_LINE)
    start = -store.ctypes.data % CACHE_LINE
    array = store[start : start + n * dtype.itemsize].view(dtype)
    return array if dtype.names is None else array.view(np.recarray)


def _zeros(size: int) -> Any:
    """So many zero bytes, on huge pages where the system has them.

    An event touches a dozen places in memory at random. On pages of 4 kB nearly every one of them
    is also a miss in the table of pages, once the system is larger than the caches.
    """
    if size < HUGE_PAGE or not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.zeros(size, dtype=np.uint8)
    try:
        # Python gives the map back to the system with the last array that uses it.
        store = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        store.madvise(mmap.MADV_HUGEPAGE)
    except OSError:  # no such pages, or no room for them
        return np.zeros(size, dtype=np.uint8)
    return np.frombuffer(store, dtype=np.uint8)


def rows(n: int, dtype: np.dtype[Any]) -> Any:
    """Rows of zeros whose fields are attributes, in Python as in compiled code."""
    return np.zeros(n, dtype=dtype).view(np.recarray)
