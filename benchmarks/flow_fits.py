"""Power laws through the results of flows_2001.py, and those that the paper gives."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np


class Power(NamedTuple):
    """factor · x^exponent."""

    factor: float
    exponent: float

    def __call__(self, x: Any) -> Any:
        """Its value."""
        return self.factor * np.asarray(x, dtype=float) ** self.exponent

    def told(self, x: str) -> str:
        """In words, with the name of the variable."""
        return f"{self.factor:.3g} {x}^{self.exponent:.2f}"


# Figures 17 and 21.
COLLISIONS_TAYLOR_GREEN = Power(2.85, 1.61)
TRANSFERS_TAYLOR_GREEN = Power(4.32, 1.02)
TRANSFERS_TURBULENCE = Power(1.39, 1.04)
# From so many disks on, the paper's fits of turbulence: the second half of its points.
SECOND_HALF = 100_000


def fitted(x: Sequence[float], y: Sequence[float]) -> Power:
    """The power law through points, a line through their logarithms; NaN through fewer than two."""
    if len(x) < 2:
        return Power(math.nan, math.nan)
    exponent, constant = np.polyfit(np.log(x), np.log(y), 1)
    return Power(math.exp(constant), float(exponent))


def series(results: Mapping[str, Any], scheme: str) -> list[Any]:
    """The runs with a scheme, from the smallest to the largest."""
    found = [run for name, run in results.items() if name.startswith(f"{scheme}, ")]
    return sorted(found, key=lambda run: run["n"])


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


def local_exponents(runs: Sequence[Any], name: str = "collisions") -> list[float]:
    """b of a quantity ∝ n^b between each run and the one before; NaN for the first."""
    n, values = np.log(column(runs, "n")), np.log(column(runs, name))
    return [math.nan, *(np.diff(values) / np.diff(n)).tolist()]


def mean_collision_time(run: Mapping[str, Any]) -> float:
    """The paper's τ_c = n T / 2 n_c."""
    return float(run["n"] * run["time"] / (2.0 * run["collisions"]))
