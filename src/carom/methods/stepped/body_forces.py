"""What changes velocities beside contacts: constant accelerations and forces of the user's own."""

from __future__ import annotations

import math
from typing import Any

from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import plus, row, set_row
from carom.errors import FORCE_IS_WRONG
from carom.forces import Body, force
from carom.forces.force import NoForce
from carom.methods.stepped.rules import GOES_ON
from carom.methods.stepped.world import CHOSEN, PER_MASS, RADIUS, World, speed
from carom.motions import Free, acceleration
from carom.types import Array


@dispatch_on("law")
def accelerate(law: Any, world: World) -> int:
    """Let a force act on the particles of the block for a step."""


@accelerate.register(NoForce)
@inner_kernel
def _(law: NoForce, world: World) -> int:
    return GOES_ON


@accelerate.otherwise
@inner_kernel
def _(law: Any, world: World) -> int:
    inner, tally = world.inner, world.tally[0]
    fastest = 0.0
    for k in range(inner.number[CHOSEN]):
        change = kick_of(law, world, inner.sphere, inner.velocity, k)
        if not math.isfinite(change[0] + change[1] + change[2]):
            tally.first_in_trouble = world.flock.name[inner.particle[k]]
            return FORCE_IS_WRONG
        set_row(inner.velocity, k, plus(row(inner.velocity, k), 1.0, change))
        fastest = max(fastest, speed(world, inner.sphere, inner.velocity, k))
    tally.fastest = max(tally.fastest, fastest)
    return GOES_ON


@inner_kernel
def kick_of(law: Any, world: World, sphere: Array, velocity: Any, k: int) -> Any:
    """The change of velocity by a force in a step.

    The force is taken at the velocity of the present, not of half a step before: second order,
    as leapfrog is for forces that do not depend on the velocity.
    """
    dt = world.plan.dt
    time = world.tally[0].step * dt
    per_mass = velocity[k, PER_MASS]
    at, before = row(sphere, k), row(velocity, k)
    mass = 1.0 / per_mass
    first = force(Body(at, before, sphere[k, RADIUS], mass, time), law)
    now = plus(before, 0.5 * dt * per_mass, first)
    acting = force(Body(at, now, sphere[k, RADIUS], mass, time), law)
    factor = dt * per_mass
    return (factor * acting[0], factor * acting[1], factor * acting[2])


@dispatch_on("motion")
def fall(motion: Any, world: World) -> None:
    """Let constant accelerations act on the particles of the block for a step."""


@fall.register(Free)
@inner_kernel
def _(motion: Free, world: World) -> None:
    pass


@fall.otherwise
@inner_kernel
def _(motion: Any, world: World) -> None:
    inner, dt = world.inner, world.plan.dt
    for k in range(inner.number[CHOSEN]):
        a = acceleration(motion, inner.particle[k])
        set_row(inner.velocity, k, plus(row(inner.velocity, k), dt, a))


@dispatch_on("motion")
def fly(motion: Any, world: World, steps: int) -> None:
    """Let all particles fly for so many steps without a contact."""


@fly.register(Free)
@inner_kernel
def _(motion: Free, world: World, steps: int) -> None:
    sphere, velocity, duration = world.flock.sphere, world.flock.velocity, steps * world.plan.dt
    for i in range(len(sphere)):
        sphere[i, 0] += duration * velocity[i, 0]
        sphere[i, 1] += duration * velocity[i, 1]
        sphere[i, 2] += duration * velocity[i, 2]


@fly.otherwise
@inner_kernel
def _(motion: Any, world: World, steps: int) -> None:
    """The sum of the steps in closed form: they are kicks followed by drifts."""
    sphere, velocity, dt = world.flock.sphere, world.flock.velocity, world.plan.dt
    duration, sum_of_steps = steps * dt, 0.5 * steps * (steps + 1)
    for i in range(len(sphere)):
        a = acceleration(motion, i)
        v = row(velocity, i)
        moved = plus(row(sphere, i), duration, v)
        set_row(sphere, i, plus(moved, dt * dt * sum_of_steps, a))
        set_row(velocity, i, plus(v, duration, a))
