"""Particles in a Taylor–Green flow: numbers of events, whatever the cells."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import carom
from carom.fluids import TaylorGreen

FRACTION = 0.05
FACTOR = 35.0  # relaxation time over radius


def counts(n: int, until: float, seed: int = 1, **options: Any) -> Any:
    radius = math.sqrt(FRACTION / (math.pi * n))
    particles, _ = carom.packings.random(
        n, FRACTION, dimension=2, radius=radius, temperature=0.0, seed=seed
    )
    method = carom.Laden(TaylorGreen(), 0.01, carom.PowerOfRadius(FACTOR, exponent=1.0), **options)
    system = carom.System(particles, carom.Periodic((1.0, 1.0)))
    simulation = carom.Simulation(system, method=method)
    simulation.run(until=until)
    return simulation.counts


def test_later_counts_do_not_depend_on_where_is_looked() -> None:
    """Chaos parts the runs, but not their statistics: five starts each give the scatter."""
    ways: list[dict[str, Any]] = [
        {"algorithm": "cells", "cells_per_side": 20},
        {"algorithm": "cells", "cells_per_side": 60},
        {"algorithm": "lines"},
    ]
    found = np.array(
        [[counts(400, 2.0, seed, **way).collisions for seed in range(5)] for way in ways]
    )
    assert found.min() > 3000
    scatter = found.std(axis=1, ddof=1).max() / math.sqrt(5)
    # Five standard errors of a difference of two means.
    assert np.ptp(found.mean(axis=1)) < 5.0 * math.sqrt(2.0) * scatter


@pytest.mark.slow
def test_ten_thousand_as_in_the_paper() -> None:
    """About 7.5 million collisions up to t = 10 (Sigurgeirsson, Stuart & Wan 2001, section 2.3).

    With the two parameters that the paper does not give, an independent program found 7.57 million
    collisions and 5.64 n m transfers with m = 3 √n cells a side; starts differ by 0.1 %.
    """
    found = counts(10_000, 10.0, algorithm="cells", cells_per_side=300)
    assert found.collisions == pytest.approx(7.57e6, rel=0.01)
    assert found.transfers == pytest.approx(5.64 * 10_000 * 300, rel=0.01)
