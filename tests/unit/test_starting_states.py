"""Starting states that overlap are refused; states that touch, in whatever number, are not."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from refusals import assert_refused

import carom


def simulation(position: Any, domain: Any = None, radius: Any = 0.5, **forces: Any) -> Any:
    particles = carom.Particles(position, radius=radius)
    return carom.Simulation(carom.System(particles, domain or carom.Open(), **forces))


def test_overlaps_are_refused_and_the_worst_is_named() -> None:
    row = [[0.0, 0.0], [0.95, 0.0], [1.75, 0.0], [3.0, 0.0]]
    assert_refused(
        lambda: simulation(row),
        "particles 1 and 2 overlap by 0.2",
        "No overlap is deeper",
        "Move them apart",
    )


def test_overlaps_with_images_are_refused() -> None:
    corners = [[0.25, 0.25], [9.75, 9.75]]
    depth = 1.0 - math.sqrt(0.5)
    assert_refused(
        lambda: simulation(corners, carom.Periodic(10.0)), "particles 0 and 1", f"{depth:.3g}"
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_worst_of_many_overlaps_is_named(seed: int) -> None:
    rng = np.random.default_rng(seed)
    position, radius = rng.uniform(0.0, 6.0, (60, 3)), rng.uniform(0.2, 0.8, 60)
    apart = position[:, None] - position[None]
    apart -= np.round(apart / 6.0) * 6.0
    depth = radius[:, None] + radius[None] - np.linalg.norm(apart, axis=2)
    depth[np.tril_indices(60)] = -1.0
    i, j = np.unravel_index(depth.argmax(), depth.shape)
    assert_refused(
        lambda: simulation(position, carom.Periodic(6.0), radius),
        rf"particles {i} and {j} overlap by {depth[i, j]:.3g} ",
    )


def test_particles_in_walls_are_refused() -> None:
    box = carom.Box(10.0)
    for place in ([9.75, 5.0], [12.0, 5.0], [-30.0, 5.0]):
        depth = 0.5 - min(place[0], 10.0 - place[0])
        assert_refused(
            lambda place=place: simulation([[5.0, 5.0], place], box),
            "particle 1",
            f"by {depth:.3g}",
            "wall",
            "away from the wall",
        )
    slanted = carom.Plane([5.0, 5.0], [3.0, 4.0])
    assert_refused(lambda: simulation([[5.1, 5.1]], walls=[slanted]), "particle 0", "by 0.36")


def test_touching_particles_and_walls_are_legal() -> None:
    touching = [[0.5, 0.5], [1.5, 0.5], [9.5, 0.5], [9.5, 1.5]]
    particles = carom.Particles(touching, [[1.0, 0.0], [-1.0, 0.0], [0.0, -1.0], [0.0, -2.0]])
    law = carom.ConstantRestitution(1.0)
    walled = carom.Simulation(carom.System(particles, carom.Box(10.0), law=law))
    walled.run(until=20.0)
    assert walled.energy == pytest.approx(3.5, rel=1e-13)


@pytest.mark.parametrize("make", [carom.packings.lattice, carom.packings.random])
def test_a_dimension_that_is_no_whole_number_is_refused(make: Any) -> None:
    assert_refused(lambda: make(10, 0.2, dimension=2.0), "dimension must be 2 or 3, not 2.0")


@pytest.mark.parametrize(
    ("n", "dimension", "densest"), [(64, 2, math.pi / 12**0.5), (32, 3, math.pi / 18**0.5)]
)
def test_the_densest_packing_is_legal(n: int, dimension: int, densest: float) -> None:
    """Every particle touches all its neighbours; nothing can move far, but it can start."""
    particles, box = carom.packings.lattice(n, densest, dimension=dimension, seed=1, crystal=True)
    law = carom.ConstantRestitution(1.0)
    jammed = carom.Simulation(carom.System(particles, box, law=law))
    energy = jammed.energy
    jammed.run(collisions=100)
    assert jammed.energy == pytest.approx(energy, rel=1e-12)
    moved = np.linalg.norm(jammed.particles.unwrapped - particles.position, axis=1)
    assert moved.max() < 1e-6


@pytest.mark.parametrize(("side", "rounds"), [(40, 5), (8, 201)])
def test_exactly_simultaneous_collisions_of_a_whole_lattice(side: int, rounds: int) -> None:
    """Columns of a square lattice fly at each other in turn; all numbers are exact.

    All pairs of neighbours meet at 1/2, 3/2, ...; velocities are swapped exactly.
    """
    x, y = np.meshgrid(np.arange(side), np.arange(side), indexing="ij")
    position = np.column_stack([2.0 * x.ravel() + 0.5, 2.0 * y.ravel() + 0.5])
    velocity = np.column_stack([1.0 - 2.0 * (x.ravel() % 2), np.zeros(side**2)])
    system = carom.System(
        carom.Particles(position, velocity),
        carom.Periodic(2.0 * side),
        law=carom.ConstantRestitution(1.0),
    )
    run = carom.Simulation(system)
    run.run(until=float(rounds))
    assert run.counts.collisions == rounds * side**2 // 2
    assert run.particles.velocity.tolist() == (-velocity).tolist()
    assert run.particles.position.tolist() == position.tolist()


@pytest.mark.parametrize(("dimension", "melts", "stays"), [(2, 0.69, 0.70), (3, 0.49, 0.50)])
def test_a_lattice_that_does_not_melt_is_warned_of(
    dimension: int, melts: float, stays: float
) -> None:
    """A crystal has the pressure of a crystal: at .5 it is 9.5 n T / V, that of the fluid 13.0."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        carom.packings.lattice(32, melts, dimension=dimension)
        carom.packings.lattice(32, stays, dimension=dimension, crystal=True)
    with pytest.warns(carom.CaromWarning, match="does not melt.*packings.grow.*crystal=True"):
        carom.packings.lattice(32, stays, dimension=dimension)


def test_a_lattice_that_is_refused_is_not_warned_of() -> None:
    with warnings.catch_warnings(), pytest.raises(ValueError, match="n=32 fills it"):
        warnings.simplefilter("error")
        carom.packings.lattice(20, 0.7)


def test_a_single_particle_is_packed_without_a_word() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        particles, _ = carom.packings.random(1, 0.1, seed=1)
        assert particles.volume == pytest.approx(math.pi / 6.0)


def test_what_random_addition_does_not_reach_is_left_to_growth() -> None:
    with pytest.raises(ValueError, match=r"packings\.grow") as refusal:
        carom.packings.random(100, 0.5)
    assert "lattice" not in str(refusal.value)
