"""Soft contacts with walls."""

from __future__ import annotations

from typing import Any

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, plus, row, set_row
from carom.contacts import at_wall
from carom.domains import IMPULSE, NoPlanes
from carom.methods.stepped.friction import Frictionless
from carom.methods.stepped.impulses import exert_at_wall
from carom.methods.stepped.nearest_wall import towards
from carom.methods.stepped.squeeze import SoftRule, squeezed, thrust_of
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
        if distance >= radius:
            continue
        velocity = row(inner.velocity, i)
        per_mass = inner.velocity[i, PER_MASS]
        law = at_wall(rule.law, rule.wall_ratio[k])
        a = species_in_block(world, i)
        squeeze = squeezed(
            law, radius, distance, normal, velocity, per_mass, radius, a, WALL_NUMBER
        )
        thrust = thrust_of(rule, squeeze, dt)
        exert_at_wall(rule.friction, world, i, w, squeeze, thrust, c)
        planes[k, IMPULSE] += dt * thrust.force
        begins = distance - dt * dot(normal, velocity) >= radius
        tally.wall_collisions += int(begins)
        touching += 1
    return touching


@dispatch_on("planes")
def kick_from_walls(planes: Any, friction: Frictionless, world: World, first: int) -> None:
    """Let the walls push."""


@kick_from_walls.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, friction: Frictionless, world: World, first: int) -> None:
    pass


@kick_from_walls.otherwise
@inner_kernel
def _(planes: Any, friction: Frictionless, world: World, first: int) -> None:
    inner, tally = world.inner, world.tally[0]
    for w in range(inner.number[AT_WALLS]):
        if not _touches(planes, world, w):
            continue
        i = inner.wall_particle[w]
        per_mass, push = inner.velocity[i, PER_MASS], row(friction.push, first + w)
        set_row(inner.velocity, i, plus(row(inner.velocity, i), per_mass, push))
        tally.fastest = max(tally.fastest, speed(world, inner.sphere, inner.velocity, i))


@inner_kernel
def _touches(planes: Any, world: World, w: int) -> bool:
    inner = world.inner
    i = inner.wall_particle[w]
    distance, _ = towards(planes, inner.wall_plane[w], row(inner.sphere, i))
    return distance < inner.sphere[i, RADIUS]


@dispatch_on("planes")
def settle_walls(planes: Any, friction: Frictionless, world: World, first: int) -> None:
    """Add the other half of what the walls take."""


@settle_walls.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, friction: Frictionless, world: World, first: int) -> None:
    pass


@settle_walls.otherwise
@inner_kernel
def _(planes: Any, friction: Frictionless, world: World, first: int) -> None:
    inner = world.inner
    for w in range(inner.number[AT_WALLS]):
        if _touches(planes, world, w):
            work = dot(row(friction.loss, first + w), row(inner.velocity, inner.wall_particle[w]))
            world.tally[0].dissipated -= 0.5 * work
