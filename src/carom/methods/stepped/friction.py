"""Friction and rotation of soft contacts; particles without friction cost nothing.

A tangential spring is stretched by the slip of the surfaces as long as a contact lasts, and slides
where its force would exceed μ times the normal force (Cundall & Strack 1979; as in Luding 2008).
Surfaces meet where the overlap is parted in proportion to the radii, so that the levers add up to
the distance of the centres and angular momentum is conserved. The stretch of each contact is kept
beside the list of pairs, and moves to the new list when the list is made anew.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.collisions.surfaces import cross
from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.memory import in_cache_lines
from carom.compiled.vectors import dot, minus, plus, row, set_row
from carom.methods.stepped.dashpots import lagging
from carom.methods.stepped.surface_spin import Spins, turning_at_wall, turning_of, twist
from carom.methods.stepped.world import World
from carom.neighbours.pairs.pair_list import PairList
from carom.types import Vector

# The fourth column of a stretch: the step until which it is known.
KNOWN_AT = 3
NOT_KNOWN = -1.0


class Frictionless(NamedTuple):
    """Contacts act along their normals only."""


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
    twists: Any  # (contacts, 4) n × impulse of the step, times lever over radius
    drags: Any  # (contacts, 4) the part of it that takes energy


class Rubbing(NamedTuple):
    """What friction does to a contact in a step."""

    impulse: Vector  # on the first, along the surfaces
    loss: Any  # the part of it that takes energy
    lost: float  # half of its work, at the velocities before the step
    slackened: float  # energy that the spring has lost at once


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


def _rows(number: int) -> Any:
    return in_cache_lines(4 * number, np.float64).reshape(number, 4)


def with_room(friction: Any, pairs: PairList, contacts: int) -> Any:
    """The friction with room for a list and for so many contacts; what is kept stays."""
    if isinstance(friction, Frictionless):
        return friction
    old = friction.stretches
    new = new_stretches(len(old.head), 0, pairs, contacts)
    for name in ("kept", "kept_first", "kept_second", "near", "far"):
        kept, room = getattr(old, name), getattr(new, name)
        fits = min(len(kept), len(room))
        room[:fits] = kept[:fits]
    new.number[:] = old.number
    twists, drags = _rows(contacts), _rows(contacts)
    return friction._replace(stretches=new._replace(wall=old.wall), twists=twists, drags=drags)


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
def rub(
    friction: Any, world: World, i: int, j: int, source: int, squeeze: Any, force: float, c: int
) -> Any:
    """What friction does to i in contact c with j: a ``Rubbing``."""


@dispatch_on("friction")
def rub_wall(
    friction: Any, world: World, i: int, w: int, squeeze: Any, force: float, c: int
) -> Any:
    """The same for contact w with a wall."""


@dispatch_on("friction")
def turn(friction: Any, world: World, i: int, j: int, c: int) -> None:
    """Let contact c change the angular velocities of i and j; j is below 0 for a wall."""


@dispatch_on("friction")
def keep(friction: Any, world: World) -> None:
    """Keep the stretches of contacts that last while there is no list."""


@dispatch_on("friction")
def put(friction: Any, world: World) -> None:
    """Put what was kept beside the pairs of a new list."""


@rub.register(Frictionless)
@inner_kernel
def _(
    friction: Frictionless,
    world: World,
    i: int,
    j: int,
    source: int,
    squeeze: Any,
    force: float,
    c: int,
) -> Any:
    nothing = (0.0, 0.0, 0.0)
    return Rubbing(nothing, nothing, 0.0, 0.0)


@rub_wall.register(Frictionless)
@inner_kernel
def _(
    friction: Frictionless, world: World, i: int, w: int, squeeze: Any, force: float, c: int
) -> Any:
    nothing = (0.0, 0.0, 0.0)
    return Rubbing(nothing, nothing, 0.0, 0.0)


@turn.register(Frictionless)
@inner_kernel
def _(friction: Frictionless, world: World, i: int, j: int, c: int) -> None:
    pass


@keep.register(Frictionless)
@inner_kernel
def _(friction: Frictionless, world: World) -> None:
    pass


@put.register(Frictionless)
@inner_kernel
def _(friction: Frictionless, world: World) -> None:
    pass


@inner_kernel
def _stretched(kept: Any, step: int, normal: Vector, slip: Vector, dt: float) -> Any:
    """The stretch now, a step before, and how much of that was along the normal of now.

    A new contact has none.
    """
    nothing = (0.0, 0.0, 0.0)
    if kept[KNOWN_AT] != step:
        return nothing, nothing, 0.0
    before = (kept[0], kept[1], kept[2])
    # The plane of contact has turned.
    tilted = -dot(before, normal)
    turned = plus(before, tilted, normal)
    return plus(turned, dt, slip), before, tilted


@inner_kernel
def _slip(squeeze: Any, turning: Any) -> Any:
    """The relative velocity of the surfaces along the plane of contact."""
    arm = squeeze.arm
    lever = (arm * turning[0], arm * turning[1], arm * turning[2])
    relative = minus(squeeze.velocity, lever)
    return plus(relative, -dot(relative, squeeze.normal), squeeze.normal)


@inner_kernel
def _hold(
    friction: Coulomb, kept: Any, world: World, squeeze: Any, slip: Vector, force: float
) -> Any:
    """What friction does in a step; the stretch is kept for the next one."""
    dt, step = world.plan.dt, world.tally[0].step
    stretch, before, tilted = _stretched(kept, step, squeeze.normal, slip, dt)
    # The change of slip per impulse.
    per_mass = squeeze.per_mass * (1.0 + squeeze.arm * squeeze.arm / friction.spin.inertia)
    dashpot = lagging(friction.damping_share * squeeze.damping, 0.25 * dt, per_mass)
    pull = plus(
        (
            -friction.stiffness * stretch[0],
            -friction.stiffness * stretch[1],
            -friction.stiffness * stretch[2],
        ),
        -dashpot,
        slip,
    )
    strength, limit = math.sqrt(dot(pull, pull)), friction.coefficient * max(force, 0.0)
    slides = strength > limit
    if slides:
        scale = limit / strength
        pull = (scale * pull[0], scale * pull[1], scale * pull[2])
        if friction.stiffness > 0.0:
            # The spring slides until it holds the limit alone: none of its energy is left when
            # the normal force vanishes and the contact ends.
            per_stiffness = -1.0 / friction.stiffness
            stretch = (per_stiffness * pull[0], per_stiffness * pull[1], per_stiffness * pull[2])
    kept[0], kept[1], kept[2] = stretch
    kept[KNOWN_AT] = step + 1
    impulse = (dt * pull[0], dt * pull[1], dt * pull[2])
    energy = 0.5 * friction.stiffness
    if slides:
        loss = impulse
        slackened = energy * dot(before, before) - energy * dot(stretch, stretch)
    else:
        # A spring that holds takes nothing.
        braking = -dt * dashpot
        loss = (braking * slip[0], braking * slip[1], braking * slip[2])
        slackened = energy * (tilted * tilted)
    return Rubbing(impulse, loss, -0.5 * dot(loss, slip), slackened)


@inner_kernel
def _note_twist(friction: Coulomb, c: int, squeeze: Any, rubbing: Rubbing) -> None:
    """Write down the torque of contact c over the radius: levers are ``arm`` times the radii."""
    arm, torque = squeeze.arm, cross(squeeze.normal, rubbing.impulse)
    set_row(friction.twists, c, (arm * torque[0], arm * torque[1], arm * torque[2]))
    torque = cross(squeeze.normal, rubbing.loss)
    set_row(friction.drags, c, (arm * torque[0], arm * torque[1], arm * torque[2]))


@rub.register(Coulomb)
@inner_kernel
def _(
    friction: Coulomb,
    world: World,
    i: int,
    j: int,
    source: int,
    squeeze: Any,
    force: float,
    c: int,
) -> Any:
    spin = friction.spin
    slip = _slip(squeeze, turning_of(spin, world, i, j, squeeze.normal))
    if source >= 0:
        kept = friction.stretches.near[source]
    else:
        kept = friction.stretches.far[-1 - source]
    rubbing = _hold(friction, kept, world, squeeze, slip, force)
    _note_twist(friction, c, squeeze, rubbing)
    return rubbing


@rub_wall.register(Coulomb)
@inner_kernel
def _(friction: Coulomb, world: World, i: int, w: int, squeeze: Any, force: float, c: int) -> Any:
    inner, spin = world.inner, friction.spin
    slip = _slip(squeeze, turning_at_wall(spin, world, i, squeeze.normal))
    kept = friction.stretches.wall[inner.wall_plane[w], inner.particle[i]]
    rubbing = _hold(friction, kept, world, squeeze, slip, force)
    _note_twist(friction, c, squeeze, rubbing)
    return rubbing


@dispatch_on("friction")
def turned_back(friction: Any, world: World, i: int, j: int, c: int) -> float:
    """How fast the surfaces of i and j turn now, times what takes energy from that in contact c;
    j is below 0 for a wall."""


@turned_back.register(Frictionless)
@inner_kernel
def _(friction: Frictionless, world: World, i: int, j: int, c: int) -> float:
    return 0.0


@turned_back.register(Coulomb)
@inner_kernel
def _(friction: Coulomb, world: World, i: int, j: int, c: int) -> float:
    surface, particle = friction.spin.surface, world.inner.particle
    turning = row(surface, particle[i])
    if j >= 0:
        turning = plus(turning, 1.0, row(surface, particle[j]))
    return dot(row(friction.drags, c), turning)


@turn.register(Coulomb)
@inner_kernel
def _(friction: Coulomb, world: World, i: int, j: int, c: int) -> None:
    torque = row(friction.twists, c)
    twist(friction.spin, world, i, torque)
    if j >= 0:
        twist(friction.spin, world, j, torque)


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
