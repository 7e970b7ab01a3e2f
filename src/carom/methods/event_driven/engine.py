"""The engine of the event-driven method: from collision to collision, without steps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from carom.detection import Naive, Stable
from carom.domains import Shear, time_of_turn, turn
from carom.errors import (
    LOG_IS_FULL,
    PAUSED,
    REACHED_COLLISIONS,
    REACHED_TIME,
)
from carom.methods.constant_motion import constant_motion
from carom.methods.event_driven import world as parts
from carom.methods.event_driven.algorithms import Algorithm, CellsAndHeap, CollisionList, Simple
from carom.methods.event_driven.cell_size import refuse_narrow_cells
from carom.methods.event_driven.event_engine import EventEngine
from carom.methods.event_driven.fast.cells_and_calendar import CellsAndCalendar
from carom.methods.event_driven.fast.cells_or_lists import automatic
from carom.methods.event_driven.fast.lists_and_calendar import ListsAndCalendar
from carom.methods.event_driven.new_world import (
    NEVER_RESTS,
    new_world,
    refuse_overlaps,
    rests_on_planes,
)
from carom.methods.event_driven.world import count_from_later
from carom.methods.exchange import Stays, Sums
from carom.methods.statuses import refuse_trouble, served
from carom.motions import Accelerated, Gravity
from carom.system import System

if TYPE_CHECKING:
    from carom.methods.event_driven.event_driven import EventDriven

DETECTIONS = {"stable": Stable(), "naive": Naive()}
# Collisions per particle after which times are counted from a new origin. The time between two
# events is then known to 1e-14 of itself, however long the run.
COLLISIONS_PER_ORIGIN = 128


class EventDrivenEngine(EventEngine):
    """Runs a system whose particles fly freely, or fall, between their events."""

    _algorithm: Algorithm

    def __init__(self, system: System, method: EventDriven) -> None:
        self._method = method
        if system.force is not None:
            raise ValueError(
                f"EventDriven cannot follow force={system.force!r}: between collisions it knows "
                "free flight and constant acceleration. Use method=carom.TimeStepped(...) or "
                "carom.SoftContacts(...)."
            )
        if system.shapes and method.detection != "stable":
            raise ValueError(
                f"detection={method.detection!r} knows no walls but planes, and there is "
                f"{system.shapes[0].described}. Leave detection out."
            )
        refuse_narrow_cells(system, method.cells_per_side)
        rest = rests_on_planes(system) if method.resting else NEVER_RESTS
        detection = DETECTIONS[method.detection]
        world = new_world(system, self._motion(system), detection, rest, method.three_body)
        self._refuse_overlaps(system, world)
        super().__init__(system, world, _new_algorithm(system, method))
        self._note_when_origin_is_due()

    def _motion(self, system: System) -> Any:
        motion = constant_motion(system)
        if self._method.resting and isinstance(motion, Gravity):
            # What holds a particle acts on it alone.
            return Accelerated(np.full((len(system.particles), 3), motion))
        return motion

    def _refuse_overlaps(self, system: System, world: parts.World) -> None:
        refuse_overlaps(system, world)

    def advance(self, until: float, collisions: int) -> int:
        """Handle events for a fraction of a second at most; the status says why it came back."""
        self.prepare()
        tally = self.world.tally[0]
        due = int(tally.origin_due)
        first = min(collisions, due)
        end, turn = until - float(tally.origin), self._time_of_turn()
        with self._looks_again_if_interrupted():
            status = self._algorithm.advance(self.world, min(end, turn), first)
        if status == REACHED_COLLISIONS and first < collisions:
            self._move_origin()
            return PAUSED
        if status == REACHED_TIME and turn < end:
            self._turn(turn)
            return PAUSED
        refuse_trouble(status, self.system, tally, self.time, rests=self._method.resting)
        return served(status, {LOG_IS_FULL: self._drain_log})

    def _come_to(self, time: float) -> None:
        super()._come_to(time)
        count_from_later(self.world, float(self.world.tally[0].clock))

    def _successor(self, system: System) -> EventDrivenEngine:
        return EventDrivenEngine(system, self._method)

    def exchanged(self, time: float, system: System, stays: Stays) -> Any:
        """An engine that goes on from a time, not before the last event, with other particles."""
        successor = super().exchanged(time, system, stays)
        successor._note_when_origin_is_due()
        return successor

    def go_on_from(self, sums: Sums, time: float) -> None:
        """Begin at a time with sums of before, where nobody was left."""
        super().go_on_from(sums, time)
        self._note_when_origin_is_due()

    def _time_of_turn(self) -> float:
        """When images have slid so far that what is known of them has to be found anew."""
        shear = self.world.space.shear
        return time_of_turn(shear) if isinstance(shear, Shear) else math.inf

    def _turn(self, time: float) -> None:
        """Let the offset of the images begin anew at a time up to which nothing happens."""
        parts.move_all(self.world, time)
        boxes = turn(self.world.space.shear)
        crossed = self.world.bodies.boxes
        crossed[:, 0] += boxes * crossed[:, 1]
        self._look_round()

    def _move_origin(self) -> None:
        """Count all times from the last event on."""
        self._drain_log()
        tally = self.world.tally[0]
        self._algorithm.move_origin(self.world, float(tally.clock))
        self._note_when_origin_is_due()

    def _note_when_origin_is_due(self) -> None:
        tally, n = self.world.tally[0], len(self.world.bodies.ledger)
        tally.origin_due = tally.collisions + COLLISIONS_PER_ORIGIN * n


def _new_algorithm(system: System, method: EventDriven) -> Algorithm:
    if method.algorithm == "simple":
        return Simple(system)
    if method.algorithm == "collision_list":
        return CollisionList(system)
    if method.algorithm == "heap" or method.adaptive:
        return CellsAndHeap(system, method.cells_per_side, method.adaptive)
    if method.algorithm == "lists":
        return ListsAndCalendar(system)
    if method.algorithm == "auto" and method.cells_per_side is None:
        return automatic(system)
    return CellsAndCalendar(system, method.cells_per_side)
