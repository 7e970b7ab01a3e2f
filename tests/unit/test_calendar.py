"""The calendar gives events in the order of time, then of names, whatever is scheduled when."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carom.compiled.entry_points import entry_point
from carom.compiled.memory import in_cache_lines
from carom.events.calendar import (
    EMPTY,
    FOUND,
    WORN,
    Calendar,
    begin,
    clear,
    drop_entry,
    fill,
    measured_rate,
    new_calendar,
    next_entry,
    schedule,
)
from carom.methods.event_driven.world import LEDGER, RECORD


@entry_point
def next_event(calendar, ledger, record):
    """What the calendar says, and the time and particle of its next event."""
    found = next_entry(calendar, ledger, record, ())
    last = calendar.state[0].listed - 1
    if found != FOUND:
        return found, 0.0, -1
    return found, calendar.entries[last].time, calendar.entries[last].particle


@entry_point
def reschedule(calendar, ledger, i, time):
    """Take the next event off and give particle i another."""
    drop_entry(calendar)
    ledger[i].event_time = time
    schedule(calendar, ledger, i, time)


@entry_point
def change(calendar, ledger, i, time):
    """Give particle i another event before its own was due."""
    ledger[i].event_time = time
    schedule(calendar, ledger, i, time)


def ledger_for(times: list[float], names: list[int] | None = None) -> np.recarray:
    ledger = in_cache_lines(len(times), LEDGER)
    ledger.event_time = times
    ledger.name = np.arange(len(times)) if names is None else names
    return ledger


def tuned(calendar: Calendar, ledger: np.recarray, rate: float) -> None:
    """Set up anew from where the events are, as the algorithms do."""
    times = np.asarray(ledger.event_time)
    ahead = times[np.isfinite(times)]
    clear(calendar, float(ahead.min()) if len(ahead) else 0.0, rate)
    fill(calendar, ledger)


durations = st.one_of(
    st.floats(0.0, 3.0),
    st.sampled_from([0.0, 0.25, 1.0, 1e4, 1e9, np.inf]),
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.lists(durations, min_size=1, max_size=40),
    st.lists(st.tuples(durations, st.integers(0, 39), durations), max_size=150),
    st.sampled_from([1e-3, 1.0, 30.0, 1e4]),
    st.randoms(use_true_random=False),
)
def test_events_come_in_order(start, changes, rate, chance) -> None:
    names = list(range(len(start)))
    chance.shuffle(names)
    ledger = ledger_for(start, names)
    record = in_cache_lines(len(start), RECORD)
    calendar = new_calendar(len(start))
    tuned(calendar, ledger, rate)
    for own, other, later in changes:
        found, time, i = next_event(calendar, ledger, record)
        while found == WORN:
            tuned(calendar, ledger, rate)
            found, time, i = next_event(calendar, ledger, record)
        order = sorted(range(len(start)), key=lambda k: (ledger[k].event_time, ledger[k].name))
        if found == EMPTY:
            assert np.isinf(ledger.event_time).all()
            return
        assert (time, i) == (ledger[order[0]].event_time, order[0])
        reschedule(calendar, ledger, i, time + own)
        if other < len(start) and other != i:
            change(calendar, ledger, other, time + later)


def test_a_million_simultaneous_events_are_sorted_by_name() -> None:
    n = 300_000
    names = np.random.default_rng(1).permutation(n)
    ledger = ledger_for([1.0] * n, names)
    calendar = new_calendar(n)
    clear(calendar, 1.0, 1.0)
    fill(calendar, ledger)
    particles = calendar.entries.particle[:n][::-1]
    np.testing.assert_array_equal(names[particles], np.arange(n))
    begin(calendar, ledger.name, 1.0, 1.0)
    np.testing.assert_array_equal(calendar.entries.particle[:n][::-1], particles)


def test_buckets_that_do_not_suit_the_events_are_noticed() -> None:
    """Events a thousand times rarer than expected: passing empty buckets is reported in time."""
    n = 50
    rng = np.random.default_rng(2)
    ledger = ledger_for(rng.exponential(1000.0, n).tolist())
    record = in_cache_lines(n, RECORD)
    calendar = new_calendar(n)
    clear(calendar, 0.0, 1e6 * n)
    fill(calendar, ledger)
    for _ in range(1000):
        found, time, i = next_event(calendar, ledger, record)
        if found == WORN:
            break
        reschedule(calendar, ledger, i, time + rng.exponential(1000.0))
    assert found == WORN
    tuned(calendar, ledger, n / 1000.0)
    for _ in range(2000):
        found, time, i = next_event(calendar, ledger, record)
        assert found == FOUND
        reschedule(calendar, ledger, i, time + rng.exponential(1000.0))
    assert measured_rate(calendar, time) == pytest.approx(n / 1000.0, rel=0.1)
