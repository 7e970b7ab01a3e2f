"""Colours and sizes that all pictures share."""

from __future__ import annotations

from typing import Any

# Okabe & Ito 2008: told apart by colour-blind readers too.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9")
COLOUR_MAP = "viridis"
INK = "#333333"
FAINT = "#b8b8b8"
DOTS_PER_INCH = 150


def soften(axes: Any) -> None:
    """Make frame and ticks of axes step back behind what they show."""
    axes.tick_params(labelsize=8, colors=INK, length=3, width=0.6)
    for spine in axes.spines.values():
        spine.set_linewidth(0.6)
        spine.set_color(INK)
