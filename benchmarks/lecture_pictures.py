"""Pictures of lecture_03.py, from the results that it keeps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from carom.plotting.style import DOTS_PER_INCH, FAINT, INK, PALETTE, soften
from lecture_tables import (
    SOLID_MASS_DENSITY,
    crossing,
    fastest_stepped,
    overlap_exponent,
    overlap_per_dt,
)
from stress_errors import COMPONENTS, LIMIT, Flows, by_system, errors

MARKERS = {"xx": "s", "−xy": "^", "yy": "D"}
COLOURS = dict(zip(COMPONENTS, PALETTE, strict=False))
FRACTION_MARKERS = "os^Dv<"
PANELS = "abcd"
STEP_LABEL = "step γ Δt"
LONGEST = 3.3  # logarithm of collisions per particle, in the map of collapses
TOP = 1.5  # of the stresses shown, over the largest event-driven one


def draw(part: str, results: Mapping[str, Any], folder: Path) -> None:
    """Save the pictures of a part."""
    folder.mkdir(parents=True, exist_ok=True)
    figures = {
        "stress": lambda: {
            "shear_stresses": _stresses(results),
            "shear_errors": _errors(results),
            "shear_overlaps": _overlaps(results),
        },
        "collapse": lambda: {"shear_collapse": _collapse(results)},
        "theory": dict,
        "time": lambda: {"shear_times": _times(results)},
    }[part]()
    for name, figure in figures.items():
        for axes in figure.axes:
            soften(axes)
        figure.savefig(folder / f"{name}.png", dpi=DOTS_PER_INCH)


def _stresses(results: Mapping[str, Any]) -> Figure:
    """Kinetic and collisional stresses against the step; event-driven ones with their bands."""
    systems = by_system(results)
    figure = Figure(figsize=(8.0, 6.2), layout="constrained")
    panels = figure.subplots(2, 2, sharex="col")
    for column, phi in enumerate((0.1, 0.5)):
        flows = systems[0.9, phi]
        for row, part in enumerate(("kinetic", "collisional")):
            axes = panels[row, column]
            for name in COMPONENTS:
                _stress_against_step(axes, flows, name, part)
            largest = max(abs(flows.exact[part][i][i]) for i in range(2)) / SOLID_MASS_DENSITY
            axes.set(xscale="log", ylim=(0.0, TOP * largest))
            axes.xaxis.set_minor_formatter(NullFormatter())
            axes.spines[["right"]].set_visible(False)
        top = panels[0, column]
        top.set_title(f"({PANELS[column]})  e = 0.9, solid fraction {phi:g}", fontsize=9)
        per_dt = overlap_per_dt(flows)
        scale = (lambda dt, k=per_dt: k * dt, lambda overlap, k=per_dt: overlap / k)
        above = top.secondary_xaxis("top", functions=scale)
        above.set_xlabel("mean relative overlap δ/d", fontsize=8)
        above.tick_params(labelsize=8, colors=INK, length=3, width=0.6)
        panels[1, column].set_xlabel(STEP_LABEL)
    panels[0, 0].set_ylabel("kinetic stress / ρ$_p$ d² γ²")
    panels[1, 0].set_ylabel("collisional stress / ρ$_p$ d² γ²")
    handles = [
        panels[row, 0].plot([], [], **_style(name, row == 1), label=f"{name}, {part}")[0]
        for row, part in enumerate(("kinetic", "collisional"))
        for name in COMPONENTS
    ]
    lines = panels[0, 0].plot([], [], "-", color=INK, linewidth=0.8, label="event-driven, ±2.5 %")
    figure.legend(
        handles=[*handles, *lines], loc="outside lower center", ncols=4, frameon=False, fontsize=8
    )
    return figure


def _style(name: str, closed: bool) -> dict[str, Any]:
    """How symbols of a component look: closed for collisional, open for kinetic stresses."""
    colour = COLOURS[name]
    return {
        "marker": MARKERS[name],
        "color": colour,
        "markerfacecolor": colour if closed else "white",
        "markersize": 5,
        "linestyle": "none",
    }


def _stress_against_step(axes: Any, flows: Flows, name: str, part: str) -> None:
    """One component: symbols with errors, a line for the event-driven value and its band."""
    i, j = COMPONENTS[name]
    scale = (-1.0 if i != j else 1.0) / SOLID_MASS_DENSITY
    dt = [found["dt"] for found in flows.stepped]
    value = [scale * found[part][i][j] for found in flows.stepped]
    error = [2.0 * found[f"{part}_error"][i][j] / SOLID_MASS_DENSITY for found in flows.stepped]
    exact = scale * flows.exact[part][i][j]
    width = LIMIT / 100.0 * exact
    axes.axhspan(exact - width, exact + width, color=COLOURS[name], alpha=0.18, linewidth=0)
    axes.axhline(exact, color=COLOURS[name], linewidth=0.8)
    axes.errorbar(dt, value, error, capsize=2, linewidth=0.8, **_style(name, part == "collisional"))


def _errors(results: Mapping[str, Any]) -> Figure:
    """Percent errors of shear stress and pressure against the step for every solid fraction."""
    systems = by_system(results)
    figure = Figure(figsize=(8.0, 6.0), layout="constrained")
    restitutions = sorted({e for e, _ in systems}, reverse=True)
    panels = figure.subplots(2, len(restitutions), sharex="col", sharey="row", squeeze=False)
    for column, e in enumerate(restitutions):
        fractions = sorted(phi for other, phi in systems if other == e)
        for row, name in enumerate(("−xy", "yy")):
            axes = panels[row, column]
            axes.axhspan(-LIMIT, LIMIT, color=FAINT, alpha=0.35, linewidth=0)
            axes.axhline(0.0, color=INK, linewidth=0.6)
            for k, phi in enumerate(fractions):
                found = errors(systems[e, phi], name)
                axes.errorbar(
                    found.dt,
                    found.percent,
                    2.0 * found.uncertainty,
                    color=PALETTE[k],
                    marker=FRACTION_MARKERS[k],
                    markersize=4,
                    capsize=2,
                    linewidth=0.9,
                    label=f"{phi:g}",
                )
            axes.set_xscale("log")
            axes.set_yscale("symlog", linthresh=5.0, linscale=1.0)
            ticks = [-100, -50, -20, -10, -5, -LIMIT, 0, LIMIT, 5, 10, 20, 50, 100, 200]
            axes.set_ylim(-100.0, 300.0)
            axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
            axes.minorticks_off()
            axes.spines[["top", "right"]].set_visible(False)
        panels[0, column].set_title(f"({PANELS[column]})  e = {e:g}", fontsize=9)
        panels[1, column].set_xlabel(STEP_LABEL)
    panels[0, 0].set_ylabel("error of the stress −xy, %")
    panels[1, 0].set_ylabel("error of the stress yy, %")
    panels[0, 0].legend(frameon=False, fontsize=8, title="solid fraction", title_fontsize=8)
    return figure


def _overlaps(results: Mapping[str, Any]) -> Figure:
    """Mean relative overlaps against the step, and against how far particles move in it."""
    systems = by_system(results)
    figure = Figure(figsize=(8.0, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    exponents = [overlap_exponent(flows) for flows in systems.values()]
    fractions = sorted({phi for _, phi in systems})
    for (e, phi), flows in systems.items():
        k = fractions.index(phi)
        style = {
            "color": PALETTE[k],
            "marker": FRACTION_MARKERS[k],
            "markersize": 4.5,
            "markerfacecolor": PALETTE[k] if e == 0.9 else "white",
        }
        dt = np.array([found["dt"] for found in flows.stepped])
        overlap = [found["overlap"] for found in flows.stepped]
        label = f"{phi:g}" if e == 0.9 else None
        left.loglog(dt, overlap, linewidth=0.8, label=label, **style)
        speed = math.sqrt(flows.exact["temperature"])
        right.loglog(speed * dt, overlap, linestyle="none", **style)
    moves = np.array(right.get_xlim())
    line = 0.5 * math.sqrt(math.pi) * moves
    right.loglog(moves, line, color=INK, linewidth=0.8, label="√π/2 · v Δt/d", zorder=0)
    left.set(xlabel=STEP_LABEL, ylabel="mean relative overlap δ/d")
    right.set(xlabel="v Δt / d,  v = √(T/m)")
    said = f"δ ∝ Δt$^p$, p = {min(exponents):.2f} to {max(exponents):.2f}"
    left.set_title(said, fontsize=9)
    right.set_title("filled: e = 0.9, open: e = 0.5", fontsize=9)
    left.legend(frameon=False, fontsize=8, title="solid fraction", title_fontsize=8)
    right.legend(frameon=False, fontsize=8)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def _collapse(results: Mapping[str, Any]) -> Figure:
    """Maps of the collisions per particle until a collapse, cooling freely and sheared."""
    fractions = sorted({one["phi"] for one in results.values()})
    restitutions = sorted({one["e"] for one in results.values()})
    figure = Figure(figsize=(8.0, 4.4), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    shown = None
    for axes, kind, letter in zip(panels, ("cooling", "sheared"), PANELS, strict=False):
        until = np.full((len(restitutions), len(fractions)), np.nan)
        for one in results.values():
            if one["kind"] != kind:
                continue
            at = restitutions.index(one["e"]), fractions.index(one["phi"])
            met = [value for value in one["until"] if value is not None]
            if met:
                until[at] = np.median(met)
                axes.text(at[1], at[0], f"{len(met)}/{len(one['until'])}", **_in_cell(until[at]))
        shown = axes.imshow(
            np.log10(until), origin="lower", aspect="auto", cmap="viridis", vmin=0.0, vmax=LONGEST
        )
        axes.set_xticks(range(len(fractions)), [f"{phi:g}" for phi in fractions])
        axes.set_yticks(range(len(restitutions)), [f"{e:g}" for e in restitutions])
        name = "cooling freely" if kind == "cooling" else "sheared"
        axes.set_title(f"({letter})  {name}", fontsize=9)
        axes.set_xlabel("solid fraction")
    panels[0].set_ylabel("coefficient of restitution e")
    bar = figure.colorbar(shown, ax=panels, ticks=[0, 1, 2, 3], pad=0.02)
    bar.ax.set_yticklabels(["1", "10", "100", "1000"])
    bar.set_label("collisions per particle until the collapse")
    return figure


def _in_cell(until: float) -> dict[str, Any]:
    """How the share of collapsed runs is written on its colour."""
    dark = math.log10(until) < 0.6 * LONGEST
    centred = {"ha": "center", "va": "center"}
    return {"fontsize": 6, "color": "white" if dark else INK, **centred}


def _times(results: Mapping[str, Any]) -> Figure:
    """Computing time per strain of both methods against the solid fraction."""
    numbers = sorted({one["n"] for one in results.values()})
    figure = Figure(figsize=(4.0 * len(numbers), 3.6), layout="constrained")
    panels = figure.subplots(1, len(numbers), squeeze=False, sharey=True)[0]
    for axes, n in zip(panels, numbers, strict=True):
        here = sorted(
            (one for one in results.values() if one["n"] == n), key=lambda one: one["phi"]
        )
        phi = [one["phi"] for one in here]
        scale = 1e6 / n  # to microseconds per particle
        curves = {
            "event-driven": [one["seconds"]["event-driven"] for one in here],
            "time-stepped, fastest list": [fastest_stepped(one) for one in here],
            "time-stepped, automatic": [one["seconds"]["auto"] for one in here],
        }
        for k, (label, seconds) in enumerate(curves.items()):
            times = scale * np.array(seconds)
            style = {"color": PALETTE[min(k, 1)], "linestyle": "--" if k == 2 else "-"}
            axes.semilogy(phi, times, marker="os^"[k], markersize=4.5, label=label, **style)
        where = crossing(results, n)
        if not math.isnan(where):
            axes.axvline(where, color=FAINT, linewidth=0.8)
        said = "no crossing" if math.isnan(where) else f"crossing at {where:.2f}"
        axes.set_title(f"{n:,} disks, e = 0.9: {said}", fontsize=9)
        axes.set_xlabel("solid fraction")
        axes.spines[["top", "right"]].set_visible(False)
    ticks = (1, 2, 5, 10, 20, 50, 100)
    low, high = panels[0].get_ylim()
    panels[0].set_yticks(ticks, [f"{tick}" for tick in ticks])
    panels[0].yaxis.set_minor_formatter(NullFormatter())
    panels[0].set_ylim(low, high)
    panels[0].set_ylabel("µs per particle and strain")
    panels[-1].legend(frameon=False, fontsize=8)
    return figure
