"""Diagrams in the style of all pictures."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from carom.plotting.figures import ShownFigure
from carom.plotting.style import DOTS_PER_INCH, INK, PALETTE, soften

PANEL = (4.6, 3.4)  # inches


def diagram(*panels: tuple[str, str], columns: int | None = None) -> tuple[Figure, Any]:
    """A figure with a panel for each pair of labels (along x, along y), and its axes.

    One panel has axes, several a list of them, beside each other or in rows of so many ``columns``.
    Colours follow each other so that colour-blind readers tell them apart; what is drawn is up to
    Matplotlib: ``axes.plot``, ``axes.loglog``, ``figure.savefig``.
    """
    if not panels:
        raise ValueError('diagram needs a pair of labels for each panel, as in ("time", "energy").')
    across = len(panels) if columns is None else min(columns, len(panels))
    if across < 1:
        raise ValueError(f"columns={columns!r}: a diagram has at least one.")
    down = -(-len(panels) // across)
    width, height = PANEL
    figure = ShownFigure((across * width, down * height), dpi=DOTS_PER_INCH, layout="constrained")
    drawn = []
    for place, (x, y) in enumerate(panels, start=1):
        axes = figure.add_subplot(down, across, place)
        axes.set_prop_cycle(color=PALETTE)
        axes.set_xlabel(x, fontsize=9, color=INK)
        axes.set_ylabel(y, fontsize=9, color=INK)
        axes.spines[["top", "right"]].set_visible(False)
        soften(axes)
        axes.tick_params(which="minor", labelsize=8, colors=INK, width=0.6)
        drawn.append(axes)
    return figure, drawn[0] if len(drawn) == 1 else drawn
