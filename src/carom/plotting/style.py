"""Colours and sizes that all pictures share."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import ListedColormap
from matplotlib.mathtext import MathTextParser

# Okabe & Ito 2008: told apart by colour-blind readers too.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9")
COLOUR_MAP = "viridis"
DIVERGING_MAP = "RdBu_r"  # for what has two signs
INK = "#333333"
FAINT = "#b8b8b8"
DOTS_PER_INCH = 150
# The fastest few would leave all the others in one colour.
BRIGHTEST_PERCENTILE = 99.0


def readable(text: str) -> str:
    """A text as Matplotlib takes it: dollars that enclose no formula are dollars."""
    try:
        MathTextParser("path").parse(text)
    except ValueError:
        return text.replace("$", r"\$")
    return text


def soften(axes: Any) -> None:
    """Make frame and ticks of axes step back behind what they show."""
    axes.tick_params(labelsize=8, colors=INK, length=3, width=0.6)
    for spine in axes.spines.values():
        spine.set_linewidth(0.6)
        spine.set_color(INK)


def softened(name: str, white: float) -> ListedColormap:
    """A colour map mixed with a share of white, to lie behind other things."""
    colours = colormaps[name](np.linspace(0.0, 1.0, 256))[:, :3]
    return ListedColormap(colours + white * (1.0 - colours), name=f"{name}, softened")
