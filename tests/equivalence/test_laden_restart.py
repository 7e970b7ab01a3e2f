"""A saved run in a flow goes on bit for bit, the flow included."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from carom.fluids import SyntheticTurbulence, TaylorGreen

METHODS: dict[str, dict[str, Any]] = {
    "cells": {"fluid": TaylorGreen(), "algorithm": "cells"},
    "lines": {"fluid": TaylorGreen(), "algorithm": "lines"},
    "turbulence": {"fluid": SyntheticTurbulence(grid=16, seed=3)},
    "pieces": {"fluid": TaylorGreen(), "paths": 3},
}


def simulation(**options: Any) -> carom.Simulation:
    particles, box = carom.packings.random(200, 0.1, dimension=2, radius=0.0126, seed=4)
    assert np.allclose(box.lengths, 1.0, rtol=0.01)
    method = carom.Laden(dt=0.02, relaxation_time=carom.PowerOfRadius(35.0, 1.0), **options)
    system = carom.System(particles, carom.Periodic((1.0, 1.0)))
    return carom.Simulation(system, method=method)


@pytest.mark.parametrize("name", METHODS)
def test_a_saved_run_goes_on_as_it_would_have(name: str, tmp_path: Path) -> None:
    """Saved in the middle of a step."""
    whole = simulation(**METHODS[name])
    whole.run(until=0.333)
    whole.save(tmp_path / "run.npz")
    other = carom.load(tmp_path / "run.npz")
    for run in (whole, other):
        run.run(until=0.9)
    assert whole.counts == other.counts
    assert whole.counts.collisions > 300
    assert np.array_equal(whole.particles.position, other.particles.position)
    assert np.array_equal(whole.particles.velocity, other.particles.velocity)


@pytest.mark.parametrize("name", ["cells", "lines"])
def test_looking_changes_nothing(name: str) -> None:
    """However often, also in the middle of steps."""
    plain, watched = simulation(**METHODS[name]), simulation(**METHODS[name])
    plain.run(until=0.5)
    for time in np.linspace(0.0, 0.5, 38)[1:]:
        watched.run(until=float(time))
        assert np.isfinite(watched.kinetic_energy)
    assert plain.counts == watched.counts
    assert np.array_equal(plain.particles.velocity, watched.particles.velocity)
