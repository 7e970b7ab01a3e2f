"""The fast algorithms, which share the calendar, the ledger and the order of the particles.

Now and then times are counted from a later origin. On that occasion the particles are put in the
order of their places, so that neighbours in space are neighbours in memory, and the calendar is
fitted to the rate of events. Nothing of this changes what happens, and when: particles keep their
names, and events at the same time are ordered by name.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.errors import CALENDAR_IS_WORN, CELL_IS_FULL, PAUSED
from carom.events.calendar import clear, fill, measured_rate, new_calendar
from carom.memory import in_cache_lines
from carom.methods.event_driven import cells
from carom.methods.event_driven.grid_plan import GridPlan
from carom.methods.event_driven.pair_search import NearestImage
from carom.methods.event_driven.world import (
    TIME,
    VELOCITY,
    World,
    columns,
    count_from_later,
    synchronise_positions,
)
from carom.neighbours.grids import BITS, MASK, Grids, hold
from carom.particles import Array
from carom.system import System

# Entries after which a rate of events is known well enough.
ENTRIES_TO_MEASURE = 1000


class CellsAndCalendar:
    """Grids of cells and a calendar, see ``cells.py``; ``GridPlan`` says how many cells."""

    EVENTS = 100_000  # some 50 ms

    def __init__(self, system: System, cells_per_side: int | None) -> None:
        self._plan = GridPlan(system, cells_per_side)
        self._calendar = new_calendar(len(system.particles))
        self._eights = 1
        self._search: Any = None

    def prepare(self, world: World) -> None:
        """Fill the cells and let all particles look for their next events."""
        time = float(world.tally[0].clock)
        self._new_search(world, time)
        cells.prepare(world, self._search.grids, time)
        _renumber(world, _order_in_space(world.bodies.ledger))
        self._hold(world)
        # A guess, until events have been counted.
        velocity = columns(world.bodies.record)[:, VELOCITY]
        faces = self._search.grids.faces[0]
        speed = float(np.sqrt((velocity**2).mean()))
        width = float(faces[2] - faces[1]) if len(faces) > 3 else 1.0
        clear(self._calendar, time, max(len(velocity) * speed / width, 1e-300))
        fill(self._calendar, world.bodies.ledger)
        world.tally[0].rebuilds += 1

    def _new_search(self, world: World, time: float) -> None:
        bodies = world.bodies
        position = np.empty((len(bodies.ledger), 3))
        synchronise_positions(world, time, position)
        grids, level = self._plan.grids(position, bodies.record.radius, self._eights)
        bodies.ledger.level = level
        has_images = isinstance(grids, Grids)
        narrow = grids.repeats > 0 if has_images else np.zeros(3, dtype=np.bool_)
        wide = np.where(world.space.periodic & ~narrow, world.space.lengths, 0.0)
        inverse = np.divide(1.0, wide, out=np.zeros(3), where=wide > 0.0)
        self._search = cells.Search(
            grids,
            self._calendar,
            NearestImage(tuple(wide.tolist()), tuple(inverse.tolist())),
            in_cache_lines(len(position) + 8 * self._eights + 16, np.int32),
            np.zeros((len(position) if has_images else 0, 3), dtype=np.int32),
        )

    def _hold(self, world: World) -> None:
        """Put the particles into their cells, with as much room as they need."""
        while not hold(self._search.grids, world.bodies.ledger):
            self._eights += 1
            self._new_search(world, float(world.tally[0].clock))

    def advance(self, world: World, until: float, collisions: int) -> int:
        """Handle some events."""
        status = cells.advance(world, self._search, until, collisions, self.EVENTS)
        if status == CALENDAR_IS_WORN:
            self._tune(world)
            return PAUSED
        if status == CELL_IS_FULL:
            self._eights += 1
            self.prepare(world)
            return PAUSED
        return int(status)

    def _tune(self, world: World) -> None:
        """Begin a calendar that suits the rate of events."""
        times = np.asarray(world.bodies.ledger.event_time)
        ahead = times[np.isfinite(times)]
        if len(ahead) == 0:
            return
        start = float(ahead.min())
        rate = measured_rate(self._calendar, float(world.tally[0].clock))
        if self._calendar.state[0].handled < ENTRIES_TO_MEASURE or rate == 0.0:
            middle = float(np.median(ahead)) - start
            rate = len(ahead) / middle if middle > 0.0 else 1.0
        clear(self._calendar, start, rate)
        fill(self._calendar, world.bodies.ledger)

    def move_origin(self, world: World, duration: float) -> None:
        """Count all times from an origin that is so much later, and put everything in order."""
        ledger = world.bodies.ledger
        has_partner = ledger.partner >= 0
        lost = has_partner & (ledger.partner_state != _states(world)[ledger.partner])
        ledger.partner[lost] = cells.NOBODY  # they will look again, as they would have
        count_from_later(world, duration)
        ledger.event_time -= duration
        ledger.contact_time -= duration
        self._calendar.state.start -= duration
        order = _order_in_space(ledger)
        _renumber(world, order)
        if len(self._search.crossing):
            self._search.crossing[:] = self._search.crossing[order]
        has_partner = ledger.partner >= 0
        ledger.partner_state[has_partner] = _states(world)[ledger.partner[has_partner]]
        self._hold(world)
        self._tune(world)

    def is_compiled(self, world: World) -> bool:
        """Whether ``advance`` starts without a compilation."""
        return cells.advance.is_compiled_for(world, self._search, 0.0, 0, 0)

    def arrays(self) -> dict[str, Any]:
        return {}

    def restore(self, world: World, arrays: dict[str, Any]) -> None:
        """Take over."""


def _states(world: World) -> Array:
    """``state_of`` for all particles."""
    bits = columns(world.bodies.record).view(np.int64)
    x, y, z = bits[:, VELOCITY].T
    return np.asarray(bits[:, TIME] ^ (x >> 1) ^ (y >> 2) ^ (z >> 3))


def _order_in_space(ledger: Any) -> Array:
    """The particles along Morton's curve through the cells of their places."""
    code = np.zeros(len(ledger), dtype=np.int64)
    for axis in range(3):
        cell = (ledger.place >> (BITS * axis)) & MASK
        for bit in range(BITS):
            code |= ((cell >> bit) & 1) << (3 * bit + axis)
    return np.argsort(code, kind="stable")


def _renumber(world: World, order: Array) -> None:
    """Put the particles in another order; partners stay partners."""
    ledger = world.bodies.ledger
    number = np.empty(len(order), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    has_partner = ledger.partner >= 0
    ledger.partner[has_partner] = number[ledger.partner[has_partner]]
    for part in (world.bodies, world.motion, world.rest):
        for array in part:
            if isinstance(array, np.ndarray) and len(array) == len(order):
                array[...] = array[order]
