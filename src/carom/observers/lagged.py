"""What two looks some time apart say of each other, over many origins of time."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.checks import check_positive, check_whole
from carom.observers.summed import SummedObserver
from carom.particles import Array
from carom.statistics.blocks import MOST_ROWS, Blocks
from carom.statistics.plain_arrays import array_from, plain
from carom.types import Plain

MOST_LEVELS = 32  # with the most lags, in looks, a 64-bit number holds the longest


class LaggedObserver(SummedObserver):
    """Compares each look with earlier ones, up to ``lags`` looks ago; every look is an origin.

    With several ``levels`` each has frames twice as far apart as the one before, so that lags reach
    2^(levels − 1) times as far for little more (Frenkel & Smit 2002, section 4.4.2). What is kept
    are ``lags`` frames of each level and the sums of up to 32 blocks of the run, from which errors
    come: it should last much longer than the longest lag. A checkpoint keeps them.

    A subclass says what a ``frame`` is, and what comes from two of them.
    """

    needs_the_same = "it compares looks at the same particles, or sums of them in equilibrium"

    def __init__(self, every: float, lags: int = 50, levels: int = 1) -> None:
        super().__init__(every)
        check_positive(f"{type(self).__name__}: every", every)  # a lag is a finite time
        check_whole(f"{type(self).__name__}: lags", lags, 2, MOST_ROWS)
        check_whole(f"{type(self).__name__}: levels", levels, 1, MOST_LEVELS)
        self._lags, self._levels = int(lags), int(levels)
        self._steps = _steps(self._lags, self._levels)
        self._frames: list[list[Array]] = [[] for _ in range(self._levels)]
        self._origins = 0

    def settings(self) -> Plain:
        """The schedule and how far back is looked."""
        return super().settings() | {"lags": self._lags, "levels": self._levels}

    def frame(self, simulation: Any) -> Array:
        """What is kept of a look."""
        raise NotImplementedError

    def compare(self, before: Array, now: Array) -> Array:
        """What two frames say, an array of the same shape each time."""
        raise NotImplementedError

    @property
    def time(self) -> Array:
        """The lags, as times from 0 on."""
        return np.asarray(self.every * self._steps)

    def observe(self, simulation: Any) -> None:
        """Compare with the frames that are kept, and keep this one."""
        now = self.frame(simulation)
        same = self.compare(now, now)
        if self._blocks is None:
            self._blocks = Blocks((len(self._steps), *np.shape(same)))
        values = np.zeros((len(self._steps), *np.shape(same)))
        seen = np.zeros(len(self._steps))
        values[0], seen[0] = same, 1.0
        place = 1
        for level, frames in enumerate(self._frames):
            first = 1 if level == 0 else self._lags // 2 + 1
            if self._origins % 2**level == 0:
                for lag in range(first, len(frames) + 1):
                    values[place + lag - first] = self.compare(frames[-lag], now)
                    seen[place + lag - first] = 1.0
                frames.append(now)
                del frames[: -self._lags]
            place += self._lags - first + 1
        self._origins += 1
        self._blocks.add(values, seen.reshape(-1, *(1,) * np.ndim(same)))

    def clear(self) -> None:
        """Forget what was seen so far, once a system has settled, say."""
        super().clear()
        self._frames = [[] for _ in range(self._levels)]
        self._origins = 0

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Begin anew, or with the frames and sums of a checkpoint."""
        super().begin(simulation, state)
        if state is not None:
            self._frames = [list(array_from(frames)) for frames in state["frames"]]
            self._origins = state["origins"]

    def state(self) -> Plain:
        """The schedule, the frames and the sums."""
        return super().state() | {
            "frames": [plain(np.array(frames)) for frames in self._frames],
            "origins": self._origins,
        }


def _steps(lags: int, levels: int) -> Any:
    """The lags of all levels in looks; the lower half of a level is in the one below."""
    steps = [np.arange(lags + 1)]
    for level in range(1, levels):
        steps.append(2**level * np.arange(lags // 2 + 1, lags + 1))
    return np.concatenate(steps)
