"""Soft contacts: springs and dashpots push particles that overlap apart.

All forces of a step are found from the same positions and velocities, then act. The dashpot is
taken at the approach speed of half a step before, with a coefficient that makes up for it (see
dashpots.py): the restitution of two bodies has no error of first order but that of not knowing when
within a step they touched.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numba

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, plus, row, set_row
from carom.contacts import LinearSpringDashpot, Touch, at_wall, damping, spring_force
from carom.domains import IMPULSE, NoPlanes, NoShear
from carom.methods.stepped.dashpots import lagging
from carom.methods.stepped.friction import (
    Coulomb,
    Frictionless,
    keep,
    put,
    rub,
    rub_wall,
    turn,
    turned_back,
)
from carom.methods.stepped.nearest_wall import towards
from carom.methods.stepped.rules import GOES_ON, act, join_list, part_from_list, room_of
from carom.methods.stepped.vectors.contact_forces import (
    LANES,
    kick_all,
    rub_four,
    squeeze_four,
    twist_all,
)
from carom.methods.stepped.vectors.losses import work_along, work_around
from carom.methods.stepped.world import (
    AT_WALLS,
    FAR_TOUCHING,
    PER_MASS,
    RADIUS,
    TOUCHING,
    World,
    jump_of,
    speed,
)


class SoftRule(NamedTuple):
    """Springs and dashpots.

    ``pulls``: a contact lasts as long as the particles overlap, and may pull at its end; otherwise
    it never pulls.
    """

    law: Any
    pulls: bool
    wall_ratio: Any  # (walls,) damping ratios at the walls, NaN for the law's own damping
    friction: Any
    push: Any  # (room, 4) the impulses of the step
    loss: Any  # (room, 4) the part of them that takes energy, not the springs'


class Squeeze(NamedTuple):
    """A contact as it is now."""

    normal: Any  # unit vector, towards the first
    arm: float  # distance over the sum of radii, or of a wall over the radius
    velocity: Any  # of the first relative to the second, half a step before
    per_mass: float  # one over the reduced mass
    spring: float  # the elastic force
    damping: float  # the damping coefficient


@act.register(SoftRule)
@inner_kernel
def _(rule: SoftRule, world: World) -> int:
    inner, tally = world.inner, world.tally[0]
    near, far = inner.number[TOUCHING], inner.number[FAR_TOUCHING]
    squeeze_near(rule.law, rule, world, near)
    _squeeze_far(rule, world, near, far)
    walls = _squeeze_walls(world.planes, rule, world, near + far)
    tally.contacts += near + far + walls
    kick_near(world.shear, rule, world, near)
    for c in range(far):
        k = inner.far_found[c]
        _kick_pair(rule, world, inner.far_first[k], inner.far_second[k], near + c)
    _kick_from_walls(world.planes, rule, world, near + far)
    settle_near(rule, world, near)
    _settle_far(rule, world, near, far)
    _settle_walls(world.planes, rule, world, near + far)
    return GOES_ON


@part_from_list.register(SoftRule)
@inner_kernel
def _(rule: SoftRule, world: World) -> None:
    keep(rule.friction, world)


@join_list.register(SoftRule)
@inner_kernel
def _(rule: SoftRule, world: World) -> None:
    put(rule.friction, world)


@room_of.register(SoftRule)
@inner_kernel
def _(rule: SoftRule, tally: Any) -> int:
    return len(rule.push) - LANES  # four at a time write beyond the last


@inner_kernel
def _kick_pair(rule: SoftRule, world: World, i: int, j: int, c: int) -> None:
    velocity, sphere = world.inner.velocity, world.inner.sphere
    push = row(rule.push, c)
    set_row(velocity, i, plus(row(velocity, i), velocity[i, PER_MASS], push))
    set_row(velocity, j, plus(row(velocity, j), -velocity[j, PER_MASS], push))
    turn(rule.friction, world, i, j, c)
    fastest = max(speed(world, sphere, velocity, i), speed(world, sphere, velocity, j))
    world.tally[0].fastest = max(world.tally[0].fastest, fastest)


@inner_kernel
def squeezed(
    law: Any,
    reach: float,
    distance: float,
    normal: Any,
    velocity: Any,
    per_mass: float,
    radius: float,
) -> Squeeze:
    """A contact under a law: the sum of radii, the distance, ... and the effective radius."""
    touch = Touch(reach - distance, 1.0 / per_mass, radius)
    spring, dashpot = spring_force(touch, law), damping(touch, law)
    return Squeeze(normal, distance / reach, velocity, per_mass, spring, dashpot)


@inner_kernel
def normal_force(rule: SoftRule, squeeze: Squeeze, dt: float) -> Any:
    """The normal force, and the part of it that is not the spring's."""
    before = -dot(squeeze.velocity, squeeze.normal)
    dashpot = lagging(squeeze.damping, 0.25 * dt, squeeze.per_mass)
    force = squeeze.spring + dashpot * before
    if not rule.pulls and force < 0.0:
        force = 0.0
    return force, force - squeeze.spring


