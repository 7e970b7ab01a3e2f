"""Arrays as plain data for checkpoints, bit for bit."""

from __future__ import annotations

import base64

import numpy as np

from carom.particles import Array
from carom.types import Plain


def plain(array: Array) -> Plain:
    """An array of floats as text; many digits would take twice the room."""
    data = np.ascontiguousarray(array, dtype="<f8").tobytes()
    return {"shape": list(array.shape), "data": base64.b64encode(data).decode("ascii")}


def array_from(kept: Plain) -> Array:
    """The array that ``plain`` has made into text."""
    data = np.frombuffer(base64.b64decode(kept["data"]), dtype="<f8")
    return data.astype(np.float64).reshape(kept["shape"])
