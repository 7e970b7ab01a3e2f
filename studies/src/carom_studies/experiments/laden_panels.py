"""Panels like those of figures 16 to 18 and 20 to 22 of Sigurgeirsson, Stuart & Wan 2001."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.colors import ListedColormap

from carom.particles import Array
from carom.plotting.style import PALETTE
from carom_studies.drawing import (
    OURS,
    PUBLISHED,
    label,
    law,
    legend,
    plain_logarithms,
    points,
    published_law,
)
from carom_studies.experiments.laden_fits import cells_times_disks, column, transfers_fit
from carom_studies.experiments.laden_flows import DURATION, SIZES, cells_for
from carom_studies.fits import Power

PIXELS = 320  # along a side of the picture of all disks
STYLES: dict[str, dict[str, Any]] = {
    "fixed": {"name": "fixed cells", "colour": OURS, "marker": "o"},
    "adaptive": {"name": "adaptive cells", "colour": PALETTE[1], "marker": "s"},
    "default": {"name": "carom's default", "colour": PALETTE[2], "marker": "^"},
    "constant": {"name": "τ the same for all n", "colour": PALETTE[3], "marker": "D"},
}
# Smaller runs than this share of the published range are shown on logarithmic axes.
SEEN_ON_LINEAR_AXES = 0.3

Run = Mapping[str, Any]


class Unit(NamedTuple):
    """What an axis shows: a name, how much is 1 there, and where the published axis ends."""

    name: str
    size: float
    end: float


DISKS = Unit("disks n, thousands", 1e3, 200.0)


# Places


def occupied(position: Array) -> list[str]:
    """A picture of disks in a unit square: rows from the bottom, a bit for each square with any.

    In hexadecimal digits, so that many disks fit into a JSON file.
    """
    pixel = np.minimum((position % 1.0) * PIXELS, PIXELS - 1).astype(int)
    seen = np.zeros((PIXELS, PIXELS), dtype=bool)
    seen[pixel[:, 1], pixel[:, 0]] = True
    return [row.tobytes().hex() for row in np.packbits(seen, axis=1)]


def seen_places(start: Array, end: Array) -> dict[str, Any]:
    """Where disks are at the start and at the end, as ``draw_places`` wants it."""
    return {"n": len(start), "start": occupied(start), "end": occupied(end)}


def draw_places(both: Sequence[Any], places: Mapping[str, Any], figure: str) -> None:
    """Draw disks at the start and at the end."""
    titles = (f"{figure}, left: t = 0", f"{figure}, right: t = {DURATION:g}")
    for axes, when, title in zip(both, ("start", "end"), titles, strict=True):
        draw_occupied(axes, places[when], f"{title}, {places['n']:,} disks")


def draw_occupied(axes: Any, rows: Sequence[str], title: str) -> None:
    """Draw a picture of disks that ``occupied`` has made."""
    packed = np.array([list(bytes.fromhex(row)) for row in rows], dtype=np.uint8)
    seen = np.unpackbits(packed, axis=1)[:, :PIXELS]
    # White where there is nothing, so that only disks have a colour.
    axes.imshow(
        np.ma.masked_equal(seen, 0),
        origin="lower",
        extent=(0, 1, 0, 1),
        interpolation="nearest",
        cmap=ListedColormap([OURS]),
    )
    axes.spines[["top", "right"]].set_visible(True)
    axes.set(xticks=(), yticks=())
    label(axes, "", "", title)


# Events and cost


def draw_runs(
    axes: Any, scheme: str, x: Array, y: Array, across: Unit, up: Unit, name: str = ""
) -> None:
    """Draw the runs of a scheme."""
    style = dict(STYLES[scheme])
    name, colour = name or style["name"], style["colour"]
    points(axes, x / across.size, y / up.size, name, colour, marker=style["marker"])


def draw_fit(
    axes: Any, scheme: str, x: Array, fit: Power, name: str, across: Unit, up: Unit
) -> None:
    """Draw a fit of ours over the range of x; nothing through a single point."""
    if len(x) > 1:
        said = f"fit: {shown(fit, name)}"
        law(axes, x / across.size, _rescaled(fit, across, up), said, STYLES[scheme]["colour"])


def draw_published(axes: Any, x: Any, fit: Power, said: str, across: Unit, up: Unit) -> None:
    """Draw a published fit over the range of x."""
    said = f"published: {said}"
    published_law(axes, np.asarray(x) / across.size, _rescaled(fit, across, up), said)


def draw_transfers(
    axes: Any, runs: Sequence[Run], published: Power, end: float, title: str
) -> None:
    """Draw transfers with fixed cells against n m, the published fit and ours."""
    across = Unit("n m, 100 millions", 1e8, 2.7)
    up = Unit("transfers $n_t$, 100 millions", 1e8, end)
    x, y = cells_times_disks(runs), column(runs, "transfers")
    draw_runs(axes, "fixed", x, y, across, up)
    draw_fit(axes, "fixed", x, transfers_fit(runs), "(nm)", across, up)
    every = [n * cells_for(n) for n in SIZES]
    draw_published(axes, every, published, shown(published, "(nm)"), across, up)
    finish(axes, x, across, up, title)


def draw_cost(
    axes: Any,
    runs: Mapping[str, Sequence[Run]],
    quantity: Callable[[Sequence[Run]], Array],
    law_of: Callable[[Sequence[Run]], Array] | None,
    said: str,
    across: Unit,
    title: str,
) -> None:
    """Draw minutes against a quantity by scheme, and a published law that has no factor.

    Its values are ``law_of`` the runs, if there is one; it goes through the largest with fixed
    cells.
    """
    up = Unit("processor time, minutes", 60.0, math.nan)
    for scheme, each in runs.items():
        if each:
            draw_runs(axes, scheme, quantity(each), column(each, "seconds"), across, up)
    if law_of is not None:
        fixed = runs["fixed"]
        values = law_of(fixed) * (fixed[-1]["seconds"] / law_of(fixed)[-1]) / up.size
        style = {"color": PUBLISHED, "linewidth": 1.2, "linestyle": "--"}
        axes.plot(quantity(fixed) / across.size, values, label=f"published: ∝ {said}", **style)
    finish(
        axes, np.concatenate([quantity(each) for each in runs.values() if each]), across, up, title
    )


def shown(fit: Power, name: str) -> str:
    """A power law as a label."""
    return f"{fit.factor:.3g} ${name}^{{{fit.exponent:.2f}}}$"


def finish(axes: Any, x: Array, across: Unit, up: Unit, title: str) -> None:
    """Give axes the published ranges, logarithmic ones if all runs would be in a corner."""
    label(axes, across.name, up.name, title)
    if x.max() / across.size > SEEN_ON_LINEAR_AXES * across.end:
        axes.set_xlim(0.0, 1.05 * across.end)
        axes.set_ylim(0.0, None if math.isnan(up.end) else up.end)
    else:
        axes.loglog()
        axes.set_xlim(0.8 * x.min() / across.size, 1.1 * across.end)
        plain_logarithms(axes.xaxis)
        plain_logarithms(axes.yaxis)
    legend(axes)


def _rescaled(fit: Power, across: Unit, up: Unit) -> Power:
    """The same law between quantities in other units."""
    return Power(fit.factor * across.size**fit.exponent / up.size, fit.exponent)
