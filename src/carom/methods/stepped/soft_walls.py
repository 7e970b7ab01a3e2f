"""Soft contacts with walls."""

from __future__ import annotations

from typing import Any

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, plus, row, set_row
from carom.contacts import at_wall
from carom.domains import IMPULSE, NoPlanes
from carom.methods.stepped.friction import rub_wall, turn
from carom.methods.stepped.nearest_wall import towards
from carom.methods.stepped.squeeze import SoftRule, lost_so_far, normal_force, settle, squeezed
from carom.methods.stepped.world import AT_WALLS, PER_MASS, RADIUS, World, species_in_block, speed
from carom.species import WALL_NUMBER


@dispatch_on("planes")
def squeeze_walls(planes: Any, rule: SoftRule, world: World, first: int) -> int:
    """Find the impulses of all particles in touch with walls; how many there are."""


@squeeze_walls.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, rule: SoftRule, world: World, first: int) -> int:
    return 0


@squeeze_walls.otherwise
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
        a = species_in_block(world, i)
        squeeze = squeezed(
            law, radius, distance, normal, velocity, per_mass, radius, a, WALL_NUMBER
        )
        force, damped = normal_force(rule, squeeze, dt)
        begins = distance - dt * dot(normal, velocity) >= radius
        push = dt * force
        impulse = (push * normal[0], push * normal[1], push * normal[2])
        rubbing = rub_wall(rule.friction, world, i, w, squeeze, force, c)
        set_row(rule.push, c, plus(impulse, 1.0, rubbing.impulse))
        planes[k, IMPULSE] += push
        tally.dissipated += lost_so_far(rule, squeeze, dt * damped, rubbing, c)
        tally.slackened += rubbing.slackened
        tally.wall_collisions += int(begins)
        touching += 1
    return touching


@dispatch_on("planes")
def kick_from_walls(planes: Any, rule: SoftRule, world: World, first: int) -> None:
    """Let the walls push."""


@kick_from_walls.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, rule: SoftRule, world: World, first: int) -> None:
    pass


@kick_from_walls.otherwise
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


@dispatch_on("planes")
def settle_walls(planes: Any, rule: SoftRule, world: World, first: int) -> None:
    """Add the other half of what the walls take."""


@settle_walls.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, rule: SoftRule, world: World, first: int) -> None:
    pass


@settle_walls.otherwise
@inner_kernel
def _(planes: Any, rule: SoftRule, world: World, first: int) -> None:
    inner = world.inner
    for w in range(inner.number[AT_WALLS]):
        i = inner.wall_particle[w]
        if inner.sphere[i, RADIUS] > towards(planes, inner.wall_plane[w], row(inner.sphere, i))[0]:
            settle(rule, world, i, -1, row(inner.velocity, i), first + w)
