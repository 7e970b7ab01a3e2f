"""Pictures like figures 12 to 14 and 16 of Muth et al. 2007."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from carom.plotting.style import DOTS_PER_INCH, PALETTE, soften
from muth_systems import FRACTURED, PLANAR, Series

METHODS = ("VL", "LC", "LLL", "HC", "auto")
MARKERS = "os^Dv"
AS_PUBLISHED = ("LC", "LLL")


def draw(series: Series, found: Mapping[str, Sequence[Any]], folder: Path) -> None:
    """Save the times of a series, in the same axes as the paper's figure."""
    if series is PLANAR:
        figure = _planar(found)
    else:
        figure = Figure(figsize=(5, 3.6), layout="constrained")
        (_fractured if series is FRACTURED else _spatial)(figure, found)
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=8)
        soften(axes)
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / f"muth_{series.name}.png", dpi=DOTS_PER_INCH)


def _planar(found: Mapping[str, Sequence[Any]]) -> Figure:
    """Times over n, all methods (figure 12) and the two that are linear in n (figure 13)."""
    figure = Figure(figsize=(8, 3.4), layout="constrained")
    for place, wanted in ((1, tuple(found)), (2, AS_PUBLISHED)):
        axes = figure.add_subplot(1, 2, place, xlabel="particles", ylabel="ms per step")
        for method, style in _styles(found):
            if method in wanted:
                axes.plot(*_over_n(found[method]), label=method, **style)
    return figure


def _spatial(figure: Figure, found: Mapping[str, Sequence[Any]]) -> None:
    """Times over n, both logarithmic (figure 14)."""
    axes = figure.add_subplot(xlabel="particles", ylabel="ms per step")
    for method, style in _styles(found):
        axes.loglog(*_over_n(found[method]), label=method, **style)


def _fractured(figure: Figure, found: Mapping[str, Sequence[Any]]) -> None:
    """Times per particle over the size ratio (figure 16, there scaled to start together)."""
    axes = figure.add_subplot(xlabel="R/r", ylabel="µs per particle and step")
    for method, style in _styles(found):
        points = found[method]
        cost = [1e6 * point.seconds / point.n for point in points]
        axes.semilogy([point.size_ratio for point in points], cost, label=method, **style)


def _styles(found: Mapping[str, Sequence[Any]]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (method, {"color": PALETTE[k], "marker": MARKERS[k], "markersize": 4})
        for k, method in enumerate(METHODS)
        if method in found
    ]


def _over_n(points: Sequence[Any]) -> tuple[np.ndarray, np.ndarray]:
    return (
        np.array([point.n for point in points]),
        np.array([1e3 * point.seconds for point in points]),
    )
