"""Soft contacts: springs and dashpots push particles that overlap apart.

All forces of a step are found from the same positions and velocities, then act. The dashpot is
taken at the approach speed of half a step before, with a coefficient that makes up for it (see
dashpots.py): the restitution of two bodies has no error of first order but that of not knowing when
within a step they touched.
"""

from __future__ import annotations

from typing import Any

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.methods.stepped.friction import Coulomb, Frictionless, keep, put, room_in
from carom.methods.stepped.list_order import put_in_order
from carom.methods.stepped.rough_steps import FEW, act_with_friction
from carom.methods.stepped.rules import GOES_ON, act, join_list, part_from_list, room_of
from carom.methods.stepped.soft_lanes import kick_near, settle_near, squeeze_pairs
from carom.methods.stepped.soft_pairs import kick_far, settle_far
from carom.methods.stepped.soft_walls import kick_from_walls, settle_walls, squeeze_walls
from carom.methods.stepped.squeeze import SoftRule
from carom.methods.stepped.world import CHOSEN, FAR_TOUCHING, TOUCHING, World
from carom.types import Records

__all__ = ["SoftRule"]


@dispatch_on("friction")
def _act(friction: Any, rule: SoftRule, world: World) -> None:
    """Let all contacts act."""


@act.register(SoftRule)
@inner_kernel
def _(rule: SoftRule, world: World) -> int:
    _act(rule.friction, rule, world)
    return GOES_ON


@_act.register(Frictionless)
@inner_kernel
def _(friction: Frictionless, rule: SoftRule, world: World) -> None:
    inner, tally = world.inner, world.tally[0]
    near, far = inner.number[TOUCHING], inner.number[FAR_TOUCHING]
    few = near + far < FEW * inner.number[CHOSEN]
    for is_far, touching in ((False, near), (True, far)):
        squeeze_pairs(rule.law, rule, world, is_far, few, 0, touching)
    walls = squeeze_walls(world.planes, rule, world, near + far)
    tally.contacts += near + far + walls
    kick_near(world.shear, friction, world, near)
    kick_far(friction, world, near, far)
    kick_from_walls(world.planes, friction, world, near + far)
    settle_near(friction, world, near)
    settle_far(friction, world, near, far)
    settle_walls(world.planes, friction, world, near + far)


_act.register(Coulomb)(act_with_friction)


@part_from_list.register(SoftRule)
@inner_kernel
def _(rule: SoftRule, world: World) -> None:
    keep(rule.friction, world)


@join_list.register(SoftRule)
@inner_kernel
def _(rule: SoftRule, world: World) -> None:
    put_in_order(world)
    put(rule.friction, world)


@room_of.register(SoftRule)
@inner_kernel
def _(rule: SoftRule, tally: Records) -> int:
    return room_in(rule.friction)
