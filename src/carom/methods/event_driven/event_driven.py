"""The event-driven method and its choices."""

from __future__ import annotations

from dataclasses import dataclass

from carom.methods.event_driven.engine import DETECTIONS, EventDrivenEngine
from carom.system import System

ALGORITHMS = ("auto", "cells", "lists", "heap", "collision_list", "simple")


@dataclass(frozen=True)
class EventDriven:
    """Exact event-driven dynamics of hard particles.

    - ``algorithm``: ``"auto"`` takes ``"lists"`` (neighbour lists) for dense fluids and ``"cells"``
      for everything else, and in a long run changes to the other if the counts of events call for
      it; ``"heap"`` (cells and a heap, as published by Sigurgeirsson, Stuart &
      Wan 2001), ``"collision_list"`` and ``"simple"`` are for study and as references.
    - ``detection``: ``"stable"`` (Bannerman et al. 2014), or ``"naive"`` to study its failures.
    - ``resting``: hold particles that have come to rest on a plane under gravity.
    - ``cells_per_side``: a fixed number of cells along the longest side.
    - ``adaptive=True``: the number of cells changes as the run goes on, by counted cost, or with
      ``"clock"`` by measured time, which makes runs not reproducible. This is ``"heap"``.
    - ``three_body``: count the collisions that leave a particle overlapping two others.
    """

    algorithm: str = "auto"
    detection: str = "stable"
    resting: bool = False
    cells_per_side: int | None = None
    adaptive: bool | str = False
    three_body: bool = False

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise ValueError(f"algorithm={self.algorithm!r} is unknown; use one of {ALGORITHMS}.")
        if self.detection not in DETECTIONS:
            raise ValueError(
                f"detection={self.detection!r} is unknown; use one of {tuple(DETECTIONS)}."
            )
        if self.adaptive not in (True, False, "clock"):
            raise ValueError(f"adaptive must be True, False or 'clock', not {self.adaptive!r}.")
        if self.three_body not in (True, False):
            raise ValueError(f"three_body must be True or False, not {self.three_body!r}.")
        cells = self.cells_per_side
        if cells is not None and not (isinstance(cells, int) and cells >= 1):
            raise ValueError(f"cells_per_side must be a whole number from 1 on, not {cells!r}.")
        has_cells = self.algorithm in ("auto", "cells", "heap")
        if not has_cells and (cells is not None or self.adaptive):
            raise ValueError(f"algorithm={self.algorithm!r} has no cells to size; use 'heap'.")
        if self.algorithm == "cells" and self.adaptive:
            raise ValueError("adaptive cells are those of algorithm='heap'.")

    def engine(self, system: System) -> EventDrivenEngine:
        """The engine that runs a system with this method."""
        return EventDrivenEngine(system, self)
