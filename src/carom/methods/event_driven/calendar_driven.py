"""The fast algorithms, which share the calendar, the ledger and the order of the particles.

Now and then times are counted from a later origin. On that occasion the particles are put in the
order of their places, so that neighbours in space are neighbours in memory, and the calendar is
fitted to the rate of events. Nothing of this changes what happens, and when: particles keep their
names, and events at the same time are ordered by name.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from carom.errors import CALENDAR_IS_WORN, NO_ROOM, PAUSED
from carom.events.calendar import begin, clear, fill, measured_rate, new_calendar
from carom.memory import in_cache_lines
from carom.methods.event_driven import cells, lists, loop
from carom.methods.event_driven.grid_plan import GridPlan
from carom.methods.event_driven.pair_search import LANES, NearestImage
from carom.methods.event_driven.world import (
    POSITION,
    TIME,
    VELOCITY,
    World,
    columns,
    count_from_later,
    synchronise_positions,
)
from carom.neighbours.grids import BITS, FOUR, MASK, Grid, Grids, hold, places
from carom.neighbours.spheres import mark_all, new_spheres
from carom.particles import Array
from carom.system import System

# Entries after which a rate of events is known well enough.
ENTRIES_TO_MEASURE = 1000


class CalendarDriven:
    """What the algorithms with a calendar have in common."""

    def __init__(self, system: System) -> None:
        self._calendar = new_calendar(len(system.particles))

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
        # These searches start the algorithm; nobody lost a partner.
        world.tally[0].checks -= len(ledger)

    def _tune(self, world: World) -> None:
        """Begin a calendar that suits the rate of events."""
        times = np.asarray(world.bodies.ledger.event_time)
        ahead = times[np.isfinite(times)]
        start = float(ahead.min()) if len(ahead) else float(world.tally[0].clock)
        rate = measured_rate(self._calendar, float(world.tally[0].clock))
        if self._calendar.state[0].handled < ENTRIES_TO_MEASURE or rate == 0.0:
            middle = float(np.median(ahead)) - start if len(ahead) else 0.0
            rate = len(ahead) / middle if middle > 0.0 else 1.0
        clear(self._calendar, start, rate)
        fill(self._calendar, world.bodies.ledger)

    def _count_from_later(self, world: World, duration: float) -> Any:
        """Count all times from a later origin and put the particles in order; that order."""
        ledger = world.bodies.ledger
        has_partner = ledger.partner >= 0
        lost = has_partner & (ledger.partner_state != _states(world)[ledger.partner])
        ledger.partner[lost] = loop.NOBODY  # they will look again, as they would have
        count_from_later(world, duration)
        ledger.event_time -= duration
        ledger.contact_time -= duration
        self._calendar.state.start -= duration
        order = _order_in_space(ledger)
        _renumber(world, order)
        has_partner = ledger.partner >= 0
        ledger.partner_state[has_partner] = _states(world)[ledger.partner[has_partner]]
        return order


class CellsAndCalendar(CalendarDriven):
    """Grids of cells and a calendar, see ``cells.py``; ``GridPlan`` says how many cells."""

    EVENTS = 100_000  # some 50 ms
    LARGE = 20_000  # beyond the caches of most machines; not tuned

    def __init__(self, system: System, cells_per_side: int | None) -> None:
        super().__init__(system)
        self._plan = GridPlan(system, cells_per_side)
        self._search: Any = None

    def prepare(self, world: World) -> None:
        """Fill the cells and let all particles look for their next events."""
        bodies = world.bodies
        position = _positions(world)
        while True:
            grids, bodies.ledger.level = self._plan.grids(position, bodies.record.radius)
            bodies.ledger.place = places(grids, position)
            if hold(grids, bodies.ledger):
                break
            self._plan.make_room()
        _renumber(world, _order_in_space(bodies.ledger))
        hold(grids, bodies.ledger)
        self._adopt(world, grids, np.zeros((len(position), 3), dtype=np.int32))
        self._begin(world, self._plan.finest_width)

    def _adopt(self, world: World, grids: Any, crossing: Any) -> None:
        """Search in these grids from now on."""
        in_hierarchy = isinstance(grids, Grids)
        narrow = grids.repeats > 0 if in_hierarchy else np.zeros(3, dtype=np.bool_)
        wide = np.where(world.space.periodic & ~narrow, world.space.lengths, 0.0)
        inverse = np.divide(1.0, wide, out=np.zeros(3), where=wide > 0.0)
        room = len(grids.members) // len(grids.inside)
        self._search = cells.CellSearch(
            grids,
            self._calendar,
            NearestImage(tuple(wide.tolist()), tuple(inverse.tolist())),
            in_cache_lines(len(crossing) + room + LANES, np.int32),
            crossing if in_hierarchy else crossing[:0],
            self.LARGE,
        )

    def advance(self, world: World, until: float, collisions: int) -> int:
        """Handle some events."""
        status = loop.advance(world, self._search, until, collisions, self.EVENTS)
        if status == CALENDAR_IS_WORN:
            self._tune(world)
            return PAUSED
        if status == NO_ROOM:
            self._plan.make_room()
            self.prepare(world)
            return PAUSED
        return int(status)

    def move_origin(self, world: World, duration: float) -> None:
        """Count all times from an origin that is so much later, and put everything in order."""
        order = self._count_from_later(world, duration)
        if len(self._search.crossing):
            self._search.crossing[:] = self._search.crossing[order]
        hold(self._search.grids, world.bodies.ledger)
        self._tune(world)

    def is_compiled(self, world: World) -> bool:
        """Whether ``advance`` starts without a compilation."""
        return loop.advance.is_compiled_for(world, self._search, 0.0, 0, 0)

    def arrays(self) -> dict[str, Any]:
        """The grids, and through which images partners meet; the calendar follows from these."""
        grids = {
            f"grids.{name}": np.asarray(value)
            for name, value in self._search.grids._asdict().items()
        }
        return grids | {"crossing": self._search.crossing}

    def restore(self, world: World, arrays: dict[str, Any]) -> None:
        """Take over grids and images."""
        kind = Grids if "grids.levels" in arrays else Grid
        values = [arrays[f"grids.{name}"] for name in kind._fields]
        grids = kind(
            *(_as_made(name, value) for name, value in zip(kind._fields, values, strict=True))
        )
        crossing = np.zeros((len(world.bodies.ledger), 3), dtype=np.int32)
        if kind is Grids:
            crossing[:] = arrays["crossing"]
        self._adopt(world, grids, crossing)
        self._tune(world)


class ListsAndCalendar(CalendarDriven):
    """Lists of neighbours and a calendar, see ``lists.py``."""

    EVENTS = 100_000
    LARGE = 20_000
    # Thickness of the shells in mean diameters; not tuned for each density.
    THICKNESS = 0.30
    # Packing fractions above which lists are faster than cells, measured with 4,000 particles.
    DENSE: ClassVar = {2: 0.60, 3: 0.42}
    LEAST_ROOM = 32  # two cache lines
    KEPT = ("shells", "lists")

    def __init__(self, system: System) -> None:
        super().__init__(system)
        self._thickness = self.THICKNESS * 2.0 * float(system.particles.radius.mean())
        self._plan = GridPlan(system, None, self._thickness)
        self._room = self.LEAST_ROOM
        self._search: Any = None
        if not self._plan.fits_one_grid():
            raise ValueError(
                "algorithm='lists' needs a box that is at least five times as wide as two "
                f"particles with their shells ({2.0 * self._plan.largest:g}) along every periodic "
                "axis; use algorithm='cells'."
            )

    @classmethod
    def suits(cls, system: System) -> bool:
        """Whether lists are faster than cells: for dense fluids of particles of similar size.

        A shell has to be left before a list is made anew, which in a dilute gas happens oftener
        than collisions; under gravity shells are cubes inside the spheres, and left sooner.
        """
        radius, dimension = system.particles.radius, system.dimension
        if math.isinf(system.volume) or system.gravity is not None:
            return False
        if system.acceleration is not None or radius.max() > 2.0 * radius.min():
            return False
        volume = math.pi * radius**2 if dimension == 2 else 4.0 / 3.0 * math.pi * radius**3
        thickness = cls.THICKNESS * 2.0 * float(radius.mean())
        is_dense = float(volume.sum()) > cls.DENSE[dimension] * system.volume
        return is_dense and GridPlan(system, None, thickness).fits_one_grid()

    def prepare(self, world: World) -> None:
        """Make all lists and let all particles look for their next events."""
        bodies = world.bodies
        position = _positions(world)
        for axis in np.flatnonzero(world.space.periodic):
            length = world.space.lengths[axis]
            boxes = np.floor(position[:, axis] / length).astype(np.int32)
            position[:, axis] -= boxes * length
            columns(bodies.record)[:, axis] -= boxes * length
            bodies.image[:, axis] += boxes
        bodies.ledger.level = 0
        while True:
            grid = self._plan.grids(position, bodies.record.radius)[0]
            bodies.ledger.place = places(grid, position)
            if hold(grid, bodies.ledger):
                break
            self._plan.make_room()
        order = _order_in_space(bodies.ledger)
        _renumber(world, order)
        hold(grid, bodies.ledger)
        shells = in_cache_lines(len(order), lists.SHELL)
        shells.x, shells.y, shells.z = position[order].T
        shells.reach = bodies.record.radius + self._thickness
        self._adopt(world, grid, shells)
        while not lists.make_lists(world, self._search):
            self._room += lists.LINE
            self._adopt(world, grid, shells)
        self._begin(world, self._thickness)

    def _adopt(self, world: World, grid: Any, shells: Any) -> None:
        """Search in this grid, with lists of the present room."""
        n = len(world.bodies.ledger)
        lengths = np.where(world.space.periodic, world.space.lengths, 0.0)
        inverse = np.divide(1.0, lengths, out=np.zeros(3), where=lengths > 0.0)
        rows = in_cache_lines(n * self._room, np.int32).reshape(n, self._room)
        self._search = lists.ListSearch(
            grid,
            self._calendar,
            NearestImage(tuple(lengths.tolist()), tuple(inverse.tolist())),
            new_spheres(grid),
            in_cache_lines(self._room + 2, np.int32),
            in_cache_lines(self._room, np.int32),
            shells,
            rows,
            self._thickness,
            rows.reshape(-1),
            self.LARGE,
        )
        self._mark_all(world)

    def _mark_all(self, world: World) -> None:
        """Let all see the shells as they are."""
        search = self._search
        centre = np.stack([search.shells.x, search.shells.y, search.shells.z], axis=1)
        place = world.bodies.ledger.place
        mark_all(search.spheres, search.grid, place, centre, search.shells.reach)

    def advance(self, world: World, until: float, collisions: int) -> int:
        """Handle some events."""
        status = loop.advance(world, self._search, until, collisions, self.EVENTS)
        if status == CALENDAR_IS_WORN:
            self._tune(world)
            return PAUSED
        if status == NO_ROOM:
            if self._search.grid.inside.max() == FOUR * len(self._search.grid.fours):
                self._plan.make_room()
            else:
                self._room += lists.LINE
            self.prepare(world)
            return PAUSED
        return int(status)

    def move_origin(self, world: World, duration: float) -> None:
        """Count all times from an origin that is so much later, and put everything in order."""
        order = self._count_from_later(world, duration)
        search = self._search
        number = np.empty(len(order), dtype=np.int32)
        number[order] = np.arange(len(order), dtype=np.int32)
        search.lists[:] = number[search.lists[order]]
        search.shells[:] = search.shells[order]
        hold(search.grid, world.bodies.ledger)
        self._mark_all(world)
        self._tune(world)

    def is_compiled(self, world: World) -> bool:
        """Whether ``advance`` starts without a compilation."""
        return loop.advance.is_compiled_for(world, self._search, 0.0, 0, 0)

    def arrays(self) -> dict[str, Any]:
        """The grid, the shells and the lists."""
        search = self._search
        own = {name: getattr(search, name) for name in self.KEPT}
        return _grid_arrays(search.grid) | own

    def restore(self, world: World, arrays: dict[str, Any]) -> None:
        """Take over grid, shells and lists."""
        self._room = arrays["lists"].shape[1]
        shells = in_cache_lines(len(arrays["shells"]), lists.SHELL)
        shells[:] = arrays["shells"]
        self._adopt(world, _restored_grid(arrays), shells)
        self._search.lists[:] = arrays["lists"]
        self._tune(world)


def _grid_arrays(grids: Any) -> dict[str, Any]:
    """The fields of a grid as arrays, by name."""
    return {f"grids.{name}": np.asarray(value) for name, value in grids._asdict().items()}


def _restored_grid(arrays: dict[str, Any]) -> Any:
    """The grid whose arrays ``_grid_arrays`` gave."""
    kind = Grids if "grids.levels" in arrays else Grid
    return kind(*(_as_made(name, arrays[f"grids.{name}"]) for name in kind._fields))


def _as_made(name: str, value: Array) -> Any:
    """A field of a grid as ``new_grids`` made it, from the array of a checkpoint."""
    if name == "fours":
        return (0,) * len(value)
    if value.ndim == 0:
        return int(value)
    if value.dtype.names is not None:
        return value.view(np.recarray)
    if name == "members":
        members = in_cache_lines(len(value), value.dtype)
        members[:] = value
        return members
    return value.copy()


def _positions(world: World) -> Array:
    """The positions (n, 3) of all particles at the time of the last event."""
    time, record = float(world.tally[0].clock), world.bodies.record
    position = np.array(columns(record)[:, POSITION])
    if (record.time != time).any():
        synchronise_positions(world, time, position)
    return position


def _states(world: World) -> Any:
    """``state_of`` for all particles."""
    bits = columns(world.bodies.record).view(np.int64)
    x, y, z = bits[:, VELOCITY].T
    return np.asarray(bits[:, TIME] ^ (x >> 1) ^ (y >> 2) ^ (z >> 3))


def _order_in_space(ledger: Any) -> Any:
    """The particles along Morton's curve through the cells of their places."""
    code, place = np.zeros(len(ledger), dtype=np.int64), np.asarray(ledger.place)
    for axis in range(3):
        cell = (place >> (BITS * axis)) & MASK
        for bit in range(int(cell.max()).bit_length()):
            code |= ((cell >> bit) & 1) << (3 * bit + axis)
    return np.argsort(code, kind="stable")


def _renumber(world: World, order: Any) -> None:
    """Put the particles in another order; partners stay partners."""
    ledger = world.bodies.ledger
    number = np.empty(len(order), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    for partner in (ledger.partner, *world.watch):
        has_partner = partner >= 0
        partner[has_partner] = number[partner[has_partner]]
    for part in (world.bodies, world.motion, world.rest, world.watch):
        for array in part:
            if isinstance(array, np.ndarray) and len(array) == len(order):
                plain = array.view(np.ndarray)
                # Whole rows at once are copied ten times as fast as their fields one by one.
                rows = plain.view(np.int64).reshape(len(order), -1) if plain.dtype.names else plain
                rows[...] = rows[order]
