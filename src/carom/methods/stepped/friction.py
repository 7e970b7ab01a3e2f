"""Friction and rotation of soft contacts; particles without friction cost nothing.

The stretch of each contact's tangential spring is kept beside the list of pairs, and moves to the
new list when the list is made anew. What friction does is in ``rubbing.py``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.memory import in_cache_lines
from carom.methods.stepped.surface_spin import Spins
from carom.methods.stepped.vectors.contact_forces import LANES
from carom.methods.stepped.world import World
from carom.neighbours.pairs.pair_list import PairList

# The fourth column of a stretch: the step until which it is known.
KNOWN_AT = 3
NOT_KNOWN = -1.0
# Where columns of ``Coulomb.felt`` begin: the impulse and what of it takes energy; n × impulse at
# the surface times lever over radius, and what of that takes energy.
IMPULSE, LOSS, TWIST, DRAG = 0, 3, 6, 9


class Frictionless(NamedTuple):
    """Contacts act along their normals only."""

    push: Any  # (room, 4) the impulses of the step
    loss: Any  # (room, 4) the part of them that takes energy, not the springs'


class Stretches(NamedTuple):
    """The tangential springs: rows of a vector and the step until which it is known."""

    near: Any  # (room, 4) beside the list of pairs
    far: Any  # (far room, 4)
    wall: Any  # (walls, n, 4)
    kept: Any  # (contacts, 4) while there is no list
    kept_first: Any  # (contacts,) whose they are
    kept_second: Any
    following: Any  # (contacts,) the next that is kept of the same particle
    head: Any  # (n,) the first
    number: Any  # (1,) how many are kept, -1 while there is a list


class Coulomb(NamedTuple):
    """Tangential springs and dashpots with a limit."""

    coefficient: float
    stiffness: float
    damping_share: float  # of the normal damping coefficient
    spin: Spins
    stretches: Stretches
    felt: Any  # (n, 12) what all contacts do to a particle of the block; zeros between the steps


def new_stretches(n: int, walls: int, pairs: PairList, contacts: int) -> Stretches:
    """No springs yet."""
    near, far = _rows(len(pairs.first)), _rows(len(pairs.far_first))
    wall = np.full((walls, n, 4), NOT_KNOWN)
    near[:, KNOWN_AT] = far[:, KNOWN_AT] = NOT_KNOWN

    def whole(size: int) -> Any:
        return np.zeros(size, dtype=np.int32)

    return Stretches(
        near=near,
        far=far,
        wall=wall,
        kept=_rows(contacts),
        kept_first=whole(contacts),
        kept_second=whole(contacts),
        following=whole(contacts),
        head=whole(n),
        number=np.full(1, -1, dtype=np.int64),
    )


def new_felt(n: int) -> Any:
    """Nothing felt yet."""
    return in_cache_lines(12 * n, np.float64).reshape(n, 12)


def new_frictionless(contacts: int) -> Frictionless:
    """Smooth particles, with room for the impulses of so many contacts in a step."""
    return Frictionless(_rows(contacts), _rows(contacts))


def _rows(number: int) -> Any:
    """Rows of four numbers, each of them one load."""
    return in_cache_lines(4 * number, np.float64).reshape(number, 4)


def room_for_contacts(friction: Any) -> int:
    """How many contacts a step may have."""
    if isinstance(friction, Frictionless):
        return len(friction.push)
    return len(friction.stretches.kept)


def with_room(friction: Any, pairs: PairList, contacts: int) -> Any:
    """The friction with room for a list and for so many contacts; what is kept stays."""
    if isinstance(friction, Frictionless):
        return friction if contacts == len(friction.push) else new_frictionless(contacts)
    old = friction.stretches
    new = new_stretches(len(old.head), 0, pairs, contacts)
    for name in ("kept", "kept_first", "kept_second", "near", "far"):
        kept, room = getattr(old, name), getattr(new, name)
        fits = min(len(kept), len(room))
        room[:fits] = kept[:fits]
    new.number[:] = old.number
    return friction._replace(stretches=new._replace(wall=old.wall))


def with_stretches_of(friction: Coulomb, before: Coulomb, number: Any) -> Coulomb:
    """The friction of a new world, with as much room as that of another, with the stretches that
    this one has kept, where both particles have a number in the new world."""
    old, kept = before.stretches, slice(0, int(before.stretches.number[0]))
    first, second = number[old.kept_first[kept]], number[old.kept_second[kept]]
    both = np.flatnonzero((first >= 0) & (second >= 0))
    new, mine = friction.stretches, slice(0, len(both))
    new.kept[mine], new.kept_first[mine] = old.kept[both], first[both]
    new.kept_second[mine] = second[both]
    new.number[0] = len(both)
    return friction


@dispatch_on("friction")
def room_in(friction: Any) -> int:
    """How many contacts a step may have, in kernels."""


@room_in.register(Frictionless)
@inner_kernel
def _(friction: Frictionless) -> int:
    return len(friction.push) - LANES  # eight at a time write beyond the last


@room_in.register(Coulomb)
@inner_kernel
def _(friction: Coulomb) -> int:
    return len(friction.stretches.kept)


@dispatch_on("friction")
def keep(friction: Any, world: World) -> None:
    """Keep the stretches of contacts that last while there is no list."""


@dispatch_on("friction")
def put(friction: Any, world: World) -> None:
    """Put what was kept beside the pairs of a new list."""


@keep.register(Frictionless)
@inner_kernel
def _(friction: Frictionless, world: World) -> None:
    pass


@put.register(Frictionless)
@inner_kernel
def _(friction: Frictionless, world: World) -> None:
    pass


@inner_kernel
def _keep_one(stretches: Stretches, stretch: Any, i: int, j: int) -> None:
    k = stretches.number[0]
    stretches.kept_first[k], stretches.kept_second[k] = i, j
    for column in range(4):
        stretches.kept[k, column] = stretch[column]
    stretches.number[0] = k + 1


@keep.register(Coulomb)
@inner_kernel
def _(friction: Coulomb, world: World) -> None:
    stretches, pairs, step = friction.stretches, world.pairs, world.tally[0].step
    if stretches.number[0] >= 0:
        return
    stretches.number[0] = 0
    for k in range(pairs.number[0]):
        if stretches.near[k, KNOWN_AT] == step:
            _keep_one(stretches, stretches.near[k], pairs.first[k], pairs.second[k])
    for k in range(pairs.number[1]):
        if stretches.far[k, KNOWN_AT] == step:
            _keep_one(stretches, stretches.far[k], pairs.far_first[k], pairs.far_second[k])


@inner_kernel
def _put_one(stretches: Stretches, stretch: Any, i: int, j: int) -> None:
    """Give a pair its stretch back, if it has one: chains begin at the first of a kept pair."""
    stretch[KNOWN_AT] = NOT_KNOWN
    for a, b, sign in ((i, j, 1.0), (j, i, -1.0)):
        k = stretches.head[a]
        while k >= 0:
            if stretches.kept_second[k] == b and stretches.kept[k, KNOWN_AT] >= 0.0:
                for column in range(3):
                    stretch[column] = sign * stretches.kept[k, column]
                stretch[KNOWN_AT] = stretches.kept[k, KNOWN_AT]
                stretches.kept[k, KNOWN_AT] = NOT_KNOWN
            k = stretches.following[k]


@put.register(Coulomb)
@inner_kernel
def _(friction: Coulomb, world: World) -> None:
    stretches, pairs = friction.stretches, world.pairs
    for i in range(len(stretches.head)):
        stretches.head[i] = -1
    for k in range(stretches.number[0]):
        stretches.following[k] = stretches.head[stretches.kept_first[k]]
        stretches.head[stretches.kept_first[k]] = k
    for k in range(pairs.number[0]):
        _put_one(stretches, stretches.near[k], pairs.first[k], pairs.second[k])
    for k in range(pairs.number[1]):
        _put_one(stretches, stretches.far[k], pairs.far_first[k], pairs.far_second[k])
    stretches.number[0] = -1
