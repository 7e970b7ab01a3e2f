"""What flows_2001.py keeps of its runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

import carom
from carom_studies.benchmarks.kept import Kept
from carom_studies.benchmarks.measuring import circumstances
from carom_studies.experiments.laden_fits import column
from carom_studies.experiments.laden_flows import (
    DURATION,
    TURBULENCE,
    at_rest,
    carried_out,
    cells_for,
    compile_for,
    method_of,
)

LOOKS = 40  # at the velocities, in a run without transfers


def carried(
    flow: str, n: int, until: float = DURATION, keep: Path | None = None, **options: Any
) -> dict[str, Any]:
    """Counts and processor time of a run from rest; its last places go to the file ``keep``."""
    simulation, found = carried_out(flow, n, until, **options)
    if keep is not None:
        keep_places(simulation, keep)
    return {**found, "machine": circumstances()}


def keep_places(simulation: carom.Simulation, path: Path) -> None:
    """Write where disks are and were at the start, for pictures."""
    path.parent.mkdir(parents=True, exist_ok=True)
    start, end = simulation.system.particles, simulation.particles
    np.savez_compressed(
        path,
        start=start.position.astype(np.float32),
        end=(end.position % 1.0).astype(np.float32),
    )


def places_path(folder: Path, flow: str, n: int) -> Path:
    """Where the places of a run are kept."""
    return folder / f"{flow}_{n}.npz"


def without_cells(n: int, fluid: Any, factor: float) -> dict[str, Any]:
    """Collisions of a run with the default method, and the transfers that cells would have.

    A disk is handed to another cell m T ⟨|v_x| + |v_y|⟩ times.
    """
    options = {"fluid": fluid, "relaxation_time": carom.PowerOfRadius(factor, 1.0)}
    compile_for(TURBULENCE, options)
    simulation = carom.Simulation(at_rest(n), method=method_of(TURBULENCE, **options))
    crossing = []
    for look in range(1, LOOKS + 1):
        simulation.run(until=DURATION * look / LOOKS, progress=False)
        crossing.append(float(np.abs(simulation.particles.velocity).sum(axis=1).mean()))
    transfers = n * cells_for(n) * DURATION * float(np.mean(crossing))
    collisions = simulation.counts.collisions
    return {"n": n, "cells": cells_for(n), "collisions": collisions, "transfers": transfers}


def told(kept: Kept, name: str, measure: Callable[[], Any], console: Console) -> Any:
    """A result, measured if it is missing, and a line about it."""
    found = kept.result(name, measure)
    seconds = f", {found['seconds']:.1f} s" if "seconds" in found else ""
    console.print(f"{name}: {found['collisions']:,} collisions{seconds}")
    return found


def series(results: Mapping[str, Any], scheme: str) -> list[Any]:
    """The runs with a scheme, from the smallest to the largest."""
    found = [run for name, run in results.items() if name.startswith(f"{scheme}, ")]
    return sorted(found, key=lambda run: run["n"])


def local_exponents(runs: Sequence[Any]) -> list[float]:
    """b of n_c ∝ n^b between each run and the one before; NaN for the first."""
    n, values = np.log(column(runs, "n")), np.log(column(runs, "collisions"))
    return [math.nan, *(np.diff(values) / np.diff(n)).tolist()]
