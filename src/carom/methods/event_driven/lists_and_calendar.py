"""Lists of neighbours and a calendar, see ``lists.py``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.memory import in_cache_lines
from carom.methods.event_driven import lists
from carom.methods.event_driven.calendar_driven import (
    CalendarDriven,
    grid_arrays,
    nearest_images,
    restored_grid,
)
from carom.methods.event_driven.grid_plan import GridPlan
from carom.methods.event_driven.world import World
from carom.neighbours.grids import FOUR
from carom.neighbours.spheres import mark_all, new_spheres
from carom.particles import Array
from carom.system import System


class ListsAndCalendar(CalendarDriven):
    """Lists of neighbours and a calendar."""

    # Thickness of the shells in mean diameters; from 0.25 to 0.35 it makes no difference.
    THICKNESS = 0.30
    # The weight on the way out of a shell, in mean squares of the speed, that is still weak.
    BENT = 0.1
    LEAST_ROOM = 32  # two cache lines

    def __init__(self, system: System) -> None:
        if system.shear_rate != 0.0:
            raise ValueError(
                "algorithm='lists' cannot follow images that slide; use algorithm='cells' in a "
                "LeesEdwards box."
            )
        self._thickness = self.THICKNESS * 2.0 * float(system.particles.radius.mean())
        self._room = self.LEAST_ROOM
        plan = GridPlan(system, None, self._thickness)
        super().__init__(system, plan)
        if not plan.fits_one_grid():
            raise ValueError(
                "algorithm='lists' needs a box that is at least five times as wide as two "
                f"particles with their shells ({2.0 * plan.largest:g}) along every periodic "
                "axis; use algorithm='cells'."
            )

    @classmethod
    def can(cls, system: System) -> bool:
        """Whether lists could be faster than cells: for particles of similar size in a wide box.

        Where gravity bends the paths inside a shell, it is left too soon. No list may outgrow what
        its shell can count.
        """
        particles, radius = system.particles, system.particles.radius
        if math.isinf(system.volume) or system.acceleration is not None:
            return False
        if system.shear_rate != 0.0:
            return False
        if radius.max() > 2.0 * radius.min():
            return False
        thickness = cls.THICKNESS * 2.0 * float(radius.mean())
        if _most_neighbours(system, thickness) > lists.MOST_LISTED - lists.LINE:
            return False
        if system.gravity is not None:
            pull = float(np.linalg.norm(system.gravity))
            if pull * thickness > cls.BENT * float((particles.velocity**2).sum(axis=1).mean()):
                return False
        return GridPlan(system, None, thickness).fits_one_grid()

    def _look_round(self, world: World, grids: Any, position: Array) -> None:
        shells = in_cache_lines(len(position), lists.SHELL)
        shells.x, shells.y, shells.z = position.T
        shells.reach = world.bodies.record.radius + self._thickness
        self._adopt(world, grids, shells)
        while not lists.make_lists(world, self._search):
            self._lengthen_lists()
            self._adopt(world, grids, shells)
        self._begin(world, self._thickness)

    def _adopt(self, world: World, grids: Any, shells: Any) -> None:
        """Search in this grid, with lists of the present room."""
        n = len(shells)
        rows = in_cache_lines(n * self._room, np.int32)
        self._search = lists.ListSearch(
            grids,
            self._calendar,
            nearest_images(np.where(world.space.periodic, world.space.lengths, 0.0)),
            new_spheres(grids),
            in_cache_lines(self._room + 2, np.int32),
            in_cache_lines(self._room, np.int32),
            shells,
            rows.reshape(n, self._room),
            self._thickness,
            rows,
            self.LARGE,
        )
        self._mark_all(world)

    def _mark_all(self, world: World) -> None:
        """Let all see the shells as they are."""
        search = self._search
        centre = np.stack([search.shells.x, search.shells.y, search.shells.z], axis=1)
        place = world.bodies.ledger.place
        mark_all(search.spheres, search.grids, place, centre, search.shells.reach)

    def _make_room(self) -> None:
        if self._search.grids.inside.max() == FOUR * len(self._search.grids.fours):
            self._plan.make_room()
        else:
            self._lengthen_lists()

    def _lengthen_lists(self) -> None:
        if self._room + lists.LINE > lists.MOST_LISTED:
            raise ValueError(
                f"algorithm='lists' has no room for a particle with more than {self._room} "
                "neighbours, as large ones among small ones have; use algorithm='cells'."
            )
        self._room += lists.LINE

    def _follow(self, world: World, order: Any) -> None:
        search = self._search
        number = np.empty(len(order), dtype=np.int32)
        number[order] = np.arange(len(order), dtype=np.int32)
        search.lists[:] = number[search.lists[order]]
        search.shells[:] = search.shells[order]
        self._mark_all(world)

    def arrays(self) -> dict[str, Any]:
        """The grid, the shells and the lists."""
        own = {"shells": self._search.shells, "lists": self._search.lists}
        return grid_arrays(self._search.grids) | own

    def restore(self, world: World, arrays: dict[str, Any]) -> None:
        """Take over grid, shells and lists."""
        self._room = arrays["lists"].shape[1]
        shells = in_cache_lines(len(arrays["shells"]), lists.SHELL)
        shells[:] = arrays["shells"]
        self._adopt(world, restored_grid(arrays), shells)
        self._search.lists[:] = arrays["lists"]
        self._tune(world)


def _most_neighbours(system: System, thickness: float) -> float:
    """More than can be around a particle: all that fit into a ball that holds every neighbour."""
    radius = system.particles.radius
    smallest, largest = float(radius.min()), float(radius.max())
    return float(((3.0 * largest + 2.0 * thickness) / smallest) ** system.dimension)
