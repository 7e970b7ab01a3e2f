"""Order and times of the events, confirmed in 50 digits."""

from __future__ import annotations

import pytest
from oracle import Oracle, assert_same_events, rounding_grown
from starts import ALGORITHMS, WALLS, Start, in_domain, logged

import carom

EVENTS = 60

FEW = (
    Start("periodic 2D", in_domain(carom.Periodic([4.0, 5.0]), 8, 2)),
    Start("walls 2D", in_domain(carom.Box([5.0, 4.5], restitution=WALLS), 9, 2)),
    Start("gravity 2D", in_domain(carom.Box(5.0, "x", WALLS), 10, 2, gravity=[0.1, -1.0])),
    Start("periodic 3D", in_domain(carom.Periodic([3.0, 3.2, 2.9]), 12, 3, 0.8)),
    Start(
        "gravity 3D",
        in_domain(carom.Box([2.5, 3.0, 4.0], "xy", WALLS), 10, 3, gravity=[0.2, 0.0, -1.0]),
    ),
)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("start", FEW, ids=lambda start: start.name)
def test_events_are_those_of_the_oracle(start: Start, seed: int) -> None:
    system = start.make(seed)
    expected = Oracle(system).events(EVENTS)
    tolerance = rounding_grown(system, expected)
    for algorithm in ALGORITHMS:
        log = logged(system, algorithm, collisions=EVENTS)[1]
        assert_same_events(log, expected, tolerance, algorithm)
