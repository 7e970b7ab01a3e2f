"""Few particles in boxes that are far larger than they are, and in no box at all."""

from __future__ import annotations

import pytest

import carom

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
