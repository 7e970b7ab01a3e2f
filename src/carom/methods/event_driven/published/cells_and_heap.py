"""Cells and a heap: the algorithm of Sigurgeirsson, Stuart & Wan 2001, section 1.2.

Every particle keeps its next collision (with a particle or a wall) and its next transfer to a
neighbouring cell; the heap is ordered by the earlier of the two. A collision stands twice in the
heap, once for each partner, always with the same time. Handling it turns the partner's entry
into a *check*, which only makes the partner look for its next collision; a particle that loses
its partner to another gets a check as well.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.dispatch import dispatch_on
from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.detection import time_to_close
from carom.domains import NoShear, Shear, upright, upright_rate
from carom.errors import (
    CELLS_DUE,
    LAW_IS_WRONG,
    LOG_IS_FULL,
    NOTHING_AHEAD,
    PAUSED,
    REACHED_COLLISIONS,
    REACHED_TIME,
)
from carom.events import Heap, reschedule
from carom.methods.event_driven.collide import (
    GOES_ON,
    collide_pair,
    collide_wall,
    log_is_full,
    time_of_pair,
    time_of_wall,
)
from carom.methods.event_driven.world import (
    World,
    change_image,
    image_rank,
    image_shift,
    move_to,
    position_at,
    velocity_at,
)
from carom.motions import acceleration
from carom.neighbours import Cells, cell_number, insert, locate, neighbour, remove

# What Schedule.partner can hold besides a particle; wall k is WALL - k.
CHECK = -1
WALL = -2
# Where to search: in all neighbouring cells, or only in those new after a transfer along an axis.
EVERY_AXIS = -1


class Schedule(NamedTuple):
    """The next collision and the next transfer of each particle."""

    collision_time: Any  # (n,)
    partner: Any  # (n,) a particle, CHECK, or WALL - k
    crossing: Any  # (n, 3) box lengths between the partners' unwrapped positions
    transfer_time: Any  # (n,)
    transfer_face: Any  # (n,) 2 axis + (1 when the upper face is crossed)


def new_schedule(n: int) -> Schedule:
    """A schedule without events."""
    return Schedule(
        np.full(n, np.inf),
        np.full(n, CHECK, dtype=np.int32),
        np.zeros((n, 3), dtype=np.int64),
        np.full(n, np.inf),
        np.zeros(n, dtype=np.int32),
    )


# Pair tests after which the loop comes back, however few the events: some ten milliseconds.
MOST_TESTS = 1_000_000


@entry_point
def advance(
    world: World,
    cells: Cells,
    schedule: Schedule,
    heap: Heap,
    until: float,
    collisions: int,
    cells_due: int,
    events: int,
) -> int:
    """Handle events up to a time, a number of collisions, or a number of events; say which."""
    tally = world.tally[0]
    last_test = tally.pair_tests + MOST_TESTS
    for _ in range(events):
        if tally.collisions >= collisions:
            return REACHED_COLLISIONS
        if tally.pair_tests >= last_test:
            return PAUSED
        if tally.collisions >= cells_due:
            return CELLS_DUE
        i = heap.particle[0]
        time = heap.key[0]
        if time == math.inf:
            return NOTHING_AHEAD
        if time > until:
            return REACHED_TIME
        if log_is_full(world):
            return LOG_IS_FULL
        tally.clock = time
        new_axis, step = EVERY_AXIS, 0
        if schedule.collision_time[i] <= schedule.transfer_time[i]:
            status = _collide(world, schedule, i, time)
            if status == LAW_IS_WRONG:
                return status
        else:
            status = GOES_ON
            new_axis, step = _transfer(world, cells, schedule, i)

        x, v = position_at(world, i, time), velocity_at(world, i, time)
        _find_transfer(world, cells, schedule, i, x, v, time)
        if new_axis == EVERY_AXIS:
            _find_wall(world, schedule, i, x, v, time)
        _find_partner(world, cells, schedule, heap, i, x, v, time, new_axis, step)
        _update(schedule, heap, i)
        if status != GOES_ON:
            return status
    return PAUSED


@entry_point
def prepare(world: World, cells: Cells, schedule: Schedule, heap: Heap, time: float) -> None:
    """Put all particles into cells and let each look for its next events first thing."""
    n = len(schedule.partner)
    for cell in range(len(cells.head)):
        cells.head[cell] = -1
    for i in range(n):
        locate(cells, i, upright(world.space.shear, position_at(world, i, time), time))
        insert(cells, i)
        schedule.collision_time[i] = time
        schedule.transfer_time[i] = math.inf
        schedule.partner[i] = CHECK
        # All keys are equal and the particles in order: this is a heap.
        heap.key[i] = time
        heap.particle[i] = i
        heap.place[i] = i
    # These searches start the algorithm; they are not what the paper counts as checks.
    world.tally[0].checks -= n


@inner_kernel
def _collide(world: World, schedule: Schedule, i: int, time: float) -> int:
    """Carry out the collision or check of particle i, which then has no collision ahead."""
    status = GOES_ON
    partner = schedule.partner[i]
    if partner >= 0:
        move_to(world, i, time)
        move_to(world, partner, time)
        status = collide_pair(world, i, partner, _current_shift(world, schedule, i, time), time)
        if status == LAW_IS_WRONG:
            return status
        schedule.partner[partner] = CHECK
    elif partner <= WALL:
        move_to(world, i, time)
        status = collide_wall(world.planes, world, i, WALL - partner, time)
        if status == LAW_IS_WRONG:
            return status
    else:
        world.tally[0].checks += 1
    schedule.partner[i] = CHECK
    schedule.collision_time[i] = math.inf
    return status


@inner_kernel
def _transfer(world: World, cells: Cells, schedule: Schedule, i: int) -> Any:
    """Move particle i to the next cell; the axis and direction in which cells are new to it."""
    world.tally[0].transfers += 1
    axis = schedule.transfer_face[i] >> 1
    step = 1 if schedule.transfer_face[i] & 1 else -1
    remove(cells, i)
    place, boxes = neighbour(cells, world.space.periodic, axis, cells.place[i, axis], step)
    cells.place[i, axis] = place
    insert(cells, i)
    if boxes != 0:
        # The image goes along, so that scheduled collisions keep their meaning.
        change_image(world, i, axis, -boxes)
    return axis, step


@inner_kernel
def _update(schedule: Schedule, heap: Heap, i: int) -> None:
    reschedule(heap, i, min(schedule.collision_time[i], schedule.transfer_time[i]))


@inner_kernel
def _current_shift(world: World, schedule: Schedule, i: int, time: float) -> Any:
    """The vector to add to x_i − x_j for the image of the partner that i meets."""
    crossed = world.bodies.boxes
    j = schedule.partner[i]
    return image_shift(
        world,
        (
            schedule.crossing[i, 0] + crossed[i, 0] - crossed[j, 0],
            schedule.crossing[i, 1] + crossed[i, 1] - crossed[j, 1],
            schedule.crossing[i, 2] + crossed[i, 2] - crossed[j, 2],
        ),
        time,
    )


@inner_kernel
def _find_transfer(
    world: World, cells: Cells, schedule: Schedule, i: int, x: Any, v: Any, time: float
) -> None:
    """Find when particle i leaves its cell, and through which face."""
    x, v, a = _in_cells(world.space.shear, x, v, acceleration(world.motion, i), time)
    earliest = math.inf
    face = 0
    for axis in range(3):
        cell = cells.place[i, axis]
        lower = cells.origin[axis] + cell * cells.width[axis]
        repeats = world.space.periodic[axis]
        if cell > 0 or repeats:
            duration = time_to_close(x[axis] - lower, v[axis], a[axis])
            if duration < earliest:
                earliest, face = duration, 2 * axis
        if cell < cells.number[axis] - 1 or repeats:
            upper = lower + cells.width[axis]
            duration = time_to_close(upper - x[axis], -v[axis], -a[axis])
            if duration < earliest:
                earliest, face = duration, 2 * axis + 1
    schedule.transfer_time[i] = time + earliest
    schedule.transfer_face[i] = face


@dispatch_on("shear")
def _in_cells(shear: Any, x: Any, v: Any, a: Any, time: float) -> Any:
    """Position, velocity and acceleration in coordinates in which the cells are at rest."""


@_in_cells.register(NoShear)
@inner_kernel
def _(shear: NoShear, x: Any, v: Any, a: Any, time: float) -> Any:
    return x, v, a


@_in_cells.register(Shear)
@inner_kernel
def _(shear: Shear, x: Any, v: Any, a: Any, time: float) -> Any:
    rate, change = upright_rate(shear, x, v, time)
    return upright(shear, x, time), (rate, v[1], v[2]), (change, 0.0, 0.0)


@inner_kernel
def _find_wall(world: World, schedule: Schedule, i: int, x: Any, v: Any, time: float) -> None:
    """Schedule the next wall collision of particle i, unless it has an earlier collision."""
    wall_time, wall = time_of_wall(world.planes, world, i, x, v, time)
    if wall_time < schedule.collision_time[i]:
        _leave_partner(schedule, i)
        schedule.collision_time[i] = wall_time
        schedule.partner[i] = WALL - wall


@inner_kernel
def _leave_partner(schedule: Schedule, i: int) -> None:
    """The partner of particle i, if any, loses it and will check again at the same time."""
    if schedule.partner[i] >= 0:
        schedule.partner[schedule.partner[i]] = CHECK


@inner_kernel
def _find_partner(
    world: World,
    cells: Cells,
    schedule: Schedule,
    heap: Heap,
    i: int,
    x: Any,
    v: Any,
    time: float,
    new_axis: int,
    step: int,
) -> None:
    """Schedule the earliest collision of particle i that neither partner has an earlier one than.

    All neighbouring cells are searched, or after a transfer by ``step`` along ``new_axis`` only
    the new ones.
    """
    periodic = world.space.periodic
    earliest = schedule.collision_time[i]
    partner = -1
    rival = schedule.partner[i]  # whom a simultaneous collision has to precede
    found = (0, 0, 0)
    x_low, x_high = (step, step) if new_axis == 0 else (-1, 1)
    y_low, y_high = (step, step) if new_axis == 1 else (-1, 1)
    z_low, z_high = (step, step) if new_axis == 2 else (-1, 1)
    for z_offset in range(z_low, z_high + 1):
        z_cell, z_boxes = neighbour(cells, periodic, 2, cells.place[i, 2], z_offset)
        if z_cell < 0:
            continue
        for y_offset in range(y_low, y_high + 1):
            y_cell, y_boxes = neighbour(cells, periodic, 1, cells.place[i, 1], y_offset)
            if y_cell < 0:
                continue
            for x_offset in range(x_low, x_high + 1):
                x_cell, x_boxes = neighbour(cells, periodic, 0, cells.place[i, 0], x_offset)
                if x_cell < 0:
                    continue
                boxes = (x_boxes, y_boxes, z_boxes)
                shift = image_shift(world, boxes, time)
                j = cells.head[cell_number(cells, x_cell, y_cell, z_cell)]
                while j >= 0:
                    # A particle never meets its own image: both have the same velocity.
                    if j != i:
                        contact = time_of_pair(world, i, j, shift, x, v, time)
                        sooner = contact < earliest or (contact == earliest and j < rival)
                        if contact == earliest and j == partner:
                            sooner = image_rank(i, j, boxes) < image_rank(i, j, found)
                        if sooner and _is_free(schedule, j, i, contact):
                            earliest, partner, rival, found = contact, j, j, boxes
                    j = cells.after[j]
    if partner >= 0:
        _pair_up(world, schedule, heap, i, partner, found, earliest)


@inner_kernel
def _is_free(schedule: Schedule, j: int, i: int, contact: float) -> bool:
    """Whether particle j has no collision that precedes one with i at this time.

    Of simultaneous collisions that with the smaller particle number comes first.
    """
    scheduled = schedule.collision_time[j]
    return contact < scheduled or (contact == scheduled and i < schedule.partner[j])


@inner_kernel
def _pair_up(
    world: World, schedule: Schedule, heap: Heap, i: int, j: int, boxes: Any, contact: float
) -> None:
    """Schedule a collision of i with j for both; those who lose a partner will check again."""
    _leave_partner(schedule, i)
    _leave_partner(schedule, j)
    crossed = world.bodies.boxes
    for axis in range(3):
        # Relative to unwrapped positions it stays true when i or j crosses a boundary.
        crossing = boxes[axis] - crossed[i, axis] + crossed[j, axis]
        schedule.crossing[i, axis] = crossing
        schedule.crossing[j, axis] = -crossing
    schedule.collision_time[i] = contact
    schedule.collision_time[j] = contact
    schedule.partner[i] = j
    schedule.partner[j] = i
    _update(schedule, heap, j)
