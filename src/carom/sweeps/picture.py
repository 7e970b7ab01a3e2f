"""A sweep in one picture: a map over two parameters, or curves with their errors."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from carom.spelling import suggestion
from carom.sweeps.points import ERROR, REPLICA
from carom.sweeps.table import over_replicas

WITHOUT_HUE = ("", "none", "-")


def picture(table: Any, x: str, y: str, hue: str | None = None) -> Any:
    """The Matplotlib figure of a sweep, averaged over its replicas and over all parameters that are
    not named.

    Where ``x`` and ``y`` are parameters, colours are the mean of ``hue``. Else ``y`` is drawn over
    ``x``, a curve for each value of the parameter ``hue``, with standard errors.
    """
    hue = None if hue is None or hue in WITHOUT_HUE else hue
    parameters = [name for name in table.dims if name in table.coords and name != REPLICA]
    numbers = [name for name in table.data_vars if set(table[name].dims) <= {*parameters, REPLICA}]
    measured = [name for name in numbers if table[name].dtype.kind in "biuf" and name != ERROR]
    if not parameters:
        raise ValueError(
            "a sweep over a list of points has no axes to draw; parameters={name: [values]} has."
        )
    _check("x", x, parameters)
    is_map = y in parameters
    _check("y", y, [*parameters, *measured])
    if is_map:
        _check("hue", hue or "", measured)
    elif hue is not None:
        _check("hue", hue, parameters)
    if len({x, y, hue}) < 3:
        raise ValueError(f"x, y and hue must be three different names, not {x}, {y} and {hue}.")
    if is_map:
        return _map(table, x, y, str(hue))
    return _curves(table, x, y, hue)


def _check(what: str, name: str, known: list[str]) -> None:
    if name not in known:
        raise ValueError(f"{what}={name!r} is not in the table{suggestion(name, known)}")


def _averaged(table: Any, name: str, kept: list[str]) -> tuple[Any, Any]:
    """The means of something, with what is kept as axes in that order, and their errors."""
    found = over_replicas(table[[name, ERROR]])
    others = [axis for axis in found[name].dims if axis not in kept]
    mean = found[name].mean(others)
    number = found[name].notnull().sum(others)
    error = np.sqrt((found[f"{name}_error"] ** 2).sum(others, skipna=False)) / number
    return mean.transpose(*kept).values, error.transpose(*kept).values


def _places(table: Any, name: str) -> tuple[Any, list[str] | None]:
    """Where the values of a parameter stand on an axis, and their names if they are no numbers."""
    values = table[name].values
    if values.dtype.kind in "iuf" and np.isfinite(values).all():
        return values.astype(float), None
    return np.arange(len(values), dtype=float), [str(value) for value in values]


def _map(table: Any, x: str, y: str, hue: str) -> Any:
    figure, axes = import_module("carom.plotting").diagram((x, y))
    values, _ = _averaged(table, hue, [y, x])
    edges = []
    for axis, name in ((axes.xaxis, x), (axes.yaxis, y)):
        places, words = _places(table, name)
        order = np.argsort(places)
        values = values[:, order] if name == x else values[order]
        edges.append(_edges(places[order]))
        axis.set_ticks(places, words or [f"{place:g}" for place in places])
    drawn = axes.pcolormesh(*edges, values, cmap="viridis")
    bar = figure.colorbar(drawn)
    bar.set_label(hue, fontsize=9)
    bar.ax.tick_params(labelsize=8)
    return figure


def _edges(places: Any) -> Any:
    """Where the tiles around places begin and end."""
    if len(places) == 1:
        return places[0] + np.array([-0.5, 0.5])
    middles = 0.5 * (places[1:] + places[:-1])
    return np.concatenate([[2 * places[0] - middles[0]], middles, [2 * places[-1] - middles[-1]]])


def _curves(table: Any, x: str, y: str, hue: str | None) -> Any:
    figure, axes = import_module("carom.plotting").diagram((x, y))
    kept = [x] if hue is None else [hue, x]
    means, errors = _averaged(table, y, kept)
    places, words = _places(table, x)
    order = np.argsort(places)
    labels = [None] if hue is None else [f"{hue} = {value}" for value in table[hue].values]
    for label, mean, error in zip(
        labels, means.reshape(len(labels), -1), errors.reshape(len(labels), -1), strict=True
    ):
        bars = None if np.isnan(error).all() else error[order]
        axes.errorbar(places[order], mean[order], bars, fmt="o-", ms=4, lw=1.0, label=label)
    if words:
        axes.set_xticks(places, words)
    if hue is not None:
        axes.legend(frameon=False, fontsize=8)
    return figure
