"""All walls of a system as compiled code sees them, where not all of them are planes."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot
from carom.domains import NoPlanes
from carom.patches.patch import (
    Nearest,
    count_of,
    deepest,
    first_touch,
    is_out_of_reach,
    nearest_point,
    time_to_patch,
    wall_of,
)
from carom.types import Vector


class NoGroups(NamedTuple):
    """The end of a chain of groups."""


class Group(NamedTuple):
    """Patches of one kind, and the others. Patches are numbered through, from ``first`` on."""

    patches: Any
    first: int
    rest: Any  # Group or NoGroups


class Walls(NamedTuple):
    """Planes and patches.

    Patches are numbered after the planes, and walls, of which they are parts, likewise.
    """

    planes: Any  # (k, 8), or NoPlanes
    groups: Any  # Group
    accounts: Any  # (walls, 2) restitution (NaN asks the law) and the momentum given to each


# Columns of the accounts.
RESTITUTION, IMPULSE = 0, 1
ACCOUNTS = 2


@dispatch_on("planes")
def number_of(planes: Any) -> int:
    """How many planes there are."""


@number_of.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes) -> int:
    return 0


@number_of.otherwise
@inner_kernel
def _(planes: Any) -> int:
    return len(planes)


@is_out_of_reach.otherwise
@inner_kernel
def _(patches: Any, k: int, path: Any, radius: float, duration: float) -> bool:
    return False


@first_touch.otherwise
@inner_kernel
def _(patches: Any, path: Any, radius: float, before: float) -> Any:
    earliest, which = before, -1
    for k in range(count_of(patches)):
        t = time_to_patch(patches, k, path, radius, earliest)
        if t < earliest:
            earliest, which = t, k
    return (earliest, which) if which >= 0 else (math.inf, which)


@deepest.otherwise
@inner_kernel
def _(patches: Any, x: Vector, radius: float) -> Any:
    worst, which = -math.inf, -1
    for k in range(count_of(patches)):
        seen = nearest_point(patches, k, x, radius)
        if seen.is_there:
            depth = radius - math.sqrt(dot(seen.away, seen.away))
            if depth > worst:
                worst, which = depth, k
    return worst, which


@count_of.otherwise
@inner_kernel
def _(patches: Any) -> int:
    return len(patches.rows)


@wall_of.otherwise
@inner_kernel
def _(patches: Any, k: int) -> int:
    return patches.wall[k]


@dispatch_on("groups")
def touch_of(groups: Any, path: Any, radius: float, before: float) -> Any:
    """How long until a sphere touches a patch, before which nothing else happens, and which."""


@dispatch_on("groups")
def seen_of(groups: Any, number: int, x: Vector, radius: float) -> Any:
    """How a place lies to a patch, and the number of its wall."""


@dispatch_on("groups")
def deepest_of(groups: Any, x: Vector, radius: float) -> Any:
    """By how much a sphere overlaps the patch that it overlaps most, and the number of its wall."""


@touch_of.register(NoGroups)
@inner_kernel
def _(groups: NoGroups, path: Any, radius: float, before: float) -> Any:
    return math.inf, -1


@touch_of.register(Group)
@inner_kernel
def _(groups: Group, path: Any, radius: float, before: float) -> Any:
    earliest, k = first_touch(groups.patches, path, radius, before)
    number = groups.first + k if k >= 0 else -1
    later, other = touch_of(groups.rest, path, radius, min(earliest, before))
    return (later, other) if later < earliest else (earliest, number)


@seen_of.register(NoGroups)
@inner_kernel
def _(groups: NoGroups, number: int, x: Vector, radius: float) -> Any:
    return Nearest((0.0, 0.0, 0.0), False, 1.0), -1


@seen_of.register(Group)
@inner_kernel
def _(groups: Group, number: int, x: Vector, radius: float) -> Any:
    k = number - groups.first
    if k < count_of(groups.patches):
        return nearest_point(groups.patches, k, x, radius), wall_of(groups.patches, k)
    return seen_of(groups.rest, number, x, radius)


@deepest_of.register(NoGroups)
@inner_kernel
def _(groups: NoGroups, x: Vector, radius: float) -> Any:
    return -math.inf, -1


@deepest_of.register(Group)
@inner_kernel
def _(groups: Group, x: Vector, radius: float) -> Any:
    worst, k = deepest(groups.patches, x, radius)
    deeper, wall = deepest_of(groups.rest, x, radius)
    if deeper > worst:
        return deeper, wall
    return (worst, wall_of(groups.patches, k)) if k >= 0 else (worst, -1)
