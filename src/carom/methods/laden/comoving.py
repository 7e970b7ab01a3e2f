"""Steps whose contacts are found along lines; see ``lines.py``."""

from __future__ import annotations

import math
from typing import Any

from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, plus
from carom.errors import (
    LOG_IS_FULL,
    NO_ROOM,
    PAUSED,
    REACHED_COLLISIONS,
    REACHED_TIME,
)
from carom.methods.event_driven.collide import GOES_ON, collide_pair, log_is_full
from carom.methods.event_driven.world import (
    World,
    change_image,
    move_to,
    position_of,
    velocity_of,
)
from carom.methods.laden.lines import (
    HIGH,
    LOW,
    NO_LINE,
    Lines,
    block_of,
    bound_velocities,
    cell_along,
    course_of,
    farthest,
    has_ended,
    meeting,
    place_in_middle,
    pop,
    push,
    reach_of,
    write_line,
)
from carom.methods.laden.schemes import acts_at, looks_again, note_home, sees, still_touch
from carom.methods.laden.steps import INSIDE, TOO_FAST, Pace, finish


@entry_point
def advance(
    world: World, lines: Lines, pace: Pace, until: float, collisions: int, rounds: int
) -> int:
    """Handle all contacts of so many steps, or up to a time or a number of collisions; say which.

    NO_ROOM asks for more room for contacts; nothing is lost.
    """
    tally = world.tally[0]
    for _ in range(rounds):
        if pace.stands[0] != INSIDE:
            if not _look_round(world, lines):
                return NO_ROOM
            pace.stands[0] = INSIDE
        # Compared with the end itself: the difference of two times is off by a rounding.
        is_whole = until >= (tally.steps + 1) * pace.dt
        limit = pace.dt if is_whole else min(until - tally.origin, pace.dt)
        status = _handle_contacts(world, lines, limit, collisions)
        if status != GOES_ON:
            return status
        if not is_whole:
            return REACHED_TIME
        finish(world, pace, pace.dt)
        _fold(world, lines)
        if pace.stands[0] == TOO_FAST:
            return PAUSED
        if until <= tally.origin:
            return REACHED_TIME
    return PAUSED


@entry_point
def prepare_lines(world: World, lines: Lines) -> bool:
    """Lay out the lines of a step; whether there is room. Then come ``search_lines``, for all of
    them or side by side for parts, each with contacts and a state of its own, and ``take_over``."""
    return _lay_out_all(world, lines)


@entry_point
def search_lines(world: World, lines: Lines, first: int, last: int) -> None:
    """Find the contacts of so many lines with all that follow them."""
    _search_all(world, lines, first, last)


@entry_point
def take_over(world: World, lines: Lines, part: Lines) -> bool:
    """Take the contacts that were found in a part; whether there is room."""
    for k in range(part.state[0].contacts):
        contact = part.contacts[k]
        push(lines, world, contact.time, contact.first, contact.second)
    lines.state[0].overflow |= part.state[0].overflow
    return lines.state[0].overflow == 0


@inner_kernel
def _look_round(world: World, lines: Lines) -> bool:
    """Lay out the lines of a step, and find all contacts from now on; whether there is room."""
    if not _lay_out_all(world, lines):
        return False
    _search_all(world, lines, 0, len(lines.line_of))
    return lines.state[0].overflow == 0


@inner_kernel
def _lay_out_all(world: World, lines: Lines) -> bool:
    state = lines.state[0]
    state.contacts = 0
    state.strays = 0
    state.overflow = 0
    _lay_out(world, lines)
    bound_velocities(lines)
    # Whoever can be met must be in a block next to one's own.
    return farthest(lines, state.fastest, lines.largest) <= lines.width


@inner_kernel
def _search_all(world: World, lines: Lines, first: int, last: int) -> None:
    time = world.tally[0].clock
    for at in range(first, last):
        _search(world, lines, at, time, at + 1)


