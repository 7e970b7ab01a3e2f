"""Soft contacts of pairs inside the box, eight at a time where law and flow allow it."""

from __future__ import annotations

import math
from typing import Any

import numba

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.contacts import LinearSpringDashpot
from carom.domains import NoShear
from carom.methods.stepped.friction import Coulomb, Frictionless
from carom.methods.stepped.soft_pairs import (
    kick_one_by_one,
    settle_one_by_one,
    squeeze_one_by_one,
)
from carom.methods.stepped.squeeze import SoftRule
from carom.methods.stepped.vectors.contact_loops import rub_all, squeeze_all
from carom.methods.stepped.vectors.kicks import kick_all
from carom.methods.stepped.vectors.losses import work_along
from carom.methods.stepped.world import TOUCHING, World, jump_of
from carom.neighbours.pairs.lattice import IMAGES

ABOVE = IMAGES // 2 + 3  # the image one box further along y


@dispatch_on("law")
def squeeze_pairs(
    law: Any, rule: SoftRule, world: World, is_far: bool, few: bool, begin: int, end: int
) -> None:
    """Find what some of the pairs in touch do, inside the box or across its edges.

    Where contacts are ``few``, their particles are far from each other in memory.
    """


@inner_kernel
def squeeze_linear(
    law: LinearSpringDashpot,
    rule: SoftRule,
    world: World,
    is_far: bool,
    few: bool,
    begin: int,
    end: int,
) -> None:
    """Linear springs and dashpots, eight at a time."""
    inner, virial, tally = world.inner, world.sums.virial, world.tally[0]
    if is_far:
        first, second, found = inner.far_first, inner.far_second, inner.far_found
        source, before = inner.far_source, inner.number[TOUCHING]
    else:
        first, second, found = inner.first, inner.second, inner.found
        source, before = inner.source, 0
    touching = first, second, found, source
    limits = begin, end, is_far, before, few
    sums = _squeeze_by_lanes(rule.friction, law, rule, world, touching, limits)
    for a in range(3):
        for b in range(3):
            virial[a, b] += sums[3 * a + b]
    tally.dissipated += sums[9]
    tally.collisions += int(sums[10])
    tally.shear_work -= sums[11]


@dispatch_on("friction")
def _squeeze_by_lanes(
    friction: Any,
    law: Any,
    rule: SoftRule,
    world: World,
    touching: Any,
    limits: Any,
) -> Any:
    """Find the impulses; the sums of ``squeeze_all``."""


@inner_kernel
def _numbers_of(law: LinearSpringDashpot, rule: SoftRule, world: World) -> Any:
    pulls = 1.0 if rule.pulls else 0.0
    jump = jump_of(world.shear, ABOVE)
    return (law.stiffness, law.damping, 2.0 * law.ratio, world.plan.dt, pulls, jump)


@_squeeze_by_lanes.register(Frictionless)
@inner_kernel
def _(
    friction: Frictionless,
    law: Any,
    rule: SoftRule,
    world: World,
    touching: Any,
    limits: Any,
) -> Any:
    inner = world.inner
    first, second, found, _ = touching
    return squeeze_all(
        inner.sphere,
        inner.velocity,
        first,
        second,
        found,
        inner.far_image,
        world.shift,
        friction.push,
        friction.loss,
        limits,
        _numbers_of(law, rule, world),
    )


@_squeeze_by_lanes.register(Coulomb)
@inner_kernel
def _(
    friction: Coulomb,
    law: Any,
    rule: SoftRule,
    world: World,
    touching: Any,
    limits: Any,
) -> Any:
    inner, spin = world.inner, friction.spin
    given = (
        *_numbers_of(law, rule, world),
        friction.coefficient,
        friction.stiffness,
        friction.damping_share,
        spin.inertia,
        float(world.tally[0].step),
    )
    first, second, found, source = touching
    is_far = limits[2]
    stretches = friction.stretches.far if is_far else friction.stretches.near
    sums = rub_all(
        inner.sphere,
        inner.velocity,
        first,
        second,
        found,
        inner.far_image,
        world.shift,
        inner.particle,
        spin.surface,
        source,
        stretches,
        friction.felt,
        limits,
        given,
    )
    world.tally[0].slackened += sums[12]
    return sums


@dispatch_on("shear")
def kick_near(shear: Any, friction: Frictionless, world: World, near: int) -> None:
    """Let all contacts of smooth particles inside the box push."""


@inner_kernel
def kick_by_rows(shear: NoShear, friction: Frictionless, world: World, near: int) -> None:
    """The kicks without a flow, a row of four numbers at a time."""
    inner, tally = world.inner, world.tally[0]
    square = kick_all(inner.velocity, inner.first, inner.second, inner.found, friction.push, near)
    tally.fastest = max(tally.fastest, math.sqrt(square))


@inner_kernel
def settle_by_rows(friction: Frictionless, world: World, near: int) -> None:
    """The same, a row of four numbers at a time."""
    inner = world.inner
    work = work_along(friction.loss, inner.velocity, inner.first, inner.second, inner.found, near)
    world.tally[0].dissipated -= 0.5 * work


settle_near = settle_one_by_one if numba.config.DISABLE_JIT else settle_by_rows
squeeze_pairs.otherwise(squeeze_one_by_one)
kick_near.otherwise(kick_one_by_one)
if not numba.config.DISABLE_JIT:
    squeeze_pairs.register(LinearSpringDashpot)(squeeze_linear)
    kick_near.register(NoShear)(kick_by_rows)
