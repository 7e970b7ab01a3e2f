"""What every method counts."""

from __future__ import annotations

from typing import NamedTuple


class Counts(NamedTuple):
    """How often each kind of event has happened since the start."""

    collisions: int = 0  # between two particles
    wall_collisions: int = 0
    transfers: int = 0  # of a particle to another cell (or through a periodic boundary)
    checks: int = 0  # new searches after a lost partner
    false_predictions: int = 0  # predicted contacts at which the particles no longer approached
    missed: int = 0  # contacts that a simpler detection did not see
    stabilising: int = 0  # collisions that only kept overlapping particles from approaching
    three_body: int = 0  # collisions that leave a particle overlapping two others, if watched for
    pair_tests: int = 0  # contact times computed
    came_to_rest: int = 0
    resting: int = 0  # particles held on walls now
    rebuilds: int = 0  # of the cells
    steps: int = 0  # of fixed length
    contacts: int = 0  # pairs and walls in touch, summed over the steps
    multiple_contacts: int = 0  # contacts of a particle that had another one in the same step
    swaps: int = 0  # in the sorted lists of LinkedLinearList
    listed: int = 0  # pairs, summed over the lists made
