"""The event-driven method and its choices."""

from __future__ import annotations

from dataclasses import dataclass

from carom.checks import check_one_of, check_whole, is_one_of
from carom.methods.event_driven.engine import DETECTIONS, EventDrivenEngine
from carom.representation import shown_as_call
from carom.system import System

ALGORITHMS = ("auto", "cells", "lists", "heap", "collision_list", "simple")


@shown_as_call
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
        check_one_of("algorithm", self.algorithm, ALGORITHMS)
        check_one_of("detection", self.detection, DETECTIONS)
        if not is_one_of(self.adaptive, (True, False, "clock")):
            raise ValueError(f"adaptive must be True, False or 'clock', not {self.adaptive!r}.")
        for name in ("resting", "three_body"):
            if not is_one_of(getattr(self, name), (True, False)):
                raise ValueError(f"{name} must be True or False, not {getattr(self, name)!r}.")
        cells = self.cells_per_side
        if cells is not None:
            check_whole("cells_per_side", cells, 1)
        has_cells = self.algorithm in ("auto", "cells", "heap")
        if not has_cells and (cells is not None or self.adaptive):
            raise ValueError(f"algorithm={self.algorithm!r} has no cells to size; use 'heap'.")
        if self.algorithm == "cells" and self.adaptive:
            raise ValueError("adaptive cells are those of algorithm='heap'.")

    def engine(self, system: System) -> EventDrivenEngine:
        """The engine that runs a system with this method."""
        return EventDrivenEngine(system, self)
