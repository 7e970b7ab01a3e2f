"""The kernels are Python: without a compiler the same collisions happen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

SCRIPT = """
import json, sys
import numba, numpy as np
import carom

def logged(algorithm, **forces):
    rng = np.random.default_rng(3)
    x, y = np.meshgrid(np.arange(3), np.arange(3))
    position = np.column_stack([x.ravel(), y.ravel()]) * 1.5 + 0.9 + rng.uniform(-0.2, 0.2, (9, 2))
    velocity = rng.normal(size=(9, 2))
    particles = carom.Particles(position, velocity, 0.5, rng.uniform(0.5, 2.0, 9))
    if "acceleration" in forces:
        forces["acceleration"] = rng.normal(size=(9, 2))
    domain = carom.Box(4.8, periodic="x", restitution=0.9)
    law = carom.ConstantRestitution(0.9)
    log = carom.CollisionLog()
    system = carom.System(particles, domain, law=law, **forces)
    simulation = carom.Simulation(system, method=carom.EventDriven(algorithm), observers=[log])
    simulation.run(collisions=30)
    return {name: log[name].tolist() for name in ("time", "i", "j", "impulse")}

def fluid(algorithm):
    particles, box = carom.packings.lattice(500, 0.4, temperature=1.0, seed=3)
    log = carom.CollisionLog()
    method = carom.EventDriven(algorithm)
    simulation = carom.Simulation(carom.System(particles, box), method=method, observers=[log])
    simulation.run(collisions=60)
    return {name: log[name].tolist() for name in ("time", "i", "j", "impulse")}

print(json.dumps({
    "compiled": not numba.config.DISABLE_JIT,
    "heap": logged("heap"),
    "collision_list": logged("collision_list"),
    "simple": logged("simple"),
    "gravity": logged("heap", gravity=[0.1, -1.0]),
    "acceleration": logged("heap", acceleration=True),
    "hierarchy": logged("cells"),
    "cells": fluid("cells"),
    "lists": fluid("lists"),
}))
"""


def test_uncompiled_runs_have_the_same_collisions(tmp_path: Path, run_script: Any) -> None:
    """Compilers may contract a product and a sum into one rounding; thirty collisions of nine
    particles amplify that by less than 1e4."""
    script = tmp_path / "small.py"
    script.write_text(SCRIPT)
    results = []
    for disabled in ("0", "1"):
        finished = run_script(script, NUMBA_DISABLE_JIT=disabled)
        assert finished.returncode == 0, finished.stderr
        results.append(json.loads(finished.stdout))
    compiled, uncompiled = results
    assert compiled.pop("compiled") and not uncompiled.pop("compiled")
    for name, expected in compiled.items():
        found = uncompiled[name]
        assert found["i"] == expected["i"], name
        assert found["j"] == expected["j"], name
        for column in ("time", "impulse"):
            assert np.array(found[column]) == pytest.approx(expected[column], abs=1e-12), name