@inner_kernel
def _lost_so_far(rule: SoftRule, squeeze: Squeeze, damped: float, rubbing: Any, c: int) -> float:
    """Keep the impulse of contact c that takes energy; half its work at the velocity before the
    step, the other half follows when the velocity after it is known."""
    normal = squeeze.normal
    loss = (damped * normal[0], damped * normal[1], damped * normal[2])
    set_row(rule.loss, c, plus(loss, 1.0, rubbing.loss))
    return rubbing.lost - 0.5 * dot(loss, squeeze.velocity)


@inner_kernel
def _note(world: World, impulse: Any, separation: Any, lost: float) -> None:
    """Add a contact to the sums."""
    virial = world.sums.virial
    for a in range(3):
        for b in range(3):
            virial[a, b] += impulse[a] * separation[b]
    world.tally[0].dissipated += lost


@inner_kernel
def is_new(separation: Any, velocity: Any, dt: float, reach: float) -> bool:
    """Whether two particles did not touch a step before."""
    before = plus(separation, -dt, velocity)
    return dot(before, before) >= reach * reach


@dispatch_on("law")
def squeeze_near(law: Any, rule: SoftRule, world: World, near: int) -> None:
    """Find the impulses of all pairs in touch inside the box."""


@inner_kernel
def squeeze_one_by_one(law: Any, rule: SoftRule, world: World, near: int) -> None:
    """The impulses for any law; the twin of the vectors."""
    inner = world.inner
    for c in range(near):
        k = inner.found[c]
        i, j = inner.first[k], inner.second[k]
        separation = minus(row(inner.sphere, i), row(inner.sphere, j))
        velocity = minus(row(inner.velocity, i), row(inner.velocity, j))
        _squeeze_pair(rule, world, i, j, inner.source[k], separation, velocity, c)


@inner_kernel
def squeeze_linear(law: LinearSpringDashpot, rule: SoftRule, world: World, near: int) -> None:
    """The impulses of linear springs and dashpots, four at a time."""
    sums = _squeeze_by_fours(rule.friction, law, rule, world, near)
    virial, tally = world.sums.virial, world.tally[0]
    for a in range(3):
        for b in range(3):
            virial[a, b] += sums[3 * a + b]
    tally.dissipated += sums[9]
    tally.collisions += int(sums[10])


@dispatch_on("friction")
def _squeeze_by_fours(friction: Any, law: Any, rule: SoftRule, world: World, near: int) -> Any:
    """Find the impulses; the sums of ``squeeze_four``."""


@inner_kernel
def _numbers_of(law: LinearSpringDashpot, rule: SoftRule, world: World) -> Any:
    pulls = 1.0 if rule.pulls else 0.0
    return (law.stiffness, law.damping, 2.0 * law.ratio, world.plan.dt, pulls)


@_squeeze_by_fours.register(Frictionless)
@inner_kernel
def _(friction: Frictionless, law: Any, rule: SoftRule, world: World, near: int) -> Any:
    inner, given = world.inner, _numbers_of(law, rule, world)
    return squeeze_four(
        inner.sphere,
        inner.velocity,
        inner.first,
        inner.second,
        inner.found,
        rule.push,
        rule.loss,
        near,
        given,
    )


@_squeeze_by_fours.register(Coulomb)
@inner_kernel
def _(friction: Coulomb, law: Any, rule: SoftRule, world: World, near: int) -> Any:
    inner, spin = world.inner, friction.spin
    given = (
        *_numbers_of(law, rule, world),
        friction.coefficient,
        friction.stiffness,
        friction.damping_share,
        spin.inertia,
        float(world.tally[0].step),
    )
    sums = rub_four(
        inner.sphere,
        inner.velocity,
        inner.first,
        inner.second,
        inner.found,
        rule.push,
        rule.loss,
        inner.particle,
        spin.surface,
        inner.source,
        friction.stretches.near,
        friction.twists,
        friction.drags,
        near,
        given,
    )
    world.tally[0].slackened += sums[11]
    return sums


@dispatch_on("shear")
def kick_near(shear: Any, rule: SoftRule, world: World, near: int) -> None:
    """Let all contacts inside the box push."""


@inner_kernel
def kick_one_by_one(shear: Any, rule: SoftRule, world: World, near: int) -> None:
    """The kicks in any flow; the twin of the vectors."""
    inner = world.inner
    for c in range(near):
        k = inner.found[c]
        _kick_pair(rule, world, inner.first[k], inner.second[k], c)


