"""What the benchmarks say beside times: slowdowns, memory, circumstances."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numba
import numpy as np

import carom


def slowdown(times: np.ndarray, reference: np.ndarray) -> float:
    """How many times slower than the reference: the median over pieces run side by side."""
    return float(np.median(times / reference))


def resident_bytes() -> int:
    """The memory that this process holds now (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def bytes_of_arrays(thing: Any) -> int:
    """The memory of all arrays in a tuple or an object, however deep; shared ones count once."""
    arrays: dict[int, int] = {}
    _collect(thing, arrays)
    return sum(arrays.values())


def _collect(thing: Any, arrays: dict[int, int]) -> None:
    if isinstance(thing, np.ndarray):
        arrays[thing.__array_interface__["data"][0]] = thing.nbytes
    elif isinstance(thing, tuple | list):
        for part in thing:
            _collect(part, arrays)
    elif type(thing).__module__.startswith("carom.methods"):
        _collect(list(vars(thing).values()), arrays)


def circumstances() -> dict[str, str]:
    """Machine, date and versions."""
    processor = platform.processor() or platform.machine()
    described = Path("/proc/cpuinfo")
    if described.exists():
        names = [line for line in described.read_text().splitlines() if "model name" in line]
        processor = names[0].partition(":")[2].strip() if names else processor
    return {
        "processor": f"{processor}, {os.cpu_count()} cores",
        "system": platform.platform(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "carom": carom.__version__,
    }
