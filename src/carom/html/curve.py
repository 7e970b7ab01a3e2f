"""A small curve of a quantity over time."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.html.thumbnail import COLOURS
from carom.types import Array

WIDTH, HEIGHT, MARGIN = 200, 34, 3
MOST_POINTS = 300
MOST_LINES = len(COLOURS)  # components of a vector or a tensor
DECADES = 2.0  # beyond which positive values are drawn by their logarithms


def curve(time: Array, values: Array) -> tuple[str, bool]:
    """An SVG of values (n,) or (n, ...) over times (n,), and whether it shows their logarithms.

    Points that are not finite leave a gap.
    """
    rows = np.asarray(values, dtype=float).reshape(len(values), -1)[:, :MOST_LINES]
    x, is_logarithmic = np.asarray(time, dtype=float), _spans_decades(rows)
    with np.errstate(all="ignore"):
        y = np.log10(rows) if is_logarithmic else rows
    across, (lowest, highest) = _placed(x, WIDTH), _range(y)
    high = (y - lowest) / (highest - lowest) if highest > lowest else 0.5 + 0.0 * y
    down = HEIGHT - MARGIN - high * (HEIGHT - 2 * MARGIN)
    lines = "".join(_line(across, down[:, k], COLOURS[k]) for k in range(rows.shape[1]))
    svg = (
        f'<svg width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" style="display:block">'
        f'<path d="M0 {HEIGHT - 0.5}H{WIDTH}" stroke="currentColor" opacity="0.25"/>{lines}</svg>'
    )
    return svg, is_logarithmic


def chosen(number: int) -> Any:
    """Which of so many points are drawn, the first and the last among them."""
    return np.unique(np.linspace(0, number - 1, min(number, MOST_POINTS)).round().astype(int))


def _spans_decades(rows: Array) -> bool:
    known = rows[np.isfinite(rows)]
    if known.size == 0 or known.min() <= 0.0:
        return False
    return bool(np.log10(known.max()) - np.log10(known.min()) > DECADES)


def _range(values: Array) -> tuple[float, float]:
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)


def _placed(x: Array, width: float) -> Array:
    first, last = _range(x)
    share = (x - first) / (last - first) if last > first else np.full(x.shape, 0.5)
    return np.asarray(MARGIN + share * (width - 2 * MARGIN))


def _line(across: Array, down: Array, colour: str) -> str:
    """A line that begins anew after each gap; a point by itself is a dot."""
    parts, is_drawing = [], False
    for x, y in zip(across.tolist(), down.tolist(), strict=True):
        is_point = np.isfinite(x) and np.isfinite(y)
        if is_point:
            parts.append(f"{'L' if is_drawing else 'M'}{x:.1f} {y:.1f}{'' if is_drawing else 'h0'}")
        is_drawing = bool(is_point)
    if not parts:
        return ""
    style = f'fill="none" stroke="{colour}" stroke-width="1.5"'
    return f'<path d="{"".join(parts)}" {style} stroke-linecap="round" stroke-linejoin="round"/>'
