"""A calendar of events: two levels of buckets and a sorted list of what is next.

Time is cut into narrow buckets of about six events. Events of the present stretch of time lie in
the fine buckets, later ones in coarse buckets that hold a stretch each, and those of the present
bucket in a sorted list. So an event is scheduled and found in a time that does not depend on the
number of particles (Brown 1988; in two levels as by Smallenburg 2022).

Nothing is ever taken out: an entry (time, particle) is out of date when the particle's next event
is no longer at that time, and is then skipped. Events at the same time are ordered by the names
of the particles, whatever the history of the calendar.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom.compiled.dispatch import dispatch_on
from carom.compiled.entry_points import entry_point
from carom.compiled.intrinsics import prefetch
from carom.compiled.kernels import inner_kernel
from carom.compiled.lent import lasting
from carom.compiled.memory import in_cache_lines, rows
from carom.compiled.views import borrowed
from carom.events.sorted_entries import ENTRY, enlist, once_each, sort, write
from carom.functions import doublings
from carom.types import Integers, Records

# Entries of a bucket, in a list of chunks of two cache lines each.
PER_CHUNK = 10
CHUNK = np.dtype(
    [
        ("time", np.float64, PER_CHUNK),
        ("particle", np.int32, PER_CHUNK),
        ("after", np.int32),  # the next chunk of the bucket or of the free ones
        ("filled", np.int32),
    ],
    align=True,
)
NO_CHUNK = -1
FINE, COARSE = 0, 1
EVENTS_PER_BUCKET = 6.0
# So many mean times between the events of a particle lie between now and the last bucket.
HORIZON = 16.0
# Chunks that are always left for the entries of the event at hand.
RESERVE = 8
# No time between now and the horizon is shorter than this.
SHORTEST = 1e-200
# Beyond this bucket number times are as good as never.
LAST_BUCKET = 2.0**62

STATE = np.dtype(
    [
        ("bucket", np.int64),  # the present one
        ("listed", np.int64),  # entries in the sorted list
        ("pending", np.int64),  # entries in buckets
        ("free", np.int64),  # the first free chunk
        ("spare", np.int64),  # free chunks
        ("bits", np.int64),  # 2 ** bits fine buckets, and as many coarse ones
        ("rate", np.float64),  # buckets per time
        ("handled", np.int64),  # entries since the calendar was set up, out of date or not
        ("labour", np.int64),  # empty buckets passed and entries moved aside since then
        ("start", np.float64),  # the time when it was set up
        ("horizon", np.float64),  # events from this time on are not kept
    ],
    align=True,
)

# What ``next_entry`` says.
FOUND = 0
EMPTY = 1
WORN = 2  # the buckets no longer suit the events: set it up anew


@lasting
class Calendar(NamedTuple):
    """The buckets, the chunks, and the sorted list."""

    chunks: Records  # of CHUNK
    buckets: Integers  # (2, 2 ** bits) the first chunk of each, FINE and COARSE
    entries: Records  # (room,) of ENTRY, descending: the next event is the last
    state: Records  # (1,) of STATE


def new_calendar(n: int) -> Calendar:
    """An empty calendar for n particles."""
    bits = max(2, (int(doublings(max(HORIZON * n / EVENTS_PER_BUCKET, 2.0))) + 1) // 2)
    number = 1 << bits
    # Every bucket may have a chunk that is not full; half of the entries are out of date.
    chunks = in_cache_lines(4 * number + 3 * n // PER_CHUNK + 16, CHUNK)
    state = rows(1, STATE)
    state.bits = bits
    state.horizon = np.inf
    return Calendar(
        chunks,
        np.full((2, number), NO_CHUNK, dtype=np.int32),
        rows(n + 64, ENTRY),
        state,
    )


def clear(calendar: Calendar, time: float, rate: float) -> None:
    """Forget all entries; from ``time`` on, so many events per time are expected."""
    calendar.chunks.after = np.arange(1, len(calendar.chunks) + 1)
    calendar.chunks.after[-1] = NO_CHUNK
    calendar.buckets[:] = NO_CHUNK
    state = calendar.state[0]
    state.rate = rate / EVENTS_PER_BUCKET
    # Bucket numbers of a run that started long ago would lose digits; see ``_bucket_of``.
    state.start = time
    state.bucket = 0
    state.listed = 0
    state.pending = 0
    state.free = 0
    state.spare = len(calendar.chunks)
    state.handled = 0
    state.labour = 0


def measured_rate(calendar: Calendar, time: float) -> float:
    """Entries handled per time since the calendar was set up; 0 when that was just now."""
    state = calendar.state[0]
    elapsed = time - float(state.start)
    return float(state.handled) / elapsed if elapsed > 0.0 else 0.0


def begin(calendar: Calendar, names: Integers, time: float, rate: float) -> None:
    """Let all particles have their next events at ``time``, in the order of their names."""
    clear(calendar, time, rate)
    n = len(names)
    calendar.entries.time[:n] = time
    calendar.entries.particle[:n] = np.argsort(names)[::-1]
    calendar.state.listed = n
    # Whatever they schedule waits for its bucket, even if it is due at the same time: to put it in
    # its place among all who are still listed would take as many steps.
    calendar.state.bucket = -1


@inner_kernel
def schedule_all(calendar: Calendar, ledger: Records, time: float) -> None:
    """Schedule the next events of all particles up to the horizon, in a calendar without entries.

    The width of the buckets follows from how many there are, and how many were handled the last
    time: with too wide ones, each event would have to find its place in a long list.
    """
    state = calendar.state[0]
    ahead = 0
    for i in range(len(ledger)):
        if ledger[i].event_time < state.horizon:
            ahead += 1
    events = max(state.handled, 2 * ahead, 16)
    state.rate = events / (EVENTS_PER_BUCKET * max(state.horizon - time, SHORTEST))
    state.start = time
    state.bucket = -1  # as in ``begin``
    state.handled = 0
    state.labour = 0
    for i in range(len(ledger)):
        schedule(calendar, ledger, i, ledger[i].event_time)


@entry_point
def fill(calendar: Calendar, ledger: Records) -> None:
    """Schedule the next events of all particles in an empty calendar."""
    calendar, ledger = borrowed((calendar, ledger))
    state = calendar.state[0]
    for i in range(len(ledger)):
        time = ledger[i].event_time
        if time >= state.horizon:
            continue
        bucket = _bucket_of(calendar, time)
        if bucket > 0:
            _put(calendar, i, time, bucket)
        else:
            write(calendar.entries, state.listed, time, i)
            state.listed += 1
    sort(calendar, ledger, state.listed)


@inner_kernel
def _bucket_of(calendar: Calendar, time: float) -> int:
    state = calendar.state[0]
    number = (time - state.start) * state.rate
    return int(min(number, LAST_BUCKET))


@inner_kernel
def schedule(calendar: Calendar, ledger: Records, i: int, time: float) -> None:
    """Enter the next event of particle i, at the time that its ledger says."""
    state = calendar.state[0]
    if time >= state.horizon:
        return
    bucket = _bucket_of(calendar, time)
    if bucket <= state.bucket:
        enlist(calendar, ledger, i, time)
    else:
        _put(calendar, i, time, bucket)


@inner_kernel
def _put(calendar: Calendar, i: int, time: float, bucket: int) -> None:
    """Lay an entry into a later bucket."""
    state = calendar.state[0]
    bits = state.bits
    present, stretch = state.bucket >> bits, bucket >> bits
    last = (1 << bits) - 1
    if stretch == present:
        _push(calendar, FINE, bucket & last, i, time)
    else:
        # What is beyond the last coarse bucket waits in it and is looked at again from there.
        _push(calendar, COARSE, min(stretch, present + last) & last, i, time)


@inner_kernel
def _push(calendar: Calendar, level: int, place: int, i: int, time: float) -> None:
    chunks, buckets, state = calendar.chunks, calendar.buckets, calendar.state[0]
    state.pending += 1
    head = np.int64(buckets[level, place])
    if head < 0 or chunks[head].filled == PER_CHUNK:
        chunk = chunks[state.free]
        state.spare -= 1
        buckets[level, place] = state.free
        state.free = chunk.after
        chunk.after = head
        chunk.filled = 1
        chunk.time[0] = time
        chunk.particle[0] = i
    else:
        chunk = chunks[head]
        filled = chunk.filled
        chunk.time[filled] = time
        chunk.particle[filled] = i
        chunk.filled = filled + 1


@dispatch_on("owner")
def announce(owner: Any, i: int) -> None:
    """An event of particle i is near: ask for the memory that it will need."""


@announce.otherwise
@inner_kernel
def _(owner: Any, i: int) -> None:
    return


@inner_kernel
def next_entry(calendar: Calendar, ledger: Records, records: Records, owner: Any) -> int:
    """Make sure that the end of the list is the next event; say if it is FOUND.

    Memory is asked for ahead: ledgers and records, and what else the owner of the calendar keeps.
    """
    state = calendar.state[0]
    while True:
        if state.spare < RESERVE:
            return WORN
        while state.listed > 0:
            entry = calendar.entries[state.listed - 1]
            if ledger[entry.particle].event_time == entry.time:
                return FOUND
            state.listed -= 1
            state.handled += 1
        if state.pending == 0:
            return EMPTY
        if _is_worn(calendar):
            return WORN
        _turn_page(calendar, ledger, records, owner)


@inner_kernel
def _is_worn(calendar: Calendar) -> bool:
    """Whether chunks run out, or passing buckets and sorting cost more than to begin anew."""
    state, number = calendar.state[0], calendar.buckets.shape[1]
    affordable = 64 * state.handled + 4 * len(calendar.entries) + 16 * number
    return state.spare < number + RESERVE or state.labour > affordable


@inner_kernel
def drop_entry(calendar: Calendar) -> None:
    """Take the next event off the list."""
    state = calendar.state[0]
    state.listed -= 1
    state.handled += 1


@inner_kernel
def _turn_page(calendar: Calendar, ledger: Records, records: Records, owner: Any) -> None:
    """Go to the next bucket and list its events."""
    chunks, state = calendar.chunks, calendar.state[0]
    state.bucket += 1
    last = (1 << state.bits) - 1
    if state.bucket & last == 0:
        _open_stretch(calendar)
    place = state.bucket & last
    head = np.int64(calendar.buckets[FINE, place])
    if head < 0:
        state.labour += 1
    calendar.buckets[FINE, place] = NO_CHUNK
    listed = 0
    while head >= 0:
        chunk = chunks[head]
        for k in range(chunk.filled):
            i, time = np.int64(chunk.particle[k]), chunk.time[k]
            if ledger[i].event_time == time:
                if listed == len(calendar.entries):
                    listed = once_each(calendar, ledger, listed)
                prefetch(records, i)
                announce(owner, i)
                write(calendar.entries, listed, time, i)
                listed += 1
            else:
                state.handled += 1
        head = _give_back(calendar, head)
    state.listed = listed
    sort(calendar, ledger, listed)
    _look_ahead(calendar, ledger, records, state.bucket & last)


@inner_kernel
def _look_ahead(calendar: Calendar, ledger: Records, records: Records, place: int) -> None:
    """Ask for the memory that the next two buckets will need."""
    buckets, last = calendar.buckets, calendar.buckets.shape[1] - 1
    head = buckets[FINE, (place + 1) & last]
    if head >= 0:
        chunk = calendar.chunks[head]
        for k in range(chunk.filled):
            prefetch(ledger, chunk.particle[k])
            prefetch(records, chunk.particle[k])
    head = buckets[FINE, (place + 2) & last]
    if head >= 0:
        prefetch(calendar.chunks, head)


@inner_kernel
def _open_stretch(calendar: Calendar) -> None:
    """Distribute the coarse bucket of a new stretch of time over the fine ones."""
    state = calendar.state[0]
    last = (1 << state.bits) - 1
    place = (state.bucket >> state.bits) & last
    head = np.int64(calendar.buckets[COARSE, place])
    calendar.buckets[COARSE, place] = NO_CHUNK
    while head >= 0:
        chunk = calendar.chunks[head]
        if chunk.after >= 0:
            prefetch(calendar.chunks, chunk.after)
        for k in range(chunk.filled):
            time = chunk.time[k]
            i = np.int64(chunk.particle[k])
            _put(calendar, i, time, _bucket_of(calendar, time))
        head = _give_back(calendar, head)


@inner_kernel
def _give_back(calendar: Calendar, head: int) -> int:
    """Free a chunk whose entries have been taken; the one after it."""
    state, chunk = calendar.state[0], calendar.chunks[head]
    after = np.int64(chunk.after)
    state.pending -= chunk.filled
    state.spare += 1
    chunk.after = state.free
    state.free = head
    return after
