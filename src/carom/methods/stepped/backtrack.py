"""The step is cut at each contact: see hard.py."""

from __future__ import annotations

import math
from typing import Any

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, plus, row, set_row
from carom.domains import NoPlanes
from carom.methods.stepped.contact_search import find_contacts
from carom.methods.stepped.hard import (
    Backtrack,
    HardRule,
    Meeting,
    collide,
    collide_wall,
    meeting_of,
    most_rounds,
    resolve,
)
from carom.methods.stepped.nearest_wall import towards
from carom.methods.stepped.rules import GOES_ON
from carom.methods.stepped.world import (
    AT_WALLS,
    CHOSEN,
    FAR_TOUCHING,
    RADIUS,
    TOUCHING,
    World,
)

# Rounds after which the contacts left in a step collide in sequence: a cluster at rest would go on
# for ever.
MOST_ROUNDS = 20


@most_rounds.register(Backtrack)
@inner_kernel
def _(simultaneous: Backtrack) -> int:
    return MOST_ROUNDS


@resolve.register(Backtrack)
@inner_kernel
def _(simultaneous: Backtrack, rule: HardRule, world: World) -> int:
    tally, fastest = world.tally[0], world.tally[0].fastest
    for _ in range(MOST_ROUNDS):
        if not _find_earliest(simultaneous, world):
            break
        status = _collide_the_earliest(simultaneous, rule, world)
        if status != GOES_ON:
            return status
        find_contacts(world)
    # Whoever became faster has moved further than the last step allowed for.
    tally.closer += 2.0 * world.plan.dt * (tally.fastest - fastest)
    return GOES_ON


@inner_kernel
def _contact_time(meeting: Meeting, reach: float, dt: float) -> float:
    """When two particles that overlap touched, at most a step ago; 0 if they do not approach."""
    b = dot(meeting.separation, meeting.velocity)
    if b >= 0.0:
        return 0.0
    a = dot(meeting.velocity, meeting.velocity)
    c = dot(meeting.separation, meeting.separation) - reach * reach
    # c < 0: the roots have opposite signs, and this one is free of cancellation.
    return max((-b - math.sqrt(b * b - a * c)) / a, -dt) if a > 0.0 else 0.0


@inner_kernel
def _find_earliest(simultaneous: Backtrack, world: World) -> bool:
    """Note for each particle when its first contact was; whether there is any."""
    inner, earliest = world.inner, simultaneous.earliest
    for k in range(inner.number[CHOSEN]):
        earliest[k] = 0.0
    for c in range(inner.number[TOUCHING] + inner.number[FAR_TOUCHING]):
        meeting = meeting_of(world, c)
        time = _contact_time(meeting, _reach(world, meeting), world.plan.dt)
        earliest[meeting.i] = min(earliest[meeting.i], time)
        earliest[meeting.j] = min(earliest[meeting.j], time)
    _find_earliest_at_walls(world.planes, simultaneous, world)
    first = 0.0
    for k in range(inner.number[CHOSEN]):
        first = min(first, earliest[k])
    return first < 0.0


@inner_kernel
def _reach(world: World, meeting: Meeting) -> float:
    return world.inner.sphere[meeting.i, RADIUS] + world.inner.sphere[meeting.j, RADIUS]


@inner_kernel
def _move(world: World, i: int, duration: float) -> None:
    inner = world.inner
    set_row(inner.sphere, i, plus(row(inner.sphere, i), duration, row(inner.velocity, i)))


@inner_kernel
def _collide_the_earliest(simultaneous: Backtrack, rule: HardRule, world: World) -> int:
    """Let all contacts happen that are the first for both partners."""
    inner, earliest = world.inner, simultaneous.earliest
    for c in range(inner.number[TOUCHING] + inner.number[FAR_TOUCHING]):
        meeting = meeting_of(world, c)
        i, j = meeting.i, meeting.j
        time = earliest[i]
        if time >= 0.0 or time != earliest[j]:
            continue
        if time != _contact_time(meeting, _reach(world, meeting), world.plan.dt):
            continue
        _move(world, i, time)
        _move(world, j, time)
        apart = plus(meeting.separation, time, meeting.velocity)
        status = collide(rule, world, Meeting(i, j, apart, meeting.velocity, meeting.jump))
        _move(world, i, -time)
        _move(world, j, -time)
        earliest[i] = earliest[j] = 0.0  # once in a round
        if status != GOES_ON:
            return status
    return _collide_the_earliest_at_walls(world.planes, simultaneous, rule, world)


@dispatch_on("planes")
def _find_earliest_at_walls(planes: Any, simultaneous: Backtrack, world: World) -> None:
    """Note for each particle when it touched a wall."""


@dispatch_on("planes")
def _collide_the_earliest_at_walls(
    planes: Any, simultaneous: Backtrack, rule: HardRule, world: World
) -> int:
    """Let all contacts with walls happen that are the first of a particle."""


@_find_earliest_at_walls.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, simultaneous: Backtrack, world: World) -> None:
    pass


@_collide_the_earliest_at_walls.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, simultaneous: Backtrack, rule: HardRule, world: World) -> int:
    return GOES_ON


@inner_kernel
def _wall_time(planes: Any, world: World, w: int) -> float:
    """When the particle of wall contact w touched it, at most a step ago; 0 if it did not."""
    inner = world.inner
    i = inner.wall_particle[w]
    distance, normal = towards(planes, inner.wall_plane[w], row(inner.sphere, i))
    approach_speed = -dot(row(inner.velocity, i), normal)
    overlap = inner.sphere[i, RADIUS] - distance
    if overlap <= 0.0 or approach_speed <= 0.0:
        return 0.0
    return max(-overlap / approach_speed, -world.plan.dt)


@_find_earliest_at_walls.otherwise
@inner_kernel
def _(planes: Any, simultaneous: Backtrack, world: World) -> None:
    earliest = simultaneous.earliest
    for w in range(world.inner.number[AT_WALLS]):
        i = world.inner.wall_particle[w]
        earliest[i] = min(earliest[i], _wall_time(planes, world, w))


@_collide_the_earliest_at_walls.otherwise
@inner_kernel
def _(planes: Any, simultaneous: Backtrack, rule: HardRule, world: World) -> int:
    """The wall stays where it is, so the particle can collide before it goes back and forth."""
    earliest = simultaneous.earliest
    for w in range(world.inner.number[AT_WALLS]):
        i = world.inner.wall_particle[w]
        time = earliest[i]
        if time >= 0.0 or time != _wall_time(planes, world, w):
            continue
        before = row(world.inner.velocity, i)
        status = collide_wall(planes, rule, world, w)
        if status != GOES_ON:
            return status
        after = row(world.inner.velocity, i)
        back = plus(row(world.inner.sphere, i), time, before)
        set_row(world.inner.sphere, i, plus(back, -time, after))
        earliest[i] = 0.0
    return GOES_ON
