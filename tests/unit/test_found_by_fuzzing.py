"""Input that an hour of random attacks found to fail inside; each is answered in words now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import carom
from carom import fluids, packings


def coupled(**options: Any) -> Any:
    fluid = fluids.DiffusionFlow(16, 0.01, **options.pop("fluid", {}))
    particles, box = packings.lattice(16, 1e-3, dimension=2)
    method = carom.Coupled(fluid, dt=0.01, **{"relaxation_time": 0.5, **options})
    simulation = carom.Simulation(carom.System(particles, box), method=method)
    simulation.run(until=0.02)
    return simulation


def synthetic(spectrum: Any) -> Any:
    return fluids.SyntheticTurbulence(spectrum, grid=16).stream((1.0, 1.0), 2, (True, True))


FOUND: dict[str, tuple[Callable[[], Any], str]] = {
    "a type for a spectrum": (lambda: synthetic(float), "spectrum=.* cannot be used"),
    "a ufunc for a forcing": (
        lambda: coupled(fluid={"forcing": np.sin}),
        "forcing=.* cannot be used",
    ),
    "a type for a start": (lambda: coupled(fluid={"start": float}), "start=.* cannot be used"),
    "a type for an exchange": (
        lambda: coupled(fluid={"exchange": float}),
        "exchange=.* cannot be used",
    ),
    "a type for times": (
        lambda: coupled(relaxation_time=float),
        "relaxation_time=.* cannot be used",
    ),
    "len for radii": (lambda: packings.grow(8, 0.3, radius=len), "radius=.* cannot be used"),
    "NumPy's True for a rate": (
        lambda: carom.AndersenThermostat(1.0, 1.0, np.True_),
        "must be a positive number",
    ),
    "NumPy's True for a restitution": (
        lambda: carom.Plane([0.0, 0.0], [0.0, 1.0], restitution=np.True_),
        "restitution",
    ),
    "growth without an end": (lambda: packings.grow(8, 0.3, growth_rate=1e-308), "too slow"),
    "a box beyond numbers": (lambda: carom.Periodic(1e160), "use other units"),
    "a lattice in a vast region": (
        lambda: packings.lattice(
            12,
            domain=carom.Open(),
            region=([-1.5e15, 0.0], [60.0, 60.0]),
            radius=0.25,
            dimension=2,
        ),
        "cells",
    ),
}


@pytest.mark.parametrize("case", FOUND)
def test_it_is_answered_in_words(case: str) -> None:
    attack, words = FOUND[case]
    with pytest.raises((ValueError, TypeError), match=words):
        attack()
