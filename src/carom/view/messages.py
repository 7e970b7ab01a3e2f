"""What is sent to a page: particles in a few bytes each, all else as JSON.

A binary message has a header of 32 bytes, little-endian: ``CRM2``, its kind and the version (16
bits each), a count and the number of the frame (32 bits each), the time and the top of the colour
scale (64 bits each). Behind it stand numbers of 32 bits.
"""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np

HEADER = struct.Struct("<4sHHIIdd")
MAGIC, VERSION = b"CRM2", 1
# Kinds: radii and species once; a frame is x, y, z and a value for each particle, perhaps with the
# velocities behind them; a flow is a picture of its values, or arrows; contacts are lines.
STILL, FRAME, FRAME_AND_VELOCITIES, FLOW, FLOW_ARROWS, CONTACTS = range(1, 7)


def packed(kind: int, count: int, frame: int, time: float, top: float, *columns: Any) -> bytes:
    """A binary message with these columns of numbers."""
    head = HEADER.pack(MAGIC, kind, VERSION, count, frame, time, top)
    return b"".join((head, *(np.ascontiguousarray(each, dtype="<f4").data for each in columns)))


def told(kind: str, **content: Any) -> str:
    """A message in JSON; numbers that are none are null."""
    return json.dumps({"kind": kind, **_plain(content)}, allow_nan=False)


def _plain(value: Any) -> Any:
    """What JSON can hold of a value."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
