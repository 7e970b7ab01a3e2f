"""How many cells, and when to change their number."""

from __future__ import annotations

import math
from time import perf_counter
from typing import Any

import numpy as np

from carom.functions import power
from carom.methods.counts import Counts
from carom.methods.keeping import not_kept
from carom.neighbours import Cells, new_cells
from carom.particles import Array
from carom.system import System

# Particles per cell where the particles leave a choice. Sigurgeirsson, Stuart & Wan 2001 found
# the least running time at 0.6 in the plane; it is a flat optimum.
PARTICLES_PER_CELL = {2: 0.6, 3: 0.6}
# A cell is wider than the largest particle by this factor, so that rounding of a face's place
# never lets two touching particles be two cells apart.
SLACK = 1.0 + 1e-9


# Memory follows the number of particles, whatever the box and whoever asks for more cells.
CELLS_PER_PARTICLE = 128
FREE_CELLS = 1 << 18
MOST_ALONG = 1 << 20

NEVER_DUE = np.iinfo(np.int64).max

# Places in CellSize.state.
ACROSS, DIRECTION, LAST_COST, START_WORK, START, DUE = range(6)


# What an event of the published algorithm costs beside its pair tests, in pair tests.
EVENT_COST = 8.0


@not_kept("_clock")
class CellSize:
    """The number of cells along the longest side, fixed or adapted.

    - Left alone, it follows from PARTICLES_PER_CELL; ``cells_per_side`` fixes it.
    - ``adaptive=True`` is the scheme of section 2.3 of Sigurgeirsson, Stuart & Wan 2001: it goes
      on in one direction while the cost per collision falls, and turns round when it rises. The
      cost is counted (pair tests and events), so that runs stay reproducible.
    - ``adaptive="clock"`` takes measured time for the cost, as in the paper; not reproducible.

    In open space the cells follow the particles every so many collisions. Methods with time steps
    have a ``window`` of so many steps, and what counts is the cost of a step.
    """

    STEP = 1.15  # factor between successive numbers of cells
    # Long enough for the cost of a rebuild and the noise of a window not to matter.
    COLLISIONS_PER_PARTICLE = 5

    def __init__(
        self,
        system: System,
        cells_per_side: int | None,
        adaptive: bool | str,
        window: int | None = None,
    ) -> None:
        self._system = system
        self._adaptive = adaptive
        self._window = window or max(self.COLLISIONS_PER_PARTICLE * len(system.particles), 1000)
        self._clock = perf_counter()
        follows = bool(adaptive) or (system.sides is None and cells_per_side is None)
        # All that an adaptation depends on.
        self.state = np.zeros(6)
        self.state[ACROSS] = cells_per_side or 0  # 0: from PARTICLES_PER_CELL
        self.state[DIRECTION] = 1.0
        self.state[LAST_COST] = math.inf
        self.state[DUE] = self._window if follows else math.inf

    @property
    def due(self) -> int:
        """The number of collisions (steps) at which ``adapt`` is to be called."""
        return NEVER_DUE if math.isinf(self.state[DUE]) else int(self.state[DUE])

    def cells(self, position: Array) -> Cells:
        """Empty cells for particles at ``position`` (n, 3)."""
        system, dimension = self._system, self._system.dimension
        origin, extent = covered_region(system, position)
        longest = float(extent[:dimension].max())
        number = np.ones(3, dtype=np.int64)
        wanted = np.round(extent[:dimension] * self.across(extent) / longest)
        narrowest = 2.0 * float(system.particles.radius.max()) * SLACK * leaning(system)
        allowed = np.floor(extent[:dimension] / narrowest)
        number[:dimension] = np.clip(np.minimum(wanted, allowed), 1, MOST_ALONG)
        _keep_few(number, CELLS_PER_PARTICLE * len(position) + FREE_CELLS)
        return new_cells(len(position), number, origin, extent)

    def across(self, extent: Array) -> float:
        """The number of cells along the longest side of a region (3,)."""
        dimension, state = self._system.dimension, self.state
        if state[ACROSS] > 0:
            return float(state[ACROSS])
        volume = float(np.prod(extent[:dimension]))
        share = PARTICLES_PER_CELL[dimension] * volume / len(self._system.particles)
        narrowest = 2.0 * float(self._system.particles.radius.max()) * SLACK
        across = float(extent[:dimension].max()) / max(power(share, 1.0 / dimension), narrowest)
        if self._adaptive:
            state[ACROSS] = across
        return across

    def rescale(self, factor: float, done: int) -> None:
        """Change the number of cells by a factor, as far as the particles' size allows."""
        state = self.state
        state[ACROSS] = min(max(state[ACROSS] * factor, 1.0), self._most_across())
        state[DUE] = done + self._window

    def adapt(self, counts: Counts, done: int) -> None:
        """Choose the next number of cells from what was done at which cost in the last window.

        ``done`` is the number of collisions, or of steps, since the start.
        """
        state = self.state
        if self._adaptive:
            work = self._work(counts)
            cost = (work - state[START_WORK]) / (done - state[START])
            if cost > state[LAST_COST]:
                state[DIRECTION] = -state[DIRECTION]
            state[LAST_COST] = cost
            state[START_WORK] = work
            state[START] = done
            most = self._most_across()
            state[ACROSS] = min(max(state[ACROSS] * power(self.STEP, state[DIRECTION]), 1.0), most)
        state[DUE] = done + self._window

    def _work(self, counts: Counts) -> float:
        if self._adaptive == "clock":
            return perf_counter() - self._clock
        events = counts.collisions + counts.checks + counts.transfers + counts.wall_collisions
        return float(counts.pair_tests + EVENT_COST * events)

    def _most_across(self) -> float:
        if self._system.sides is None:
            return math.inf  # the cells shrink with the region; their width is limited anyway
        return max(1.0, most_cells_across(self._system))