@inner_kernel
def _lay_out(world: World, lines: Lines) -> None:
    """Sort the lines of all particles into cells, and bound their velocities."""
    bodies, start, n = world.bodies, lines.start, len(lines.line_of)
    for cell in range(len(start)):
        start[cell] = 0
    for block in range(len(lines.head)):
        lines.head[block] = NO_LINE
        for axis in range(3):
            lines.box[block, LOW, axis] = math.inf
            lines.box[block, HIGH, axis] = -math.inf
    wide, high = lines.number[0], lines.number[1]
    fastest = 0.0
    for i in range(n):
        v = velocity_of(bodies, i)
        x = place_in_middle(lines, position_of(bodies, i), v, bodies.record[i].time)
        row = cell_along(lines, 2, x[2]) * high + cell_along(lines, 1, x[1])
        cell = row * wide + cell_along(lines, 0, x[0])
        lines.cell[i] = cell
        note_home(lines.scheme, i, position_of(bodies, i), lines.inverse)
        start[cell + 2] += 1
        block = block_of(lines, x)
        for axis in range(3):
            lines.box[block, LOW, axis] = min(lines.box[block, LOW, axis], v[axis])
            lines.box[block, HIGH, axis] = max(lines.box[block, HIGH, axis], v[axis])
        fastest = max(fastest, dot(v, v))
    lines.state[0].fastest = math.sqrt(fastest)
    for cell in range(2, len(start)):
        start[cell] += start[cell - 1]
    for i in range(n):
        v = velocity_of(bodies, i)
        x = place_in_middle(lines, position_of(bodies, i), v, bodies.record[i].time)
        # Where the next line of the cell goes: in the end, where the next cell starts.
        after = lines.cell[i] + 1
        write_line(lines, start[after], i, x, v, bodies.record[i].radius)
        start[after] += 1


@inner_kernel
def _search(world: World, lines: Lines, at: int, time: float, first: int) -> None:
    """Find the contacts of a line with all from a line ``first`` on, strays apart."""
    own = lines.line[at]
    x, v = (own.x, own.y, own.z), (own.vx, own.vy, own.vz)
    reach = farthest(lines, math.sqrt(dot(v, v)), own.radius)
    if reach <= lines.width:
        reach = reach_of(lines, block_of(lines, x), v, own.radius)
    x_low, x_high = _window(lines, 0, x[0], reach)
    y_low, y_high = _window(lines, 1, x[1], reach)
    z_low, z_high = _window(lines, 2, x[2], reach)
    wide, high, deep = lines.number[0], lines.number[1], lines.number[2]
    course = course_of(lines, at, time)
    tests = 0
    for z in range(z_low, z_high + 1):
        for y in range(y_low, y_high + 1):
            row = (_wrapped(z, deep) * high + _wrapped(y, high)) * wide
            if lines.start[row + wide] <= first:
                continue
            low, last = row + max(x_low, 0), row + min(x_high, wide - 1)
            tests += _meet_row(world, lines, at, course, time, first, low, last)
            # What reaches over the edge of the box goes on at the other side.
            if x_low < 0:
                low, last = row + x_low + wide, row + wide - 1
                tests += _meet_row(world, lines, at, course, time, first, low, last)
            if x_high >= wide:
                last = row + x_high - wide
                tests += _meet_row(world, lines, at, course, time, first, row, last)
    world.tally[0].pair_tests += tests


@inner_kernel
def _wrapped(k: int, number: int) -> int:
    """A number that may be beyond an edge, inside; sooner than by a division."""
    if k < 0:
        return k + number
    return k - number if k >= number else k


@inner_kernel
def _window(lines: Lines, axis: int, x: float, reach: float) -> Any:
    """The cells within reach along an axis: the first and the last, beyond the box if need be."""
    number = lines.number[axis]
    if number == 1:
        return 0, 0
    scale = lines.inverse[axis] * number
    low, high = math.floor((x - reach) * scale), math.floor((x + reach) * scale)
    if high - low >= number:  # all of them, and each once
        return 0, number - 1
    return low, high


@inner_kernel
def _meet_row(
    world: World, lines: Lines, at: int, course: Any, time: float, first: int, cell: int, last: int
) -> int:
    """Find the contacts of a line with those in a row of cells, from a line ``first`` on.

    The number of lines looked at.
    """
    begin, end = max(lines.start[cell], first), lines.start[last + 1]
    for other in range(begin, end):
        contact = meeting(lines, course, other, time)
        if contact < math.inf:
            _note(world, lines, at, other, contact)
    return max(end - begin, 0)


@inner_kernel
def _note(world: World, lines: Lines, at: int, other: int, contact: float) -> None:
    """Keep a contact of two lines, if the other still goes on and it is seen."""
    if other == at or has_ended(lines, other):
        return
    if sees(lines.scheme, lines.line[at].particle, lines.line[other].particle):
        push(lines, world, contact, at, other)
    else:
        world.tally[0].missed += 1


@inner_kernel
def _handle_contacts(world: World, lines: Lines, until: float, collisions: int) -> int:
    """Let particles collide up to a time of this step; GOES_ON when there is nothing left."""
    tally, state = world.tally[0], lines.state[0]
    while state.contacts > 0:
        if tally.collisions >= collisions:
            return REACHED_COLLISIONS
        contact = lines.contacts[0]
        time, a, b = acts_at(lines.scheme, contact.time, lines.end), contact.first, contact.second
        if has_ended(lines, a) or has_ended(lines, b):
            pop(lines, world)
            continue
        if time > until:
            return REACHED_TIME
        if log_is_full(world):
            return LOG_IS_FULL
        pop(lines, world)
        tally.clock = time
        status = _collide(world, lines, a, b, time)
        if status != GOES_ON:
            return status
        if state.overflow != 0:
            return NO_ROOM
    return GOES_ON if tally.collisions < collisions else REACHED_COLLISIONS


