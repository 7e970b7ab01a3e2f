"""The time loop of the stepped methods: lists, blocks of steps, steps.

Only a few pairs of a list can touch within the next dozen steps. So the list is narrowed to those
pairs for a block of steps, and only their particles are stepped; all others fly freely and are
moved once per block. It is the same integrator, up to rounding. A block is as long as the fastest
particle allows: no contact is missed.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom._jit import borrowed, dispatch_on, entry_point, inner_kernel
from carom.domains import NoPlanes, height_over
from carom.errors import (
    LIST_TOO_SHORT,
    PAUSED,
    REACHED_COLLISIONS,
    REACHED_TIME,
    SEARCH_TOO_SHORT,
)
from carom.methods.stepped.forces import accelerate, fall, fly
from carom.methods.stepped.rules import GOES_ON, act
from carom.methods.stepped.scan import far_pairs, near_pairs
from carom.methods.stepped.world import (
    RADIUS,
    NoShear,
    Shear,
    World,
    slide,
    slip_of_neighbours,
    survey,
    wrap,
)
from carom.neighbours.pairs.pair_list import FOUND, LIST_IS_FULL, find_pairs
from carom.vectors import row

# Steps between two looks at all velocities: some two contact durations of SoftContacts.
STEPS_BETWEEN_SURVEYS = 50
# How much of the skin a block may use up; the rest is for the life of the list.
SHARE_OF_SKIN = 0.8
# A hair more than the block needs, so that rounding does not cut it short.
AMPLE = 1.01


@entry_point
def advance(world: World, search: Any, until: int, collisions: int, steps: int) -> int:
    """Take steps up to a number of steps in all, of collisions, or of steps now; say which."""
    world, search = borrowed((world, search))
    tally = world.tally[0]
    last = min(tally.step + steps, until)
    while tally.step < last:
        if tally.collisions >= collisions:
            return REACHED_COLLISIONS
        if tally.surveyed_at < 0 or tally.step >= tally.surveyed_at + STEPS_BETWEEN_SURVEYS:
            survey(world)
        margin = _margin(world)
        if _is_due(world, margin):
            status = _make_list(world, search)
            if status != GOES_ON:
                return status
            margin = min(margin, SHARE_OF_SKIN * world.plan.skin)
        if world.plan.every > 0:
            margin = math.inf
        status = _narrow(world, margin)
        if status == GOES_ON:
            status = _run_block(world, margin, last, collisions)
        if status != GOES_ON:
            return status
    return REACHED_TIME if tally.step >= until else PAUSED


@inner_kernel
def _approach(world: World) -> float:
    """How much closer two particles may come in a step."""
    fastest, slip = world.tally[0].fastest, slip_of_neighbours(world.shear, world.plan)
    return world.plan.dt * (2.0 * fastest + slip)


@inner_kernel
def _margin(world: World) -> float:
    """The gap that may close within a block."""
    return AMPLE * world.plan.block * _approach(world)


@inner_kernel
def _is_due(world: World, margin: float) -> bool:
    """Whether the list may miss a pair that touches in the next block."""
    tally, plan = world.tally[0], world.plan
    if tally.listed_at < 0:
        return True
    if plan.every > 0:
        return tally.step >= tally.listed_at + plan.every
    if tally.moved + margin <= plan.skin:
        return False
    # ``moved`` is a bound by the fastest; in dense systems nobody has come that far.
    tally.moved = min(tally.moved, _approached(world.shear, world))
    return tally.moved + margin > plan.skin


@dispatch_on("shear")
def _approached(shear: Any, world: World) -> float:
    """Twice the largest displacement since the list was made, where that is a bound."""
    raise NotImplementedError


@_approached.register(Shear)
@inner_kernel
def _(shear: Any, world: World) -> float:
    """The flow displaces particles that do not come closer at all."""
    return math.inf


@_approached.register(NoShear)
@inner_kernel
def _(shear: Any, world: World) -> float:
    record, start = world.flock.record, world.flock.start
    largest = 0.0
    for i in range(len(record)):
        x, y = record[i, 0] - start[i, 0], record[i, 1] - start[i, 1]
        z = record[i, 2] - start[i, 2]
        largest = max(largest, x * x + y * y + z * z)
    return 2.0 * math.sqrt(largest)


@inner_kernel
def _make_list(world: World, search: Any) -> int:
    """List all pairs that may touch before long."""
    tally, plan, flock = world.tally[0], world.plan, world.flock
    wrap(world)
    answer = find_pairs(search, world.lattice, flock.record, plan.skin, world.pairs, world.searched[0])
    if answer != FOUND:
        return LIST_TOO_SHORT if answer == LIST_IS_FULL else SEARCH_TOO_SHORT
    for i in range(len(flock.record)):
        for column in range(3):
            flock.start[i, column] = flock.record[i, column]
    tally.moved = 0.0
    tally.listed_at = tally.step
    tally.lists_made += 1
    return GOES_ON


@inner_kernel
def _narrow(world: World, margin: float) -> int:
    """Find the pairs and walls that may touch within a block, and gather their particles."""
    pairs, inner, record = world.pairs, world.inner, world.flock.record
    slide(world.shear, world, world.tally[0].step)
    inner.number[0] = near_pairs(
        record, pairs.first, pairs.second, pairs.number[0], margin, inner.source
    )
    inner.number[1] = far_pairs(
        record,
        pairs.far_first,
        pairs.far_second,
        pairs.far_image,
        world.shift,
        pairs.number[1],
        margin,
        inner.far_source,
    )
    inner.number[2] = _near_walls(world.planes, world, margin)
    if inner.number[2] > len(inner.wall_particle):
        return LIST_TOO_SHORT
    _choose_particles(world)
    for k in range(inner.number[0]):
        inner.first[k] = inner.place[pairs.first[inner.source[k]]]
        inner.second[k] = inner.place[pairs.second[inner.source[k]]]
    for k in range(inner.number[1]):
        source = inner.far_source[k]
        inner.far_first[k] = inner.place[pairs.far_first[source]]
        inner.far_second[k] = inner.place[pairs.far_second[source]]
        inner.far_image[k] = pairs.far_image[source]
    for k in range(inner.number[2]):
        inner.wall_particle[k] = inner.place[inner.wall_particle[k]]
    return GOES_ON


@inner_kernel
def _choose_particles(world: World) -> None:
    """Gather the particles of the pairs and walls side by side."""
    pairs, inner, flock = world.pairs, world.inner, world.flock
    n, place, chosen = len(flock.record), inner.place, np.int32(world.plan.everyone)
    for i in range(n):
        place[i] = chosen
    for k in range(inner.number[0]):
        place[pairs.first[inner.source[k]]] = 1
        place[pairs.second[inner.source[k]]] = 1
    for k in range(inner.number[1]):
        place[pairs.far_first[inner.far_source[k]]] = 1
        place[pairs.far_second[inner.far_source[k]]] = 1
    for k in range(inner.number[2]):
        place[inner.wall_particle[k]] = 1
    number = np.int32(0)
    for i in range(n):
        is_chosen = place[i]
        inner.particle[number] = i
        place[i] = number
        number += is_chosen
    for k in range(number):
        i = inner.particle[k]
        for column in range(4):
            inner.record[k, column] = flock.record[i, column]
            inner.velocity[k, column] = flock.velocity[i, column]
    inner.number[3] = number


@inner_kernel
def _run_block(world: World, margin: float, last: int, collisions: int) -> int:
    """Take as many steps as the margin allows."""
    tally, inner, dt = world.tally[0], world.inner, world.plan.dt
    first, closer, status = tally.step, 0.0, GOES_ON
    end = last
    if world.plan.every > 0:
        end = min(last, tally.listed_at + world.plan.every)
    while tally.step < end and closer <= margin:
        status = accelerate(world.force, world)
        if status == GOES_ON:
            status = act(world.rule, world)
        if status != GOES_ON:
            break
        fall(world.motion, world)
        tally.fastest += dt * world.plan.pull
        closer += _approach(world)
        _drift(inner.record, inner.velocity, inner.number[3], dt)
        tally.step += 1
        slide(world.shear, world, tally.step)
        if tally.collisions >= collisions:
            break
    tally.moved += closer
    _put_back(world, tally.step - first)
    return status


@inner_kernel
def _drift(record: Any, velocity: Any, number: int, dt: float) -> None:
    for k in range(number):
        record[k, 0] += dt * velocity[k, 0]
        record[k, 1] += dt * velocity[k, 1]
        record[k, 2] += dt * velocity[k, 2]


@inner_kernel
def _put_back(world: World, steps: int) -> None:
    """Let all others fly for so many steps, and those of the block be where they are."""
    flock, inner = world.flock, world.inner
    if inner.number[3] < len(flock.record):
        fly(world.motion, world, steps)
    for k in range(inner.number[3]):
        i = inner.particle[k]
        for column in range(3):
            flock.record[i, column] = inner.record[k, column]
            flock.velocity[i, column] = inner.velocity[k, column]


@dispatch_on("planes")
def _near_walls(planes: Any, world: World, margin: float) -> int:
    """List the particles with a gap to a wall below the margin; how many there are."""
    raise NotImplementedError


@_near_walls.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, world: World, margin: float) -> int:
    return 0


@_near_walls.otherwise
@inner_kernel
def _(planes: Any, world: World, margin: float) -> int:
    record, inner = world.flock.record, world.inner
    number, room = 0, len(inner.wall_particle)
    for k in range(len(planes)):
        for i in range(len(record)):
            if abs(height_over(planes, k, row(record, i))) < record[i, RADIUS] + margin:
                if number < room:
                    inner.wall_particle[number] = i
                    inner.wall_plane[number] = k
                number += 1
    return number