def _keep_few(number: Any, most: int) -> None:
    """Make numbers of cells along the axes less until all together are at most so many."""
    while (cells := int(number.prod())) > most:
        share = power(most / cells, 1.0 / int((number > 1).sum()))
        number[:] = np.maximum(np.floor(number * share), 1)


def leaning(system: System) -> Array:
    """By what factors (d,) cells must be wider than particles, because the box leans.

    The boxes of a sheared system lean by up to half a box length along x, and the cells with them.
    So particles in contact can be apart by more than their diameter in coordinates in which the
    cells are upright.
    """
    factors = np.ones(system.dimension)
    factors[0] = math.hypot(1.0, largest_lean(system))
    return factors


def largest_lean(system: System) -> float:
    """How far boxes, and the cells in them, lean at most: x per y."""
    if system.shear_rate == 0.0 or system.sides is None:
        return 0.0
    return 0.5 * system.sides[0] / system.sides[1]


def most_cells_across(system: System) -> int:
    """The largest number of cells along the longest side that the particles' size allows."""
    assert system.sides is not None
    return math.floor(max(system.sides) / (2.0 * float(system.particles.radius.max()) * SLACK))


def refuse_narrow_cells(system: System, cells_per_side: int | None) -> None:
    """Refuse more cells along the longest side than the particles' size allows."""
    if cells_per_side is None or system.sides is None:
        return
    most = most_cells_across(system)
    if cells_per_side > most:
        raise ValueError(
            f"cells_per_side={cells_per_side} makes cells narrower than the largest particle "
            f"(diameter {2 * system.particles.radius.max():g}); at most {most} are possible here."
        )


def covered_region(system: System, position: Array) -> tuple[Array, Array]:
    """Origin and extent (3,) of the region with cells; beyond it the outermost cells go on."""
    origin, extent = np.zeros(3), np.ones(3)
    if system.sides is not None:
        extent[: system.dimension] = system.sides
        return origin, extent
    diameter = 2.0 * float(system.particles.radius.max())
    for axis in range(system.dimension):
        lower, upper = float(position[:, axis].min()), float(position[:, axis].max())
        origin[axis] = lower - 0.5 * diameter
        extent[axis] = upper - lower + diameter
    return origin, extent


def covered_volume(system: System, position: Array) -> float:
    """The volume of that region; finite, whatever its sides."""
    _, extent = covered_region(system, position)
    return min(float(np.prod(extent[: system.dimension])), float(np.finfo(np.float64).max))
