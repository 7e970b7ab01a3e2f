"""Soft contacts: springs and dashpots push particles that overlap apart.

All forces of a step are found from the same positions and velocities, then act. The dashpot is
taken at the approach speed of half a step before, with a coefficient that makes up for it (see
dashpots.py): the restitution of two bodies has no error of first order but that of not knowing when
within a step they touched.
"""

from __future__ import annotations

from carom.compiled.kernels import inner_kernel
from carom.methods.stepped.friction import keep, put
from carom.methods.stepped.rules import GOES_ON, act, join_list, part_from_list, room_of
from carom.methods.stepped.soft_by_fours import kick_near, settle_near, squeeze_near
from carom.methods.stepped.soft_pairs import kick_far, settle_far, squeeze_far
from carom.methods.stepped.soft_walls import kick_from_walls, settle_walls, squeeze_walls
from carom.methods.stepped.squeeze import SoftRule
from carom.methods.stepped.vectors.contact_forces import LANES
from carom.methods.stepped.world import FAR_TOUCHING, TOUCHING, World
from carom.types import Records

__all__ = ["SoftRule"]


@act.register(SoftRule)
@inner_kernel
def _(rule: SoftRule, world: World) -> int:
    inner, tally = world.inner, world.tally[0]
    near, far = inner.number[TOUCHING], inner.number[FAR_TOUCHING]
    squeeze_near(rule.law, rule, world, near)
    squeeze_far(rule, world, near, far)
    walls = squeeze_walls(world.planes, rule, world, near + far)
    tally.contacts += near + far + walls
    kick_near(world.shear, rule, world, near)
    kick_far(rule, world, near, far)
    kick_from_walls(world.planes, rule, world, near + far)
    settle_near(rule, world, near)
    settle_far(rule, world, near, far)
    settle_walls(world.planes, rule, world, near + far)
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
def _(rule: SoftRule, tally: Records) -> int:
    return len(rule.push) - LANES  # four at a time write beyond the last
