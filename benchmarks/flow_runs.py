"""Disks that start at rest in a flow: the runs of section 2.3 of Sigurgeirsson, Stuart & Wan 2001.

A unit square that repeats, disks of equal size, up to t = 10. The paper states neither the volume
fraction nor the relaxation time; see docs/flows.md for how those taken here were found.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from rich.console import Console

import carom
from carom.fluids import SyntheticTurbulence, TaylorGreen
from carom.fluids.spectra import SPECTRA
from kept import Kept
from laden_speed import DT, FACTOR, at_rest
from measuring import circumstances

DURATION = 10.0
TAYLOR_GREEN = "taylor-green"
TURBULENCE = "turbulence"
# Relaxation times over the radius.
FACTORS = {TAYLOR_GREEN: FACTOR, TURBULENCE: 140.0}
# Of the turbulence: nodes along a side, and the viscosity.
NODES = 64
VISCOSITY = 0.01
FLOW_SEED = 4
# A relaxation time that does not depend on n: that of 10,000 disks with FACTOR.
CONSTANT_TIME = 0.04415
# Disks and steps of a run that compiles: until cells have been adapted and disks put in order.
N_COMPILING = 1000
STEPS_COMPILING = 50
LOOKS = 40  # at the velocities, in a run without transfers


def printed_speed(nodes: int) -> float:
    """√Σε_k with ε_k = k² (1 + k²)^(−7/3) as printed: nothing before it, and k = 2πj."""
    j = np.arange(1 - nodes // 2, nodes // 2)
    wavenumber = 2.0 * math.pi * np.hypot(j[:, None], j[None, :])
    energy = SPECTRA["karman_obukhov"](wavenumber[wavenumber > 0.0], 2)
    return math.sqrt(float(energy.sum()))


def turbulence(viscosity: float = VISCOSITY, seed: int = FLOW_SEED) -> SyntheticTurbulence:
    """The turbulent flow: the spectrum as printed."""
    return SyntheticTurbulence(
        speed=printed_speed(NODES), length_scale=1.0, viscosity=viscosity, grid=NODES, seed=seed
    )


def fluid_of(flow: str) -> Any:
    """The fluid of this name."""
    return TaylorGreen() if flow == TAYLOR_GREEN else turbulence()


def cells_for(n: int) -> int:
    """The paper's number m = 3 √n of cells along a side."""
    return int(3.0 * math.sqrt(n))


def scheme_options(scheme: str, n: int) -> dict[str, Any]:
    """Options of ``carom.Laden`` for cells as in the paper, fixed or adaptive, or the default."""
    return {
        "fixed": {"algorithm": "cells", "cells_per_side": cells_for(n)},
        "adaptive": {"algorithm": "cells"},
        "default": {},
    }[scheme]


def method_of(flow: str, **options: Any) -> carom.Laden:
    """The method for a flow, as in the paper unless options say otherwise."""
    standard = {
        "fluid": fluid_of(flow),
        "dt": DT,
        "relaxation_time": carom.PowerOfRadius(FACTORS[flow], 1.0),
    }
    return carom.Laden(**(standard | options))


def compile_for(flow: str, options: dict[str, Any]) -> None:
    """Carry out steps of a small system, so that what follows is compiled."""
    small = dict(options)
    if "cells_per_side" in options:
        small["cells_per_side"] = cells_for(N_COMPILING)
    # The default changes between lines and cells as it goes.
    is_free = not small.keys() & {"algorithm", "detection"}
    for algorithm in ("lines", "cells") if is_free else (small.pop("algorithm", "auto"),):
        method = method_of(flow, algorithm=algorithm, **small)
        simulation = carom.Simulation(at_rest(N_COMPILING), method=method)
        simulation.run(until=STEPS_COMPILING * method.paths * method.dt, progress=False)


def carried(
    flow: str, n: int, until: float = DURATION, keep: Path | None = None, **options: Any
) -> dict[str, Any]:
    """Counts and processor time of a run from rest; its last places go to the file ``keep``."""
    compile_for(flow, options)
    simulation = carom.Simulation(at_rest(n), method=method_of(flow, **options))
    start = process_time()
    simulation.run(until=until, progress=False)
    seconds = process_time() - start
    if keep is not None:
        keep_places(simulation, keep)
    return outcome(simulation, seconds)


def outcome(simulation: carom.Simulation, seconds: float) -> dict[str, Any]:
    """What is kept of a run."""
    counts = simulation.counts
    n = len(simulation.particles)
    names = ("collisions", "transfers", "checks", "false_predictions", "pair_tests", "missed")
    return {
        "n": n,
        "cells": cells_for(n),
        "dt": simulation.method.dt,
        "time": simulation.time,
        "seconds": seconds,
        "machine": circumstances(),
        **{name: getattr(counts, name) for name in names},
    }


def keep_places(simulation: carom.Simulation, path: Path) -> None:
    """Write where disks are and were at the start, for pictures."""
    path.parent.mkdir(parents=True, exist_ok=True)
    start, end = simulation.system.particles, simulation.particles
    np.savez_compressed(
        path,
        start=start.position.astype(np.float32),
        end=(end.position % 1.0).astype(np.float32),
        radius=start.radius[0],
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
