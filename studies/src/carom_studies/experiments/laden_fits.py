"""Power laws through runs of disks in a flow, and those that the paper gives.

Sigurgeirsson, Stuart & Wan 2001, section 2.3; a run is what ``laden_flows.outcome`` keeps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from carom_studies.fits import Power, fitted

# Figures 17 and 21.
COLLISIONS_TAYLOR_GREEN = Power(2.85, 1.61)
TRANSFERS_TAYLOR_GREEN = Power(4.32, 1.02)
TRANSFERS_TURBULENCE = Power(1.39, 1.04)
# From so many disks on, the paper's fits of turbulence: the second half of its points.
SECOND_HALF = 100_000
# The paper gives the exponent, and "more than 1 million" collisions of 200,000 disks.
COLLISIONS_TURBULENCE = Power(1.05e6 / 200_000**0.82, 0.82)


def column(runs: Sequence[Any], name: str) -> np.ndarray:
    """One quantity of all runs."""
    return np.array([run[name] for run in runs], dtype=float)


def cells_times_disks(runs: Sequence[Any]) -> np.ndarray:
    """n m of all runs."""
    return column(runs, "n") * column(runs, "cells")


def collisions_fit(runs: Sequence[Any]) -> Power:
    """n_c = a n^b."""
    return fitted(column(runs, "n"), column(runs, "collisions"))


def transfers_fit(runs: Sequence[Any]) -> Power:
    """n_t = a (n m)^b."""
    return fitted(cells_times_disks(runs), column(runs, "transfers"))


def cost_fit(runs: Sequence[Any], against: str, over_log: bool) -> Power:
    """The processor time, over log n or not, as a power of a quantity."""
    n = column(runs, "n")
    cost = column(runs, "seconds") / (np.log(n) if over_log else 1.0)
    return fitted(column(runs, against), cost)


def mean_collision_time(run: Mapping[str, Any]) -> float:
    """The paper's τ_c = n T / 2 n_c."""
    return float(run["n"] * run["time"] / (2.0 * run["collisions"]))
