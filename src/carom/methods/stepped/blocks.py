"""The time loop of the stepped methods: lists, blocks of steps, steps.

Only a few pairs of a list can touch within the next dozen steps. So the list is narrowed to those
pairs for a block of steps, and only their particles are stepped; all others fly freely and are
moved once per block. It is the same integrator, up to rounding. A block is as long as the fastest
particle allows: no contact is missed.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.dispatch import dispatch_on
from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import row
from carom.domains import NoPlanes, NoShear, Shear, height_over
from carom.errors import (
    LIST_DUE,
    LIST_TOO_SHORT,
    NEW_NUMBERS_DUE,
    PAUSED,
    REACHED_COLLISIONS,
    REACHED_TIME,
    SEARCH_TOO_SHORT,
)
from carom.methods.stepped.body_forces import accelerate, fall, fly
from carom.methods.stepped.contact_search import find_contacts
from carom.methods.stepped.rules import GOES_ON, act, join_list, part_from_list, room_of
from carom.methods.stepped.vectors.touching import far_pairs, near_pairs
from carom.methods.stepped.world import (
    AT_WALLS,
    CHOSEN,
    FAR,
    NEAR,
    RADIUS,
    World,
    rate_of,
    slide,
    slip_of_neighbours,
    survey,
    wrap,
)
from carom.neighbours.pairs.pair_list import FOUND, LIST_IS_FULL, find_pairs
from carom.types import Array, Records

# Steps between two looks at all velocities: some two contact durations of SoftContacts.
STEPS_BETWEEN_SURVEYS = 50
# How much of the skin a block may use up; the rest is for the life of the list.
SHARE_OF_SKIN = 0.25
NEVER = 1 << 62  # a step that is never reached
# The answer of ``find_pairs`` when it does not look.
FOUND_ELSEWHERE = 3
# A hair more than the block needs, so that rounding does not cut it short.
AMPLE = 1.01


@entry_point
def advance(world: World, search: Any, until: int, collisions: int, steps: int) -> int:
    """Take steps up to a number of steps in all, of collisions, or of steps now; say which.

    Blocks go on from call to call: where a run is interrupted does not change it.
    """
    tally = world.tally[0]
    last = min(tally.step + steps, until)
    while tally.step < last:
        if tally.collisions >= collisions:
            return REACHED_COLLISIONS
        if tally.block_from < 0:
            status = _begin_block(world, search)
            if status != GOES_ON:
                return status
        status = _run_block(world, last, collisions)
        if status != GOES_ON:
            return status
    return REACHED_TIME if tally.step >= until else PAUSED


@entry_point
def begin(world: World) -> None:
    """Look at all velocities for the first time, or after they were changed."""
    survey(world)


@entry_point
def drop_list(world: World) -> None:
    """Give up the list, outside a block; the next is made from nothing."""
    part_from_list(world.rule, world)
    world.tally[0].listed_at = -1
    world.tally[0].lists_made = 0


@entry_point
def bring_inside(world: World) -> None:
    """Bring all particles into the box, outside a block and without a list."""
    wrap(world)


@entry_point
def close_block(world: World) -> None:
    """Bring all particles to the present step."""
    if world.tally[0].block_from >= 0:
        _put_back(world)


@inner_kernel
def _begin_block(world: World, search: Any) -> int:
    """Choose who takes part in the next steps."""
    tally, plan = world.tally[0], world.plan
    if tally.step >= tally.surveyed_at + STEPS_BETWEEN_SURVEYS:
        survey(world)
    approach = AMPLE * _approach(world)
    longest = min(max(approach, SHARE_OF_SKIN * plan.skin), plan.skin)
    tally.margin = min(plan.block * approach, longest)
    if _is_due(world, tally.margin):
        if tally.lists_made >= plan.renumber:
            return NEW_NUMBERS_DUE
        status = _make_list(world, search)
        if status != GOES_ON:
            return status
    if plan.every > 0:
        tally.margin = math.inf
    status = _narrow(world, tally.margin)
    if status == GOES_ON:
        tally.closer = 0.0
        tally.block_from = tally.step
    return status


@inner_kernel
def _approach(world: World) -> float:
    """How much closer two particles may come in a step."""
    fastest, slip = world.tally[0].fastest, slip_of_neighbours(world.shear, world.plan)
    return world.plan.dt * (2.0 * fastest + slip)


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


@_approached.register(Shear)
@inner_kernel
def _(shear: Any, world: World) -> float:
    """The flow displaces particles that do not come closer at all."""
    return math.inf


@_approached.register(NoShear)
@inner_kernel
def _(shear: Any, world: World) -> float:
    sphere, start = world.flock.sphere, world.flock.start
    largest = 0.0
    for i in range(len(sphere)):
        x, y = sphere[i, 0] - start[i, 0], sphere[i, 1] - start[i, 1]
        z = sphere[i, 2] - start[i, 2]
        largest = max(largest, x * x + y * y + z * z)
    return 2.0 * math.sqrt(largest)


@inner_kernel
def _make_list(world: World, search: Any) -> int:
    """List all pairs that may touch before long."""
    plan, flock = world.plan, world.flock
    part_from_list(world.rule, world)
    wrap(world)
    answer = find_pairs(
        search, world.lattice, flock.sphere, plan.skin, world.pairs, world.searched[0]
    )
    if answer == FOUND:
        _take_list(world)
        return GOES_ON
    if answer == FOUND_ELSEWHERE:
        return LIST_DUE
    return LIST_TOO_SHORT if answer == LIST_IS_FULL else SEARCH_TOO_SHORT


class Elsewhere(NamedTuple):
    """Lists are made by a search of its own, between two calls of ``advance``.

    It is then compiled once, and not for every law.
    """


@find_pairs.register(Elsewhere)
@inner_kernel
def _(
    search: Elsewhere, lattice: Any, sphere: Array, skin: float, pairs: Any, tally: Records
) -> int:
    return FOUND_ELSEWHERE


@entry_point
def take_list(world: World) -> None:
    """Go on with a list that was made elsewhere."""
    _take_list(world)


@inner_kernel
def _take_list(world: World) -> None:
    tally, flock = world.tally[0], world.flock
    join_list(world.rule, world)
    for i in range(len(flock.sphere)):
        for column in range(3):
            flock.start[i, column] = flock.sphere[i, column]
    tally.moved = 0.0
    tally.listed_at = tally.step
    tally.lists_made += 1


@inner_kernel
def _narrow(world: World, margin: float) -> int:
    """Find the pairs and walls that may touch within a block, and gather their particles."""
    pairs, inner, sphere = world.pairs, world.inner, world.flock.sphere
    slide(world.shear, world, world.tally[0].step)
    inner.number[NEAR] = near_pairs(
        sphere, pairs.first, pairs.second, pairs.number[0], margin, inner.source
    )
    inner.number[FAR] = far_pairs(
        sphere,
        pairs.far_first,
        pairs.far_second,
        pairs.far_image,
        world.shift,
        pairs.number[1],
        margin,
        inner.far_source,
    )
    inner.number[AT_WALLS] = _near_walls(world.planes, world, margin)
    if inner.number[AT_WALLS] > len(inner.wall_particle):
        return LIST_TOO_SHORT
    _choose_particles(world)
    for k in range(inner.number[NEAR]):
        inner.first[k] = inner.place[pairs.first[inner.source[k]]]
        inner.second[k] = inner.place[pairs.second[inner.source[k]]]
    for k in range(inner.number[FAR]):
        source = inner.far_source[k]
        inner.far_first[k] = inner.place[pairs.far_first[source]]
        inner.far_second[k] = inner.place[pairs.far_second[source]]
        inner.far_image[k] = pairs.far_image[source]
    for k in range(inner.number[AT_WALLS]):
        inner.wall_particle[k] = inner.place[inner.wall_particle[k]]
    return GOES_ON


@inner_kernel
def _choose_particles(world: World) -> None:
    """Gather the particles of the pairs and walls side by side."""
    pairs, inner, flock = world.pairs, world.inner, world.flock
    n, place, chosen = len(flock.sphere), inner.place, np.int32(world.plan.everyone)
    for i in range(n):
        place[i] = chosen
    for k in range(inner.number[NEAR]):
        place[pairs.first[inner.source[k]]] = 1
        place[pairs.second[inner.source[k]]] = 1
    for k in range(inner.number[FAR]):
        place[pairs.far_first[inner.far_source[k]]] = 1
        place[pairs.far_second[inner.far_source[k]]] = 1
    for k in range(inner.number[AT_WALLS]):
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
            inner.sphere[k, column] = flock.sphere[i, column]
            inner.velocity[k, column] = flock.velocity[i, column]
    inner.number[CHOSEN] = number


@inner_kernel
def _run_block(world: World, last: int, collisions: int) -> int:
    """Take steps until the block is over, or it is time to stop."""
    tally, inner, plan = world.tally[0], world.inner, world.plan
    end = tally.listed_at + plan.every if plan.every > 0 else NEVER
    while tally.step < last and tally.collisions < collisions:
        if find_contacts(world) > room_of(world.rule, tally):
            return LIST_TOO_SHORT
        status = accelerate(world.force, world)
        if status == GOES_ON:
            status = act(world.rule, world)
        if status != GOES_ON:
            return status
        fall(world.motion, world)
        # Whoever flies across the flow gains speed relative to it.
        tally.fastest += plan.dt * (plan.pull + rate_of(world.shear) * tally.fastest)
        tally.closer += _approach(world)
        _drift(inner.sphere, inner.velocity, inner.number[CHOSEN], plan.dt)
        tally.step += 1
        slide(world.shear, world, tally.step)
        if tally.closer > tally.margin or tally.step >= end:
            _put_back(world)
            return GOES_ON
    return GOES_ON


@inner_kernel
def _drift(sphere: Array, velocity: Any, number: int, dt: float) -> None:
    for k in range(number):
        sphere[k, 0] += dt * velocity[k, 0]
        sphere[k, 1] += dt * velocity[k, 1]
        sphere[k, 2] += dt * velocity[k, 2]


@inner_kernel
def _put_back(world: World) -> None:
    """End the block: let all others fly for its steps, and its own be where they are."""
    flock, inner, tally = world.flock, world.inner, world.tally[0]
    tally.moved += tally.closer
    if inner.number[CHOSEN] < len(flock.sphere):
        fly(world.motion, world, tally.step - tally.block_from)
    tally.block_from = -1
    for k in range(inner.number[CHOSEN]):
        i = inner.particle[k]
        for column in range(3):
            flock.sphere[i, column] = inner.sphere[k, column]
            flock.velocity[i, column] = inner.velocity[k, column]


@dispatch_on("planes")
def _near_walls(planes: Any, world: World, margin: float) -> int:
    """List the particles with a gap to a wall below the margin; how many there are."""


@_near_walls.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, world: World, margin: float) -> int:
    return 0


@_near_walls.otherwise
@inner_kernel
def _(planes: Any, world: World, margin: float) -> int:
    sphere, inner = world.flock.sphere, world.inner
    number, room = 0, len(inner.wall_particle)
    for k in range(len(planes)):
        for i in range(len(sphere)):
            if abs(height_over(planes, k, row(sphere, i))) < sphere[i, RADIUS] + margin:
                if number < room:
                    inner.wall_particle[number] = i
                    inner.wall_plane[number] = k
                number += 1
    return number
