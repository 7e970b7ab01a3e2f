"""Public constructors, with arguments that nobody expects; run uncompiled, in a process of its own.

``python attack_constructors.py ROUNDS SECONDS``
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from hypothesis import strategies as st
from judging import ODD, TakesLong, carried_out, finish, within

import carom
from carom import fluids, forces, packings
from carom.io.description import described_actor, described_method, described_system

SECONDS_TO_RUN = 1
POSITION = [[1.0, 1.0], [3.0, 1.1], [1.0, 3.0]]
VELOCITY = [[1.0, 0.0], [-1.0, 0.1], [0.5, -0.5]]


def particles(**changes: Any) -> carom.Particles:
    return carom.Particles(**({"position": POSITION, "velocity": VELOCITY} | changes))


def system(**changes: Any) -> carom.System:
    return carom.System(
        **({"particles": particles(), "domain": carom.Periodic(5.0)} | changes)  # type: ignore[arg-type]
    )


def run(simulation: carom.Simulation) -> None:
    """A valid run; uncompiled, it may be stopped before its end."""
    try:
        with within(SECONDS_TO_RUN):
            simulation.run(until=simulation.time + 0.5, progress=False)
            repr(simulation), simulation.energy, simulation.particles
    except (TakesLong, carom.CaromError):
        return


def in_system(**parts: Any) -> None:
    made = system(**parts)
    json.dumps(described_system(made))
    repr(made)
    run(carom.Simulation(made, method=carom.EventDriven("simple")))


def by_method(method: Any) -> None:
    json.dumps(described_method(method))
    run(carom.Simulation(system(), method=method))


def with_neighbours(neighbours: Any) -> None:
    by_method(carom.TimeStepped(0.01, neighbours=neighbours))


def with_actor(actor: Any) -> None:
    json.dumps(described_actor(actor))
    run(carom.Simulation(system(), method=carom.EventDriven("simple"), actors=[actor], seed=1))


def with_observer(observer: Any) -> None:
    run(carom.Simulation(system(), method=carom.EventDriven("simple"), observers=[observer]))


def laden(fluid: Any) -> None:
    by_method(carom.Laden(fluid, 0.1, 1.0))


def nothing_more(_: Any) -> None:
    return


def run_with(**arguments: Any) -> None:
    simulation = carom.Simulation(system(), method=carom.EventDriven("simple"))
    try:
        with within(SECONDS_TO_RUN):
            simulation.run(progress=False, **arguments)
    except TakesLong:
        return


def ensemble_with(**arguments: Any) -> None:
    method = carom.EventDriven("simple")
    try:
        with within(SECONDS_TO_RUN):
            carom.ensemble([system()], method=method, progress=False, **arguments)
    except (TakesLong, carom.ReplicaFailed):
        return


GAS = {"n": 8, "packing_fraction": 0.2, "dimension": 2, "seed": 1}
LADEN = {"fluid": fluids.Uniform(1.0), "dt": 0.1, "relaxation_time": 1.0}
FLUID = {
    "grid": 8,
    "viscosity": 0.1,
    "forcing": None,
    "scheme": "implicit",
    "exchange": None,
    "tolerance": 1e-8,
    "start": None,
}
# Each with its valid arguments, and what is done with what it makes.
CONSTRUCTORS: list[tuple[Any, dict[str, Any], Any]] = [
    (
        particles,
        {
            "position": POSITION,
            "velocity": VELOCITY,
            "radius": 0.5,
            "mass": 1.0,
            "unwrapped": POSITION,
            "angular_velocity": None,
        },
        lambda made: in_system(particles=made),
    ),
    (
        in_system,
        {
            "particles": particles(),
            "domain": carom.Box(5.0),
            "law": carom.Elastic(),
            "gravity": [0.0, -1.0],
            "acceleration": None,
            "walls": [],
            "force": None,
        },
        nothing_more,
    ),
    (carom.Periodic, {"lengths": 5.0}, lambda made: in_system(domain=made)),
    (
        carom.Box,
        {"lengths": 5.0, "periodic": "x", "restitution": 0.9},
        lambda made: in_system(domain=made),
    ),
    (
        carom.LeesEdwards,
        {"lengths": 5.0, "shear_rate": 0.1},
        lambda made: in_system(domain=made),
    ),
    (
        carom.Plane,
        {"point": [0.0, 0.0], "normal": [0.0, 1.0], "restitution": 0.5},
        lambda made: in_system(domain=carom.Open(), walls=[made]),
    ),
    (carom.ConstantRestitution, {"coefficient": 0.9}, lambda made: in_system(law=made)),
    (
        carom.ViscoelasticRestitution,
        {"young_modulus": 1e3, "poisson_ratio": 0.3, "dissipation_time": 1e-3},
        lambda made: in_system(law=made),
    ),
    (
        carom.RoughRestitution,
        {"normal": 0.9, "tangential": 0.5},
        lambda made: in_system(law=made),
    ),
    (
        carom.ContactDuration,
        {"law": carom.ConstantRestitution(0.5), "duration": 1e-3},
        lambda made: in_system(law=made),
    ),
    (
        forces.LinearDrag,
        {"coefficient": 1.0, "x": 0.0, "y": 0.0, "z": 0.0},
        lambda made: system(force=made),
    ),
    (
        forces.HarmonicTrap,
        {"stiffness": 1.0, "x": 0.0, "y": 0.0, "z": 0.0},
        lambda made: system(force=made),
    ),
    (
        carom.EventDriven,
        {
            "algorithm": "auto",
            "detection": "stable",
            "resting": False,
            "cells_per_side": None,
            "adaptive": False,
            "three_body": False,
        },
        by_method,
    ),
    (carom.TimeStepped, {"dt": 0.01, "simultaneous": "sequence", "neighbours": "auto"}, by_method),
    (
        carom.SoftContacts,
        {
            "stiffness": 1e3,
            "restitution": 0.9,
            "damping": None,
            "ends_at": "zero_overlap",
            "friction": 0.1,
            "tangential_stiffness": None,
            "tangential_damping": 0.5,
            "dt": "auto",
            "neighbours": "auto",
        },
        by_method,
    ),
    (
        carom.Laden,
        LADEN
        | {
            "drag": carom.drags.Stokes(),
            "integrator": "straight",
            "paths": 1,
            "algorithm": "auto",
            "search": "exact",
            "cells_per_side": None,
            "adaptive": True,
            "threads": 1,
        },
        by_method,
    ),
    (
        carom.Coupled,
        {
            "fluid": fluids.DiffusionFlow(8, 0.1),
            "dt": 0.1,
            "relaxation_time": 1.0,
            "algorithm": "auto",
            "cells_per_side": None,
            "adaptive": True,
            "threads": 1,
        },
        by_method,
    ),
    (
        carom.drags.SchillerNaumann,
        {"viscosity": 0.1},
        lambda made: by_method(carom.Laden(**LADEN, drag=made)),
    ),
    (
        carom.PowerOfRadius,
        {"factor": 1.0, "exponent": 2.0},
        lambda made: by_method(carom.Laden(**(LADEN | {"relaxation_time": made}))),
    ),
    (carom.AllPairs, {"skin": 0.1, "check": False}, with_neighbours),
    (carom.VerletList, {"skin": 0.1, "build": "cells", "check": False}, with_neighbours),
    (carom.VerletList, {"radius": 2.0, "every": 2, "skin": None}, with_neighbours),
    (carom.LinkedCells, {"cell_size": 1.5, "skin": 0.1, "check": False}, with_neighbours),
    (carom.LinkedLinearList, {"skin": 0.1, "check": False}, with_neighbours),
    (carom.HierarchicalCells, {"skin": 0.1, "check": False}, with_neighbours),
    (
        carom.AndersenThermostat,
        {"temperature": 1.0, "every": 0.1, "rate": 1.0},
        with_actor,
    ),
    (carom.RescalingThermostat, {"temperature": 1.0, "every": 0.1}, with_actor),
    (carom.RandomKicks, {"strength": 1.0, "every": 0.1}, with_actor),
    (carom.Record, {"every": 0.1}, with_observer),
    (carom.CollisionLog, {}, with_observer),
    (carom.Call, {"every": 0.1, "function": len}, nothing_more),
    (packings.lattice, GAS | {"radius": 0.5, "mass": 1.0, "temperature": 1.0}, nothing_more),
    (packings.random, GAS | {"radius": 0.5, "mass": 1.0, "temperature": 1.0}, nothing_more),
    (
        packings.grow,
        GAS | {"radius": 0.5, "mass": 1.0, "temperature": 1.0, "growth_rate": 0.1},
        nothing_more,
    ),
    (fluids.TaylorGreen, {"speed": 1.0, "length": 5.0}, laden),
    (fluids.Uniform, {"x": 1.0, "y": 0.0, "z": 0.0}, laden),
    (fluids.Shear, {"rate": 1.0}, laden),
    (fluids.ABC, {"a": 1.0, "b": 1.0, "c": 1.0, "length": 5.0}, laden),
    (fluids.DiffusionFlow, FLUID, lambda made: by_method(carom.Coupled(made, 0.1, 1.0))),
    (fluids.NavierStokes2D, FLUID, lambda made: by_method(carom.Coupled(made, 0.1, 1.0))),
    (fluids.SyntheticTurbulence, {"spectrum": "kraichnan", "grid": 8, "seed": 1}, laden),
    (run_with, {"until": 0.5, "duration": None, "collisions": None}, nothing_more),
    (
        carom.Simulation,
        {
            "system": system(),
            "method": None,
            "actors": [],
            "observers": [],
            "seed": 1,
        },
        nothing_more,
    ),
    (
        ensemble_with,
        {"until": 0.1, "actors": (), "measure": None, "workers": 1, "seed": 1},
        nothing_more,
    ),
]


@st.composite
def calls(draw: Any) -> tuple[int, dict[str, Any]]:
    """A constructor by its place in the list, and the arguments that are changed."""
    which = draw(st.integers(0, len(CONSTRUCTORS) - 1))
    names = list(CONSTRUCTORS[which][1])
    if not names:
        return which, {}
    chosen = draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True))
    return which, {name: draw(ODD) for name in chosen}


def attack(call: tuple[int, dict[str, Any]]) -> None:
    make, arguments, use = CONSTRUCTORS[call[0]]
    use(make(**(arguments | call[1])))


if __name__ == "__main__":
    np.set_printoptions(threshold=10)
    finish(carried_out(calls(), attack))
