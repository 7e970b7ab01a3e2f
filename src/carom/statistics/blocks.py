"""Means over a run and their errors, from averages over blocks of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from carom.particles import Array
from carom.statistics.plain_arrays import array_from, plain
from carom.types import Plain

# The error is then itself known to 13 to 18 %: there are half as many after two and two are joined.
MOST_BLOCKS = 32
# Of lags, bins or layers: more are beyond any memory, as each has sums in all blocks.
MOST_ROWS = 1 << 20


class Estimate(NamedTuple):
    """A value and its standard error, numbers or arrays of one shape."""

    value: Any
    error: Any


class Blocks:
    """Weighted sums of arrays of one shape, kept apart for up to 32 blocks of equally many looks.

    When there are so many, two and two are joined and blocks are twice as long from then on: a run
    of any length needs the same memory. Errors are right when blocks are much longer than what is
    measured remembers.
    """

    def __init__(self, shape: Sequence[int]) -> None:
        self._sums = np.zeros((MOST_BLOCKS, *shape))
        self._weights = np.zeros((MOST_BLOCKS, *shape))
        self._complete = 0  # blocks
        self._looks = 0  # in the block that is being filled
        self._length = 1

    def add(self, values: Any, weights: Any = 1.0) -> None:
        """Add what one look has found: sums, and the weights of which they are the sums."""
        self._sums[self._complete] += values
        self._weights[self._complete] += weights
        self._looks += 1
        if self._looks == self._length:
            self._looks = 0
            self._complete += 1
        if self._complete == MOST_BLOCKS:
            self._join()

    def _join(self) -> None:
        half = MOST_BLOCKS // 2
        for sums in (self._sums, self._weights):
            sums[:half] = sums[0::2] + sums[1::2]
            sums[half:] = 0.0
        self._complete = half
        self._length *= 2

    @property
    def mean(self) -> Array:
        """The mean of all that was added; NaN where nothing was."""
        return _ratio(self._sums.sum(axis=0), self._weights.sum(axis=0))

    def estimate(self, function: Callable[[Array], Any]) -> Estimate:
        """A function of the mean, and its standard error.

        The error is that of the jackknife (Miller, Biometrika 61, 1, 1974): the function of the
        means without one block each. With fewer than two complete blocks it is NaN.
        """
        value = function(self.mean)
        blocks = self._complete
        if blocks < 2:
            return Estimate(value, np.full(np.shape(value), math.nan)[()])
        total, weight = self._sums.sum(axis=0), self._weights.sum(axis=0)
        without = [
            function(_ratio(total - self._sums[k], weight - self._weights[k]))
            for k in range(blocks)
        ]
        spread = np.asarray(without) - np.mean(without, axis=0)
        return Estimate(value, np.sqrt((blocks - 1) / blocks * (spread**2).sum(axis=0)))

    @property
    def error(self) -> Array:
        """The standard error of the mean."""
        return np.asarray(self.estimate(np.asarray).error)

    def state(self) -> Plain:
        """All that ``from_state`` needs, as plain data."""
        counts = {"complete": self._complete, "looks": self._looks, "length": self._length}
        return counts | {"sums": plain(self._sums), "weights": plain(self._weights)}

    @classmethod
    def from_state(cls, state: Plain) -> Blocks:
        """The sums as they were."""
        sums, weights = array_from(state["sums"]), array_from(state["weights"])
        blocks = cls(sums.shape[1:])
        blocks._sums, blocks._weights = sums, weights
        blocks._complete, blocks._looks = state["complete"], state["looks"]
        blocks._length = state["length"]
        return blocks


def _ratio(above: Array, below: Array) -> Array:
    return np.divide(above, below, out=np.full_like(above, math.nan), where=below != 0.0)
