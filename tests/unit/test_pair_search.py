"""The search by vectors and its plain twin agree to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

import carom
from carom.compiled.entry_points import entry_point
from carom.methods.event_driven.fast.pair_search import (
    NearestImage,
    Seeker,
    earliest_contact,
    one_by_one,
)
from carom.methods.event_driven.world import position_at, velocity_at

N, TIME = 300, 0.25


@entry_point
def both(world, images, candidates, number, i, shift, at_edge):
    """What the two searches find."""
    x, v = position_at(world, i, TIME), velocity_at(world, i, TIME)
    seeker = Seeker(
        i=i, position=x, velocity=v, time=TIME, images=images, shift=shift, at_edge=at_edge
    )
    vectors = earliest_contact(world.detection, world, seeker, candidates, number)
    return vectors, one_by_one(world.motion, world, seeker, candidates, number)


@pytest.mark.parametrize(
    ("gravity", "rate"),
    [(None, 0.0), ([0.1, 0.2, -0.3], 0.0), (None, 3.0)],
    ids=["free", "gravity", "sheared"],
)
def test_vectors_agree_with_the_plain_loop(gravity, rate) -> None:
    rng = np.random.default_rng(0)
    particles, box = carom.packings.random(N, 0.2, temperature=1.0, seed=1)
    particles = carom.Particles(
        particles.position, particles.velocity, particles.radius * rng.uniform(0.8, 1.0, N)
    )
    domain = carom.LeesEdwards(box.lengths, rate) if rate else box
    system = carom.System(particles, domain, gravity=gravity)
    world = carom.Simulation(system)._engine.world
    world.bodies.record.time = rng.uniform(-0.1, 0.2, N)
    side = system.sides[0]
    nearest = NearestImage((side,) * 3, (1.0 / side,) * 3)
    none = NearestImage((0.0,) * 3, (0.0,) * 3)
    meetings = overlaps = 0
    for i in range(N):
        number = int(rng.integers(0, 60))
        candidates = np.full(number + 8, i, dtype=np.int32)
        candidates[:number] = rng.permutation(N)[:number]
        for images, shift in ((nearest, (0.0, 0.0, 0.0)), (none, (side, 0.0, -side))):
            vectors, plain = both(world, images, candidates, number, i, shift, 1)
            assert vectors[0] == plain[0]
            if np.isfinite(plain[0]):
                meetings += 1
                overlaps += plain[0] == 0.0
                assert vectors[1] == plain[1]
    # Particles at other times than their own overlap here and there; both kinds are covered.
    assert meetings > 100
    assert overlaps > 0


def test_of_equal_times_the_first_is_found() -> None:
    """Four spheres at the same distance in front of, behind and beside a fifth that is at rest."""
    directions = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]]
    position = np.array([[0.0, 0.0, 0.0], *(3.0 * np.array(directions))])
    velocity = np.array([[0.0, 0.0, 0.0], *(-1.0 * np.array(directions))])
    system = carom.System(carom.Particles(position, velocity), carom.Open())
    world = carom.Simulation(system)._engine.world
    names = world.bodies.ledger.name
    zero = (0.0, 0.0, 0.0)
    i = int(np.flatnonzero(names == 0)[0])
    others = np.flatnonzero(names != 0).astype(np.int32)
    for order in (others, others[::-1]):
        candidates = np.full(16, i, dtype=np.int32)
        candidates[8:12] = order  # the second group of eight
        vectors, plain = both(world, NearestImage(zero, zero), candidates, 12, i, zero, 0)
        assert vectors == plain
        assert vectors == (2.0 - TIME, 8)
