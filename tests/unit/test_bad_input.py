"""What cannot work is refused, with the value, the particle and the remedy named."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from refusals import assert_refused

import carom

ONE = [[5.0, 5.0]]
TWO = [[2.0, 5.0], [8.0, 5.0]]


def system(position: Any = TWO, domain: Any = None, **forces: Any) -> carom.System:
    return carom.System(carom.Particles(position), domain or carom.Box(10.0), **forces)


PARTICLES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "one row": ({"position": [1.0, 2.0]}, (r"position .*\(n, 2\) or \(n, 3\), not \(2,\)",)),
    "four columns": ({"position": np.zeros((2, 4))}, (r"not \(2, 4\)",)),
    "none": ({"position": np.zeros((0, 2))}, ("position is empty",)),
    "ragged": ({"position": [[1.0, 2.0], [3.0]]}, ("position must be numbers",)),
    "words": ({"position": [["a", "b"]]}, ("position must be numbers",)),
    "no number": (
        {"position": [[0, 0], [1, math.nan], [math.inf, 2]]},
        ("position of particle 1", "not finite", "nan", "1 more"),
    ),
    "other shape": (
        {"position": TWO, "velocity": ONE},
        (r"velocity has shape \(1, 2\), but position has \(2, 2\)",),
    ),
    "endless velocity": (
        {"position": TWO, "velocity": [[0, 0], [math.inf, 0]]},
        ("velocity of particle 1", "inf"),
    ),
    "negative radius": (
        {"position": TWO, "radius": [0.5, -0.5]},
        ("radius of particle 1", "positive", r"-0\.5"),
    ),
    "no radius": ({"position": TWO, "radius": 0.0}, ("radius of particle 0", "positive")),
    "wrong number of radii": (
        {"position": TWO, "radius": [0.5] * 3},
        (r"one number or 2 of them, not shape \(3,\)",),
    ),
    "mass": ({"position": TWO, "mass": [1.0, math.nan]}, ("mass of particle 1", "nan")),
}


@pytest.mark.parametrize("case", PARTICLES)
def test_particles(case: str) -> None:
    arguments, parts = PARTICLES[case]
    assert_refused(lambda: carom.Particles(**arguments), *parts)


SYSTEMS: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "box of another dimension": (
        lambda: system(domain=carom.Periodic([9.0, 9.0, 9.0])),
        ("Periodic has 3 lengths", "2 dimensions"),
    ),
    "plane of another dimension": (
        lambda: system(walls=[carom.Plane([0, 0, 0], [0, 0, 1])]),
        (r"walls\[0\]", "3 dimensions", "move in 2"),
    ),
    "gravity of another dimension": (
        lambda: system(gravity=[0.0, 0.0, -1.0]),
        ("gravity must be a vector of 2", "acceleration="),
    ),
    "periodic z in the plane": (
        lambda: system(domain=carom.Box(10.0, "z")),
        ("periodic='z'", "two"),
    ),
    "both gravity and acceleration": (
        lambda: system(gravity=[0.0, -1.0], acceleration=np.zeros((2, 2))),
        ("either gravity", "acceleration", "add gravity to each row"),
    ),
    "acceleration of another shape": (
        lambda: system(acceleration=np.zeros((3, 2))),
        (r"acceleration must have shape \(2, 2\), not \(3, 2\)",),
    ),
    "acceleration that is no number": (
        lambda: system(acceleration=[[0, 0], [0, math.nan]]),
        ("acceleration of particle 1", "nan"),
    ),
    "endless gravity": (lambda: system(gravity=[0.0, -math.inf]), ("finite", "inf")),
    "its own image": (
        lambda: system(ONE, carom.Periodic([0.9, 10.0])),
        ("particle 0", "diameter 1", "own image", "0.9 long along x", "larger box"),
    ),
    "no room between the walls": (
        lambda: system(ONE, carom.Box([10.0, 0.9])),
        ("particle 0", "diameter 1", "does not fit between the walls", "0.9 long along y"),
    ),
    "a plane that would have to repeat": (
        lambda: system(domain=carom.Periodic(10.0), walls=[carom.Plane([0, 0], [0, 1])]),
        (r"walls\[0\]", "along y", "periodic", "walled"),
    ),
    "negative length": (lambda: carom.Periodic([1.0, -2.0]), ("length along y", "-2")),
    "four lengths": (lambda: carom.Box([1.0] * 4), ("lengths", "one per axis")),
    "unknown axis": (lambda: carom.Box(1.0, "w"), ("'w'", "x, y and z")),
    "wall restitution": (
        lambda: carom.Box(1.0, restitution={"y": (0.5, 1.5)}),
        ("along y", "between 0 and 1", r"1\.5"),
    ),
    "restitution of no axis": (
        lambda: carom.Box(1.0, restitution={"q": 1.0}),
        ("'q'", "x, y or z"),
    ),
    "plane without direction": (lambda: carom.Plane([0, 0], [0, 0]), ("normal", "no direction")),
    "plane restitution": (lambda: carom.Plane([0, 0], [0, 1], -0.5), ("Plane", r"-0\.5")),
    "plane of mixed dimension": (lambda: carom.Plane([0, 0], [0, 0, 1]), ("point", "normal")),
}


@pytest.mark.parametrize("case", SYSTEMS)
def test_systems(case: str) -> None:
    make, parts = SYSTEMS[case]
    assert_refused(make, *parts)


def test_things_of_the_wrong_kind() -> None:
    for make, parts in (
        (lambda: carom.System(np.zeros((2, 2))), ("carom.Particles", "ndarray")),
        (lambda: system(domain=10.0), ("domain must be", "10.0")),
        (lambda: system(walls=["floor"]), (r"walls\[0\]", "Plane", "floor")),
        (lambda: carom.Simulation(carom.Particles(TWO)), ("carom.System", "Particles")),
        (lambda: carom.Simulation(system(), method=carom.Laden), ("method must be", "Laden")),
    ):
        assert_refused(make, *parts, error=TypeError)


METHODS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "algorithm": ({"algorithm": "magic"}, ("'magic'", "heap", "collision_list", "simple")),
    "detection": ({"detection": "best"}, ("'best'", "stable", "naive")),
    "adaptive": ({"adaptive": "yes"}, ("adaptive", "'yes'", "clock")),
    "three-body": ({"three_body": "often"}, ("three_body", "'often'", "True or False")),
    "no cells": ({"cells_per_side": 0}, ("cells_per_side", "0")),
    "a fraction of a cell": ({"cells_per_side": 2.5}, ("cells_per_side", r"2\.5")),
    "cells of simple": ({"algorithm": "simple", "cells_per_side": 3}, ("no cells", "heap")),
    "adaptive list": ({"algorithm": "collision_list", "adaptive": True}, ("no cells", "heap")),
}


@pytest.mark.parametrize("case", METHODS)
def test_methods(case: str) -> None:
    options, parts = METHODS[case]
    assert_refused(lambda: carom.EventDriven(**options), *parts)


def test_methods_that_do_not_suit_the_system() -> None:
    too_fine = carom.EventDriven(cells_per_side=11)
    assert_refused(
        lambda: carom.Simulation(system(), method=too_fine),
        "cells_per_side=11",
        "diameter 1",
        "at most 9",
    )
    assert_refused(
        lambda: carom.Simulation(system(), method=carom.EventDriven(resting=True)),
        "resting=True",
        "gravity",
        "wall to rest on",
    )


RUNS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "nothing": ({}, ("exactly one of until=, duration= and collisions=",)),
    "two goals": ({"until": 1.0, "collisions": 3}, ("exactly one",)),
    "negative number": ({"collisions": -1}, ("collisions", "-1")),
    "fraction": ({"collisions": 2.5}, ("whole number", r"2\.5")),
    "endless number": ({"collisions": math.inf}, ("collisions", "inf")),
    "no number": ({"collisions": math.nan}, ("collisions", "nan")),
    "the past": ({"until": 1.0}, ("time 1 has passed", "at 2")),
    "backwards": ({"duration": -0.5}, ("has passed", "at 2")),
    "for ever": ({"until": math.inf}, ("never end", "inf")),
    "undefined": ({"duration": math.nan}, ("never end", "nan")),
}


def test_a_run_until_a_time_needs_no_word_for_it() -> None:
    started = carom.Simulation(system(law=carom.ConstantRestitution(1.0)))
    started.run(0.5)
    assert started.time == 0.5
    started.run(1.0)
    assert started.time == 1.0


@pytest.mark.parametrize("case", RUNS)
def test_runs(case: str) -> None:
    arguments, parts = RUNS[case]
    started = carom.Simulation(system(law=carom.ConstantRestitution(1.0)))
    started.run(until=2.0)
    assert_refused(lambda: started.run(**arguments), *parts)
    assert started.time == 2.0


def test_an_observer_without_an_interval() -> None:
    for every in (0.0, -1.0, math.nan):
        assert_refused(lambda every=every: carom.Record(every), "Record", "positive", str(every))


class TestNothingAhead:
    """Two particles that meet once and then part for ever."""

    def make(self, observers: Any = ()) -> carom.Simulation:
        particles = carom.Particles(TWO, [[1.0, 0.0], [-1.0, 0.0]])
        law = carom.ConstantRestitution(1.0)
        return carom.Simulation(carom.System(particles, law=law), observers=observers)

    def test_is_said(self) -> None:
        run = self.make()
        assert_refused(
            lambda: run.run(collisions=3),
            "no collision",
            "2 more",
            r"until",
            error=carom.NothingAhead,
        )
        assert run.counts.collisions == 1
        run.run(until=7.5)
        assert run.particles.position[:, 0] == pytest.approx([-0.5, 10.5])

    def test_is_said_with_observers_too(self) -> None:
        looks = []

        def look(watched: carom.Simulation) -> None:
            looks.append(watched.time)
            assert len(looks) < 1000, "the run goes on for ever"

        run = self.make([carom.Call(1.0, look)])
        assert_refused(lambda: run.run(collisions=2), "no collision", error=carom.NothingAhead)

    def test_is_said_of_a_particle_that_is_alone_in_a_periodic_box(self) -> None:
        alone = carom.System(
            carom.Particles(ONE, [[1.0, 0.3]]),
            carom.Periodic(10.0),
            law=carom.ConstantRestitution(1.0),
        )
        run = carom.Simulation(alone)
        pieces = iter(range(20))

        def count() -> None:
            assert next(pieces, None) is not None, "the run goes on for ever"

        assert_refused(
            lambda: run.run(collisions=1, after_each_piece=count),
            "no collision",
            error=carom.NothingAhead,
        )
