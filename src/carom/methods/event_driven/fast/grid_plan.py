"""How many grids, and how wide their cells."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.compiled.vectors import three_columns
from carom.functions import doublings, power
from carom.methods.event_driven.cell_size import (
    SLACK,
    covered_region,
    covered_volume,
    largest_lean,
    leaning,
)
from carom.neighbours.folding import cells_in_memory, foldable, folded
from carom.neighbours.grids import FREE_CELLS, MOST_CELLS, MOST_FOURS
from carom.neighbours.new_grids import new_grids, on_levels
from carom.neighbours.spheres import MOST_LEAN
from carom.particles import Array
from carom.system import System

# Particles per cell where their size leaves a choice; in the plane not tuned.
PARTICLES_PER_CELL = {2: 1.0, 3: 0.57}
# Sizes that differ by more than 2 to this power are as good as points among planets.
MOST_DOUBLINGS = 7
# Cells of this many diameters hardly ever hold more than four particles.
TIGHT = 1.1
# Cells times their room in fours, for each particle and beside: 16 bytes each, and with shells 48.
FOURS_PER_PARTICLE, FOURS_WITH_SPHERES = 48, 16
FREE_FOURS = 8192
# What it costs to look into a cell, in pair tests.
CELL_COST = 0.5


class GridPlan:
    """Cells for a system: a level for each class of sizes, chosen by what a collision would cost.

    ``cells_per_side`` asks for one grid with so many cells along the longest side, ``shell`` for
    one grid for particles with a shell around them.

    However large the box, memory follows the number of particles: where cells would be too many,
    distant ones share their memory.
    """

    def __init__(self, system: System, cells_per_side: int | None, shell: float = 0.0) -> None:
        self._system = system
        self.cells_per_side = cells_per_side
        self._shell = shell
        self.largest = float(system.particles.radius.max()) + shell * (1.0 + 1e-5)
        self._doublings = 0 if cells_per_side or shell else _best_doublings(system)
        self._crowd = PARTICLES_PER_CELL[system.dimension]
        self._fours = self._room_at_first()
        self.finest_width = 1.0  # of the last grids

    def _room_at_first(self) -> int:
        """How many times four particles fit into a cell; short rows are sooner read.

        In cells that are hardly wider than a particle there is no room for a fifth.
        """
        system = self._system
        smallest = 2.0 * float(system.particles.radius.min())
        if self._shell or self.cells_per_side or self._doublings or math.isinf(system.volume):
            return 2
        largest = 2.0 * SLACK * self.largest
        width = _width(system, system.volume, largest, 0, self._crowd) * float(leaning(system)[0])
        return 1 if width < TIGHT * smallest else 2

    @property
    def is_crowded(self) -> bool:
        """Whether cells are narrower than suits particles that are spread evenly."""
        return self._crowd < PARTICLES_PER_CELL[self._system.dimension]

    def start_afresh(self) -> None:
        """Let the next grids be those of particles that are spread evenly."""
        self._crowd = PARTICLES_PER_CELL[self._system.dimension]

    def make_room(self, position: Array) -> None:
        """Let the next grids hold more: by narrower cells, and if that is no more use, more each.

        Particles that cluster fill cells that were right for a dilute gas. Twice as many each, as
        the compiler knows the length of short rows: every other length is compiled anew. In the
        end a cell has room for everybody.
        """
        system = self._system
        narrowest = 2.0 * self.largest / 2.0**self._doublings
        closest = len(system.particles) * power(narrowest, system.dimension)
        width_is_given = self.cells_per_side or self._shell
        if width_is_given or self._crowd * covered_volume(system, position) <= closest:
            self._fours *= 2
        else:
            self._crowd *= 0.5

    def grids(self, position: Array, radius: Array) -> tuple[Any, Array]:
        """Empty grids for particles at ``position`` (n, 3), and the level of each particle."""
        system = self._system
        origin, extent, number = self._division(position)
        width = self.finest_width = float((extent / number)[: system.dimension].min())
        radius = radius + (self.largest - float(radius.max()))
        doublings = _doublings_of(2.0 * SLACK * radius, width, self._doublings)
        kept, level = np.unique(doublings, return_inverse=True)
        largest = [float(radius[doublings == doubling].max()) for doubling in kept]
        periodic = _three(system.periodic)
        # Shells are found in a single grid only, however full.
        most, lean = self._fours if self._shell else MOST_FOURS, largest_lean(system)
        fold = self._fold((position - origin) / extent, number, kept, level)
        grids = new_grids(
            origin, extent, periodic, number, kept, largest, self._fours, most, lean, fold
        )
        return grids, level.astype(np.int8)

    def _division(self, position: Array) -> tuple[Array, Array, Any]:
        """The region with cells, its origin and extent (3,), and the finest cells along each axis.

        In open space it leaves out what is too far away from the middle for cells so narrow.
        """
        system, dimension = self._system, self._system.dimension
        origin, extent = covered_region(system, position)
        sides = extent[:dimension]
        finest = self._finest_width(covered_volume(system, position), float(sides.max()))
        fine = 1 << self._doublings
        finest = np.maximum(finest, 2.0 * SLACK * self.largest / fine * leaning(system))
        number = np.ones(3, dtype=np.int64)
        widest = self._most_along() // fine
        coarse = np.clip(np.floor(sides / (finest * fine)), 1, widest).astype(np.int64)
        if float(np.prod(coarse.astype(np.float64))) * fine**dimension > self._most_cells():
            coarse = foldable(coarse)
        number[:dimension] = coarse * fine
        if system.sides is None:
            far = sides > 2.0 * coarse * fine * finest
            middle = np.median(position[:, :dimension], axis=0) - origin[:dimension]
            covered = coarse * fine * finest
            begin = np.clip(middle - 0.5 * covered, 0.0, sides - covered)
            origin[:dimension] += np.where(far, begin, 0.0)
            extent[:dimension] = np.where(far, covered, sides)
        return origin, extent, number

    def _most_along(self) -> int:
        """How many cells there may be along an axis."""
        levels = 1 if self._doublings == 0 else MOST_DOUBLINGS // 2
        return min(max(FREE_CELLS // levels, len(self._system.particles)), MOST_CELLS)

    def _most_cells(self) -> int:
        """How many cells may have memory of their own."""
        per_particle = FOURS_WITH_SPHERES if self._shell else FOURS_PER_PARTICLE
        return (per_particle * len(self._system.particles) + FREE_FOURS) // self._fours

    def _fold(self, share: Array, number: Any, doublings: Any, level: Any) -> Any:
        """The cells (levels, 3) that have memory of their own, for particles at these shares (n, 3)
        of the region."""
        across, most = on_levels(number, doublings), self._most_cells()
        if cells_in_memory(across, bool(number[2] == 1)).sum() <= most:
            return across
        place = np.clip(share * number, 0, number - 1).astype(np.int64)
        occupied = np.array(
            [
                [len(np.unique(place[level == k, axis] >> doublings[k])) for axis in range(3)]
                for k in range(len(doublings))
            ]
        )
        # A single grid looks at three cells along an axis, without asking which share memory.
        to_one = not self._shell and (len(doublings) > 1 or self._fours > MOST_FOURS)
        return folded(across, occupied, most, to_one)

    def fits_one_grid(self) -> bool:
        """Whether one grid will do: the box is wide enough for it along every periodic axis."""
        system, width = self._system, 2.0 * SLACK * self.largest
        if system.sides is None:
            return True
        across = zip(system.sides, system.periodic, strict=True)
        if not all(side >= 5.0 * width for side, repeats in across if repeats):
            return False
        lean = largest_lean(system)
        # Where cells lean, particles in view must be nearer than half the box as well.
        seen = 2.0 * width * (leaning(system)[0] + lean)
        return lean == 0.0 or (2.5 * seen <= system.sides[0] and lean <= MOST_LEAN)

    def _finest_width(self, volume: float, longest: float) -> Any:
        system = self._system
        largest = 2.0 * SLACK * self.largest
        if self._shell:
            return largest
        if self.cells_per_side:
            return max(longest / self.cells_per_side, largest) * (1.0 - 1e-12)
        return _width(system, volume, largest, self._doublings, self._crowd)


def _three(flags: Any) -> Any:
    full = np.zeros(3, dtype=np.bool_)
    full[: len(flags)] = flags
    return full


def _width(system: System, volume: float, largest: float, doublings: int, crowd: float) -> float:
    """The width of the finest cells: as the density wants, but no particle is too large."""
    dimension = system.dimension
    share = crowd * volume / len(system.particles)
    return max(largest / 2.0**doublings, power(share, 1.0 / dimension))


def _doublings_of(diameter: Array, width: float, most: int) -> Array:
    """How often cells must double to hold particles of these diameters."""
    return np.clip(doublings(np.maximum(diameter / width, 1e-9)), 0, most).astype(np.int64)


def _best_doublings(system: System) -> int:
    """How many times the coarsest cells are halved, at the least estimated cost."""
    radius = system.particles.radius
    if float(radius.max()) < 2.0 * float(radius.min()):
        return 0
    volume = covered_volume(system, three_columns(system.particles.position))
    costs = [_cost(system, volume, doublings) for doublings in range(MOST_DOUBLINGS + 1)]
    return int(np.argmin(costs))


def _cost(system: System, volume: float, doublings: int) -> float:
    """The estimated cost of a collision, with particles of one temperature.

    For each level: the rate of its collisions and transfers, times the cells it then looks into
    and the particles in them.
    """
    dimension, radius = system.dimension, system.particles.radius
    largest, crowd = 2.0 * SLACK * float(radius.max()), PARTICLES_PER_CELL[dimension]
    width = _width(system, volume, largest, doublings, crowd)
    level = _doublings_of(2.0 * SLACK * radius, width, doublings)
    kept, counts = np.unique(level, return_counts=True)
    mean = np.array([radius[level == k].mean() for k in kept])
    most = np.array([radius[level == k].max() for k in kept])
    speed = power(mean, -0.5 * dimension)
    collisions = transfers = 0.0
    work = 0.0
    for a, k_a in enumerate(kept):
        meetings = float((counts * power(mean[a] + mean, dimension - 1) * speed[0]).sum()) / volume
        rate = counts[a] * meetings
        leaving = counts[a] * speed[a] / width
        for b, k_b in enumerate(kept):
            cell = width * 2.0**k_b
            reach = math.ceil((most[a] + most[b]) / (width * 2.0 ** min(k_a, k_b)))
            across = 1.0 + 2.0 * reach * 2.0 ** (min(k_a, k_b) - k_b)
            each = CELL_COST + counts[b] * power(cell, dimension) / volume
            work += each * (
                rate * power(across, dimension) + leaving * power(across, dimension - 1)
            )
        collisions += 0.5 * rate
        transfers += leaving
    return work / collisions
