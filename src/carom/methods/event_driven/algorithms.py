"""The algorithms behind ``EventDriven(algorithm=...)``, each with the arrays it keeps."""

from __future__ import annotations

from typing import Any, Protocol

from carom.errors import CELLS_DUE, PAUSED
from carom.events import new_heap
from carom.interruption import stop_if_asked
from carom.methods.event_driven.cell_size import SLACK, CellSize, leaning
from carom.methods.event_driven.event_engine import FindsEvents
from carom.methods.event_driven.inside import bring_inside, cell_positions
from carom.methods.event_driven.published import cells_and_heap as heap
from carom.methods.event_driven.published import collision_list, simple
from carom.methods.event_driven.world import (
    World,
    count_from_later,
    counts_of,
)
from carom.methods.keeping import makes
from carom.neighbours import Cells
from carom.system import System


class Algorithm(FindsEvents, Protocol):
    """What the engine asks of an algorithm."""

    def advance(self, world: World, until: float, collisions: int) -> int:
        """Handle events for a fraction of a second at most; the reason for coming back."""

    def move_origin(self, world: World, duration: float) -> None:
        """Count all times from an origin that is so much later."""


class Simple:
    """Everything is recomputed after each event; see ``simple.py``."""

    LARGEST = 10_000

    def __init__(self, system: System) -> None:
        if len(system.particles) > self.LARGEST:
            raise ValueError(
                f"algorithm='simple' examines all pairs for every event, too many for "
                f"{len(system.particles)} particles (at most {self.LARGEST}); leave algorithm out."
            )
        images = 3 ** sum(system.periodic)
        tests = images * len(system.particles) ** 2 / 2
        self._events = max(1, int(2e6 / tests))

    def prepare(self, world: World) -> None:
        """Nothing is kept."""
        bring_inside(world, upright=False)

    def advance(self, world: World, until: float, collisions: int) -> int:
        """Handle some events."""
        return int(simple.advance(world, until, collisions, self._events))

    def is_compiled(self, world: World) -> bool:
        """Whether ``advance`` starts without a compilation."""
        return simple.advance.is_compiled_for(world, 0.0, 0, 0)

    def move_origin(self, world: World, duration: float) -> None:
        """Count all times from an origin that is so much later."""
        count_from_later(world, duration)


class CollisionList:
    """Only pairs of the particles in an event are recomputed; see ``collision_list.py``."""

    LARGEST = 10_000

    def __init__(self, system: System) -> None:
        n = len(system.particles)
        if n > self.LARGEST:
            raise ValueError(
                f"algorithm='collision_list' keeps a time for every pair, too many for {n} "
                f"particles (at most {self.LARGEST}); leave algorithm out."
            )
        self._list = collision_list.new_collision_list(n)
        self._events = max(1, int(2e6 / (n * 3 ** sum(system.periodic))))

    def prepare(self, world: World) -> None:
        """Find the times of all pairs."""
        bring_inside(world, upright=False)
        n, time = len(world.bodies.ledger), float(world.tally[0].clock)
        for first in range(0, n, self._events):
            stop_if_asked()
            collision_list.prepare(world, self._list, time, first, min(first + self._events, n))

    def advance(self, world: World, until: float, collisions: int) -> int:
        """Handle some events."""
        return int(collision_list.advance(world, self._list, until, collisions, self._events))

    def is_compiled(self, world: World) -> bool:
        """Whether ``advance`` starts without a compilation."""
        return collision_list.advance.is_compiled_for(world, self._list, 0.0, 0, 0)

    def move_origin(self, world: World, duration: float) -> None:
        """Count all times from an origin that is so much later."""
        count_from_later(world, duration)
        for times in (self._list.pair_time, self._list.own_time):
            times -= duration


@makes(Cells)
class CellsAndHeap:
    """Cells and a heap, see ``heap.py``; ``CellSize`` says how many cells."""

    EVENTS = 20_000  # some 20 ms

    def __init__(self, system: System, cells_per_side: int | None, adaptive: bool | str) -> None:
        n = len(system.particles)
        _refuse_narrow_sheared_box(system)
        self._size = CellSize(system, cells_per_side, adaptive)
        self._schedule = heap.new_schedule(n)
        self._heap = new_heap(n)
        self._cells: Any = None

    def prepare(self, world: World) -> None:
        """Fill the cells and find all next events."""
        bring_inside(world)
        self._cells = self._size.cells(cell_positions(world))
        time = float(world.tally[0].clock)
        heap.prepare(world, self._cells, self._schedule, self._heap, time)
        world.tally[0].rebuilds += 1

    def advance(self, world: World, until: float, collisions: int) -> int:
        """Handle some events; change the cells when it is time to."""
        status = heap.advance(world, *self._state(), until, collisions, self._size.due, self.EVENTS)
        if status != CELLS_DUE:
            return int(status)
        counts = counts_of(world)
        self._size.adapt(counts, counts.collisions)
        self.prepare(world)
        return PAUSED

    def is_compiled(self, world: World) -> bool:
        """Whether ``advance`` starts without a compilation."""
        return heap.advance.is_compiled_for(world, *self._state(), 0.0, 0, 0, 0)

    def _state(self) -> tuple[Any, Any, Any]:
        return self._cells, self._schedule, self._heap

    def move_origin(self, world: World, duration: float) -> None:
        """Count all times from an origin that is so much later."""
        count_from_later(world, duration)
        schedule = self._schedule
        for times in (schedule.collision_time, schedule.transfer_time, self._heap.key):
            times -= duration


def _refuse_narrow_sheared_box(system: System) -> None:
    """Cells and a heap see no further than the next box."""
    widest = 2.0 * float(system.particles.radius.max()) * SLACK * float(leaning(system)[0])
    if system.shear_rate != 0.0 and system.sides is not None and system.sides[0] < widest:
        raise ValueError(
            f"algorithm='heap' needs a sheared box that is at least {widest:g} long along x, not "
            f"{system.sides[0]:g}; leave algorithm out."
        )
