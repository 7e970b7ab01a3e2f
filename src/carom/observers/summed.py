"""What observers share that sum up arrays, with errors from blocks of looks."""

from __future__ import annotations

from typing import Any

from carom.observers.curve import Curve
from carom.observers.observer import Observer
from carom.statistics.blocks import Blocks
from carom.types import Plain


class SummedObserver(Observer):
    """Sums of arrays in up to 32 blocks of looks; a checkpoint keeps them."""

    keeps = True

    def __init__(self, every: float) -> None:
        super().__init__(every)
        self._blocks: Blocks | None = None

    @property
    def blocks(self) -> Blocks:
        """The sums over the run, from which means and errors come."""
        if self._blocks is None:
            raise ValueError(f"{type(self).__name__} has not looked yet; run the simulation first.")
        return self._blocks

    def clear(self) -> None:
        """Forget what was seen so far, once a system has settled, say."""
        self._blocks = None

    def curve(self) -> Curve:
        """What ``plotting.measured`` draws."""
        raise NotImplementedError

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Begin anew, or with the sums of a checkpoint."""
        super().begin(simulation, state)
        if state is not None:
            kept = state["sums"]
            self._blocks = None if kept is None else Blocks.from_state(kept)

    def state(self) -> Plain:
        """The schedule and the sums."""
        return super().state() | {"sums": None if self._blocks is None else self._blocks.state()}
