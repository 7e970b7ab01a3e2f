"""Lists of neighbours and a calendar, see ``lists.py``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.compiled.memory import in_cache_lines
from carom.domains import Shear
from carom.functions import power
from carom.interruption import stop_if_asked
from carom.methods.event_driven.fast import lists
from carom.methods.event_driven.fast.calendar_driven import CalendarDriven, nearest_images
from carom.methods.event_driven.fast.grid_plan import GridPlan
from carom.methods.event_driven.world import World
from carom.methods.keeping import makes
from carom.neighbours.grids import FOUR
from carom.neighbours.spheres import Spheres, mark_all, new_spheres
from carom.particles import Array
from carom.system import System
from carom.types import Integers

GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)  # its multiples are spread evenly between whole numbers


@makes(lists.ListSearch, Spheres)
class ListsAndCalendar(CalendarDriven):
    """Lists of neighbours and a calendar."""

    # Thickness of the shells in mean diameters; from 0.25 to 0.35 it makes no difference.
    THICKNESS = 0.30
    # What shells have beside in a sheared box, for sliding past each other.
    MARGIN = 0.10
    # The weight on the way out of a shell, in mean squares of the speed, that is still weak.
    BENT = 0.1
    LEAST_ROOM = 32  # two cache lines

    def __init__(self, system: System) -> None:
        self._thickness, self._margin = self._shell(system)
        self._rate = system.shear_rate
        self._lasting = math.inf
        self._room = self.LEAST_ROOM
        plan = GridPlan(system, None, self._thickness + self._margin)
        super().__init__(system, plan)
        if not plan.fits_one_grid():
            raise ValueError(
                "algorithm='lists' needs a box that is at least five times as wide as two "
                f"particles with their shells ({2.0 * plan.largest:g}) along every periodic "
                "axis, and some more if it is sheared; use algorithm='cells'."
            )

    @classmethod
    def _shell(cls, system: System) -> tuple[float, float]:
        """The thickness of the shells, and their margin in a sheared box."""
        diameter = 2.0 * float(system.particles.radius.mean())
        return cls.THICKNESS * diameter, cls.MARGIN * diameter if system.shear_rate else 0.0

    def _time_to_slide(self, world: World) -> float:
        """How long until shells can overlap that were apart by their margins.

        They slide past each other with the shear rate times their distance across the flow, which
        is at most that at which they touch.
        """
        shear = world.space.shear
        if not isinstance(shear, Shear) or shear.jump == 0.0:
            return math.inf
        # The very number that was given, as long as nobody has changed it.
        is_first = self._rate * shear.height == shear.jump
        rate = self._rate if is_first else shear.jump / shear.height
        touching = 2.0 * (float(world.bodies.record.radius.max()) + self._thickness)
        # A little sooner, because the reach of a shell is kept with seven digits.
        return (1.0 - 1e-4) * 2.0 * self._margin / (abs(rate) * touching)

    @classmethod
    def can(cls, system: System) -> bool:
        """Whether lists could be faster than cells: for particles of similar size in a wide box.

        Where gravity bends the paths inside a shell, it is left too soon. No list may outgrow what
        its shell can count.
        """
        particles, radius = system.particles, system.particles.radius
        if math.isinf(system.volume) or system.acceleration is not None:
            return False
        if radius.max() > 2.0 * radius.min():
            return False
        thickness, margin = cls._shell(system)
        if _most_neighbours(system, thickness + margin) > lists.MOST_LISTED - lists.LINE:
            return False
        if system.gravity is not None:
            pull = math.hypot(*system.gravity)
            if pull * thickness > cls.BENT * float((particles.velocity**2).sum(axis=1).mean()):
                return False
        return GridPlan(system, None, thickness + margin).fits_one_grid()

    def _look_round(self, world: World, grids: Any, position: Array) -> None:
        shells = in_cache_lines(len(position), lists.SHELL)
        shells.x, shells.y, shells.z = position.T
        shells.reach = world.bodies.record.radius + self._thickness + self._margin
        self._lasting = self._time_to_slide(world)
        self._adopt(world, grids, shells)
        while not lists.make_lists(world, self._search):
            stop_if_asked()
            self._lengthen_lists()
            self._adopt(world, grids, shells)
        if math.isfinite(self._lasting):
            # As if they had looked at different times, lest they all look again at once.
            share = np.asarray(world.bodies.ledger.name) * GOLDEN % 1.0
            self._search.looked[:] -= 0.5 * self._lasting * share
        self._begin(world, self._thickness)

    def _adopt(self, world: World, grids: Any, shells: Any) -> None:
        """Search in this grid, with lists of the present room."""
        n = len(shells)
        rows = in_cache_lines(n * self._room, np.int32)
        self._search = lists.ListSearch(
            grids=grids,
            calendar=self._calendar,
            images=nearest_images(np.where(world.space.periodic, world.space.lengths, 0.0)),
            spheres=new_spheres(grids),
            near=in_cache_lines(self._room + 2, np.int32),
            newcomers=in_cache_lines(self._room, np.int32),
            shells=shells,
            lists=rows.reshape(n, self._room),
            thickness=self._thickness,
            members=rows,
            large=self.LARGE,
            looked=np.zeros(n if isinstance(world.space.shear, Shear) else 0),
            lasting=self._lasting,
        )
        self._mark_all(world)

    def _mark_all(self, world: World) -> None:
        """Let all see the shells as they are."""
        search = self._search
        centre = np.stack([search.shells.x, search.shells.y, search.shells.z], axis=1)
        place = world.bodies.ledger.place
        mark_all(search.spheres, search.grids, place, centre, search.shells.reach)

    def _make_room(self, world: World) -> None:
        if self._search.grids.inside.max() == FOUR * len(self._search.grids.fours):
            super()._make_room(world)
        else:
            self._lengthen_lists()

    def _lengthen_lists(self) -> None:
        if self._room + lists.LINE > lists.MOST_LISTED:
            raise ValueError(
                f"algorithm='lists' has no room for a particle with more than {self._room} "
                "neighbours, as large ones among small ones have; use algorithm='cells'."
            )
        self._room += lists.LINE

    def _follow(self, world: World, order: Integers) -> None:
        search = self._search
        number = np.empty(len(order), dtype=np.int32)
        number[order] = np.arange(len(order), dtype=np.int32)
        search.lists[:] = number[search.lists[order]]
        search.shells[:] = search.shells[order]
        if len(search.looked):
            search.looked[:] = search.looked[order]
        self._mark_all(world)

    def move_origin(self, world: World, duration: float) -> None:
        """Count all times from an origin that is so much later, and put everything in order."""
        self._search.looked[:] -= duration
        super().move_origin(world, duration)


def _most_neighbours(system: System, thickness: float) -> float:
    """More than can be around a particle: all that fit into a ball that holds every neighbour."""
    radius = system.particles.radius
    smallest, largest = float(radius.min()), float(radius.max())
    return float(power((3.0 * largest + 2.0 * thickness) / smallest, system.dimension))
