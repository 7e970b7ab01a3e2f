"""All algorithms give the collisions of the simple one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from starts import ALGORITHMS, STARTS, Start, logged

import carom

FAST = [algorithm for algorithm in ALGORITHMS if algorithm != "simple"]


def columns(log: carom.CollisionLog, walls: bool) -> dict[str, Any]:
    """The log, with or without the collisions with walls."""
    kept = np.ones(len(log), dtype=bool) if walls else log["j"] >= 0
    return {name: log[name][kept] for name in ("time", "i", "j", "impulse", "separation")}


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.name)
def test_first_four_collisions_of_each_particle_agree(start: Start) -> None:
    system = start.make(1)
    goal = {"collisions": 2 * len(system.particles)}  # each has two partners
    # A particle that comes to rest bounces infinitely often; the order of the last of these
    # bounces on different particles is not determined at any precision.
    walls = not start.resting
    simulation, log = logged(system, "simple", start.resting, **goal)
    expected = columns(log, walls)
    assert (simulation.counts.came_to_rest > 0) == start.resting
    assert (simulation.counts.wall_collisions > 0) == bool(system.planes)
    for algorithm in FAST:
        found = columns(logged(system, algorithm, start.resting, **goal)[1], walls)
        np.testing.assert_array_equal(found["i"], expected["i"], err_msg=algorithm)
        np.testing.assert_array_equal(found["j"], expected["j"], err_msg=algorithm)
        for name in ("time", "impulse", "separation"):
            np.testing.assert_allclose(
                found[name], expected[name], rtol=0.0, atol=1e-9, err_msg=f"{algorithm} {name}"
            )


def perturbed(system: carom.System, ulps: int, rng: np.random.Generator) -> carom.System:
    """The system with every coordinate moved so many units in the last place, up or down."""
    start = system.particles
    step = ulps * np.spacing(start.position) * rng.choice([-1.0, 1.0], start.position.shape)
    moved = carom.Particles(start.position + step, start.velocity, start.radius, start.mass)
    return carom.System(moved, system.domain, law=system.law)


def collisions_together(one: carom.CollisionLog, other: carom.CollisionLog) -> int:
    """How many collisions two runs share before the order differs, or a time by 1e-6."""
    m = min(len(one), len(other))
    differs = (one["i"][:m] != other["i"][:m]) | (one["j"][:m] != other["j"][:m])
    differs |= np.abs(one["time"][:m] - other["time"][:m]) > 1e-6
    assert differs.any(), "the runs are too short to part"
    return int(differs.argmax())


SEEDS = range(12)


@pytest.mark.parametrize("name", ["periodic 2D", "walls 3D"])
def test_runs_part_no_faster_than_from_a_start_one_ulp_away(name: str) -> None:
    """Compares how long runs stay together, paired over seeds, at three standard errors.

    From 1e-16 to 1e-6 an error grows tenfold ten times, in some 10 n collisions. An algorithm
    whose errors were ten times those of the simple one would part n collisions sooner, about
    six standard errors; the control shows that the criterion sees a hundred times.
    """
    start = next(start for start in STARTS if start.name == name)
    together: dict[str, list[int]] = {"ulp": [], "hundred ulps": [], **{a: [] for a in FAST}}
    for seed in SEEDS:
        system = start.make(seed)
        goal = {"collisions": 18 * len(system.particles)}
        expected = logged(system, "simple", **goal)[1]
        for algorithm in FAST:
            log = logged(system, algorithm, **goal)[1]
            together[algorithm].append(collisions_together(expected, log))
        for label, ulps in (("ulp", 1), ("hundred ulps", 100)):
            twin = perturbed(system, ulps, np.random.default_rng(seed))
            log = logged(twin, "simple", **goal)[1]
            together[label].append(collisions_together(expected, log))
    for label in (*FAST, "hundred ulps"):
        later = np.array(together[label]) - np.array(together["ulp"])
        error = later.std(ddof=1) / np.sqrt(len(later))
        parts_faster = later.mean() < -3.0 * error
        assert parts_faster == (label == "hundred ulps"), (label, later.mean(), error)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_simultaneous_collisions_are_ordered_by_particle_number(algorithm: str) -> None:
    """Particles 0 and 1 meet 2 at time 3, from both sides; 1 has been on its way for longer."""
    particles = carom.Particles(
        position=[[1.5, 1.0], [7.5, 1.0], [3.5, 1.0]],
        velocity=[[-1.0, 0.0], [-1.0, 0.0], [0.0, 0.0]],
    )
    domain = carom.Box(
        [12.0, 2.0], restitution=1.0
    )  # all numbers are exact: 0 is reflected at x = 0.5
    system = carom.System(particles, domain, law=carom.ConstantRestitution(0.5))
    log = logged(system, algorithm, until=3.5)[1]
    # 2 bounces between the others until it is slower than both.
    events = list(zip(log["time"], log["i"], log["j"], strict=True))
    assert events == [(1.0, 0, -1), (3.0, 0, 2), (3.0, 1, 2), (3.0, 0, 2)]
