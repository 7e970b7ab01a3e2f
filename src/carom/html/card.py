"""A card: a title, rows of a name and what it is, and a picture beside them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from html import escape
from typing import Any

import numpy as np

# What a row says is found when the card is made; None leaves the row out.
Fact = tuple[str, Callable[[], str | None]]

_LONG_NUMBER = re.compile(r"\b\d+\.\d{6,}(?:e[+-]?\d+)?\b")
LONGEST = 300  # characters of a text; a law of many pairs would fill the screen
_CELL = "border:0;padding:1px 10px 1px 0;text-align:left;vertical-align:middle;background:none"
_WRAPPED = "overflow-wrap:anywhere"


class Markup(str):
    """Text that is HTML already; all other is escaped."""

    __slots__ = ()


def card(title: str, facts: Iterable[Fact], picture: Callable[[], str] | None = None) -> str:
    """The card as HTML. It never raises: what cannot be told of a run in trouble is left out, where
    an error would hide the rest."""
    rows = ((name, attempt(tell)) for name, tell in facts)
    table = "".join(_row(name, text) for name, text in rows if text is not None)
    drawn = None if picture is None else attempt(picture)
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:8px 20px;align-items:flex-start">'
        + (f'<div style="flex:none;max-width:100%">{drawn}</div>' if drawn else "")
        + '<div style="flex:1 1 18em;min-width:0">'
        f'<div style="font-weight:600">{shown(title)}</div>'
        '<table style="border:0;border-collapse:collapse;margin:2px 0 0;background:none;'
        f'color:inherit;font-size:0.9em">{table}</table></div></div>'
    )


def attempt(tell: Callable[[], Any]) -> Any:
    """What a function returns, or None where it fails."""
    try:
        with np.errstate(all="ignore"):
            return tell()
    except Exception:
        return None


def shown(text: str) -> str:
    """Text as HTML shows it: letters that are marks of HTML are only letters."""
    if isinstance(text, Markup):
        return text
    short = text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."
    return escape(short, quote=True)


def call(settings: Any) -> str:
    """Settings as the call that makes them, with the digits that one reads."""
    return _LONG_NUMBER.sub(lambda found: f"{float(found[0]):.6g}", repr(settings))


def number(value: float) -> str:
    """A number in some four digits; a dash for one that is not known."""
    value = float(value)
    if math.isnan(value):
        return "–"
    if math.isfinite(value) and value == int(value) and abs(value) < 1e7:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def _row(name: str, text: str) -> str:
    faint = f'<td style="{_CELL};opacity:0.65;white-space:nowrap">{shown(name)}</td>'
    return (
        f'<tr style="background:none">{faint}<td style="{_CELL};{_WRAPPED}">{shown(text)}</td></tr>'
    )
