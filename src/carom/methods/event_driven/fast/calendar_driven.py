"""What the fast algorithms share: the calendar, the ledger and the order of the particles.

Now and then times are counted from a later origin. On that occasion the particles are put in the
order of their places, so that neighbours in space are neighbours in memory, and the calendar is
fitted to the rate of events. Nothing of this changes what happens, and when: particles keep their
names, and events at the same time are ordered by name.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.errors import CALENDAR_IS_WORN, CELLS_DUE, NO_ROOM, PAUSED
from carom.events.calendar import Calendar, begin, clear, fill, measured_rate, new_calendar
from carom.interruption import stop_if_asked
from carom.methods.event_driven.cell_size import NEVER_DUE
from carom.methods.event_driven.fast import loop
from carom.methods.event_driven.fast.grid_plan import GridPlan
from carom.methods.event_driven.fast.pair_search import NearestImage
from carom.methods.event_driven.inside import bring_inside, cell_positions
from carom.methods.event_driven.world import (
    TIME,
    VELOCITY,
    World,
    columns,
    count_from_later,
)
from carom.methods.keeping import makes, not_kept
from carom.neighbours.curve import order_along_curve
from carom.neighbours.grids import BITS, MASK, Grid, Grids, hold, places
from carom.particles import Array
from carom.system import System
from carom.types import Integers

# Transfers of each particle, and beside, after which narrow cells are reconsidered; to choose cells
# takes as long as a few transfers of each.
TRANSFERS_PER_CHOICE = 1000
# Entries after which a rate of events is known well enough.
ENTRIES_TO_MEASURE = 1000


@makes(Calendar, Grid, Grids, NearestImage)
@not_kept("_is_compiled")
class CalendarDriven:
    """An algorithm with a calendar; what it searches in is up to those who derive from it."""

    EVENTS = 60_000  # some 20 ms
    LARGE = 20_000  # particles: beyond the caches of most machines; not tuned

    def __init__(self, system: System, plan: GridPlan) -> None:
        self._calendar = new_calendar(len(system.particles))
        self._plan = plan
        self._search: Any = None
        self._is_compiled = False

    def prepare(self, world: World) -> None:
        """Fill the cells and let all particles look for their next events."""
        bring_inside(world)
        bodies, position = world.bodies, cell_positions(world)
        while True:
            grids, bodies.ledger.level = self._plan.grids(position, bodies.record.radius)
            bodies.ledger.place = places(grids, position)
            if hold(grids, bodies.ledger):
                break
            stop_if_asked()
            self._plan.make_room(position)  # in the end there is room for all in one cell
        order = _order_in_space(bodies.ledger)
        renumber(world, order)
        hold(grids, bodies.ledger)
        self._look_round(world, grids, position[order])
        self._note_when_due(world)

    def _note_when_due(self, world: World) -> None:
        """Cells that a crowd has made narrow are chosen afresh later on: it may have dispersed."""
        tally = world.tally[0]
        if not self._plan.is_crowded:
            tally.cells_due = NEVER_DUE
        elif tally.cells_due == NEVER_DUE:
            particles = len(world.bodies.ledger) + 1
            tally.cells_due = tally.transfers + TRANSFERS_PER_CHOICE * particles

    def _look_round(self, world: World, grids: Any, position: Array) -> None:
        """Search in these grids from now on, with all particles at these positions."""
        raise NotImplementedError

    def advance(self, world: World, until: float, collisions: int) -> int:
        """Handle some events."""
        status = loop.advance(world, self._search, until, collisions, self.EVENTS)
        if status == CALENDAR_IS_WORN:
            self._tune(world)
            return PAUSED
        if status in (NO_ROOM, CELLS_DUE):
            self._change_cells(world, status)
            return PAUSED
        return int(status)

    def _change_cells(self, world: World, status: int) -> None:
        """Fill other cells: there was no room, or it is time for a new choice."""
        if status == NO_ROOM:
            self._make_room(world)
        else:
            self._plan.start_afresh()
            world.tally[0].cells_due = NEVER_DUE
        self.prepare(world)

    def _make_room(self, world: World) -> None:
        """Let there be more room the next time."""
        self._plan.make_room(cell_positions(world))

    def is_compiled(self, world: World) -> bool:
        """Whether ``advance`` starts without a compilation."""
        if not self._is_compiled:  # to find out takes a millisecond
            self._is_compiled = loop.advance.is_compiled_for(world, self._search, 0.0, 0, 0)
        return self._is_compiled

    def move_origin(self, world: World, duration: float) -> None:
        """Count all times from an origin that is so much later, and put everything in order."""
        ledger = world.bodies.ledger
        has_partner = np.flatnonzero(ledger.partner >= 0)
        known = _states(world)[ledger.partner[has_partner]]
        lost = has_partner[ledger.partner_state[has_partner] != known]
        ledger.partner[lost] = loop.NOBODY  # they will look again, as they would have
        count_from_later(world, duration)
        ledger.event_time -= duration
        ledger.contact_time -= duration
        self._calendar.state.start -= duration
        order = _order_in_space(ledger)
        renumber(world, order)
        has_partner = ledger.partner >= 0
        ledger.partner_state[has_partner] = _states(world)[ledger.partner[has_partner]]
        hold(self._search.grids, ledger)
        self._follow(world, order)
        self._tune(world)

    def _follow(self, world: World, order: Integers) -> None:
        """Put what the search keeps for each particle in another order."""
        raise NotImplementedError

    def _begin(self, world: World, width: float) -> None:
        """Let each particle look for its next event first thing.

        The rate of events is a guess: particles pass neighbourhoods of this width.
        """
        ledger, time = world.bodies.ledger, float(world.tally[0].clock)
        ledger.event_time = time
        ledger.contact_time = np.inf
        ledger.partner = loop.NOBODY
        ledger.face = loop.NO_FACE
        velocity = columns(world.bodies.record)[:, VELOCITY]
        speed = float(np.sqrt((velocity**2).mean()))
        begin(self._calendar, ledger.name, time, max(len(ledger) * speed / width, 1e-300))
        world.tally[0].rebuilds += 1

    def _tune(self, world: World) -> None:
        """Begin a calendar that suits the rate of events."""
        times = np.asarray(world.bodies.ledger.event_time)
        ahead = times[times < self._calendar.state[0].horizon]
        start = float(ahead.min()) if len(ahead) else float(world.tally[0].clock)
        rate = measured_rate(self._calendar, float(world.tally[0].clock))
        if self._calendar.state[0].handled < ENTRIES_TO_MEASURE or rate == 0.0:
            middle = float(np.median(ahead)) - start if len(ahead) else 0.0
            rate = len(ahead) / middle if middle > 0.0 else 1.0
        clear(self._calendar, start, rate)
        fill(self._calendar, world.bodies.ledger)


def nearest_images(lengths: Array) -> NearestImage:
    """Images are chosen along the axes that have a length."""
    inverse = np.divide(1.0, lengths, out=np.zeros(3), where=lengths > 0.0)
    return NearestImage(tuple(lengths.tolist()), tuple(inverse.tolist()))


def _states(world: World) -> Any:
    """``state_of`` for all particles."""
    bits = columns(world.bodies.record).view(np.int64)
    x, y, z = bits[:, VELOCITY].T
    return np.asarray(bits[:, TIME] ^ (x >> 1) ^ (y >> 2) ^ (z >> 3))


def _order_in_space(ledger: Any) -> Any:
    """The particles along a curve through the cells of their places."""
    place = np.asarray(ledger.place)
    return order_along_curve(
        np.stack([(place >> (BITS * axis)) & MASK for axis in range(3)], axis=1)
    )


def renumber(world: World, order: Integers) -> None:
    """Put the particles in another order; partners stay partners."""
    ledger = world.bodies.ledger
    number = np.empty(len(order), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    for partner in (ledger.partner, *world.watch):
        has_partner = partner >= 0
        partner[has_partner] = number[partner[has_partner]]
    for part in (world.bodies, world.motion, world.rest, world.spin, world.watch):
        for array in part:
            if isinstance(array, np.ndarray) and len(array) == len(order):
                plain = array.view(np.ndarray)
                # Whole rows at once are copied ten times as fast as their fields one by one.
                rows = plain.view(np.int64).reshape(len(order), -1) if plain.dtype.names else plain
                rows[...] = rows[order]
