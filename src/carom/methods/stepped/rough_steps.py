"""A step of rough particles: their contacts are gone through in the order of the particles.

Pairs are listed by their lower number. Once all contacts of a particle with those behind it have
been found, nobody asks for its velocity of before the step any more: it responds at once, as long
as what it has felt is in the cache.
"""

from __future__ import annotations

import math

from carom.compiled.kernels import inner_kernel
from carom.methods.stepped.friction import Coulomb
from carom.methods.stepped.impulses import respond
from carom.methods.stepped.soft_lanes import squeeze_pairs
from carom.methods.stepped.soft_walls import squeeze_walls
from carom.methods.stepped.squeeze import SoftRule
from carom.methods.stepped.world import (
    AT_WALLS,
    CHOSEN,
    FAR_TOUCHING,
    TOUCHING,
    World,
)

# Contacts between two looks at who can respond.
STRETCH_OF_CONTACTS = 256
# Contacts are few, and only those respond who have some, below this share of the particles.
FEW = 0.5


@inner_kernel
def act_with_friction(friction: Coulomb, rule: SoftRule, world: World) -> None:
    """Let all contacts push and rub."""
    inner, tally = world.inner, world.tally[0]
    near, far, chosen = inner.number[TOUCHING], inner.number[FAR_TOUCHING], inner.number[CHOSEN]
    walls = squeeze_walls(world.planes, rule, world, near + far)
    tally.contacts += near + far + walls
    few = near + far + inner.number[AT_WALLS] < FEW * chosen
    # Those across the edges come first: theirs are all over the box.
    is_far, begin, end = True, 0, far
    responded, work, fastest = 0, 0.0, 0.0
    while responded < chosen:
        squeeze_pairs(rule.law, rule, world, is_far, few, begin, end)
        until = chosen
        if is_far:
            end, until = 0, 0
        elif end < near:
            until = inner.first[inner.found[end]]
        if not few:
            for k in range(responded, until):
                more, square = respond(friction, world, k)
                work += more
                fastest = max(fastest, square)
        is_far, responded, begin = False, until, end
        end = near if few else min(begin + STRETCH_OF_CONTACTS, near)
    if few:
        _let_some_respond(friction, world, near, far)
    tally.dissipated -= 0.5 * work
    tally.fastest = max(tally.fastest, math.sqrt(fastest))


@inner_kernel
def _let_some_respond(friction: Coulomb, world: World, near: int, far: int) -> None:
    """Let those respond who have contacts; a second time nobody has anything to do."""
    inner = world.inner
    for c in range(near):
        _respond_alone(friction, world, inner.first[inner.found[c]])
        _respond_alone(friction, world, inner.second[inner.found[c]])
    for c in range(far):
        _respond_alone(friction, world, inner.far_first[inner.far_found[c]])
        _respond_alone(friction, world, inner.far_second[inner.far_found[c]])
    for w in range(inner.number[AT_WALLS]):
        _respond_alone(friction, world, inner.wall_particle[w])


@inner_kernel
def _respond_alone(friction: Coulomb, world: World, k: int) -> None:
    work, square = respond(friction, world, k)
    world.tally[0].dissipated -= 0.5 * work
    world.tally[0].fastest = max(world.tally[0].fastest, math.sqrt(square))
