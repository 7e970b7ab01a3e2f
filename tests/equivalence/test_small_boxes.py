"""Boxes so small that particles meet several images of each other."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
import pytest
from oracle import Oracle, assert_same_events, rounding_grown
from starts import ALGORITHMS, logged, mixture

import carom

LAW = carom.ConstantRestitution(0.9)
EVENTS = 40


class Small(NamedTuple):
    """A small box: side lengths in diameters, periodic axes, particles, a rattler among them."""

    name: str
    lengths: tuple[float, ...]
    n: int
    periodic: str = "xyz"
    rattler: float = 0.0  # radius of a last particle, in the gap between the others' images

    def system(self) -> carom.System:
        dimension = len(self.lengths)
        domain = carom.Box(self.lengths, self.periodic[:dimension])
        rng = np.random.default_rng(5)
        if not self.rattler:
            particles = mixture(self.n, domain, rng, dimension, spread=0.0)
            return carom.System(particles, domain, law=LAW)
        position = np.array([np.zeros(dimension), np.array(self.lengths) / 2.0])
        velocity = rng.normal(size=(2, dimension))
        particles = carom.Particles(position, velocity, [0.5, self.rattler], [2.0, 1.0])
        return carom.System(particles, domain, law=LAW)


BOXES = (
    Small("rattler 2D", (1.01, 1.01), 2, rattler=0.2),
    Small("channel 2D", (1.01, 3.5), 3),
    Small("two cells 2D", (2.3, 2.1), 3),
    Small("three cells 2D", (3.3, 3.05), 6),
    Small("four cells 2D", (4.05, 4.01), 9),
    Small("between walls 2D", (1.4, 3.1), 2, "x"),
    Small("rattler 3D", (1.01, 1.02, 1.03), 2, rattler=0.3),
    Small("one and two cells 3D", (1.3, 2.2, 2.1), 3),
    Small("three cells 3D", (3.1, 3.2, 3.05), 20),
    Small("between walls 3D", (2.1, 1.2, 2.4), 3, "xy"),
)


def cell_choices(system: carom.System) -> list[int | None]:
    """Every number of cells along the longest side that the particles allow, and the default."""
    assert system.sides is not None
    most = int(max(system.sides) / (2.0 * system.particles.radius.max()))
    return [None, *range(1, most + 1)]


@pytest.mark.parametrize("box", BOXES, ids=lambda box: box.name)
def test_events_are_those_of_the_oracle_with_all_images(box: Small) -> None:
    system = box.system()
    expected = Oracle(system).events(EVENTS)
    tolerance = rounding_grown(system, expected)
    logs = {algorithm: logged(system, algorithm, collisions=EVENTS)[1] for algorithm in ALGORITHMS}
    for cells in cell_choices(system):
        logs[f"heap, {cells} cells"] = logged(
            system, "heap", cells_per_side=cells, collisions=EVENTS
        )[1]
    for name, log in logs.items():
        assert_same_events(log, expected, tolerance, name)


def replicated(system: carom.System, copies: int) -> carom.System:
    """The same periodic system with so many copies of the box along each axis."""
    start, dimension = system.particles, system.dimension
    sides = np.array(system.sides)
    shifts = [sides * k for k in itertools.product(range(copies), repeat=dimension)]
    particles = carom.Particles(
        np.concatenate([start.position + shift for shift in shifts]),
        np.tile(start.velocity, (len(shifts), 1)),
        np.tile(start.radius, len(shifts)),
        np.tile(start.mass, len(shifts)),
    )
    return carom.System(particles, carom.Periodic(tuple(copies * sides)), law=system.law)


@pytest.mark.parametrize("name", ["two cells 2D", "rattler 3D"])
@pytest.mark.parametrize("algorithm", ["simple", "heap"])
def test_replicas_of_the_box_do_the_same_at_the_same_time(name: str, algorithm: str) -> None:
    """Each collision in the small box is one collision in every copy, at the same time."""
    system = next(box for box in BOXES if box.name == name).system()
    n, copies = len(system.particles), 3**system.dimension
    collisions = 4 * n
    alone = logged(system, algorithm, collisions=collisions)[1]
    many = logged(replicated(system, 3), "heap", collisions=collisions * copies)[1]
    for k in range(collisions):
        block = slice(k * copies, (k + 1) * copies)
        assert np.abs(many["time"][block] - alone["time"][k]).max() < 1e-9
        # The partners in the copies of a collision are images of the same two particles.
        i, j = many["i"][block], many["j"][block]
        assert {frozenset(pair) for pair in zip(i % n, j % n, strict=True)} == {
            frozenset((alone["i"][k], alone["j"][k]))
        }
        taking_part = np.concatenate([i, j])
        assert len(np.unique(taking_part)) == 2 * copies


def test_a_lone_particle_flies_through_all_images_of_its_box() -> None:
    for dimension, algorithm in itertools.product((2, 3), ALGORITHMS):
        velocity = np.array([[0.3, -1.7, 0.9]])[:, :dimension]
        particles = carom.Particles(np.full((1, dimension), 0.2), velocity)
        system = carom.System(particles, carom.Periodic(1.01), law=LAW)
        simulation, log = logged(system, algorithm, until=100.0)
        assert len(log) == 0
        # A boundary is crossed every 0.4 time units; each crossing rounds a coordinate below 2.
        flown = simulation.particles.unwrapped - particles.position
        crossings = simulation.counts.transfers
        np.testing.assert_allclose(
            flown, 100.0 * velocity, rtol=4.0 * np.finfo(float).eps, atol=crossings * 2.0**-52
        )


def between_two_images(mover: int) -> carom.System:
    """A disk that comes down exactly between two images of another, after meeting a wall."""
    position: list[Any] = [[0.0, 1.0], [0.0, 1.0]]
    velocity: list[Any] = [[0.0, 0.0], [0.0, 0.0]]
    position[mover], velocity[mover] = [0.9, 2.0], [0.0, 1.0]
    box = carom.Box([1.8, 3.0], "x", restitution=1.0)
    return carom.System(carom.Particles(position, velocity), box, law=LAW)


@pytest.mark.parametrize("mover", [0, 1])
def test_both_images_are_met_at_once(mover: int) -> None:
    """Contacts at the same moment with two images: at 0.5 + 1.5 - sqrt(1 - 0.9²)."""
    contact = 2.0 - np.sqrt(0.19)
    for algorithm in ALGORITHMS:
        simulation, log = logged(between_two_images(mover), algorithm, until=contact + 0.01)
        met = log["j"] >= 0
        assert np.abs(log["time"][met] - contact).max() < 1e-14
        assert set(np.sign(log["separation"][met][:, 0])) == {-1.0, 1.0}
        velocity = simulation.particles.velocity[0] - simulation.particles.velocity[1]
        assert (log["separation"][met] @ velocity > 0.0).all()


@pytest.mark.parametrize("mover", [0, 1])
def test_algorithms_choose_the_same_of_two_images_first(mover: int) -> None:
    system = between_two_images(mover)
    expected = logged(system, "simple", until=2.0)[1]
    for algorithm in ALGORITHMS:
        log = logged(system, algorithm, until=2.0)[1]
        np.testing.assert_array_equal(
            np.sign(log["separation"][:, 0]), np.sign(expected["separation"][:, 0]), algorithm
        )
