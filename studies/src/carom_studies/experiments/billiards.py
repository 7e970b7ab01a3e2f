"""Billiards with cells and a heap: what a collision costs, and with how many cells it costs least.

Sigurgeirsson, Stuart & Wan 2001, section 1.4. Lengths are in units of the box and speeds in units
of the thermal velocity, as there. Boundaries are periodic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import nnls

import carom
from carom.methods.event_driven.cell_size import most_cells_across
from carom.particles import Array
from carom_studies.entry import Choice, Tell
from carom_studies.timing import by_rounds, seconds_each

SEED = 1
MELTING = 5  # collisions per particle before anything is measured
SETTLING = 0.1  # collisions per particle of each run before its first piece
# Cells per side that are tried, over n^(1/d). Best were 1.3 in the plane and 1.4 in space.
WIDE = tuple(2.0 ** (k / 4.0) for k in range(-4, 6))
NARROW = tuple(2.0 ** (k / 4.0) for k in range(-1, 4))
RESAMPLED = 200  # times, for the error of the best number of cells


class Effort(NamedTuple):
    """How much is measured at each number of particles."""

    sizes: Sequence[int]
    collisions: int  # in a piece
    pieces: int  # at least
    small_pieces: int = 600_000  # over n: more for few particles, where they cost little

    def pieces_of(self, n: int) -> int:
        """How many of n particles."""
        return max(self.pieces, self.small_pieces // n)


class Billiards(NamedTuple):
    """What the systems of a series share."""

    dimension: int
    packing_fraction: float

    def system(self, n: int) -> carom.System:
        """So many particles in equilibrium."""
        particles, box = carom.packings.random(
            n, self.packing_fraction, dimension=self.dimension, temperature=1.0, seed=SEED
        )
        simulation = carom.Simulation(carom.System(particles, box))
        simulation.run(collisions=MELTING * n, progress=False)
        return carom.System(simulation.particles, box)

    def parameters(self, effort: Effort) -> dict[str, Any]:
        """What an entry says of its runs."""
        return {
            "dimension": self.dimension,
            "packing fraction": self.packing_fraction,
            "n": list(effort.sizes),
            "algorithm": "heap",
            "collisions in a piece": effort.collisions,
            "pieces": [effort.pieces_of(n) for n in effort.sizes],
        }

    @property
    def choices(self) -> list[Choice]:
        """What the paper does not give."""
        return [
            Choice(
                "boundaries",
                "periodic",
                "section 1.2 has walls and periodic ones; the analysis knows no walls",
            ),
            Choice(
                "duration",
                f"pieces after {MELTING} collisions per particle",
                "time and collisions are proportional to it, exponents do not depend on it",
            ),
        ]


class Scan(NamedTuple):
    """What collisions of n particles cost with different numbers of cells."""

    n: int
    dimension: int
    cells: list[int]  # per side, m in the paper
    most: int  # cells that particles fit into
    seconds: Array  # (pieces, cells), processor time of a collision
    collisions: float  # in a unit of time
    checks: Array  # (cells,) of a collision

    @property
    def cost(self) -> Array:
        """(cells,) seconds per collision: the median of the pieces."""
        return np.median(by_rounds(self.seconds), axis=0)

    @property
    def best(self) -> int:
        """The number of cells per side with which a collision costs least."""
        return self._best(self.seconds)

    @property
    def least(self) -> float:
        """Seconds per collision with the best number of cells."""
        return float(self.curve([self.best])[0])

    @property
    def error(self) -> float:
        """The standard error of ``best``, from pieces drawn again and again."""
        random = np.random.default_rng(SEED)
        pieces = len(self.seconds)
        drawn = (random.integers(pieces, size=pieces) for _ in range(RESAMPLED))
        return float(np.std([self._best(self.seconds[chosen]) for chosen in drawn]))

    def curve(self, cells: ArrayLike) -> Array:
        """The cost by equation 8, through the measured ones, with other numbers of cells."""
        return self._curve(self.seconds, cells)

    def _curve(self, seconds: Array, cells: ArrayLike) -> Array:
        """The cost (α + β m^−d)(γ + δ m): the work of an event times the number of events.

        An event looks at the particles around; events are collisions and transfers. The logarithm
        of n is a constant here. The four products are free, but none is negative.
        """
        cost = np.median(by_rounds(seconds), axis=0)
        weighted = self._terms(self.cells) / cost[:, None]  # relative errors are alike
        coefficients, _ = nnls(weighted, np.ones(len(cost)))
        return self._terms(cells) @ coefficients

    def _terms(self, cells: ArrayLike) -> Array:
        m = np.asarray(cells, dtype=float)
        return np.stack([m**0, m, m**-self.dimension, m ** (1 - self.dimension)], axis=1)

    def _best(self, seconds: Array) -> int:
        """The least of the curve between the first and the last that were tried."""
        tried = np.arange(self.cells[0], self.cells[-1] + 1)
        return int(tried[np.argmin(self._curve(seconds, tried))])


class _Run:
    """A system with so many cells per side."""

    def __init__(self, system: carom.System, cells: int) -> None:
        method = carom.EventDriven(algorithm="heap", cells_per_side=cells)
        self.simulation = carom.Simulation(system, method=method)
        self.run(max(1, int(SETTLING * len(system.particles))))

    def begin(self) -> None:
        """It goes on from where it is."""

    def run(self, collisions: int) -> None:
        """Go on for so many collisions."""
        self.simulation.run(collisions=collisions, progress=False)


def scans(billiards: Billiards, effort: Effort, factors: Sequence[float], tell: Tell) -> list[Scan]:
    """Scans of all sizes, with cells per side that are these factors times n^(1/d)."""
    found, done = [], 0
    for n in effort.sizes:
        tell(done / sum(effort.sizes), f"{n:,} particles")
        found.append(scan(billiards, n, factors, effort))
        done += n
    return found


def scan(billiards: Billiards, n: int, factors: Sequence[float], effort: Effort) -> Scan:
    """Run n particles with different numbers of cells, which take turns."""
    system = billiards.system(n)
    assert system.sides is not None
    side = system.sides[0]
    most = most_cells_across(system)
    cells = sorted({min(round(f * n ** (1 / billiards.dimension)), most) for f in factors})
    runs = {str(m): _Run(system, m) for m in cells}
    seconds = seconds_each(runs, effort.collisions, effort.pieces_of(n))
    counts = [run.simulation.counts for run in runs.values()]
    elapsed = sum(run.simulation.time for run in runs.values()) / side
    return Scan(
        n,
        billiards.dimension,
        cells,
        most,
        np.stack([seconds[str(m)] for m in cells], axis=1),
        sum(each.collisions for each in counts) / elapsed,
        np.array([each.checks / each.collisions for each in counts]),
    )
