"""Collisions that leave a particle overlapping two others.

Rounding lets about half of all pairs overlap at their impact, by some units in the last place,
until they have parted far enough. If one of them meets and overlaps a third particle before, it is
doubly overlapped: the three-body collisions of Bannerman et al. 2014, figure 5. To see them takes
an array and some work in each collision, so that they are watched for only when asked.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, plus
from carom.methods.event_driven.world import (
    World,
    image_shift,
    position_at,
    position_of,
    radius_of,
)
from carom.motions import grown

NOBODY = -1


class IgnoresThreeBodies(NamedTuple):
    """Three-body collisions are not counted."""


class CountsThreeBodies(NamedTuple):
    """Three-body collisions are counted: per particle the partners of its latest collisions.

    Both hold numbers of particles, or NOBODY; they follow when particles are renumbered.
    """

    latest: Any  # (n,) int32
    before: Any  # (n,) int32, the partner before the latest


def counts_three_bodies(n: int) -> CountsThreeBodies:
    """The counting component for n particles, none of which has met anybody."""
    return CountsThreeBodies(np.full(n, NOBODY, np.int32), np.full(n, NOBODY, np.int32))


@dispatch_on("watch")
def note_impact(watch: Any, world: World, i: int, j: int, overlapping: bool, time: float) -> None:
    """Count a collision of i and j, both at ``time``, if it is a three-body collision.

    It is one if i and j overlap and either of them, or both, still overlaps the partner of its
    latest collision, another particle. To return, at the same moment, to the partner before that
    is not counted: this is no impact but the answer to one, a stabilising collision.
    """


@note_impact.register(IgnoresThreeBodies)
@inner_kernel
def _(
    watch: IgnoresThreeBodies, world: World, i: int, j: int, overlapping: bool, time: float
) -> None:
    return


@note_impact.register(CountsThreeBodies)
@inner_kernel
def _(
    watch: CountsThreeBodies, world: World, i: int, j: int, overlapping: bool, time: float
) -> None:
    if overlapping and (
        _is_doubly_overlapped(watch, world, i, j, time)
        or _is_doubly_overlapped(watch, world, j, i, time)
    ):
        world.tally[0].three_body += 1
    watch.before[i], watch.before[j] = watch.latest[i], watch.latest[j]
    watch.latest[i], watch.latest[j] = j, i


@inner_kernel
def _is_doubly_overlapped(
    watch: CountsThreeBodies, world: World, i: int, partner: int, time: float
) -> bool:
    """Whether particle i, which overlaps its partner, also overlaps the one it met before."""
    k = watch.latest[i]
    met_another = k != NOBODY and k != partner
    at_once = world.bodies.ledger[i].last_contact == time
    returns = at_once and watch.before[i] == partner
    return met_another and not returns and _overlap(world, i, k, time)


@inner_kernel
def _overlap(world: World, i: int, k: int, time: float) -> bool:
    """Whether particle i, which is at ``time``, overlaps the nearest image of k at that time."""
    bodies = world.bodies
    far = minus(position_of(bodies, i), position_at(world, k, time))
    # The row first: where rows slide, it decides which image of it is the nearest.
    row = _boxes(world, far, 1)
    beside = minus(far, image_shift(world, (0.0, row, 0.0), time))
    boxes = (_boxes(world, beside, 0), row, _boxes(world, far, 2))
    separation = plus(far, -1.0, image_shift(world, boxes, time))
    sigma = grown(world.motion, radius_of(bodies, i) + radius_of(bodies, k), time)
    return math.sqrt(dot(separation, separation)) < sigma


@inner_kernel
def _boxes(world: World, far: Any, axis: int) -> float:
    """How many boxes away along an axis the nearest image is."""
    space = world.space
    return np.rint(far[axis] / space.lengths[axis]) if space.periodic[axis] else 0.0
