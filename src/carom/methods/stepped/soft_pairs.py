"""Soft contacts of pairs, one by one: for any law and flow, and across the edges of the box."""

from __future__ import annotations

import math
from typing import Any

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, plus, row, set_row
from carom.methods.stepped.friction import rub, turn
from carom.methods.stepped.squeeze import SoftRule, lost_so_far, normal_force, settle, squeezed
from carom.methods.stepped.world import PER_MASS, RADIUS, World, jump_of, species_in_block, speed
from carom.types import Vector


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
def squeeze_far(rule: SoftRule, world: World, near: int, far: int) -> None:
    """Find the impulses of all pairs in touch across the edges of the box."""
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
def _squeeze_pair(
    rule: SoftRule,
    world: World,
    i: int,
    j: int,
    source: int,
    separation: Vector,
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
    a, b = species_in_block(world, i), species_in_block(world, j)
    squeeze = squeezed(rule.law, reach, distance, normal, velocity, per_mass, radius, a, b)
    force, damped = normal_force(rule, squeeze, dt)
    begins = is_new(separation, velocity, dt, reach)
    push = dt * force
    impulse = (push * normal[0], push * normal[1], push * normal[2])
    rubbing = rub(rule.friction, world, i, j, source, squeeze, force, c)
    impulse = plus(impulse, 1.0, rubbing.impulse)
    set_row(rule.push, c, impulse)
    lost = lost_so_far(rule, squeeze, dt * damped, rubbing, c)
    _note(world, impulse, separation, lost)
    world.tally[0].slackened += rubbing.slackened
    world.tally[0].collisions += int(begins)


@inner_kernel
def _note(world: World, impulse: Vector, separation: Vector, lost: float) -> None:
    """Add a contact to the sums."""
    virial = world.sums.virial
    for a in range(3):
        for b in range(3):
            virial[a, b] += impulse[a] * separation[b]
    world.tally[0].dissipated += lost


@inner_kernel
def is_new(separation: Vector, velocity: Any, dt: float, reach: float) -> bool:
    """Whether two particles did not touch a step before."""
    before = plus(separation, -dt, velocity)
    return dot(before, before) >= reach * reach


@inner_kernel
def kick_one_by_one(shear: Any, rule: SoftRule, world: World, near: int) -> None:
    """The kicks in any flow; the twin of the vectors."""
    inner = world.inner
    for c in range(near):
        k = inner.found[c]
        _kick_pair(rule, world, inner.first[k], inner.second[k], c)


@inner_kernel
def kick_far(rule: SoftRule, world: World, near: int, far: int) -> None:
    """Let all contacts across the edges of the box push."""
    inner = world.inner
    for c in range(far):
        k = inner.far_found[c]
        _kick_pair(rule, world, inner.far_first[k], inner.far_second[k], near + c)


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
def settle_one_by_one(rule: SoftRule, world: World, near: int) -> None:
    """Add the other half of what all contacts inside the box take; the twin of the vectors."""
    inner = world.inner
    for c in range(near):
        k = inner.found[c]
        i, j = inner.first[k], inner.second[k]
        velocity = minus(row(inner.velocity, i), row(inner.velocity, j))
        settle(rule, world, i, j, velocity, c)


@inner_kernel
def settle_far(rule: SoftRule, world: World, near: int, far: int) -> None:
    """Add the other half of what all contacts across the edges of the box take."""
    inner = world.inner
    for c in range(far):
        k = inner.far_found[c]
        i, j, image = inner.far_first[k], inner.far_second[k], int(inner.far_image[k])
        velocity = minus(row(inner.velocity, i), row(inner.velocity, j))
        velocity = (velocity[0] + jump_of(world.shear, image), velocity[1], velocity[2])
        settle(rule, world, i, j, velocity, near + c)
