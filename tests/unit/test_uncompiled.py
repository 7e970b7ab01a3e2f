"""The kernels are Python: without a compiler the same happens."""

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

BY_PAIR = carom.ByPair(
    {("a", "b"): carom.ConstantRestitution(0.8), ("c", "wall"): carom.ConstantRestitution(0.7)},
    otherwise=carom.Elastic(),
)

def logged(algorithm, **forces):
    rng = np.random.default_rng(3)
    x, y = np.meshgrid(np.arange(3), np.arange(3))
    position = np.column_stack([x.ravel(), y.ravel()]) * 1.5 + 0.9 + rng.uniform(-0.2, 0.2, (9, 2))
    velocity = rng.normal(size=(9, 2))
    mass, species = rng.uniform(0.5, 2.0, 9), list("abcabcabc")
    particles = carom.Particles(position, velocity, 0.5, mass, species=species)
    if "acceleration" in forces:
        forces["acceleration"] = rng.normal(size=(9, 2))
    domain = carom.Box(4.8, periodic="x", restitution=0.9)
    law = forces.pop("law", carom.ConstantRestitution(0.9))
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
    "by_pair": logged("simple", law=BY_PAIR),
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


STEPPED = """
import json, sys
import numba, numpy as np
import carom

def stepped(method, sheared=False, steps=60):
    rng = np.random.default_rng(3)
    x, y = np.meshgrid(np.arange(3), np.arange(3))
    position = np.column_stack([x.ravel(), y.ravel()]) * 1.1 + 0.6
    position += rng.uniform(-0.05, 0.05, (9, 2))
    velocity, radius = 2.0 * rng.normal(size=(9, 2)), rng.uniform(0.4, 0.5, 9)
    particles = carom.Particles(position, velocity, radius, rng.uniform(0.5, 2.0, 9))
    if sheared:
        system = carom.System(
            particles, carom.LeesEdwards([3.5, 3.4], 2.0), law=carom.ConstantRestitution(0.9)
        )
    else:
        domain = carom.Box([3.5, 3.4], periodic="x", restitution=0.8)
        law = carom.RoughRestitution(0.9, 0.3)
        system = carom.System(particles, domain, law=law, gravity=[0.1, -1.0])
    simulation = carom.Simulation(system, method=method)
    simulation.run(until=steps * method.dt)
    particles = simulation.particles
    spins = particles.angular_velocity
    return {
        "position": particles.position.tolist(),
        "velocity": particles.velocity.tolist(),
        "spin": [0.0] * 9 if spins is None else spins.tolist(),
        "sums": [simulation.energy, simulation.dissipated_energy, simulation.shear_work],
        "counts": simulation.counts[:2] + (simulation.counts.contacts,),
    }

NO_FRICTION = None if numba.config.DISABLE_JIT else 0.0

def soft(**options):
    return carom.SoftContacts(1e3, restitution=0.7, dt=0.004, **options)

def hard(simultaneous, **options):
    return carom.TimeStepped(dt=0.01, simultaneous=simultaneous, **options)

print(json.dumps({
    "compiled": not numba.config.DISABLE_JIT,
    # Without friction, or with none: the one is not compiled, the other is compiled below, too.
    "soft": stepped(soft(friction=NO_FRICTION, neighbours=carom.LinkedCells())),
    "soft, friction": stepped(soft(friction=0.5, neighbours=carom.LinkedLinearList())),
    "soft, shear": stepped(soft(friction=0.5, neighbours=carom.VerletList()), sheared=True),
    "hard": stepped(hard("backtrack", neighbours=carom.HierarchicalCells())),
    "hard, shear": stepped(hard("sequence"), sheared=True),
}))
"""


def test_uncompiled_steps_are_the_same(tmp_path: Path, run_script: Any) -> None:
    """Without a compiler contacts are taken one by one and not by fours: sums round differently,
    and some ten collisions of a particle amplify that by less than 1e4."""
    script = tmp_path / "steps.py"
    script.write_text(STEPPED)
    results = []
    for disabled in ("0", "1"):
        # A whole number that overflows is a warning there, and a wrong one here.
        warned = {"PYTHONWARNINGS": "error::RuntimeWarning"}
        finished = run_script(script, NUMBA_DISABLE_JIT=disabled, **warned)
        assert finished.returncode == 0, finished.stderr
        results.append(json.loads(finished.stdout))
    compiled, uncompiled = results
    assert compiled.pop("compiled") and not uncompiled.pop("compiled")
    for name, expected in compiled.items():
        found = uncompiled[name]
        assert found["counts"] == expected["counts"], name
        assert sum(expected["counts"][:2]) > 5, name
        for column in ("position", "velocity", "spin", "sums"):
            assert np.array(found[column]) == pytest.approx(
                np.array(expected[column]), abs=1e-11
            ), (name, column)
