"""Few particles in boxes that are far larger than they are, and in no box at all."""

from __future__ import annotations

import gc
import tracemalloc
from typing import Any

import numpy as np
import pytest

import carom
from carom.neighbours.folding import LEAST, cells_in_memory, foldable, folded

# A ball between a wall and one that is 100^k times as heavy: the collisions, with each other and
# with the wall, spell the digits of pi (Galperin 2003).
DIGITS_OF_PI = (3, 31, 314, 3141)


@pytest.mark.parametrize("k", range(len(DIGITS_OF_PI)))
def test_two_disks_and_a_wall_count_the_digits_of_pi(k: int) -> None:
    particles = carom.Particles(
        position=[[1000.0, 2.0], [2000.0, 2.0]],
        velocity=[[0.0, 0.0], [-10.0, 0.0]],
        radius=0.5,
        mass=[1.0, 100.0**k],
    )
    sim = carom.Simulation(carom.System(particles, carom.Box([40_000.0, 4.0])))
    sim.run(until=2000.0)
    assert sim.counts.collisions + sim.counts.wall_collisions == DIGITS_OF_PI[k]


def resting_disks_of_two_sizes() -> carom.Particles:
    small = [[0.62 * i, 0.62 * j] for i in range(3) for j in range(3)]
    radius = [0.3] * 9 + [1.0]
    return carom.Particles(
        position=[*small, [-1.6, 0.6]], velocity=np.zeros((10, 2)), radius=radius
    )


def test_crowded_small_disks_beside_a_large_one_in_open_space_come_to_an_end() -> None:
    sim = carom.Simulation(carom.System(resting_disks_of_two_sizes(), carom.Open()))
    sim.run(until=10.0)
    assert sim.counts.collisions == 0


def test_grains_of_two_sizes_settle_between_planes_in_open_space() -> None:
    x, y = np.meshgrid(np.arange(8) * 2.2 - 7.7, np.arange(6) * 2.2 + 1.1)
    radius = np.where(np.arange(x.size) % 3 == 0, 1.0, 0.2)
    particles = carom.Particles(
        position=np.stack([x.ravel(), y.ravel()], axis=1),
        velocity=np.random.default_rng(1).normal(size=(x.size, 2)),
        radius=radius,
        mass=radius**2,
    )
    walls = [
        carom.Plane((0.0, 0.0), (0.0, 1.0)),
        carom.Plane((-9.0, 0.0), (1.0, 0.0)),
        carom.Plane((9.0, 0.0), (-1.0, 0.0)),
    ]
    law = carom.ContactDuration(carom.ConstantRestitution(0.5), 1e-3)
    system = carom.System(particles, carom.Open(), law=law, gravity=(0.0, -10.0), walls=walls)
    sim = carom.Simulation(system)
    sim.run(until=2.0)
    height = sim.particles.position[:, 1]
    assert height.mean() < 0.5 * y.mean()
    assert (height > 0.99 * sim.particles.radius).all()


FAR = 3000.0
# What arrays may take beside 2 kB for each particle.
FREE_BYTES = 8_000_000


def clump(mixed: bool, outlier: bool) -> carom.Particles:
    """64 spheres near each other, and perhaps one far away."""
    start, _ = carom.packings.lattice(64, packing_fraction=0.3, dimension=3, seed=1)
    position, radius = start.position + 0.5 * FAR, start.radius.copy()
    if mixed:
        radius[::2] *= 0.2
    if outlier:
        position[0] = 0.9 * FAR
    return carom.Particles(position=position, velocity=start.velocity, radius=radius)


def peak_of(make: Any, until: float) -> int:
    """The most memory that a run takes, when everything is compiled."""
    make().run(until=until)
    gc.collect()
    tracemalloc.start()
    try:
        make().run(until=until)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


DOMAINS = {
    "periodic": carom.Periodic([FAR] * 3),
    "box": carom.Box([FAR] * 3),
    "sheared": carom.LeesEdwards([FAR] * 3, 0.01),
    "open": carom.Open(),
}
METHODS = {
    "auto": carom.EventDriven(),
    "many cells": carom.EventDriven(cells_per_side=2000),
    "lists": carom.EventDriven("lists"),
    "heap": carom.EventDriven("heap", cells_per_side=2000),
    "adaptive heap": carom.EventDriven("heap", adaptive=True),
    "stepped": carom.TimeStepped(dt=0.01),
    "stepped hierarchy": carom.TimeStepped(dt=0.01, neighbours=carom.HierarchicalCells()),
    "linear lists": carom.TimeStepped(dt=0.01, neighbours=carom.LinkedLinearList()),
}
# Every method and every domain, without compiling all combinations.
CASES = [
    *(("auto", domain, mixed) for domain in DOMAINS for mixed in (False, True)),
    *((method, "periodic", False) for method in METHODS if method != "auto"),
    ("many cells", "open", False),
    ("lists", "sheared", False),
    ("stepped", "open", True),
]


@pytest.mark.parametrize(("method", "domain", "mixed"), CASES)
def test_memory_follows_the_number_of_particles_and_not_the_volume(
    method: str, domain: str, mixed: bool
) -> None:
    particles = clump(mixed, outlier=domain == "open")
    system = carom.System(particles, DOMAINS[domain])
    peak = peak_of(lambda: carom.Simulation(system, method=METHODS[method]), 0.05)
    assert peak < 2048 * len(particles) + FREE_BYTES


@pytest.mark.parametrize("side", [1e6, 1e12])
def test_no_box_is_too_large_for_a_clump(side: float) -> None:
    start, _ = carom.packings.lattice(64, packing_fraction=0.3, dimension=3, seed=1)
    particles = carom.Particles(start.position, start.velocity, start.radius)
    system = carom.System(particles, carom.Periodic([side] * 3))
    sim = carom.Simulation(system)
    sim.run(until=1.0)
    free = carom.Simulation(carom.System(particles, carom.Open()), method=carom.EventDriven("heap"))
    free.run(until=1.0)
    assert sim.counts.collisions == free.counts.collisions > 50


def test_a_clump_that_disperses_gets_wider_cells_again() -> None:
    start, _ = carom.packings.lattice(64, packing_fraction=0.3, dimension=3, seed=1)
    system = carom.System(
        carom.Particles(start.position, start.velocity, start.radius), carom.Periodic([FAR] * 3)
    )
    sim = carom.Simulation(system)
    sim.run(until=3000.0)
    narrow = sim.counts.transfers
    sim.run(until=6000.0)
    # In cells as narrow as particles there would be as many transfers again.
    assert sim.counts.transfers - narrow < 0.1 * narrow


def test_folded_cells_are_few_and_cover_what_is_occupied() -> None:
    number = foldable(np.array([3000, 2999, 17]))
    assert (number <= [3000, 2999, 17]).all()
    assert (number * 1.125 >= [3000, 2999, 17]).all()
    levels, occupied = number[None, :], np.array([[20, 12, 3]])
    fold = folded(levels, occupied, 20_000, to_one=False)
    assert cells_in_memory(fold, False).sum() <= 20_000
    assert (levels % fold == 0).all()
    assert (fold >= np.minimum(occupied, LEAST)).all()
    assert (fold >= occupied).all()
    assert (folded(levels, occupied, 64, to_one=True) == 1).all()
