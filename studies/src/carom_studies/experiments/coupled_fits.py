"""What is published of coupled runs, in numbers, and what is read off ours."""

from __future__ import annotations

import numpy as np

from carom.particles import Array
from carom_studies.experiments.laden_flows import TAYLOR_GREEN, TURBULENCE
from carom_studies.fits import Power, Values

# Fig. 26: collisions up to t = 10.
COLLISIONS = {TAYLOR_GREEN: Power(0.24, 1.87), TURBULENCE: Power(0.78, 1.33)}
# Fig. 27: b of the costs ~ n^b log n of the collisions and of the fluid.
COSTS = {
    TAYLOR_GREEN: {"collision": 1.92, "fluid": 1.68},
    TURBULENCE: {"collision": 1.67, "fluid": 1.63},
}
# An energy that no forcing reaches without an instability; the Taylor–Green flow has 0.25.
BLOWN_UP = 0.3


def with_logarithm(n: Values, cost: Values) -> Array:
    """cost / log n, of which a power law is the published form."""
    return np.asarray(cost, dtype=float) / np.log(np.asarray(n, dtype=float))


def first_above(times: Values, values: Values, limit: float) -> float | None:
    """The first time at which a value exceeds a limit."""
    found = np.flatnonzero(np.asarray(values) > limit)
    return float(np.asarray(times)[found[0]]) if len(found) else None


def outbursts(energy: Values) -> int:
    """How often the energy of a fluid rises above what forcing can do."""
    above = np.asarray(energy) > BLOWN_UP
    return int((above[1:] & ~above[:-1]).sum())
