"""Soft contacts of pairs inside the box, four at a time where law and flow allow it."""

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
from carom.methods.stepped.vectors.contact_forces import rub_four, squeeze_four
from carom.methods.stepped.vectors.kicks import kick_all, twist_all
from carom.methods.stepped.vectors.losses import work_along, work_around
from carom.methods.stepped.world import World


@dispatch_on("law")
def squeeze_near(law: Any, rule: SoftRule, world: World, near: int) -> None:
    """Find the impulses of all pairs in touch inside the box."""


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
