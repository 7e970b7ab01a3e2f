"""How many cells suit a flow, from what the last steps have counted.

Going on in one direction as long as the cost falls (section 2.3 of Sigurgeirsson, Stuart & Wan
2001) goes astray when the cost itself grows, as it does while particles gather. But how the counts
depend on the width of the cells is known: with s times as many cells along each side there are s
times as many transfers, and s^d times fewer particles in a cell. So the best s follows from the
counts of one window. It depends on nothing else, and a run stays reproducible.
"""

from __future__ import annotations

from collections.abc import Callable

from carom.functions import power
from carom.methods.counts import Counts

# What an event costs beside its pair tests, of which four are made at a time: in a Taylor–Green
# flow of 40,000 disks, 400 cells a side with 91 tests and 0.8 transfers for each collision are as
# fast as 790 with 26 tests and 1.6 transfers.
EVENT_COST = 70.0
# One window says nothing about cells of quite another width.
FARTHEST = 1.5
TRIALS = 60


def best_factor(before: Counts, now: Counts, particles: int, dimension: int) -> float:
    """By what factor the number of cells along a side should change."""
    transfers = now.transfers - before.transfers
    steps = now.steps - before.steps
    # Searches in all cells around: at collisions by both, at checks, and by all in each step.
    collisions = now.collisions - before.collisions + now.false_predictions
    collisions -= before.false_predictions
    searches = 2 * collisions + now.checks - before.checks + steps * particles
    around, new = 3**dimension, 3 ** (dimension - 1)
    tests = now.pair_tests - before.pair_tests
    per_cell = tests / max(around * searches + new * transfers, 1)

    def cost(factor: float) -> float:
        """That of a window, in pair tests, as far as it depends on the cells."""
        crowd = per_cell / power(factor, dimension)
        moving = factor * transfers
        return crowd * (around * searches + new * moving) + EVENT_COST * moving

    return least(cost)


def least(cost: Callable[[float], float]) -> float:
    """The factor between 1 / FARTHEST and FARTHEST with the least cost."""
    trials = [power(FARTHEST, 2.0 * k / TRIALS - 1.0) for k in range(TRIALS + 1)]
    return min(trials, key=cost)
