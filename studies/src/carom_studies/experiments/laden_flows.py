"""Disks that start at rest in a flow: the runs of section 2.3 of Sigurgeirsson, Stuart & Wan 2001.

A unit square that repeats, disks of equal size, up to t = 10. The paper states neither the volume
fraction nor the relaxation time; see ``TAYLOR_GREEN_CHOICES``, ``TURBULENCE_CHOICES`` and
docs/flows/tried.md for how those taken here were found.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import carom
from carom.fluids import SyntheticTurbulence, TaylorGreen
from carom.fluids.random.spectra import SPECTRA
from carom.particles import Array
from carom_studies.entry import Choice
from carom_studies.experiments.processor_time import ProcessorTime
from carom_studies.fits import to_digits

FRACTION = 0.05  # of the square that disks fill
SIZES = range(10_000, 200_001, 10_000)
DT = 1e-2
DURATION = 10.0
SEED = 1  # of the first places
TAYLOR_GREEN = "taylor-green"
TURBULENCE = "turbulence"
# Relaxation times over the radius.
FACTORS = {TAYLOR_GREEN: 35.0, TURBULENCE: 140.0}
# Of the turbulence: nodes along a side, and the viscosity.
NODES = 64
VISCOSITY = 0.01
FLOW_SEED = 4
# A relaxation time that does not depend on n: that of 10,000 disks in the Taylor–Green flow.
CONSTANT_TIME = 0.04415
# Disks and steps of a run that compiles: until cells have been adapted and disks put in order.
N_COMPILING = 1000
STEPS_COMPILING = 50
SQUARES = 32  # along a side, in which disks are counted
COUNTED = ("collisions", "transfers", "checks", "false_predictions", "pair_tests", "missed")

TAYLOR_GREEN_CHOICES = (
    Choice(
        "volume fraction",
        FRACTION,
        "n_t = 4.32 (nm)^1.02 at n = 10,000 (Fig. 17); cells of m = 3 √n need less than π/36",
    ),
    Choice(
        "τ / r",
        FACTORS[TAYLOR_GREEN],
        'τ ∝ r is stated; "about 7.5 million collisions" at n = 10,000 (section 2.3)',
    ),
)
TURBULENCE_CHOICES = (
    Choice("volume fraction", FRACTION, "as in the Taylor–Green flow"),
    Choice(
        "viscosity", VISCOSITY, '"more than 1 million collisions" of 200,000 disks (section 2.3)'
    ),
    Choice("τ / r", FACTORS[TURBULENCE], "n_t ∝ (nm)^1.04 (Fig. 21)"),
    Choice("grid", NODES, "32 to 256 nodes a side change the speed by 2 % either way"),
    Choice("strength", "ε_k as printed", "nothing stands before the formula, and k = 2πj"),
)


def radius_for(n: int) -> float:
    """The radius with which n disks fill FRACTION of a unit square."""
    return math.sqrt(FRACTION / (math.pi * n))


def at_rest(n: int, seed: int = SEED) -> carom.System:
    """n disks at rest in a unit square."""
    particles, _ = carom.packings.random(
        n, FRACTION, dimension=2, radius=radius_for(n), temperature=0.0, seed=seed
    )
    return carom.System(particles, carom.Periodic((1.0, 1.0)))


def printed_speed(nodes: int) -> float:
    """√Σε_k with ε_k = k² (1 + k²)^(−7/3) as printed: nothing before it, and k = 2πj."""
    j = np.arange(1 - nodes // 2, nodes // 2)
    wavenumber = 2.0 * math.pi * np.hypot(j[:, None], j[None, :])
    energy = SPECTRA["karman_obukhov"](wavenumber[wavenumber > 0.0], 2)
    return to_digits(math.sqrt(float(energy.sum())))


def turbulence(viscosity: float = VISCOSITY, seed: int = FLOW_SEED) -> SyntheticTurbulence:
    """The turbulent flow: the spectrum as printed."""
    return SyntheticTurbulence(
        speed=printed_speed(NODES), length_scale=1.0, viscosity=viscosity, grid=NODES, seed=seed
    )


def cells_for(n: int) -> int:
    """The paper's number m = 3 √n of cells along a side."""
    return int(3.0 * math.sqrt(n))


def scheme_options(scheme: str, n: int) -> dict[str, Any]:
    """Options of ``carom.Laden`` for a scheme.

    Cells as in the paper, "fixed" or "adaptive"; the "default" of carom; and fixed cells with a
    relaxation time that does not depend on n, "constant".
    """
    fixed: dict[str, Any] = {"algorithm": "cells", "cells_per_side": cells_for(n)}
    return {
        "fixed": fixed,
        "adaptive": {"algorithm": "cells"},
        "default": {},
        "constant": {**fixed, "relaxation_time": CONSTANT_TIME},
    }[scheme]


def method_of(flow: str, **options: Any) -> carom.Laden:
    """The method for a flow, as in the paper unless options say otherwise."""
    standard = {
        "fluid": TaylorGreen() if flow == TAYLOR_GREEN else turbulence(),
        "dt": DT,
        "relaxation_time": carom.PowerOfRadius(FACTORS[flow], 1.0),
    }
    return carom.Laden(**(standard | options))


def compile_for(flow: str, options: dict[str, Any]) -> None:
    """Carry out steps of a small system, so that most of what follows is compiled."""
    small = dict(options)
    if "cells_per_side" in options:
        small["cells_per_side"] = cells_for(N_COMPILING)
    # The default changes between lines and cells as it goes.
    is_free = not small.keys() & {"algorithm", "search"}
    for algorithm in ("lines", "cells") if is_free else (small.pop("algorithm", "auto"),):
        method = method_of(flow, algorithm=algorithm, **small)
        simulation = carom.Simulation(at_rest(N_COMPILING), method=method)
        simulation.run(until=STEPS_COMPILING * method.paths * method.dt, progress=False)


def carried_out(
    flow: str, n: int, until: float = DURATION, **options: Any
) -> tuple[carom.Simulation, dict[str, Any]]:
    """A run from rest, and its counts and processor time."""
    compile_for(flow, options)
    simulation = carom.Simulation(at_rest(n), method=method_of(flow, **options))
    with ProcessorTime() as clock:
        simulation.run(until=until, progress=False)
    return simulation, outcome(simulation, clock.seconds)


def outcome(simulation: carom.Simulation, seconds: float) -> dict[str, Any]:
    """What is kept of a run."""
    counts = simulation.counts
    n = len(simulation.particles)
    return {
        "n": n,
        "cells": cells_for(n),
        "dt": simulation.dt,
        "time": simulation.time,
        "seconds": seconds,
        **{name: getattr(counts, name) for name in COUNTED},
    }


def unevenness(position: Array) -> float:
    """The variance over the mean of the number of disks in a square; 1 if they do not care."""
    square = np.floor(position * SQUARES).astype(int) % SQUARES
    counts = np.bincount(square @ (SQUARES, 1), minlength=SQUARES**2)
    return float(counts.var() / counts.mean())
