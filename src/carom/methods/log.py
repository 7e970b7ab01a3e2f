"""The log of collisions: rows that compiled loops write, and the columns that observers get."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.compiled.kernels import inner_kernel
from carom.compiled.memory import rows
from carom.particles import Array
from carom.types import Records, Vector

LOG = np.dtype(
    [
        ("time", np.float64),
        ("first", np.int32),  # by name
        ("second", np.int32),  # partner, or -1 - k for wall k
        ("impulse", np.float64),
        ("x", np.float64),  # the separation at contact, from the second to the first
        ("y", np.float64),
        ("z", np.float64),
    ],
    align=True,
)
ROOM = 1 << 16


def new_log(room: int = 0) -> Any:
    """An empty log; without room none is kept."""
    return rows(room, LOG)


@inner_kernel
def write_log(
    log: Any,
    tally: Records,
    time: float,
    first: int,
    second: int,
    impulse: float,
    separation: Vector,
) -> None:
    """Write down a collision, if a log is kept; ``tally.logged`` counts the rows in use."""
    if len(log) == 0:
        return
    entry = log[tally.logged]
    entry.time = time
    entry.first = first
    entry.second = second
    entry.impulse = impulse
    entry.x = separation[0]
    entry.y = separation[1]
    entry.z = separation[2]
    tally.logged += 1


def columns_of(log: Any, origin: float, dimension: int) -> dict[str, Array]:
    """The columns of rows of a log whose times are counted from an origin."""
    first, second = log.first.astype(np.int64), log.second.astype(np.int64)
    separation = np.stack([log.x, log.y, log.z], axis=1)[:, :dimension]
    # Of a pair the smaller number comes first, whoever found the contact.
    swapped = (second >= 0) & (first > second)
    first[swapped], second[swapped] = second[swapped], first[swapped]
    separation[swapped] *= -1.0
    return {
        "time": origin + log.time,
        "i": first,
        "j": second,
        "impulse": log.impulse.copy(),
        "separation": separation.copy(),
    }
