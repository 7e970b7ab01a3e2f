"""The entries of a calendar's present bucket, in a sorted list; see ``calendar.py``.

The list is descending: the next event is the last. Events at the same time are ordered by the names
of the particles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.compiled.kernels import inner_kernel
from carom.types import Records

ENTRY = np.dtype([("time", np.float64), ("particle", np.int64)], align=True)
# Longer lists are first sorted roughly, by steps of these widths (Ciura 2001, and on by 2.25).
STEPS = (510774, 227011, 100894, 44842, 19930, 8858, 3937, 1750, 701, 301, 132, 57, 23, 10, 4, 1)


@inner_kernel
def enlist(calendar: Any, ledger: Records, i: int, time: float) -> None:
    """Put an entry where it belongs in the sorted list."""
    entries, state = calendar.entries, calendar.state[0]
    if state.listed == len(entries):
        _tidy(calendar, ledger)
    at = state.listed
    while at > 0 and _precedes(ledger, entries[at - 1].time, entries[at - 1].particle, time, i):
        write(entries, at, entries[at - 1].time, entries[at - 1].particle)
        at -= 1
    write(entries, at, time, i)
    state.labour += state.listed - at
    state.listed += 1


@inner_kernel
def write(entries: Records, at: int, time: float, i: int) -> None:
    """Let an entry stand at a place of the list."""
    entries[at].time = time
    entries[at].particle = i


@inner_kernel
def _tidy(calendar: Any, ledger: Records) -> None:
    """Drop what is out of date or stands twice; then there is room for every particle."""
    entries, state = calendar.entries, calendar.state[0]
    kept = 0
    for k in range(state.listed):
        i, time = entries[k].particle, entries[k].time
        twice = kept > 0 and entries[kept - 1].particle == i and entries[kept - 1].time == time
        if ledger[i].event_time == time and not twice:
            write(entries, kept, time, i)
            kept += 1
    state.listed = kept


@inner_kernel
def once_each(calendar: Any, ledger: Records, listed: int) -> int:
    """Make room in a list in which particles stand more than once; how many stand in it then.

    A particle that has been scheduled for the same moment again and again has an entry for each.
    """
    calendar.state[0].listed = listed
    sort(calendar, ledger, listed)
    _tidy(calendar, ledger)
    return calendar.state[0].listed


@inner_kernel
def _precedes(ledger: Records, time: float, i: int, other_time: float, j: int) -> bool:
    return time < other_time or (time == other_time and ledger[i].name < ledger[j].name)


@inner_kernel
def sort(calendar: Any, ledger: Records, number: int) -> None:
    """Sort the list, descending; insertion, which is best for the few entries of a bucket."""
    # The last step is 1; for a few entries it is the only one.
    first = 0 if number > STEPS[-3] else len(STEPS) - 1
    for k in range(first, len(STEPS)):
        if STEPS[k] < number:
            _sort_by(calendar, ledger, number, STEPS[k])


@inner_kernel
def _sort_by(calendar: Any, ledger: Records, number: int, step: int) -> None:
    entries = calendar.entries
    for k in range(step, number):
        time, i = entries[k].time, entries[k].particle
        at = k
        while at >= step and _precedes(
            ledger, entries[at - step].time, entries[at - step].particle, time, i
        ):
            write(entries, at, entries[at - step].time, entries[at - step].particle)
            at -= step
        write(entries, at, time, i)