@inner_kernel
def kick_by_fours(shear: NoShear, rule: SoftRule, world: World, near: int) -> None:
    """The kicks without a flow, a row of four numbers at a time."""
    inner, tally = world.inner, world.tally[0]
    square = kick_all(inner.velocity, inner.first, inner.second, inner.found, rule.push, near)
    tally.fastest = max(tally.fastest, math.sqrt(square))
    _twist_near(rule.friction, world, near)


@dispatch_on("friction")
def _twist_near(friction: Any, world: World, near: int) -> None:
    """Turn the particles of all contacts inside the box by what friction does to them."""


@_twist_near.register(Frictionless)
@inner_kernel
def _(friction: Frictionless, world: World, near: int) -> None:
    pass


@_twist_near.register(Coulomb)
@inner_kernel
def _(friction: Coulomb, world: World, near: int) -> None:
    inner = world.inner
    twist_all(
        friction.spin.surface,
        inner.first,
        inner.second,
        inner.found,
        inner.particle,
        friction.twists,
        near,
    )


@inner_kernel
def settle_one_by_one(rule: SoftRule, world: World, near: int) -> None:
    """Add the other half of what all contacts inside the box take; the twin of the vectors."""
    inner = world.inner
    for c in range(near):
        k = inner.found[c]
        i, j = inner.first[k], inner.second[k]
        velocity = minus(row(inner.velocity, i), row(inner.velocity, j))
        _settle(rule, world, i, j, velocity, c)


@inner_kernel
def _settle(rule: SoftRule, world: World, i: int, j: int, velocity: Any, c: int) -> None:
    work = dot(row(rule.loss, c), velocity) - turned_back(rule.friction, world, i, j, c)
    world.tally[0].dissipated -= 0.5 * work


@inner_kernel
def settle_by_rows(rule: SoftRule, world: World, near: int) -> None:
    """The same, a row of four numbers at a time."""
    inner = world.inner
    work = work_along(rule.loss, inner.velocity, inner.first, inner.second, inner.found, near)
    world.tally[0].dissipated -= 0.5 * (work - _turned_back_near(rule.friction, world, near))


@dispatch_on("friction")
def _turned_back_near(friction: Any, world: World, near: int) -> float:
    """The work of friction in all contacts inside the box that turns particles."""


@_turned_back_near.register(Frictionless)
@inner_kernel
def _(friction: Frictionless, world: World, near: int) -> float:
    return 0.0


@_turned_back_near.register(Coulomb)
@inner_kernel
def _(friction: Coulomb, world: World, near: int) -> float:
    inner = world.inner
    return work_around(
        friction.drags,
        friction.spin.surface,
        inner.first,
        inner.second,
        inner.found,
        inner.particle,
        near,
    )


settle_near = settle_one_by_one if numba.config.DISABLE_JIT else settle_by_rows
squeeze_near.otherwise(squeeze_one_by_one)
kick_near.otherwise(kick_one_by_one)
if not numba.config.DISABLE_JIT:
    squeeze_near.register(LinearSpringDashpot)(squeeze_linear)
    kick_near.register(NoShear)(kick_by_fours)


@inner_kernel
def _squeeze_far(rule: SoftRule, world: World, near: int, far: int) -> None:
    inner, tally = world.inner, world.tally[0]
    for c in range(far):
        k = inner.far_found[c]
        i, j, image = inner.far_first[k], inner.far_second[k], int(inner.far_image[k])
        apart = minus(row(inner.sphere, i), row(inner.sphere, j))
        separation = plus(apart, 1.0, row(world.shift, image))
        jump = jump_of(world.shear, image)
        velocity = minus(row(inner.velocity, i), row(inner.velocity, j))
        velocity = (velocity[0] + jump, velocity[1], velocity[2])
        source = -1 - inner.far_source[k]
        _squeeze_pair(rule, world, i, j, source, separation, velocity, near + c)
        tally.shear_work -= rule.push[near + c, 0] * jump


@inner_kernel
def _settle_far(rule: SoftRule, world: World, near: int, far: int) -> None:
    inner = world.inner
    for c in range(far):
        k = inner.far_found[c]
        i, j, image = inner.far_first[k], inner.far_second[k], int(inner.far_image[k])
        velocity = minus(row(inner.velocity, i), row(inner.velocity, j))
        velocity = (velocity[0] + jump_of(world.shear, image), velocity[1], velocity[2])
        _settle(rule, world, i, j, velocity, near + c)


