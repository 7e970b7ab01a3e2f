"""What the contacts of a step do is written down first, and then done.

Without friction it is written down for each contact, with friction it is added up for each
particle: so a dense packing reads and writes a quarter of the memory.
"""

from __future__ import annotations

from typing import Any

from carom.collisions.surfaces import cross
from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, part, plus, row, set_row
from carom.domains import peculiar
from carom.methods.stepped.friction import DRAG, IMPULSE, LOSS, TWIST, Coulomb, Frictionless
from carom.methods.stepped.rubbing import Rubbing, rub
from carom.methods.stepped.squeeze import Squeeze, Thrust
from carom.methods.stepped.surface_spin import turning_at_wall, turning_of
from carom.methods.stepped.world import PER_MASS, World
from carom.types import Vector


@dispatch_on("friction")
def exert(
    friction: Any,
    world: World,
    i: int,
    j: int,
    source: int,
    squeeze: Any,
    thrust: Any,
    jump: float,
    c: int,
) -> Any:
    """Write down what contact c does to i, and oppositely to j; the impulse on i.

    ``source`` says where the pair is in the list, below 0 for far ones; ``jump`` is the velocity
    along x that the image of i has and i has not.
    """


@dispatch_on("friction")
def exert_at_wall(
    friction: Any, world: World, i: int, w: int, squeeze: Any, thrust: Any, c: int
) -> None:
    """The same for contact w with a wall."""


@exert.register(Frictionless)
@inner_kernel
def _(
    friction: Frictionless,
    world: World,
    i: int,
    j: int,
    source: int,
    squeeze: Squeeze,
    thrust: Thrust,
    jump: float,
    c: int,
) -> Any:
    _write_down(friction, world, thrust, c)
    return thrust.impulse


@exert_at_wall.register(Frictionless)
@inner_kernel
def _(
    friction: Frictionless,
    world: World,
    i: int,
    w: int,
    squeeze: Squeeze,
    thrust: Thrust,
    c: int,
) -> None:
    _write_down(friction, world, thrust, c)


@inner_kernel
def _write_down(friction: Frictionless, world: World, thrust: Thrust, c: int) -> None:
    set_row(friction.push, c, thrust.impulse)
    set_row(friction.loss, c, thrust.loss)
    world.tally[0].dissipated += thrust.lost


@exert.register(Coulomb)
@inner_kernel
def _(
    friction: Coulomb,
    world: World,
    i: int,
    j: int,
    source: int,
    squeeze: Squeeze,
    thrust: Thrust,
    jump: float,
    c: int,
) -> Any:
    if source >= 0:
        kept = friction.stretches.near[source]
    else:
        kept = friction.stretches.far[-1 - source]
    turning = turning_of(friction.spin, world, i, j, squeeze.normal)
    rubbing = rub(friction, kept, world, squeeze, turning, thrust.force)
    impulse = _feel(friction, world, i, squeeze, thrust, rubbing, 1.0)
    _feel(friction, world, j, squeeze, thrust, rubbing, -1.0)
    _account(world, thrust, rubbing)
    # At the velocities after the step, too, images go with the flow, which particles do not feel.
    world.tally[0].dissipated -= 0.5 * (thrust.loss[0] + rubbing.loss[0]) * jump
    return impulse


@exert_at_wall.register(Coulomb)
@inner_kernel
def _(
    friction: Coulomb, world: World, i: int, w: int, squeeze: Squeeze, thrust: Thrust, c: int
) -> None:
    inner = world.inner
    kept = friction.stretches.wall[inner.wall_plane[w], inner.particle[i]]
    turning = turning_at_wall(friction.spin, world, i, squeeze.normal)
    rubbing = rub(friction, kept, world, squeeze, turning, thrust.force)
    _feel(friction, world, i, squeeze, thrust, rubbing, 1.0)
    _account(world, thrust, rubbing)


@inner_kernel
def _account(world: World, thrust: Thrust, rubbing: Rubbing) -> None:
    world.tally[0].dissipated += thrust.lost + rubbing.lost
    world.tally[0].slackened += rubbing.slackened


@inner_kernel
def _feel(
    friction: Coulomb,
    world: World,
    i: int,
    squeeze: Squeeze,
    thrust: Thrust,
    rubbing: Rubbing,
    sign: float,
) -> Vector:
    """Let one of the two feel a contact, whose impulse it is.

    Levers are ``arm`` times the radii; both levers and both impulses are opposite for the partner:
    the torque is the same.
    """
    arm, felt = squeeze.arm, friction.felt
    impulse = plus(thrust.impulse, 1.0, rubbing.impulse)
    loss = plus(thrust.loss, 1.0, rubbing.loss)
    twist, drag = cross(squeeze.normal, rubbing.impulse), cross(squeeze.normal, rubbing.loss)
    for axis in range(3):
        felt[i, IMPULSE + axis] += sign * impulse[axis]
        felt[i, LOSS + axis] += sign * loss[axis]
        felt[i, TWIST + axis] += arm * twist[axis]
        felt[i, DRAG + axis] += arm * drag[axis]
    return impulse


@inner_kernel
def respond(friction: Coulomb, world: World, k: int) -> Any:
    """Let the particle at place k of the block do what it has felt, once.

    The work that contacts take from it at its velocities after the step, and the square of its
    speed, under shear relative to the flow.
    """
    felt, inner, surface = friction.felt, world.inner, friction.spin.surface
    i, velocity = inner.particle[k], inner.velocity
    after = plus(row(velocity, k), velocity[k, PER_MASS], part(felt, k, IMPULSE))
    set_row(velocity, k, after)
    turning = plus(row(surface, i), -surface[i, 3], part(felt, k, TWIST))
    set_row(surface, i, turning)
    work = dot(part(felt, k, LOSS), after) - dot(part(felt, k, DRAG), turning)
    for column in range(12):
        felt[k, column] = 0.0
    relative = peculiar(world.shear, row(inner.sphere, k), after)
    return work, dot(relative, relative)
