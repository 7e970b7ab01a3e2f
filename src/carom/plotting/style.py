"""Colours and sizes that all pictures share."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from matplotlib import colormaps, rcParams
from matplotlib.colors import Colormap, LinearSegmentedColormap, ListedColormap, to_hex, to_rgb
from matplotlib.mathtext import MathTextParser

# Okabe & Ito 2008: told apart by colour-blind readers too.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9")
# Beyond these, kinds have the same colours with a share of white or black.
TINTS = (("white", 0.0), ("white", 0.5), ("black", 0.45), ("white", 0.75), ("black", 0.7))
COLOUR_MAP = "viridis"
DIVERGING_MAP = "RdBu_r"  # for what has two signs
INK = "#333333"
FAINT = "#b8b8b8"
DOTS_PER_INCH = 150
# The least radius of particles in points, by themselves and on a flow, and the width of their rims.
SMALLEST, SMALLEST_ON_FLOW, RIM = 0.8, 1.2, 0.5
# The fastest few would leave all the others in one colour.
BRIGHTEST_PERCENTILE = 99.0


class Theme(NamedTuple):
    """What differs between pictures on light paper and on dark."""

    paper: str
    ink: str
    faint: str
    line: str  # of a flow, paler than particles
    rim: tuple[str, float]  # of particles: mixed with so much of this colour
    values: Colormap  # for values that no colour of the paper must hide
    crowded: Colormap  # for densities: farthest from the paper where it is dense
    signed: Colormap  # for what has two signs: as the paper where it is zero


def mixed(colours: Any, other: str, share: float) -> Any:
    """Colours (n, 3) with a share of another one."""
    return colours + share * (np.array(to_rgb(other)) - colours)


def colours_of_kinds(number: int) -> list[str]:
    """A colour for each of so many kinds; the first 30 are different ones."""
    colours = []
    for k in range(number):
        other, share = TINTS[k // len(PALETTE) % len(TINTS)]
        own = np.array(to_rgb(PALETTE[k % len(PALETTE)]))
        colours.append(to_hex(mixed(own, other, share)))
    return colours


def _part(first: float, last: float, missing: str, white: float = 0.0) -> Colormap:
    """A part of the colour map, with a share of white, and a colour for what has no value."""
    colours = colormaps[COLOUR_MAP](np.linspace(first, last, 256))[:, :3]
    bright = ListedColormap(mixed(colours, "white", white), name=COLOUR_MAP)
    return bright.with_extremes(bad=missing)


LIGHT = Theme(
    "#ffffff",
    INK,
    FAINT,
    "#6a6a6a",
    ("#000000", 0.38),
    _part(0.0, 1.0, FAINT),
    _part(1.0, 0.0, FAINT),
    colormaps[DIVERGING_MAP],
)
DARK = Theme(
    "#14161a",
    "#d8dbe0",
    "#5a5f68",
    "#9aa0aa",
    ("#ffffff", 0.3),
    _part(0.22, 1.0, "#5a5f68", white=0.12),
    _part(0.22, 1.0, "#5a5f68", white=0.12),
    LinearSegmentedColormap.from_list("signed", ["#3fa0ff", "#14161a", "#ff5f3f"]),
)
THEMES = {"light": LIGHT, "dark": DARK}
ThemeName = Literal["light", "dark"] | None


def theme_of(name: ThemeName) -> Theme:
    """The theme of a name; left out, it is that of Matplotlib's own figures."""
    if name is None:
        red, green, blue = to_rgb(rcParams["figure.facecolor"])
        return DARK if 0.3 * red + 0.6 * green + 0.1 * blue < 0.5 else LIGHT
    if name not in THEMES:
        raise ValueError(f'theme must be "light" or "dark", not {name!r}.')
    return THEMES[name]


def readable(text: str) -> str:
    """A text as Matplotlib takes it: dollars that enclose no formula are dollars."""
    if "$" not in text:
        return text
    try:
        MathTextParser("path").parse(text)
    except ValueError:
        return text.replace("$", r"\$")
    return text


def soften(axes: Any, theme: Theme = LIGHT) -> None:
    """Make frame and ticks of axes step back behind what they show."""
    axes.set_facecolor(theme.paper)
    axes.tick_params(labelsize=8, colors=theme.ink, length=3, width=0.6)
    for spine in axes.spines.values():
        spine.set_linewidth(0.6)
        spine.set_color(theme.ink)


def softened(colour_map: Colormap, paper: str, share: float) -> ListedColormap:
    """A colour map mixed with a share of the paper, to lie behind other things."""
    colours = colour_map(np.linspace(0.0, 1.0, 256))[:, :3]
    return ListedColormap(mixed(colours, paper, share), name=f"{colour_map.name}, softened")