@inner_kernel
def _squeeze_pair(
    rule: SoftRule,
    world: World,
    i: int,
    j: int,
    source: int,
    separation: Any,
    velocity: Any,
    c: int,
) -> None:
    """Find the impulse of a pair; ``source`` says where it is in the list, below 0 for far ones."""
    inner, dt = world.inner, world.plan.dt
    distance = math.sqrt(dot(separation, separation))
    r_i, r_j = inner.sphere[i, RADIUS], inner.sphere[j, RADIUS]
    per_mass = inner.velocity[i, PER_MASS] + inner.velocity[j, PER_MASS]
    inverse = 1.0 / distance
    normal = (separation[0] * inverse, separation[1] * inverse, separation[2] * inverse)
    radius, reach = r_i * r_j / (r_i + r_j), r_i + r_j
    squeeze = squeezed(rule.law, reach, distance, normal, velocity, per_mass, radius)
    force, damped = normal_force(rule, squeeze, dt)
    begins = is_new(separation, velocity, dt, reach)
    push = dt * force
    impulse = (push * normal[0], push * normal[1], push * normal[2])
    rubbing = rub(rule.friction, world, i, j, source, squeeze, force, c)
    impulse = plus(impulse, 1.0, rubbing.impulse)
    set_row(rule.push, c, impulse)
    lost = _lost_so_far(rule, squeeze, dt * damped, rubbing, c)
    _note(world, impulse, separation, lost)
    world.tally[0].slackened += rubbing.slackened
    world.tally[0].collisions += int(begins)


@dispatch_on("planes")
def _squeeze_walls(planes: Any, rule: SoftRule, world: World, first: int) -> int:
    """Find the impulses of all particles in touch with walls; how many there are."""


@dispatch_on("planes")
def _kick_from_walls(planes: Any, rule: SoftRule, world: World, first: int) -> None:
    """Let the walls push."""


@dispatch_on("planes")
def _settle_walls(planes: Any, rule: SoftRule, world: World, first: int) -> None:
    """Add the other half of what the walls take."""


@_settle_walls.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, rule: SoftRule, world: World, first: int) -> None:
    pass


@_settle_walls.otherwise
@inner_kernel
def _(planes: Any, rule: SoftRule, world: World, first: int) -> None:
    inner = world.inner
    for w in range(inner.number[AT_WALLS]):
        i = inner.wall_particle[w]
        if inner.sphere[i, RADIUS] > towards(planes, inner.wall_plane[w], row(inner.sphere, i))[0]:
            _settle(rule, world, i, -1, row(inner.velocity, i), first + w)


@_squeeze_walls.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, rule: SoftRule, world: World, first: int) -> int:
    return 0


@_kick_from_walls.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, rule: SoftRule, world: World, first: int) -> None:
    pass


@_squeeze_walls.otherwise
@inner_kernel
def _(planes: Any, rule: SoftRule, world: World, first: int) -> int:
    inner, dt, tally = world.inner, world.plan.dt, world.tally[0]
    touching = 0
    for w in range(inner.number[AT_WALLS]):
        i, k, c = inner.wall_particle[w], inner.wall_plane[w], first + w
        radius = inner.sphere[i, RADIUS]
        distance, normal = towards(planes, k, row(inner.sphere, i))
        set_row(rule.push, c, (0.0, 0.0, 0.0))
        if distance >= radius:
            continue
        velocity = row(inner.velocity, i)
        per_mass = inner.velocity[i, PER_MASS]
        law = at_wall(rule.law, rule.wall_ratio[k])
        squeeze = squeezed(law, radius, distance, normal, velocity, per_mass, radius)
        force, damped = normal_force(rule, squeeze, dt)
        begins = distance - dt * dot(normal, velocity) >= radius
        push = dt * force
        impulse = (push * normal[0], push * normal[1], push * normal[2])
        rubbing = rub_wall(rule.friction, world, i, w, squeeze, force, c)
        set_row(rule.push, c, plus(impulse, 1.0, rubbing.impulse))
        planes[k, IMPULSE] += push
        tally.dissipated += _lost_so_far(rule, squeeze, dt * damped, rubbing, c)
        tally.slackened += rubbing.slackened
        tally.wall_collisions += int(begins)
        touching += 1
    return touching


@_kick_from_walls.otherwise
@inner_kernel
def _(planes: Any, rule: SoftRule, world: World, first: int) -> None:
    inner, tally = world.inner, world.tally[0]
    for w in range(inner.number[AT_WALLS]):
        i = inner.wall_particle[w]
        push = row(rule.push, first + w)
        if push[0] == 0.0 and push[1] == 0.0 and push[2] == 0.0:
            continue  # it does not touch, and what stands among the twists is not its own
        per_mass = inner.velocity[i, PER_MASS]
        set_row(inner.velocity, i, plus(row(inner.velocity, i), per_mass, push))
        turn(rule.friction, world, i, -1, first + w)
        tally.fastest = max(tally.fastest, speed(world, inner.sphere, inner.velocity, i))
