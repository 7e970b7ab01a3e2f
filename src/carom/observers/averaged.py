"""What each look finds, averaged over looks."""

from __future__ import annotations

from typing import Any

from carom.observers.summed import SummedObserver
from carom.particles import Array
from carom.statistics.blocks import Blocks


class AveragedObserver(SummedObserver):
    """Averages what each look finds; a subclass says what that is."""

    def found(self, simulation: Any) -> Array:
        """What one look finds, an array of the same shape each time."""
        raise NotImplementedError

    def observe(self, simulation: Any) -> None:
        """Add what there is now."""
        values = self.found(simulation)
        if self._blocks is None:
            self._blocks = Blocks(values.shape)
        self._blocks.add(values)
