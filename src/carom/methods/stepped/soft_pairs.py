"""Soft contacts of pairs, one by one: for any law and flow, and across the edges of the box."""

from __future__ import annotations

import math
from typing import Any

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, plus, row, set_row
from carom.methods.stepped.friction import Frictionless
from carom.methods.stepped.impulses import exert
from carom.methods.stepped.squeeze import SoftRule, squeezed, thrust_of
from carom.methods.stepped.world import (
    PER_MASS,
    RADIUS,
    TOUCHING,
    World,
    jump_of,
    species_in_block,
    speed,
)
from carom.types import Vector


@inner_kernel
def squeeze_one_by_one(
    law: Any, rule: SoftRule, world: World, is_far: bool, few: bool, begin: int, end: int
) -> None:
    """What pairs do under any law; the twin of the vectors."""
    if is_far:
        _squeeze_far(rule, world, begin, end)
        return
    inner = world.inner
    for c in range(begin, end):
        k = inner.found[c]
        i, j = inner.first[k], inner.second[k]
        separation = minus(row(inner.sphere, i), row(inner.sphere, j))
        velocity = minus(row(inner.velocity, i), row(inner.velocity, j))
        _squeeze_pair(rule, world, i, j, inner.source[k], separation, velocity, 0.0, c)


@inner_kernel
def _squeeze_far(rule: SoftRule, world: World, begin: int, end: int) -> None:
    inner, tally = world.inner, world.tally[0]
    near = inner.number[TOUCHING]
    for c in range(begin, end):
        k = inner.far_found[c]
        i, j, image = inner.far_first[k], inner.far_second[k], int(inner.far_image[k])
        apart = minus(row(inner.sphere, i), row(inner.sphere, j))
        separation = plus(apart, 1.0, row(world.shift, image))
        jump = jump_of(world.shear, image)
        velocity = minus(row(inner.velocity, i), row(inner.velocity, j))
        velocity = (velocity[0] + jump, velocity[1], velocity[2])
        source = -1 - inner.far_source[k]
        impulse = _squeeze_pair(rule, world, i, j, source, separation, velocity, jump, near + c)
        tally.shear_work -= impulse[0] * jump


@inner_kernel
def _squeeze_pair(
    rule: SoftRule,
    world: World,
    i: int,
    j: int,
    source: int,
    separation: Vector,
    velocity: Any,
    jump: float,
    c: int,
) -> Vector:
    """Find the impulse of a pair; ``source`` says where it is in the list, below 0 for far ones,
    and ``jump`` what of the velocity is that of an image."""
    inner, dt = world.inner, world.plan.dt
    distance = math.sqrt(dot(separation, separation))
    r_i, r_j = inner.sphere[i, RADIUS], inner.sphere[j, RADIUS]
    per_mass = inner.velocity[i, PER_MASS] + inner.velocity[j, PER_MASS]
    inverse = 1.0 / distance
    normal = (separation[0] * inverse, separation[1] * inverse, separation[2] * inverse)
    radius, reach = r_i * r_j / (r_i + r_j), r_i + r_j
    a, b = species_in_block(world, i), species_in_block(world, j)
    squeeze = squeezed(rule.law, reach, distance, normal, velocity, per_mass, radius, a, b)
    thrust = thrust_of(rule, squeeze, dt)
    impulse = exert(rule.friction, world, i, j, source, squeeze, thrust, jump, c)
    virial = world.sums.virial
    for one in range(3):
        for other in range(3):
            virial[one, other] += impulse[one] * separation[other]
    world.tally[0].collisions += int(is_new(separation, velocity, dt, reach))
    return impulse


@inner_kernel
def is_new(separation: Vector, velocity: Any, dt: float, reach: float) -> bool:
    """Whether two particles did not touch a step before."""
    before = plus(separation, -dt, velocity)
    return dot(before, before) >= reach * reach


@inner_kernel
def kick_one_by_one(shear: Any, friction: Frictionless, world: World, near: int) -> None:
    """The kicks in any flow; the twin of the vectors."""
    inner = world.inner
    for c in range(near):
        k = inner.found[c]
        _kick_pair(friction, world, inner.first[k], inner.second[k], c)


@inner_kernel
def kick_far(friction: Frictionless, world: World, near: int, far: int) -> None:
    """Let all contacts across the edges of the box push."""
    inner = world.inner
    for c in range(far):
        k = inner.far_found[c]
        _kick_pair(friction, world, inner.far_first[k], inner.far_second[k], near + c)


@inner_kernel
def _kick_pair(friction: Frictionless, world: World, i: int, j: int, c: int) -> None:
    velocity, sphere = world.inner.velocity, world.inner.sphere
    push = row(friction.push, c)
    set_row(velocity, i, plus(row(velocity, i), velocity[i, PER_MASS], push))
    set_row(velocity, j, plus(row(velocity, j), -velocity[j, PER_MASS], push))
    fastest = max(speed(world, sphere, velocity, i), speed(world, sphere, velocity, j))
    world.tally[0].fastest = max(world.tally[0].fastest, fastest)


@inner_kernel
def settle_one_by_one(friction: Frictionless, world: World, near: int) -> None:
    """Add the other half of what all contacts inside the box take, at the velocities after the
    step; the twin of the vectors."""
    inner = world.inner
    for c in range(near):
        k = inner.found[c]
        i, j = inner.first[k], inner.second[k]
        velocity = minus(row(inner.velocity, i), row(inner.velocity, j))
        world.tally[0].dissipated -= 0.5 * dot(row(friction.loss, c), velocity)


@inner_kernel
def settle_far(friction: Frictionless, world: World, near: int, far: int) -> None:
    """Add the other half of what all contacts across the edges of the box take."""
    inner = world.inner
    for c in range(far):
        k = inner.far_found[c]
        i, j, image = inner.far_first[k], inner.far_second[k], int(inner.far_image[k])
        velocity = minus(row(inner.velocity, i), row(inner.velocity, j))
        velocity = (velocity[0] + jump_of(world.shear, image), velocity[1], velocity[2])
        world.tally[0].dissipated -= 0.5 * dot(row(friction.loss, near + c), velocity)
