"""What a record has kept: a curve for each quantity, and its last value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from carom.html.card import Fact, Markup, card, number
from carom.html.curve import chosen, curve

MOST_ROWS = 24


def record_card(record: Any, rows: dict[str, list[Any]]) -> str:
    """A record as HTML; ``rows`` are its columns as they grew, ``time`` among them."""
    times, looks = rows["time"], record.looks
    title = f"Record: {looks:,} look{'' if looks == 1 else 's'}, every {number(record.every)}"
    if looks:
        title += f", time {number(times[0])} to {number(times[-1])}"
    names = [name for name in rows if name != "time"]
    return card(title, _facts(names, rows))


def _facts(names: Sequence[str], rows: dict[str, list[Any]]) -> Iterator[Fact]:
    for name in names[:MOST_ROWS]:
        yield name, _told(rows["time"], rows[name])
    if len(names) > MOST_ROWS:
        yield "and more", lambda: ", ".join(names[MOST_ROWS:])


def _told(times: list[float], values: list[Any]) -> Callable[[], str]:
    """A curve and the first and last value; words where it cannot be drawn."""

    def tell() -> str:
        if not values:
            return "nothing yet"
        try:
            some = chosen(len(values)).tolist()
            drawn, is_logarithmic = curve(
                np.array([times[k] for k in some]), np.array([values[k] for k in some], dtype=float)
            )
        except (TypeError, ValueError):
            return f"{type(values[-1]).__name__}, which is no number"
        scale = ", logarithmic" if is_logarithmic else ""
        ends = f"{_short(values[0])} → {_short(values[-1])}{scale}"
        return Markup(
            '<div style="display:flex;gap:10px;align-items:center">'
            f"{drawn}<span>{ends}</span></div>"
        )

    return tell


def _short(value: Any) -> str:
    """A number, or how many numbers there are."""
    array = np.asarray(value, dtype=float)
    if array.ndim == 0:
        return number(float(array))
    if array.size <= 3:
        return f"({', '.join(map(number, array.ravel()))})"
    return " × ".join(map(str, array.shape)) + " numbers"
