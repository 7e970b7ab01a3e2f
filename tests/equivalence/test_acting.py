"""After an act all algorithms find the collisions that the simple one finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from starts import ALGORITHMS, STARTS, Start

import carom

FAST = [algorithm for algorithm in ALGORITHMS if algorithm != "simple"]
ACTORS = [
    carom.RandomKicks(strength=0.3, every=0.1),
    carom.AndersenThermostat(temperature=1.5, every=0.07, rate=2.0),
]


def acted_upon(start: Start, algorithm: str) -> tuple[carom.Simulation, Any]:
    log = carom.CollisionLog()
    method = carom.EventDriven(algorithm=algorithm)
    simulation = carom.Simulation(
        start.make(2), method=method, actors=ACTORS, observers=[log], seed=3
    )
    simulation.run(until=1.0)  # 10 and 14 acts, some four collisions of a particle
    return simulation, log


@pytest.mark.parametrize(
    "start", [start for start in STARTS if not start.resting], ids=lambda start: start.name
)
def test_collisions_between_acts_agree(start: Start) -> None:
    expected, expected_log = acted_upon(start, "simple")
    assert expected.counts.collisions > 10
    for algorithm in FAST:
        found, log = acted_upon(start, algorithm)
        np.testing.assert_array_equal(log["i"], expected_log["i"], err_msg=algorithm)
        np.testing.assert_array_equal(log["j"], expected_log["j"], err_msg=algorithm)
        # Rounding grows some tenfold in each of the few collisions of a particle; the other tests
        # of algorithms allow the same.
        np.testing.assert_allclose(log["time"], expected_log["time"], rtol=0.0, atol=1e-9)
        np.testing.assert_allclose(
            found.particles.velocity, expected.particles.velocity, rtol=0.0, atol=1e-9
        )
        assert found.work_done == pytest.approx(expected.work_done, abs=1e-7)
