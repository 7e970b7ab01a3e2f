"""Cells and a calendar, see ``cells.py`` and ``hierarchy.py``."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.compiled.memory import in_cache_lines
from carom.methods.event_driven.fast.calendar_driven import CalendarDriven, nearest_images
from carom.methods.event_driven.fast.cells import CellSearch
from carom.methods.event_driven.fast.grid_plan import GridPlan
from carom.methods.event_driven.fast.hierarchy import HierarchySearch
from carom.methods.event_driven.fast.pair_search import LANES
from carom.methods.event_driven.world import World
from carom.methods.keeping import makes
from carom.neighbours.grids import Grids
from carom.particles import Array
from carom.system import System
from carom.types import Integers


@makes(CellSearch, HierarchySearch)
class CellsAndCalendar(CalendarDriven):
    """Grids of cells and a calendar; ``GridPlan`` says how many cells."""

    def __init__(self, system: System, cells_per_side: int | None) -> None:
        super().__init__(system, GridPlan(system, cells_per_side))

    def _look_round(self, world: World, grids: Any, position: Array) -> None:
        self._adopt(world, grids, np.zeros((len(position), 3), dtype=np.int64))
        self._begin(world, self._plan.finest_width)

    def _adopt(self, world: World, grids: Any, crossing: Any) -> None:
        """Search in these grids from now on."""
        wide = np.where(world.space.periodic, world.space.lengths, 0.0)
        room = len(grids.members) // len(grids.inside)
        found = in_cache_lines(len(crossing) + room + LANES, np.int32)
        if isinstance(grids, Grids):
            images = nearest_images(np.where(grids.repeats > 0, 0.0, wide))
            self._search = HierarchySearch(
                grids, self._calendar, images, found, crossing, self.LARGE
            )
        else:
            images = nearest_images(wide)
            self._search = CellSearch(grids, self._calendar, images, found, self.LARGE)

    def _follow(self, world: World, order: Integers) -> None:
        if isinstance(self._search, HierarchySearch):
            self._search.crossing[:] = self._search.crossing[order]
