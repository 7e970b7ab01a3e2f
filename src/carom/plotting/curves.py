"""Columns of a log over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from carom.checks import numbers_in, several
from carom.particles import Array
from carom.plotting.haff import haff_cooling_time
from carom.plotting.style import PALETTE, Theme, soften
from carom.spelling import suggestion
from carom.system import System

Log = Mapping[str, Array]


# Columns share axes if each of them fills so much of what all of them reach.
LEAST_SHARE = 0.125


def draw_curves(
    place: Any, simulation: Any, log: Log, names: Sequence[str] | None, theme: Theme
) -> None:
    """Draw columns of a log over time; without names, what suits the system.

    A gas that cools by itself gets logarithmic axes with Haff's law beside its temperature.
    """
    log = _checked(log)
    tau = None
    if names is None and len(log["time"]) > 2 and "temperature" in log:
        tau = haff_cooling_time(simulation.system, float(log["temperature"][0]))
    names = _suitable(simulation.system, log) if names is None else several("plot", names)
    for name in names:
        if name not in log:
            raise ValueError(f"the log has no column '{name}'{suggestion(name, log)}")
    panels = [["temperature"]] if tau is not None else _sharing(names, log)
    grid = place.subgridspec(len(panels), 1, hspace=0.05)
    several_axes = np.atleast_1d(grid.subplots(sharex=True)).tolist()
    for axes, columns in zip(several_axes, panels, strict=True):
        soften(axes, theme)
        axes.spines[["top", "right"]].set_visible(False)
        if tau is not None:
            _draw_cooling(axes, log, tau, theme)
        else:
            _draw_columns(axes, log, columns, names, theme)
    several_axes[-1].set_xlabel("time", fontsize=9, color=theme.ink)


def _sharing(names: Sequence[str], log: Log) -> list[list[str]]:
    """Columns in groups that share axes, so that none is squashed by another."""
    panels: list[list[str]] = []
    for name in names:
        fitting = (panel for panel in panels if _fit([*panel, name], log))
        found = next(fitting, None)
        if found is None:
            panels.append([name])
        else:
            found.append(name)
    return panels or [[]]


def _fit(names: Sequence[str], log: Log) -> bool:
    """Whether what varies fills a fair share of common axes."""
    finite = [log[name][np.isfinite(log[name])] for name in names]
    ranges = [(float(values.min()), float(values.max())) for values in finite if len(values)]
    if not ranges:
        return True
    (lowest, _), (_, highest) = np.min(ranges, axis=0), np.max(ranges, axis=0)
    reach = highest - lowest
    spans = [most - least for least, most in ranges]
    return all(span >= LEAST_SHARE * reach or span <= 1e-6 * abs(reach) for span in spans)


def _draw_columns(
    axes: Any, log: Log, columns: Sequence[str], names: Sequence[str], theme: Theme
) -> None:
    for name in columns:
        axes.plot(
            log["time"],
            log[name],
            color=PALETTE[names.index(name) % len(PALETTE)],
            linewidth=1.4,
            label=_words(name),
        )
    if len(log["time"]) > 1:
        axes.set_xlim(float(log["time"][0]), float(log["time"][-1]))
    axes.margins(y=0.08)
    if len(columns) == 1:
        axes.set_ylabel(_words(columns[0]), fontsize=9, color=theme.ink)
    elif columns:
        axes.legend(fontsize=8, frameon=False, labelcolor=theme.ink)


def _words(name: str) -> str:
    """The name of a column as one says it."""
    return name.replace("_", " ").replace(".", " ")


def _checked(log: Any) -> Log:
    """The columns of a log, as arrays; what is none is refused."""
    if not (isinstance(log, Mapping) and "time" in log):
        raise TypeError(
            "a log must be columns by name with 'time' among them, such as {'time': "
            f"record['time'], 'energy': record['energy']}}, not {log!r}."
        )
    columns = {name: numbers_in(f"the column {name!r} of the log", log[name]) for name in log}
    for name, values in columns.items():
        if values.shape != (len(np.atleast_1d(columns["time"])),):
            raise ValueError(
                f"the column {name!r} of the log has the shape {values.shape}, but the times have "
                f"{columns['time'].shape}."
            )
    return columns


def _suitable(system: System, log: Log) -> Sequence[str]:
    """The energies where they change, else the pressure, else the first column that varies."""
    forced = system.gravity is not None or system.acceleration is not None
    wanted = ["energy", "kinetic_energy"] if forced else ["temperature"]
    names = [name for name in wanted if name in log and _varies(log[name], 1e-9)]
    if names:
        return names
    for name in ("pressure", *log):
        if name in log and name not in ("time", "seconds") and _varies(log[name]):
            return [name]
    return []


def _varies(values: Array, share: float = 0.0) -> bool:
    """Whether values, as far as there are any, differ by more than a share of the first."""
    finite = values[np.isfinite(values)]
    return len(finite) > 0 and bool(np.ptp(finite) > share * abs(finite[0]))


def _draw_cooling(axes: Any, log: Log, tau: float, theme: Theme) -> None:
    later = log["time"] > 0.0
    time, temperature = log["time"][later], log["temperature"][later]
    start = float(log["temperature"][0])
    law_time = np.geomspace(time[0], time[-1], 200)
    axes.loglog(
        law_time,
        start / (1.0 + law_time / tau) ** 2,
        color=theme.faint,
        linewidth=3.0,
        label=f"Haff's law, τ = {tau:.3g} from kinetic theory",
    )
    axes.loglog(time, temperature, color=PALETTE[0], linewidth=1.4, label="temperature")
    axes.set_xlim(time[0], time[-1])
    axes.set_ylabel("temperature", fontsize=9, color=theme.ink)
    axes.legend(fontsize=8, frameon=False, loc="lower left", labelcolor=theme.ink)
