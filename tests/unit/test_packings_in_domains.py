"""Packings that fill a given box, or a part of it: nothing crosses a wall or another particle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from refusals import assert_refused

import carom
from carom import packings

SLOPE = carom.Plane([0.0, 2.0], [1.0, 2.0])
BOXES = {
    "periodic": carom.Periodic([9.0, 7.0]),
    "sheared": carom.LeesEdwards([9.0, 7.0], 0.5),
    "walled": carom.Box([9.0, 7.0]),
    "a channel": carom.Box([9.0, 7.0], "x", restitution=0.5),
}
REGIONS = {
    "all of it": None,
    "a corner": ([1.0, 0.5], [6.0, 7.0]),
    "a strip": ([0.0, 4.5], [9.0, 1.0]),  # any two opposite corners
}
PACK = {
    "random": packings.random,
    "lattice": packings.lattice,
    "grow": lambda *args, **given: packings.grow(*args, progress=False, **given),
}


def highest_overlap(particles: Any, domain: Any) -> float:
    """How deep particles reach into each other, their images and the walls of the box."""
    sides, periodic = np.array(domain.sides(2)), np.array(domain.periodic_axes(2))
    apart = particles.position[:, None] - particles.position[None]
    apart -= np.where(periodic, np.round(apart / sides) * sides, 0.0)
    distance = np.linalg.norm(apart, axis=2) + np.diag(np.full(len(particles), np.inf))
    depth = (particles.radius[:, None] + particles.radius[None] - distance).max()
    for wall in domain.walls(2):
        height = (particles.position - wall.point) @ np.array(wall.normal)
        depth = max(depth, (particles.radius - height).max())
    return float(depth)


@pytest.mark.parametrize("kind", PACK)
@pytest.mark.parametrize("where", REGIONS)
@pytest.mark.parametrize("box", BOXES)
def test_a_packing_keeps_clear_of_walls_and_images(kind: str, where: str, box: str) -> None:
    domain, region = BOXES[box], REGIONS[where]
    radius = {"radius": 0.35}
    particles, returned = PACK[kind](20, domain=domain, region=region, seed=4, **radius)
    assert returned is domain
    assert len(particles) == 20
    assert highest_overlap(particles, domain) < 1e-12
    if region is not None:
        inside = particles.position
        lower, upper = np.min(region, axis=0), np.max(region, axis=0)
        sticks_out = np.array(domain.periodic_axes(2)) & (upper - lower == domain.sides(2))
        reach = np.where(sticks_out, 0.0, 0.35)
        assert (inside >= lower + reach - 1e-12).all()
        assert (inside <= upper - reach + 1e-12).all()
    carom.System(particles, domain)
    walled = bool(domain.walls(2))
    energy = (particles.velocity**2).sum() / (2 * (20 if walled else 19))
    assert energy == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("kind", PACK)
def test_a_packing_lies_in_front_of_planes(kind: str) -> None:
    domain = carom.Box([9.0, 7.0])
    radius = {"radius": 0.4}
    particles, _ = PACK[kind](30, domain=domain, region=[SLOPE], seed=2, **radius)
    height = (particles.position - SLOPE.point) @ np.array(SLOPE.normal)
    assert (height >= 0.4 - 1e-12).all()
    assert highest_overlap(particles, domain) < 1e-12
    system = carom.System(particles, domain, walls=[SLOPE])
    assert carom.Simulation(system).temperature == pytest.approx(1.0)


@pytest.mark.parametrize("kind", PACK)
def test_the_number_follows_from_the_packing_fraction(kind: str) -> None:
    # A triangle is cut off the box: 2 high and 4 long.
    domain = carom.Box([8.0, 7.0])
    particles, _ = PACK[kind](packing_fraction=0.3, domain=domain, region=SLOPE, seed=1)
    area = 8.0 * 7.0 - 0.5 * 2.0 * 4.0
    assert len(particles) == round(0.3 * area / (np.pi * 0.25))


def test_different_sizes_are_placed_and_grown_between_walls() -> None:
    sizes, domain = np.linspace(0.2, 0.6, 30), carom.Box([7.0, 6.0], "y")
    for particles, _ in (
        packings.random(30, domain=domain, radius=sizes, seed=3),
        packings.grow(30, domain=domain, radius=1.25 * sizes, seed=3, progress=False),
    ):
        assert highest_overlap(particles, domain) < 1e-12
    assert particles.volume / 42.0 > 0.6


def test_a_lattice_is_stretched_over_a_box_that_repeats() -> None:
    particles, _ = packings.lattice(4 * 3**3, domain=carom.Periodic(5.0), seed=1)
    spacing = 5.0 / 3.0 / np.sqrt(2.0)
    apart = particles.position[:, None] - particles.position[None]
    apart -= np.round(apart / 5.0) * 5.0
    distance = np.linalg.norm(apart, axis=2)
    assert np.sort(distance, axis=1)[:, 1:13] == pytest.approx(spacing, rel=1e-6)


def test_a_particle_as_wide_as_its_box_has_one_place() -> None:
    particles, _ = packings.random(1, domain=carom.Open(), region=([0.1, 0.1], [1.1, 3.1]), seed=1)
    assert particles.position[0, 0] == pytest.approx(0.6)


def test_what_does_not_fit_is_told_in_numbers() -> None:
    box = carom.Box([4.0, 4.0])
    assert_refused(
        lambda: packings.random(16, domain=box, seed=1),
        r"room was found for \d+ of 16 particles of radius 0.5 in the region from \(0, 0\)",
        "packing fraction of",
        "of 0.7854",
        "packings.grow",
    )
    assert_refused(
        lambda: packings.lattice(40, domain=box),
        r"only \d+ of 40 particles of radius 0.5 fit",
        "not 1.963",
    )
    assert_refused(lambda: packings.grow(40, domain=box), "40 particles", "would be 1.963")
    assert_refused(
        lambda: packings.random(2, domain=box, region=([0, 0], [0.9, 4])), "for 0 of 2 particles"
    )
    with pytest.raises(carom.Jammed, match=r"short of 0\.85") as caught:
        packings.grow(17, domain=box, radius=0.5 * np.sqrt(0.85 * 16 / (17 * np.pi / 4)), seed=1)
    assert caught.value.box is box
    assert highest_overlap(caught.value.particles, box) < 1e-12


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, ("give n and packing_fraction", "domain=")),
        ({"n": 5}, ("give n and packing_fraction",)),
        ({"n": 5, "packing_fraction": 0.1, "region": SLOPE}, ("region", "give domain=")),
        ({"domain": carom.Box(5.0)}, ("n=None", "give one of them")),
        ({"n": 5, "packing_fraction": 0.1, "domain": carom.Box(5.0)}, ("n=5", "give one of them")),
        ({"n": 5, "domain": carom.Open()}, ("open space", "region=")),
        ({"n": 5, "domain": carom.Box(5.0), "region": ([0, 0, 0], [6, 5, 5])}, ("6 along x",)),
        ({"n": 5, "domain": carom.Box(5.0), "region": ([0, 0], [0, 5])}, ("no extent along x",)),
        ({"n": 5, "domain": carom.Box([5.0, 5.0]), "region": [1.0, 2.0]}, ("region", "corners")),
        ({"n": 5, "domain": carom.Box([5.0] * 3), "region": SLOPE}, ("3 lengths",)),
        (
            {"n": 5, "domain": carom.Box(5.0), "region": carom.Plane([9, 0], [1, 0])},
            ("no part of the box", "normals"),
        ),
    ],
)
@pytest.mark.parametrize("kind", PACK)
def test_what_contradicts_itself_is_refused(kind: str, given: Any, words: Any) -> None:
    assert_refused(lambda: PACK[kind](**given), *words)


def test_a_domain_that_is_none_is_refused() -> None:
    number: Any = 7.0
    assert_refused(
        lambda: packings.random(5, domain=number), "domain must be", "7.0", error=TypeError
    )


def test_packings_with_a_box_of_their_own_are_what_they_were() -> None:
    particles, box = packings.random(5, 0.3, seed=1)
    assert box.lengths[0] == pytest.approx(2.0588077321755587, rel=1e-13)
    last = [1.5631878597082296, 1.2290829556162486, 1.8893519148211164]
    assert particles.position[-1] == pytest.approx(last, rel=1e-13)
    assert particles.velocity[-1, 0] == pytest.approx(-0.8709136069634755, rel=1e-12)
    particles, box = packings.lattice(32, 0.3, seed=1)
    last = [2.389034745055431, 3.344648643077603, 3.344648643077603]
    assert particles.position[-1] == pytest.approx(last, rel=1e-13)
    assert particles.velocity[-1, 0] == pytest.approx(0.032648792779721686, rel=1e-12)
