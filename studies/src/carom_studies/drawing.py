"""How all figures of the entries look."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
from PIL import Image

from carom.plotting.style import DOTS_PER_INCH, FAINT, INK, PALETTE, soften
from carom_studies.fits import Power, Values

PANEL = (4.6, 3.6)  # inches
OURS, OTHER = PALETTE[0], PALETTE[3]
PUBLISHED = INK  # the paper's numbers are drawn in ink, ours in colour
SYMBOL_SIZE = 4.5


def panels(columns: int = 1, rows: int = 1) -> tuple[Figure, list[Any]]:
    """A figure with so many panels, row by row, and their axes."""
    figure = Figure((columns * PANEL[0], rows * PANEL[1]), layout="constrained")
    axes = list(np.ravel(figure.subplots(rows, columns)))
    for each in axes:
        soften(each)
        each.spines[["top", "right"]].set_visible(False)
    return figure, axes


def label(axes: Any, x: str, y: str, title: str = "") -> None:
    """Name the axes, and the panel as the source does."""
    axes.set_xlabel(x, fontsize=9, color=INK)
    axes.set_ylabel(y, fontsize=9, color=INK)
    if title:
        axes.set_title(title, fontsize=9, color=INK, loc="left")


def legend(axes: Any, **options: Any) -> None:
    """What the symbols and lines are."""
    axes.legend(**{"fontsize": 8, "frameon": False, **options})


def points(axes: Any, x: Values, y: Values, name: str, colour: str = OURS, **more: Any) -> None:
    """Draw what we measured."""
    style = {"marker": "o", "linestyle": "none", "markersize": SYMBOL_SIZE, **more}
    axes.plot(x, y, color=colour, label=name, **style)


def law(axes: Any, x: Values, fit: Power, name: str, colour: str = OURS) -> None:
    """Draw a fit of ours over the range of x."""
    places = np.geomspace(min(x), max(x), 100)
    axes.plot(places, fit(places), color=colour, linewidth=1.2, label=name)


def published_law(axes: Any, x: Values, fit: Power, name: str) -> None:
    """Draw a published fit over the range of x."""
    places = np.geomspace(min(x), max(x), 100)
    axes.plot(places, fit(places), color=PUBLISHED, linewidth=1.2, linestyle="--", label=name)


def marked(axes: Any, *, x: float | None = None, y: float | None = None, name: str) -> None:
    """Draw a line at a published number."""
    style = {"color": FAINT, "linewidth": 2.0, "zorder": 0, "label": name}
    if x is not None:
        axes.axvline(x, **style)
    if y is not None:
        axes.axhline(y, **style)


def plain_logarithms(axis: Any, at: Sequence[float] = (1.0, 2.0, 5.0)) -> None:
    """Plain numbers on a logarithmic axis, at these of each decade."""
    axis.set_major_locator(LogLocator(subs=at))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
    axis.set_minor_formatter(NullFormatter())


def save_picture(figure: Figure, path: Path) -> None:
    """Write a PNG with a palette: the eye sees no difference, and it has a third of the size."""
    buffer = BytesIO()
    figure.savefig(buffer, format="png", dpi=DOTS_PER_INCH)
    with Image.open(buffer) as image:
        image.convert("RGB").quantize(dither=Image.Dither.NONE).save(path, "png", optimize=True)
