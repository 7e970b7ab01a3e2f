"""What Einstein's form asks of an integral of a flux: how its changes spread with the lag."""

from __future__ import annotations

from carom.observers.lagged import LaggedObserver
from carom.particles import Array
from carom.statistics.blocks import Estimate
from carom.statistics.slopes import part_between, slope
from carom.types import Plain


class SpreadingObserver(LaggedObserver):
    """Measures a transport coefficient: the slope of the spread, in units of the coefficient."""

    _thermal: float  # what the squares of changes are divided by, beside 2; it is kept

    @property
    def spread(self) -> Array:
        """The mean square of the change at each lag, in these units."""
        return self.blocks.mean

    @property
    def error(self) -> Array:
        """Its standard error."""
        return self.blocks.error

    def _slope(self, start: float | None, end: float | None) -> Estimate:
        """The slope between two lags: left out, between half the longest and the longest."""
        part, time = part_between(self.time, start, end), self.time
        return self.blocks.estimate(lambda mean: slope(time[part], mean[part]))

    def state(self) -> Plain:
        """The schedule, the frames and the sums."""
        return super().state() | {"thermal": self._thermal}
