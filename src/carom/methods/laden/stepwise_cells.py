"""Cells that carry over from step to step, and a calendar for what happens inside a step."""

from __future__ import annotations

import numpy as np

from carom.errors import CALENDAR_IS_WORN, CELLS_DUE, NO_ROOM, PAUSED
from carom.events.calendar import clear
from carom.methods.counts import Counts
from carom.methods.event_driven.cell_size import NEVER_DUE, CellSize, covered_region
from carom.methods.event_driven.fast.cells_and_calendar import CellsAndCalendar
from carom.methods.event_driven.fast.grid_plan import GridPlan
from carom.methods.event_driven.inside import positions
from carom.methods.event_driven.world import World, counts_of
from carom.methods.laden import steps
from carom.methods.laden.cell_choice import best_factor
from carom.methods.laden.steps import LOST, Pace
from carom.system import System

# Steps after which neighbours in space are made neighbours in memory again.
STEPS_PER_ORDER = 32
# Steps of a particle between two returns to Python: some ten milliseconds.
PARTICLE_STEPS = 50_000
# Steps over which the cost of a cell size is counted.
STEPS_PER_WINDOW = 10
# Other cells are made when their number along a side should change by more than this.
WORTH_IT = 1.08


class StepwiseCells(CellsAndCalendar):
    """Cells with transfers, as in section 2.1 of Sigurgeirsson, Stuart & Wan 2001."""

    def __init__(
        self, system: System, pace: Pace, cells_per_side: int | None, adaptive: bool | str
    ) -> None:
        super().__init__(system, cells_per_side)
        self._system = system
        self.pace = pace
        self._calendar.state.horizon = pace.pieces * pace.dt
        self._size = CellSize(system, cells_per_side, adaptive, STEPS_PER_WINDOW)
        self._adaptive = adaptive
        self._window = np.zeros(len(Counts._fields), dtype=np.int64)  # counts when it began
        self._order_due = 0
        self.review_due = NEVER_DUE  # when somebody else wants to decide, in steps

    def prepare(self, world: World) -> None:
        """Fill the cells; whoever is in the middle of a step looks for its next event later."""
        if self._adaptive:
            _, extent = covered_region(self._system, positions(world))
            wanted = max(1, round(self._size.across(extent)))
            if wanted != self._plan.cells_per_side:
                # What was learnt about the room that cells need holds for cells of their width.
                self._plan = GridPlan(self._system, wanted)
        super().prepare(world)
        self._order_due = counts_of(world).steps + STEPS_PER_ORDER

    def forget(self) -> None:
        """Let go of the cells: they will be made anew."""
        self._search = None

    def _begin(self, world: World, width: float) -> None:
        # The rate is chosen when the events are known.
        clear(self._calendar, float(world.tally[0].clock), 1.0)
        world.tally[0].rebuilds += 1

    def advance_steps(self, world: World, until: float, collisions: int, one: bool) -> int:
        """Handle the events of some steps, or of one."""
        rounds = 1 if one else self._rounds(world)
        status = steps.advance(
            world, self._search, self.pace, until, collisions, self.EVENTS, rounds
        )
        if status == CALENDAR_IS_WORN:
            self._tune(world)
            return PAUSED
        if status in (NO_ROOM, CELLS_DUE):
            self.pace.stands[0] = LOST
            self._change_cells(world, status)
            return PAUSED
        return int(status)

    def put_in_order(self, world: World) -> None:
        """Between two steps: choose the size of the cells, and put particles in order, if due."""
        counts = counts_of(world)
        changed = counts.steps >= self._size.due and self._adapt(counts)
        if changed or counts.steps >= self._order_due:
            self.prepare(world)

    def _adapt(self, counts: Counts) -> bool:
        """Choose the number of cells from the last window; whether it is another one."""
        before = Counts(*(int(number) for number in self._window))
        self._window[:] = counts
        if self._adaptive == "clock":
            self._size.adapt(counts, counts.steps)
            return True
        factor = best_factor(before, counts, len(self._system.particles), self._system.dimension)
        if 1.0 / WORTH_IT < factor < WORTH_IT:
            factor = 1.0
        self._size.rescale(factor, counts.steps)
        return factor != 1.0

    def _rounds(self, world: World) -> int:
        """How many rounds may pass until something is due, or a look at the clock."""
        counts = counts_of(world)
        ahead = min(self._order_due, self._size.due, self.review_due) - counts.steps
        few = PARTICLE_STEPS // len(self._system.particles)
        return max(1, min(ahead // self.pace.pieces, few))

    def is_compiled(self, world: World) -> bool:
        """Whether ``advance_steps`` starts without a compilation."""
        if not self._is_compiled:
            self._is_compiled = steps.advance.is_compiled_for(
                world, self._search, self.pace, 0.0, 0, 0, 0
            )
        return self._is_compiled
