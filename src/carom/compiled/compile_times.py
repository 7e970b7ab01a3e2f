"""How long compilations take: in this process so far, and the last time for each kind of run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import perf_counter

from carom.compiled.cache import cache_base, write_at_once

_FILE = "seconds.json"


class _Spent:
    """What this process has spent."""

    seconds = 0.0
    depth = 0  # of compilations within compilations, which are counted once


def spent() -> float:
    """The seconds that this process has spent on compilation so far."""
    return _Spent.seconds


@contextmanager
def taken() -> Iterator[None]:
    """Count what happens within as compilation."""
    start = perf_counter()
    _Spent.depth += 1
    try:
        yield
    finally:
        _Spent.depth -= 1
        if _Spent.depth == 0:
            _Spent.seconds += perf_counter() - start


def last_time(kind: str) -> float | None:
    """The seconds that a kind of run took to compile the last time, if that is known."""
    return _remembered().get(kind)


def remember(kind: str, seconds: float) -> None:
    """Keep for the next time how long a kind of run took to compile, if that is possible."""
    with suppress(OSError):
        times = _remembered() | {kind: round(seconds, 2)}
        write_at_once(cache_base() / _FILE, json.dumps(times, indent=1).encode())


def _remembered() -> dict[str, float]:
    with suppress(OSError, ValueError):
        found = json.loads((cache_base() / _FILE).read_bytes())
        if isinstance(found, dict):
            return {name: float(value) for name, value in found.items() if _is_time(value)}
    return {}


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and 0.0 <= value < 3600.0
