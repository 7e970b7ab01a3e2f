"""Columns of a log over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from carom.checks import numbers_in, several
from carom.particles import Array
from carom.plotting.haff import haff_cooling_time
from carom.plotting.style import FAINT, INK, PALETTE, soften
from carom.spelling import suggestion
from carom.system import System

Log = Mapping[str, Array]


def draw_curves(axes: Any, simulation: Any, log: Log, names: Sequence[str] | None) -> None:
    """Draw columns of a log over time; without names, what suits the system.

    A gas that cools by itself gets logarithmic axes with Haff's law beside its temperature.
    """
    log = _checked(log)
    soften(axes)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("time", fontsize=9, color=INK)
    tau = None
    if names is None and len(log["time"]) > 2 and "temperature" in log:
        tau = haff_cooling_time(simulation.system, float(log["temperature"][0]))
    if tau is not None:
        _draw_cooling(axes, log, tau)
        return
    names = _suitable(simulation.system, log) if names is None else several("plot", names)
    for name in names:
        if name not in log:
            raise ValueError(f"the log has no column '{name}'{suggestion(name, log)}")
    for k, name in enumerate(names):
        axes.plot(
            log["time"],
            log[name],
            color=PALETTE[k % len(PALETTE)],
            linewidth=1.4,
            label=name.replace("_", " "),
        )
    if len(log["time"]) > 1:
        axes.set_xlim(float(log["time"][0]), float(log["time"][-1]))
    axes.margins(y=0.08)
    if len(names) == 1:
        axes.set_ylabel(names[0].replace("_", " "), fontsize=9, color=INK)
    elif names:
        axes.legend(fontsize=8, frameon=False)


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


def _draw_cooling(axes: Any, log: Log, tau: float) -> None:
    later = log["time"] > 0.0
    time, temperature = log["time"][later], log["temperature"][later]
    start = float(log["temperature"][0])
    law_time = np.geomspace(time[0], time[-1], 200)
    axes.loglog(
        law_time,
        start / (1.0 + law_time / tau) ** 2,
        color=FAINT,
        linewidth=3.0,
        label=f"Haff's law, τ = {tau:.3g} from kinetic theory",
    )
    axes.loglog(time, temperature, color=PALETTE[0], linewidth=1.4, label="temperature")
    axes.set_xlim(time[0], time[-1])
    axes.set_ylabel("temperature", fontsize=9, color=INK)
    axes.legend(fontsize=8, frameon=False, loc="lower left")