@inner_kernel
def _collide(world: World, lines: Lines, a: int, b: int, time: float) -> int:
    """Carry out a contact, and let both go on along new lines."""
    bodies = world.bodies
    i, j = lines.line[a].particle, lines.line[b].particle
    if bodies.ledger[i].name > bodies.ledger[j].name:
        i, j = j, i
    move_to(world, i, time)
    move_to(world, j, time)
    far = minus(position_of(bodies, i), position_of(bodies, j))
    shift = (_shift(lines, 0, far[0]), _shift(lines, 1, far[1]), _shift(lines, 2, far[2]))
    separation = plus(far, 1.0, shift)
    sigma = bodies.record[i].radius + bodies.record[j].radius
    if not still_touch(lines.scheme, math.sqrt(dot(separation, separation)), sigma):
        world.tally[0].missed += 1
        return GOES_ON
    status = collide_pair(world, i, j, shift, time)
    if not looks_again(lines.scheme):
        return status
    first, second = _stray(world, lines, i, time), _stray(world, lines, j, time)
    if 2.0 * farthest(lines, lines.state[0].fastest, lines.largest) >= lines.shortest:
        lines.state[0].overflow = 1  # they may meet in more than one image
    _search(world, lines, first, time, 0)
    _search(world, lines, second, time, 0)
    _meet_strays(world, lines, first, time)
    _meet_strays(world, lines, second, time)
    return status


@inner_kernel
def _shift(lines: Lines, axis: int, far: float) -> float:
    """What to add to a separation for the nearest image."""
    return -lines.lengths[axis] * math.floor(far * lines.inverse[axis] + 0.5)


@inner_kernel
def _stray(world: World, lines: Lines, i: int, time: float) -> int:
    """Let particle i, at the present time, go on along a new line."""
    bodies, state = world.bodies, lines.state[0]
    v = velocity_of(bodies, i)
    x = place_in_middle(lines, position_of(bodies, i), v, time)
    at = len(lines.line_of) + state.strays
    write_line(lines, at, i, x, v, bodies.record[i].radius)
    state.strays += 1
    state.fastest = max(state.fastest, math.sqrt(dot(v, v)))
    block = block_of(lines, x)
    lines.line[at].next = lines.head[block]
    lines.head[block] = at
    # One stray more than there is room for now would be two too many.
    if at + 3 > len(lines.line):
        state.overflow = 1
    return at


@inner_kernel
def _meet_strays(world: World, lines: Lines, at: int, time: float) -> None:
    """Find the contacts of a line with the strays that it can meet."""
    own, course = lines.line[at], course_of(lines, at, time)
    v = (own.vx, own.vy, own.vz)
    rings = math.ceil(farthest(lines, math.sqrt(dot(v, v)), own.radius) / lines.width)
    wide, high, deep = lines.blocks[0], lines.blocks[1], lines.blocks[2]
    block = block_of(lines, (own.x, own.y, own.z))
    x_low, x_high = _ring(block % wide, rings, wide)
    y_low, y_high = _ring(block // wide % high, rings, high)
    z_low, z_high = _ring(block // (wide * high), rings, deep)
    for z in range(z_low, z_high + 1):
        for y in range(y_low, y_high + 1):
            for x in range(x_low, x_high + 1):
                row = (_wrapped(z, deep) * high + _wrapped(y, high)) * wide
                other = lines.head[row + _wrapped(x, wide)]
                while other != NO_LINE:
                    world.tally[0].pair_tests += 1
                    contact = meeting(lines, course, other, time)
                    if contact < math.inf:
                        _note(world, lines, at, other, contact)
                    other = lines.line[other].next


@inner_kernel
def _ring(block: int, rings: int, number: int) -> Any:
    """The blocks so many rings around along an axis; if these are all, each once."""
    if 2 * rings + 1 >= number:
        return 0, number - 1
    return block - rings, block + rings


@inner_kernel
def _fold(world: World, lines: Lines) -> None:
    """Let all particles be inside the box again."""
    for i in range(len(lines.line_of)):
        x = position_of(world.bodies, i)
        for axis in range(3):
            boxes = math.floor(x[axis] * lines.inverse[axis])
            if boxes != 0:
                change_image(world, i, axis, boxes)
