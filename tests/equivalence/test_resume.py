"""A run that is saved and loaded goes on bit for bit, and counts everything as it would have."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import carom

# What is of the process alone, or given by the user: all else must be there again.
OF_THE_PROCESS = {
    "log",
    "_log_columns",
    "_seen",
    "_is_compiled",
    "_clock",
    "system",
    "_system",
}


def leaves(part: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Everything that an object holds, by path."""
    if isinstance(part, np.ndarray):
        yield path, part.view(np.ndarray)
    elif isinstance(part, tuple | list):
        names = getattr(part, "_fields", range(len(part)))
        for name, value in zip(names, part, strict=True):
            if name not in OF_THE_PROCESS:
                yield from leaves(value, f"{path}.{name}")
    elif isinstance(part, dict):
        for name, value in part.items():
            yield from leaves(value, f"{path}[{name}]")
    elif type(part).__module__.startswith("carom") and hasattr(part, "__dict__"):
        for name, value in vars(part).items():
            if name == "_stream":  # what it works with is filled anew in each step
                yield from leaves((value.arrays(), value.field), f"{path}.{name}")
            elif name not in OF_THE_PROCESS:
                yield from leaves(value, f"{path}.{name}")
    elif isinstance(part, bool | int | float | str | None):
        yield path, part


def differences(left: Any, right: Any) -> list[str]:
    """The paths of all that two engines do not share, bit for bit."""
    one, other = dict(leaves(left)), dict(leaves(right))
    paths = sorted(one.keys() ^ other.keys())
    for path in one.keys() & other.keys():
        a, b = one[path], other[path]
        if type(a) is not type(b):
            paths.append(path)
        elif isinstance(a, np.ndarray):
            if a.dtype != b.dtype or a.shape != b.shape or a.tobytes() != b.tobytes():
                paths.append(path)
        elif a != b and not (isinstance(a, float) and math.isnan(a) and math.isnan(b)):
            paths.append(path)
    return paths


def gas(dimension: int, mixed: bool = False) -> tuple[carom.Particles, Any]:
    """Some particles with room to move."""
    start, box = carom.packings.lattice(
        256, packing_fraction=0.2, dimension=dimension, seed=3, temperature=1.0
    )
    radius = start.radius.copy()
    if mixed:
        radius[::3] *= 0.3
    return carom.Particles(start.position, start.velocity, radius, radius**dimension), box


LOSSY = carom.ContactDuration(carom.ConstantRestitution(0.4), 1e-4)
KICKS = carom.RandomKicks(0.01, every=0.3)


@cache
def systems() -> dict[str, tuple[carom.System, Any, tuple[Any, ...]]]:
    """Small systems with the method and the actors that run them."""
    plane, box = gas(2)
    space, cube = gas(3)
    unlike, _ = gas(2, mixed=True)
    sheared = carom.LeesEdwards(box.lengths, 0.5)
    inside = carom.Box(box.lengths)
    flow = carom.fluids.TaylorGreen(0.2, cube.lengths[0])
    turbulence = carom.fluids.SyntheticTurbulence(speed=0.2, grid=8, seed=4)
    stirring = carom.fluids.StochasticForcing(speed=0.2, seed=4)
    stirred = carom.fluids.NavierStokes2D(grid=8, viscosity=0.1, exchange=0.1, forcing=stirring)
    event, stepped = carom.EventDriven, carom.TimeStepped
    return {
        "default": (carom.System(plane, box, law=LOSSY), None, ()),
        "kicked": (carom.System(plane, box, law=LOSSY), None, (KICKS,)),
        "sheared": (carom.System(plane, sheared, law=LOSSY), None, (KICKS,)),
        "mixed": (carom.System(unlike, box, law=LOSSY), None, ()),
        "spheres": (carom.System(space, cube), None, ()),
        "in open space": (carom.System(unlike, carom.Open(), law=LOSSY), None, ()),
        "lists": (carom.System(plane, box, law=LOSSY), event("lists"), (KICKS,)),
        "heap": (carom.System(plane, inside, law=LOSSY), event("heap", adaptive=True), ()),
        "collision list": (carom.System(plane, inside), event("collision_list"), (KICKS,)),
        "stepped": (carom.System(plane, box, law=LOSSY), stepped(dt=0.01), (KICKS,)),
        "linear lists": (
            carom.System(plane, sheared, law=LOSSY),
            stepped(dt=0.01, neighbours=carom.LinkedLinearList()),
            (),
        ),
        "laden": (
            carom.System(space, cube, law=LOSSY),
            carom.Laden(flow, dt=0.05, relaxation_time=0.5),
            (),
        ),
        "laden in cells": (
            carom.System(space, cube, law=LOSSY),
            carom.Laden(flow, dt=0.05, relaxation_time=0.5, algorithm="cells"),
            (KICKS,),
        ),
        "in turbulence": (
            carom.System(space, cube, law=LOSSY),
            carom.Laden(turbulence, dt=0.05, relaxation_time=0.5),
            (),
        ),
        "coupled": (
            carom.System(plane, box, law=LOSSY),
            carom.Coupled(stirred, dt=0.05, relaxation_time=0.5),
            (),
        ),
    }


END = 2.0


def new_run(name: str) -> carom.Simulation:
    system, method, actors = systems()[name]
    return carom.Simulation(system, method=method, actors=actors, seed=5)


NAMES = (
    "default",
    "kicked",
    "sheared",
    "mixed",
    "spheres",
    "in open space",
    "lists",
    "heap",
    "collision list",
    "stepped",
    "linear lists",
    "laden",
    "laden in cells",
    "in turbulence",
    "coupled",
)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=3, deadline=None, derandomize=True)
@given(moments=st.lists(st.floats(0.0, END), min_size=1, max_size=2).map(sorted))
def test_nothing_that_decides_is_forgotten_in_a_checkpoint(name: str, moments: list[float]) -> None:
    whole, resumed = new_run(name), new_run(name)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "moment.npz"
        for moment in moments:
            whole.run(until=moment)
            resumed.run(until=moment)
            resumed.save(path)
            resumed = carom.load(path)
            assert differences(whole._engine, resumed._engine) == []
    whole.run(until=END)
    resumed.run(until=END)
    assert resumed.counts == whole.counts
    assert differences(whole._engine, resumed._engine) == []


@pytest.mark.parametrize("kicked", [False, True])
def test_cells_that_clusters_have_made_narrow_stay_so_after_a_load(
    kicked: bool, tmp_path: Path
) -> None:
    particles, box = carom.packings.lattice(2000, packing_fraction=0.05, dimension=2, seed=3)
    sheared = carom.LeesEdwards(box.lengths, 0.05)
    restitution = 0.3 if kicked else 0.4
    law = carom.ContactDuration(carom.ConstantRestitution(restitution), 1e-4)
    actors = [carom.RandomKicks(1e-3, every=20.0)] if kicked else []
    sim = carom.Simulation(carom.System(particles, sheared, law=law), actors=actors, seed=1)
    sim.run(until=50.0)
    sim.save(tmp_path / "clusters.npz")
    resumed = carom.load(tmp_path / "clusters.npz")
    sim.run(until=150.0)
    resumed.run(until=150.0)
    assert resumed.counts == sim.counts
