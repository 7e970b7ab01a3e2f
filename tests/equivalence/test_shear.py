"""Sheared boxes: the simple algorithm against the oracle, all others against the simple one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle import assert_same_events, rounding_grown
from sheared_oracle import ShearedOracle
from starts import logged, mixture
from test_fast_algorithms import sizes_of_two_kinds

import carom

# Runs are compared while errors of 1e-16 have not grown to where they could exchange two events.
SAME_TIME = 1e-9
EVENTS = 14


def sheared(
    lengths: Any, rate: float, n: int, seed: int, spread: float = 0.4, restitution: float = 0.9
) -> carom.System:
    """n particles of mean diameter 1 and thermal speed about 1, which do not yet flow."""
    domain, rng = carom.LeesEdwards(lengths, rate), np.random.default_rng(seed)
    particles = mixture(n, domain, rng, len(lengths), spread)
    return carom.System(particles, domain, law=carom.ConstantRestitution(restitution))


SMALL = {
    "2D": ([5.0, 4.0], 3.0, 8),
    "2D, negative": ([5.0, 4.0], -3.0, 8),
    "narrow 2D": ([1.4, 2.3], -1.5, 2),
    "short along x": ([1.3, 6.0], 2.0, 4),
    "short along y": ([12.0, 1.9], -2.5, 6),
    "3D": ([2.6, 3.0, 2.5], 2.0, 6),
    "3D, negative": ([3.5, 2.2, 1.8], -3.0, 4),
}


@pytest.mark.parametrize("name", SMALL)
def test_simple_is_the_oracle_with_all_images(name: str) -> None:
    system = sheared(*SMALL[name], seed=3)
    expected = ShearedOracle(system).events(EVENTS)
    assert abs(float(expected[-1].time) * system.shear_rate) > 1.0  # strain
    tolerance = rounding_grown(system, expected, ShearedOracle)
    log = logged(system, "simple", collisions=EVENTS)[1]
    assert_same_events(log, expected, tolerance, name)


def dense(n: int, phi: float, dimension: int, rate: float) -> carom.System:
    """Equal particles that flow, in a box that has room for lists."""
    particles, box = carom.packings.lattice(n, phi, dimension=dimension, temperature=0.3, seed=4)
    domain = carom.LeesEdwards(box.lengths, rate)
    particles.velocity += domain.flow(particles.position)
    return carom.System(particles, domain, law=carom.ConstantRestitution(0.9))


def assert_same_collisions(
    system: carom.System, algorithm: str, each: int = 1, reference: str = "simple"
) -> float:
    """Compare the first collisions with those of another algorithm; the strain reached."""
    # One collision of each particle: errors of rounding grow tenfold with each, or more where
    # images fly past each other.
    collisions = max(3, each * len(system.particles) // 2)
    simulation, expected = logged(system, reference, collisions=collisions)
    found = logged(system, algorithm, collisions=collisions)[1]
    np.testing.assert_array_equal(found["i"], expected["i"], err_msg=algorithm)
    np.testing.assert_array_equal(found["j"], expected["j"], err_msg=algorithm)
    np.testing.assert_allclose(found["time"], expected["time"], 0.0, SAME_TIME, err_msg=algorithm)
    # Another image would be a box away. At speeds of some ten, and in glancing contacts, errors of
    # the time count many times over.
    np.testing.assert_allclose(found["separation"], expected["separation"], 0.0, 1e3 * SAME_TIME)
    np.testing.assert_allclose(found["impulse"], expected["impulse"], 0.0, 1e4 * SAME_TIME)
    return abs(simulation.time * system.shear_rate)


@st.composite
def systems(draw: Any, sides: Any) -> carom.System:
    """Up to some dozen particles of equal or unequal sizes, sheared fast or slowly."""
    dimension = draw(st.sampled_from([2, 3]))
    lengths = [draw(sides) * (1.0 if dimension == 2 else 0.7) for _ in range(dimension)]
    n = max(2, int((0.3 if dimension == 2 else 0.15) * float(np.prod(lengths))))
    rate = draw(st.sampled_from([-1.0, 1.0])) * draw(st.sampled_from([0.3, 2.0, 8.0]))
    seed, spread = draw(st.integers(0, 2**32 - 1)), draw(st.sampled_from([0.0, 0.4, 0.9]))
    restitution = draw(st.sampled_from([1.0, 0.9]))
    return sheared(lengths, rate, min(n, 36), seed, spread, restitution)


slowly = settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
ALGORITHMS = ("collision_list", "heap", "cells")


@slowly
@given(systems(st.floats(9.0, 14.0)))
def test_all_algorithms_in_wide_boxes(system: carom.System) -> None:
    for algorithm in ALGORITHMS:
        assert_same_collisions(system, algorithm)


@slowly
@given(systems(st.floats(2.6, 7.0)))
def test_all_algorithms_in_narrow_boxes(system: carom.System) -> None:
    for algorithm in ALGORITHMS:
        assert_same_collisions(system, algorithm)


@pytest.mark.parametrize("rate", [6.0, -6.0])
@pytest.mark.parametrize("lengths", [[12.0, 11.0], [6.0, 6.5, 7.0]], ids=["2D", "3D"])
def test_strains_beyond_one_in_wide_boxes(lengths: list[float], rate: float) -> None:
    """Particles that flow: rows pass each other between a few collisions of each particle."""
    still = sheared(lengths, rate, 40 if len(lengths) == 2 else 25, seed=11)
    start = still.particles
    velocity = start.velocity + still.domain.flow(start.position)
    particles = carom.Particles(start.position, velocity, start.radius, start.mass)
    system = carom.System(particles, still.domain, law=still.law)
    for algorithm in ALGORITHMS:
        assert assert_same_collisions(system, algorithm, each=4) > 1.0


@pytest.mark.parametrize("rate", [3.0, -3.0])
def test_lists(rate: float) -> None:
    system = dense(260, 0.6, 2, rate)
    assert_same_collisions(system, "lists")
    # Cells are as good a reference, see above, and reach further in less time.
    assert assert_same_collisions(system, "lists", each=10, reference="cells") > 1.0


def test_lists_in_three_dimensions() -> None:
    system = dense(2500, 0.3, 3, 4.0)
    # Past a strain of one half, where the offset begins anew.
    assert assert_same_collisions(system, "lists", each=4, reference="cells") > 0.5


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_hierarchy_of_grids(dimension: int) -> None:
    still = sizes_of_two_kinds(1, dimension)
    domain = carom.LeesEdwards(still.sides, 1.5)
    system = carom.System(still.particles, domain, law=still.law)
    assert_same_collisions(system, "cells")
    simulation = logged(system, "cells", collisions=1)[0]
    assert len(simulation._engine._algorithm._search.grids.levels) > 1


@pytest.mark.parametrize("algorithm", ["heap", "cells"])
def test_a_shear_rate_of_zero_is_a_periodic_box(algorithm: str) -> None:
    still = sheared([6.0, 7.0], 0.0, 12, seed=5)
    periodic = carom.System(still.particles, carom.Periodic([6.0, 7.0]), law=still.law)
    one, other = (logged(system, algorithm, collisions=60)[0] for system in (still, periodic))
    np.testing.assert_array_equal(one.particles.position, other.particles.position)
    np.testing.assert_array_equal(one.stress, other.stress)
    assert np.isnan(one.shear_viscosity)


@pytest.mark.parametrize("algorithm", ["simple", "collision_list", "heap", "cells"])
def test_a_lone_particle_flies_straight_on_through_sliding_images(algorithm: str) -> None:
    """In the endless system it does; in the box it jumps, and is slower in each row further up."""
    domain = carom.LeesEdwards([1.3, 2.0], 0.7)
    start = carom.Particles([[0.2, 0.4]], [[0.3, 1.7]], radius=0.4)
    system = carom.System(start, domain, law=carom.ConstantRestitution(0.9))
    simulation, log = logged(system, algorithm, until=50.0)
    assert len(log) == 0
    rows, jump = int((0.4 + 1.7 * 50.0) // 2.0), 0.7 * 2.0
    seen, far = simulation.particles, np.array([0.2 + 0.3 * 50.0, 0.4 + 1.7 * 50.0])
    # Each crossing rounds coordinates and offsets below 2, and a speed of up to 60 times the time
    # since the last.
    small = 60.0 * simulation.counts.transfers * np.finfo(float).eps
    np.testing.assert_allclose(seen.unwrapped[0], far, rtol=0.0, atol=small)
    assert seen.velocity[0, 0] == pytest.approx(0.3 - rows * jump, abs=small)
    inside = [(far[0] - rows * jump * 50.0) % 1.3, far[1] - rows * 2.0]
    np.testing.assert_allclose(seen.position[0], inside, rtol=0.0, atol=small)


@pytest.mark.parametrize("algorithm", ["simple", "collision_list", "heap", "cells", "lists"])
def test_save_and_load_go_on_bit_for_bit(algorithm: str, tmp_path: Any) -> None:
    """Saved at strains between and close to where the offset begins anew, every half box length."""
    small = sheared([6.0, 5.5], 4.0, 12, seed=7)
    system = small if algorithm != "lists" else dense(260, 0.6, 2, 4.0)
    method = carom.EventDriven(algorithm)
    whole = carom.Simulation(system, method=method)
    whole.run(until=1.5)
    cut = carom.Simulation(system, method=method)
    for k, time in enumerate((0.1, 0.14, 0.5)):
        cut.run(until=time)
        cut.save(tmp_path / f"{k}.carom")
        cut = carom.load(tmp_path / f"{k}.carom")
    cut.run(until=1.5)
    # The simple algorithm looks anew at all pairs whenever a run goes on.
    counts = [simulation.counts._replace(pair_tests=0) for simulation in (whole, cut)]
    assert counts[0] == counts[1]
    assert whole.counts.collisions > 25
    for name in ("position", "velocity", "unwrapped"):
        np.testing.assert_array_equal(
            getattr(whole.particles, name), getattr(cut.particles, name), err_msg=name
        )
    np.testing.assert_array_equal(whole.stress, cut.stress)
    assert whole.shear_work == cut.shear_work
