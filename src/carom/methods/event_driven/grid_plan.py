"""How many grids, and how wide their cells."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.functions import doublings, power
from carom.methods.event_driven.cell_size import SLACK, covered_region, largest_lean, leaning
from carom.neighbours.grids import MOST_CELLS, MOST_FOURS, new_grids
from carom.neighbours.spheres import MOST_LEAN
from carom.particles import Array
from carom.system import System

# Particles per cell where their size leaves a choice; in the plane not tuned.
PARTICLES_PER_CELL = {2: 1.0, 3: 0.57}
# Sizes that differ by more than 2 to this power are as good as points among planets.
MOST_DOUBLINGS = 7
# Cells of this many diameters hardly ever hold more than four particles.
TIGHT = 1.1
# What it costs to look into a cell, in pair tests.
CELL_COST = 0.5


class GridPlan:
    """Cells for a system: a level for each class of sizes, chosen by what a collision would cost.

    ``cells_per_side`` asks for one grid with so many cells along the longest side, ``shell`` for
    one grid for particles with a shell around them.
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

    def make_room(self) -> None:
        """Let the next grids hold more: by narrower cells, and if that is no more use, more each.

        Particles that cluster fill cells that were right for a dilute gas. Twice as many each, as
        the compiler knows the length of short rows: every other length is compiled anew.
        """
        system = self._system
        closest = len(system.particles) * power(2.0 * self.largest, system.dimension)
        width_is_given = self.cells_per_side or self._shell
        if width_is_given or self._crowd * system.volume <= closest:
            self._fours *= 2
        self._crowd *= 0.5

    def grids(self, position: Array, radius: Array) -> tuple[Any, Array]:
        """Empty grids for particles at ``position`` (n, 3), and the level of each particle."""
        system, dimension = self._system, self._system.dimension
        origin, extent = covered_region(system, position)
        sides = extent[:dimension]
        finest = self._finest_width(float(np.prod(sides)), float(sides.max()))
        fine = 1 << self._doublings
        finest = np.maximum(finest, 2.0 * SLACK * self.largest / fine * leaning(system))
        number = np.ones(3, dtype=np.int64)
        widest = min(MOST_CELLS // fine, 2**30)
        number[:dimension] = np.clip(np.floor(sides / (finest * fine)), 1, widest) * fine
        width = self.finest_width = float((sides / number[:dimension]).min())
        radius = radius + (self.largest - float(radius.max()))
        doublings = _doublings_of(2.0 * SLACK * radius, width, self._doublings)
        kept, level = np.unique(doublings, return_inverse=True)
        largest = [float(radius[doublings == doubling].max()) for doubling in kept]
        periodic = _three(system.periodic)
        # Shells are found in a single grid only, however full.
        most, lean = self._fours if self._shell else MOST_FOURS, largest_lean(system)
        grids = new_grids(origin, extent, periodic, number, kept, largest, self._fours, most, lean)
        return grids, level.astype(np.int8)

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
    if float(radius.max()) < 2.0 * float(radius.min()) or math.isinf(system.volume):
        return 0
    costs = [_cost(system, doublings) for doublings in range(MOST_DOUBLINGS + 1)]
    return int(np.argmin(costs))


def _cost(system: System, doublings: int) -> float:
    """The estimated cost of a collision, with particles of one temperature.

    For each level: the rate of its collisions and transfers, times the cells it then looks into
    and the particles in them.
    """
    dimension, volume, radius = system.dimension, system.volume, system.particles.radius
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
