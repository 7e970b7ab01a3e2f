"""Cells or lines, whichever suits the flow at the time; the choice follows from counts."""

from __future__ import annotations

import math

import numpy as np

from carom.methods.event_driven.world import World, counts_of
from carom.methods.laden.comoving_steps import ComovingSteps
from carom.methods.laden.steps import LOST, Pace
from carom.methods.laden.stepwise_cells import StepwiseCells

# Lines are for steps in which few collide: beyond so many collisions, or pair tests, of a particle
# in a step, cells are faster. In turbulence with 0.006 collisions and 3 tests lines are several
# times as fast, in the bands of a Taylor–Green flow with 0.08 collisions 2.7 times slower.
MOST_COLLISIONS = 0.02
MOST_TESTS = 30.0
# Steps with cells after which lines are tried again, if few collide.
STEPS_WITH_CELLS = 25

CELLS, LINES = 0, 1
# Places in the state.
CHOSEN, COLLISIONS, TESTS, STEPS, DUE = range(5)


class AutomaticSteps:
    """Runs steps with lines or with cells, and changes between them from step to step."""

    def __init__(self, pace: Pace, cells: StepwiseCells, lines: ComovingSteps, free: bool) -> None:
        self.pace = pace
        self._cells, self._lines = cells, lines
        # Not free to choose: cells then only stand in where lines cannot be used.
        self._most = (MOST_COLLISIONS, MOST_TESTS) if free else (math.inf, math.inf)
        self._state = np.zeros(5, dtype=np.int64)
        self._state[CHOSEN] = LINES

    @property
    def _chosen(self) -> StepwiseCells | ComovingSteps:
        return self._lines if self._state[CHOSEN] == LINES else self._cells

    def prepare(self, world: World) -> None:
        """Make ready for a step."""
        self._chosen.prepare(world)

    def _choose(self, world: World, choice: int) -> None:
        lines = self._lines
        if choice == CELLS and not lines.is_exact:
            raise ValueError(
                f"dt={self.pace.dt:g} is too long for this detection: at the highest speed, "
                f"{lines.fastest:g}, particles come a third of the box closer in a step. Use a "
                "shorter dt, or search='exact'."
            )
        before = self._chosen
        self._state[CHOSEN] = choice
        self._chosen.prepare(world)
        before.forget()
        self._state[DUE] = counts_of(world).steps + STEPS_WITH_CELLS

    def put_in_order(self, world: World) -> None:
        """Between two steps: choose, if that is due, and let the chosen do what is due."""
        lines = self._lines
        if self._state[CHOSEN] == LINES and not lines.is_possible(lines.fastest):
            self._choose(world, CELLS)  # already at the start, where somebody is too fast
        elif counts_of(world).steps < self._review_due or not self._review(world):
            self._chosen.put_in_order(world)

    @property
    def _review_due(self) -> int:
        """The step at which to choose again, whatever the pieces in which a run is asked for."""
        if self._state[CHOSEN] == LINES:
            return int(self._lines.order_due)
        return int(self._state[DUE])

    def _review(self, world: World) -> bool:
        """Choose by what was counted since the last time; whether the choice is another one."""
        counts, state = counts_of(world), self._state
        particles = len(world.bodies.ledger) * max(int(counts.steps - state[STEPS]), 1)
        collisions = (counts.collisions - state[COLLISIONS]) / particles
        tests = (counts.pair_tests - state[TESTS]) / particles
        state[COLLISIONS], state[TESTS], state[STEPS] = (
            counts.collisions,
            counts.pair_tests,
            counts.steps,
        )
        lines = self._lines
        if state[CHOSEN] == LINES:
            if collisions > self._most[0] or tests > self._most[1]:
                self._choose(world, CELLS)
                return True
        else:
            state[DUE] = counts.steps + STEPS_WITH_CELLS
            if collisions < 0.5 * self._most[0] and lines.is_possible(lines.speed_of(world)):
                self._choose(world, LINES)
                return True
        return False

    def advance_steps(self, world: World, until: float, collisions: int, one: bool) -> int:
        """Handle the events of some steps, or of one."""
        lines = self._lines
        lost = self.pace.stands[0] == LOST
        if self._state[CHOSEN] == LINES and lost and not lines.is_possible(lines.fastest):
            self._choose(world, CELLS)
            self.pace.stands[0] = LOST
        self._cells.review_due = int(self._state[DUE])
        return self._chosen.advance_steps(world, until, collisions, one)

    def is_compiled(self, world: World) -> bool:
        """Whether ``advance_steps`` starts without a compilation."""
        return self._chosen.is_compiled(world)
