"""Pictures of flows_2001.py like figures 16 to 18 and 20 to 23, from the results that it keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.collections import EllipseCollection
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from carom.plotting.style import DOTS_PER_INCH, FAINT, INK, PALETTE, soften
from flow_fits import (
    COLLISIONS_TAYLOR_GREEN,
    SECOND_HALF,
    TRANSFERS_TAYLOR_GREEN,
    TRANSFERS_TURBULENCE,
    Power,
    cells_times_disks,
    collisions_fit,
    column,
    cost_fit,
    mean_collision_time,
    series,
    transfers_fit,
)
from flow_runs import TAYLOR_GREEN, TURBULENCE, places_path

MOST_DRAWN = 50_000  # disks, as in figure 16
MARKERS = {"fixed": "o", "adaptive": "s", "default": "^", "constant": "D"}
COLOURS = dict(zip(MARKERS, PALETTE, strict=False))
LABELS = {"fixed": "fixed cells", "adaptive": "adaptive cells", "default": "default"}
PUBLISHED = {"color": INK, "linewidth": 0.8, "linestyle": "--", "zorder": 0}
# Of turbulence; the paper gives the exponent, and "more than 1 million" collisions at the end.
COLLISIONS_TURBULENCE = Power(1.1e6 / 200_000**0.82, 0.82)


def draw(part: str, results: Mapping[str, Any], kept_in: Path, folder: Path) -> None:
    """Save the pictures of a part; places of particles are in ``kept_in``."""
    folder.mkdir(parents=True, exist_ok=True)
    figures: dict[str, Callable[[], dict[str, Figure | None]]] = {
        TAYLOR_GREEN: lambda: _taylor_green(results, kept_in),
        TURBULENCE: lambda: _turbulence(results, kept_in),
        "parameters": dict,
        "step": lambda: {"flow_step": _step(results)},
        "paths": lambda: {"flow_paths": _paths(results)},
        "missed": lambda: {"flow_missed": _missed(results)},
        "large": lambda: _taylor_green(results, kept_in),
    }
    for name, figure in figures[part]().items():
        if figure is None:
            continue
        for axes in figure.axes:
            soften(axes)
        figure.savefig(folder / f"{name}.png", dpi=DOTS_PER_INCH)


def _taylor_green(results: Mapping[str, Any], kept_in: Path) -> dict[str, Figure | None]:
    runs = {scheme: series(results, scheme) for scheme in ("fixed", "constant")}
    return {
        "flow_taylor_green": _places(kept_in, TAYLOR_GREEN, series(results, "fixed")),
        "flow_taylor_green_events": _events(runs, TRANSFERS_TAYLOR_GREEN),
        "flow_taylor_green_cost": _cost(results, ("fixed", "adaptive"), "collisions"),
    }


def _turbulence(results: Mapping[str, Any], kept_in: Path) -> dict[str, Figure | None]:
    runs = {scheme: series(results, scheme) for scheme in ("fixed", "default")}
    return {
        "flow_turbulence": _places(kept_in, TURBULENCE, runs["fixed"]),
        "flow_turbulence_events": _events(runs, TRANSFERS_TURBULENCE),
        "flow_turbulence_cost": _cost(results, ("fixed", "adaptive", "default"), "n"),
    }


# Particles


def _places(kept_in: Path, flow: str, runs: Sequence[Mapping[str, Any]]) -> Figure | None:
    """All disks at the start and at the end, to scale; nothing if no places are kept."""
    paths = [places_path(kept_in, flow, run["n"]) for run in runs if run["n"] <= MOST_DRAWN]
    paths = [path for path in paths if path.exists()]
    if not paths:
        return None
    places = np.load(paths[-1])
    figure = Figure(figsize=(8.0, 4.2), layout="constrained")
    for axes, when, title in zip(
        figure.subplots(1, 2), ("start", "end"), ("t = 0", "t = 10"), strict=True
    ):
        position = places[when]
        width = np.full(len(position), 2.0 * float(places["radius"]))
        disks = EllipseCollection(
            width,
            width,
            np.zeros(len(position)),
            units="xy",
            offsets=position,
            offset_transform=axes.transData,
            facecolors=PALETTE[0],
            edgecolors="none",
        )
        axes.add_collection(disks)
        axes.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0), xticks=(), yticks=(), aspect="equal")
        axes.set_title(f"{title}, {len(position):,} disks", fontsize=9)
    return figure


# Events and cost


def _events(runs: Mapping[str, Sequence[Any]], transfers: Power) -> Figure:
    """Collisions against n, and transfers against n m, with published fits and ours."""
    figure = Figure(figsize=(8.0, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    if transfers is TRANSFERS_TAYLOR_GREEN:
        _collisions_taylor_green(left, runs)
    else:
        _collisions_turbulence(left, runs)
    fixed = runs["fixed"]
    together = cells_times_disks(fixed)
    right.loglog(together, column(fixed, "transfers"), **_dots("fixed"))
    _line(right, together, transfers_fit(fixed), "fixed", "(nm)")
    said = f"published: {_shown(transfers, '(nm)')}"
    right.loglog(together, transfers(together), **PUBLISHED, label=said)
    left.set(xlabel="disks n", ylabel="collisions $n_c$")
    right.set(xlabel="n m", ylabel="transfers $n_t$")
    _label_logarithms(left.xaxis, ",.0f")
    for axis in (left.yaxis, right.xaxis, right.yaxis):
        axis.set_minor_formatter(NullFormatter())
    _finish(left, right)
    return figure


def _collisions_taylor_green(axes: Any, runs: Mapping[str, Sequence[Any]]) -> None:
    """Collisions with both rules for the relaxation time."""
    for scheme, each in runs.items():
        if each:
            label = f"τ {'constant' if scheme == 'constant' else '∝ r'}"
            axes.loglog(*_points(each, "n", "collisions"), **_dots(scheme), label=label)
            _line(axes, column(each, "n"), collisions_fit(each), scheme, "n")
    n = column(runs["fixed"], "n")
    said = f"published: {_shown(COLLISIONS_TAYLOR_GREEN, 'n')}"
    axes.loglog(n, COLLISIONS_TAYLOR_GREEN(n), **PUBLISHED, label=said)


def _collisions_turbulence(axes: Any, runs: Mapping[str, Sequence[Any]]) -> None:
    """Collisions with cells and without, and the fits of the second half of the sizes."""
    for scheme, each in runs.items():
        axes.loglog(*_points(each, "n", "collisions"), **_dots(scheme), label=LABELS[scheme])
    half = [run for run in runs["default"] if run["n"] >= SECOND_HALF]
    if len(half) > 1:
        n = column(half, "n")
        _line(axes, n, collisions_fit(half), "default", "n")
        said = f"published: ∝ $n^{{{COLLISIONS_TURBULENCE.exponent:.2f}}}$"
        axes.loglog(n, COLLISIONS_TURBULENCE(n), **PUBLISHED, label=said)


def _line(axes: Any, x: np.ndarray, fit: Power, scheme: str, name: str) -> None:
    """A fit through the points of a scheme."""
    said = f"fit: {_shown(fit, name)}"
    axes.loglog(x, fit(x), color=COLOURS[scheme], linewidth=0.8, label=said)


def _shown(power: Power, name: str) -> str:
    """A power law as a label."""
    return f"{power.factor:.3g} ${name}^{{{power.exponent:.2f}}}$"


def _cost(results: Mapping[str, Any], schemes: Sequence[str], over: str) -> Figure:
    """Processor time against collisions, and over log n against collisions or n."""
    figure = Figure(figsize=(8.0, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    for scheme in schemes:
        runs = series(results, scheme)
        if not runs:
            continue
        seconds, n = column(runs, "seconds"), column(runs, "n")
        collisions = column(runs, "collisions")
        left.loglog(collisions, seconds, label=LABELS[scheme], **_dots(scheme, "-"))
        fit = cost_fit(runs, over, True)
        said = f"{LABELS[scheme]}: exponent {fit.exponent:.2f}"
        right.loglog(column(runs, over), seconds / np.log(n), label=said, **_dots(scheme))
        x = column(runs, over)
        right.loglog(x, fit(x), color=COLOURS[scheme], linewidth=0.8)
        right.set_xlabel("collisions $n_c$" if over == "collisions" else "disks n")
    left.set(xlabel="collisions $n_c$", ylabel="seconds")
    right.set_ylabel("seconds / log n")
    left.xaxis.set_minor_formatter(NullFormatter())
    for axis in (left.yaxis, right.yaxis):
        _label_logarithms(axis, "g")
    if over == "n":
        _label_logarithms(right.xaxis, ",.0f")
    else:
        right.xaxis.set_minor_formatter(NullFormatter())
    _finish(left, right)
    return figure


# Steps


def _step(results: Mapping[str, Any]) -> Figure:
    """Processor time and collisions against the time step."""
    figure = Figure(figsize=(8.0, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    runs = {
        scheme: sorted(series(results, scheme), key=lambda run: run["dt"])
        for scheme in ("fixed", "default")
    }
    for scheme, each in runs.items():
        left.loglog(*_points(each, "dt", "seconds"), label=LABELS[scheme], **_dots(scheme, "-"))
        dt, collisions = _points(each, "dt", "collisions")
        right.semilogx(dt, 1e-6 * collisions, label=LABELS[scheme], **_dots(scheme, "-"))
    low, high = left.get_ylim()
    dt, seconds = _points(runs["fixed"], "dt", "seconds")
    left.loglog(dt, seconds[0] * dt[0] / dt, **PUBLISHED, label="∝ 1/Δt")
    left.set_ylim(low, high)
    right.set_ylim(0.0, 1.1 * right.get_ylim()[1])
    for axes in (left, right):
        between = mean_collision_time(runs["fixed"][0])
        axes.axvline(between, color=FAINT, linewidth=0.8, label="mean collision time", zorder=0)
        axes.set_xlabel("time step Δt")
        _label_logarithms(axes.xaxis, "g")
    _label_logarithms(left.yaxis, "g")
    left.set_ylabel("seconds")
    right.set_ylabel("collisions, millions")
    _finish(left, right)
    return figure


def _paths(results: Mapping[str, Any]) -> Figure:
    """Processor time against the number of steps looked at at once."""
    runs = sorted(results.values(), key=lambda run: run["paths"])
    figure = Figure(figsize=(4.4, 3.4), layout="constrained")
    axes = figure.subplots()
    axes.plot(*_points(runs, "paths", "seconds"), **_dots("fixed", "-"))
    axes.set(xlabel="steps k looked at at once", ylabel="seconds")
    axes.set_xticks(column(runs, "paths"))
    axes.set_ylim(bottom=0.0)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def _missed(results: Mapping[str, Any]) -> Figure:
    """The share of contacts that simpler schemes do not see, against the time step."""
    figure = Figure(figsize=(8.0, 3.4), layout="constrained")
    schemes = list(dict.fromkeys(run["scheme"] for run in results.values()))[1:]
    every = {run["dt"] for run in results.values()}
    for axes, flow in zip(
        figure.subplots(1, 2, sharey=True), (TAYLOR_GREEN, TURBULENCE), strict=True
    ):
        for k, scheme in enumerate(schemes):
            runs = [
                run
                for run in results.values()
                if run["flow"] == flow and run["scheme"] == scheme and run["missed"] > 0
            ]
            missed = column(runs, "missed")
            share = 100.0 * missed / (missed + column(runs, "collisions"))
            style = {"color": PALETTE[k], "marker": "os^"[k], "markersize": 4.5, "linewidth": 0.9}
            axes.loglog(column(runs, "dt"), share, label=scheme, **style)
        axes.set_title(flow, fontsize=9)
        axes.set_xlabel("time step Δt")
        axes.set_xlim(0.8 * min(every), 1.25 * max(every))
        _label_logarithms(axes.xaxis, "g")
        _label_logarithms(axes.yaxis, "g", (1.0,))
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=8)
    figure.axes[0].set_ylabel("contacts not seen, %")
    return figure


def _points(runs: Sequence[Any], x: str, y: str) -> tuple[np.ndarray, np.ndarray]:
    return column(runs, x), column(runs, y)


def _dots(scheme: str, line: str = "none") -> dict[str, Any]:
    """How the points of a scheme look."""
    return {
        "color": COLOURS[scheme],
        "marker": MARKERS[scheme],
        "markersize": 4.5,
        "linestyle": line,
        "linewidth": 0.9,
    }


def _label_logarithms(axis: Any, form: str, at: Sequence[float] = (1.0, 2.0, 5.0)) -> None:
    """Plain numbers at 1, 2 and 5 of each decade of a logarithmic axis."""
    axis.set_major_locator(LogLocator(subs=at))
    axis.set_major_formatter(FuncFormatter(lambda value, _: format(value, form)))
    axis.set_minor_formatter(NullFormatter())


def _finish(*panels: Any) -> None:
    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=8)
