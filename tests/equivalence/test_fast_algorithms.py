"""Cells and lists give the collisions of the simple algorithm, on random systems of every kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from starts import NoRoom, logged, mixture

import carom

# Runs are compared while errors of 1e-16 have not grown to where they could exchange two events.
SAME_TIME = 1e-9


@st.composite
def systems(draw: Any, sides: Any) -> carom.System:
    """Some dozen particles of unequal radii and masses in a box with walls, images or both."""
    dimension = draw(st.sampled_from([2, 3]))
    lengths = [draw(sides) for _ in range(dimension)]
    periodic = "".join(axis for axis in "xyz"[:dimension] if draw(st.booleans()))
    restitution = draw(st.sampled_from([1.0, 0.95]))
    domain = carom.Box(lengths, periodic, restitution)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    room = float(np.prod(lengths))
    share = 0.3 if dimension == 2 else 0.15
    n = min(max(2, int(share * room)), 120)
    spread = draw(st.sampled_from([0.0, 0.2, 0.9]))
    try:
        particles = mixture(n, domain, rng, dimension, spread)
    except NoRoom:
        reject()
    gravity = [0.1, -0.7, 0.2][:dimension] if draw(st.booleans()) else None
    law = carom.ConstantRestitution(draw(st.sampled_from([1.0, 0.9])))
    return carom.System(particles, domain, law=law, gravity=gravity)


def assert_same_collisions(system: carom.System, algorithm: str) -> None:
    # One collision of each particle: errors of rounding grow tenfold with each.
    until = {"collisions": max(2, len(system.particles) // 2)}
    try:
        expected = logged(system, "simple", **until)[1]
    except carom.NothingAhead:
        with pytest.raises(carom.NothingAhead):
            logged(system, algorithm, **until)
        return
    found = logged(system, algorithm, **until)[1]
    np.testing.assert_array_equal(found["i"], expected["i"])
    np.testing.assert_array_equal(found["j"], expected["j"])
    np.testing.assert_allclose(found["time"], expected["time"], rtol=0.0, atol=SAME_TIME)
    np.testing.assert_allclose(found["separation"], expected["separation"], atol=SAME_TIME)


slowly = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@slowly
@given(systems(st.floats(9.0, 14.0)))
def test_cells_in_wide_boxes(system: carom.System) -> None:
    assert_same_collisions(system, "cells")


@slowly
@given(systems(st.floats(2.2, 6.0)))
def test_cells_in_narrow_boxes(system: carom.System) -> None:
    assert_same_collisions(system, "cells")


@slowly
@given(systems(st.floats(14.0, 17.0)))
def test_lists(system: carom.System) -> None:
    assert_same_collisions(system, "lists")


def sizes_of_two_kinds(seed: int, dimension: int) -> carom.System:
    """Eight large particles among many small ones, a tenth or a fifth as large."""
    rng = np.random.default_rng(seed)
    ratio = 10.0 if dimension == 2 else 5.0
    side, small = (14.0, 120) if dimension == 2 else (7.0, 250)
    domain = carom.Periodic(side)
    radius = np.concatenate([np.full(8, 1.0), np.full(small, 1.0 / ratio)])
    placed: list[Any] = []
    for k in range(len(radius)):
        while True:
            place = rng.uniform(0.0, side, dimension)
            apart = np.array(placed).reshape(-1, dimension) - place
            apart -= side * np.round(apart / side)
            if (np.linalg.norm(apart, axis=1) > radius[:k] + radius[k]).all():
                break
        placed.append(place)
    mass = radius**dimension
    velocity = rng.normal(size=(len(radius), dimension)) / np.sqrt(mass)[:, None]
    particles = carom.Particles(np.array(placed), velocity, radius, mass)
    return carom.System(particles, domain, law=carom.ConstantRestitution(0.9))


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_hierarchy_of_grids_for_sizes_of_two_kinds(dimension: int) -> None:
    system = sizes_of_two_kinds(1, dimension)
    assert_same_collisions(system, "cells")
    simulation = logged(system, "cells", collisions=1)[0]
    assert len(simulation._engine._algorithm._search.grids.levels) > 1


@pytest.mark.parametrize("algorithm", ["cells", "lists"])
def test_thousands_of_simultaneous_events_on_a_lattice(algorithm: str) -> None:
    """Rows of disks that approach each other in step: all collide at once, and again.

    Exactly representable numbers: columns move by ±1, and meet after 1/4, then every 1/2.
    """
    side, gap = 48, 1.5
    x, y = np.meshgrid(np.arange(side), np.arange(side), indexing="ij")
    position = np.column_stack([x.ravel() * gap, y.ravel() * gap])
    velocity = np.zeros_like(position)
    velocity[:, 0] = np.where(x.ravel() % 2 == 0, 1.0, -1.0)
    particles = carom.Particles(position, velocity, 0.5)
    system = carom.System(particles, carom.Periodic(side * gap))
    simulation, log = logged(system, algorithm, until=1.0)
    rounds = [0.25, 0.75]
    np.testing.assert_array_equal(log["time"], np.repeat(rounds, side * side // 2))
    for k in range(len(rounds)):
        block = slice(k * side * side // 2, (k + 1) * side * side // 2)
        assert len(np.unique(np.concatenate([log["i"][block], log["j"][block]]))) == side * side
    assert simulation.kinetic_energy == 0.5 * side * side


@pytest.mark.parametrize("algorithm", ["cells", "lists"])
def test_a_gas_that_clusters_outgrows_its_cells_and_lists(algorithm: str) -> None:
    """All fly to one point: cells that held one particle fill up; nobody is lost."""
    rng = np.random.default_rng(4)
    system = carom.System(
        *carom.packings.random(1500, 0.02, dimension=2, seed=4), law=carom.ConstantRestitution(0.9)
    )
    particles = system.particles
    centre = particles.position.mean(axis=0)
    velocity = centre - particles.position + 0.01 * rng.normal(size=particles.position.shape)
    system = carom.System(
        carom.Particles(particles.position, velocity, particles.radius, particles.mass),
        carom.Open(),
        law=carom.ConstantRestitution(0.9),
    )
    momentum = system.particles.momentum
    simulation = carom.Simulation(system, method=carom.EventDriven(algorithm))
    simulation.run(collisions=15_000)
    if algorithm == "cells":
        assert simulation.counts.rebuilds > 1  # with room for more
    np.testing.assert_allclose(simulation.momentum, momentum, atol=1e-9)
    lost = system.particles.kinetic_energy - simulation.kinetic_energy
    assert simulation.dissipated_energy == pytest.approx(lost, rel=1e-9)
    final = simulation.particles
    # A new simulation refuses overlaps.
    carom.Simulation(
        carom.System(
            carom.Particles(final.position, final.velocity, final.radius, final.mass), carom.Open()
        )
    )


@pytest.mark.parametrize("cells_per_side", [1, 2, 5])
def test_hundreds_in_a_cell(cells_per_side: int) -> None:
    """All, 256 or 16 spheres in a cell; more than a byte counts, or than short rows hold."""
    system = carom.System(*carom.packings.lattice(2048, 0.3, temperature=1.0, seed=2))
    expected = logged(system, "cells", collisions=300)[1]
    simulation, found = logged(system, "cells", cells_per_side=cells_per_side, collisions=300)
    grids = simulation._engine._algorithm._search.grids
    assert grids.inside.sum() == 2048
    assert grids.inside.max() >= 2048 // cells_per_side**3
    np.testing.assert_array_equal(found["i"], expected["i"])
    np.testing.assert_array_equal(found["j"], expected["j"])
    np.testing.assert_allclose(found["time"], expected["time"], rtol=0.0, atol=SAME_TIME)


def test_a_list_of_too_many_neighbours_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carom.methods.event_driven.fast.lists.MOST_LISTED", 40)
    rng = np.random.default_rng(3)
    angle = np.linspace(0.0, 2.0 * np.pi, 61)[:-1]
    around = 1.08 * np.column_stack([np.cos(angle), np.sin(angle)])
    position = np.concatenate([[[0.0, 0.0]], around]) + 10.0
    radius = np.concatenate([[1.0], np.full(60, 0.05)])
    particles = carom.Particles(position, rng.normal(size=position.shape), radius)
    system = carom.System(particles, carom.Periodic([20.0, 20.0]))
    with pytest.raises(ValueError, match=r"more than 32 neighbours.*use algorithm='cells'"):
        carom.Simulation(system, method=carom.EventDriven("lists")).run(collisions=1)


def test_lists_refuse_a_box_without_room_for_shells() -> None:
    particles, box = carom.packings.lattice(60, 0.3, seed=1)
    with pytest.raises(ValueError, match=r"lists.*five times.*use algorithm='cells'"):
        carom.Simulation(carom.System(particles, box), method=carom.EventDriven("lists"))
