"""What friction does to one contact in a step.

A tangential spring is stretched by the slip of the surfaces as long as a contact lasts, and slides
where its force would exceed μ times the normal force (Cundall & Strack 1979; as in Luding 2008).
Surfaces meet where the overlap is parted in proportion to the radii, so that the levers add up to
the distance of the centres and angular momentum is conserved.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, plus
from carom.methods.stepped.dashpots import lagging
from carom.methods.stepped.friction import KNOWN_AT, Coulomb
from carom.methods.stepped.world import World
from carom.types import Vector


class Rubbing(NamedTuple):
    """What friction does to a contact in a step."""

    impulse: Vector  # on the first, along the surfaces
    loss: Any  # the part of it that takes energy
    lost: float  # half of its work, at the velocities before the step
    slackened: float  # energy that the spring has lost at once


@inner_kernel
def _stretched(kept: Any, step: int, normal: Vector, slip: Vector, dt: float) -> Any:
    """The stretch now, a step before, and how much of that was along the normal of now.

    A new contact has none.
    """
    nothing = (0.0, 0.0, 0.0)
    if kept[KNOWN_AT] != step:
        return nothing, nothing, 0.0
    before = (kept[0], kept[1], kept[2])
    # The plane of contact has turned.
    tilted = -dot(before, normal)
    turned = plus(before, tilted, normal)
    return plus(turned, dt, slip), before, tilted


@inner_kernel
def _slip(squeeze: Any, turning: Any) -> Any:
    """The relative velocity of the surfaces along the plane of contact."""
    arm = squeeze.arm
    lever = (arm * turning[0], arm * turning[1], arm * turning[2])
    relative = minus(squeeze.velocity, lever)
    return plus(relative, -dot(relative, squeeze.normal), squeeze.normal)


@inner_kernel
def _hold(
    friction: Coulomb, kept: Any, world: World, squeeze: Any, slip: Vector, force: float
) -> Any:
    """What friction does in a step; the stretch is kept for the next one."""
    dt, step = world.plan.dt, world.tally[0].step
    stretch, before, tilted = _stretched(kept, step, squeeze.normal, slip, dt)
    # The change of slip per impulse.
    per_inertia = 1.0 / friction.spin.inertia
    per_mass = squeeze.per_mass * (1.0 + squeeze.arm * squeeze.arm * per_inertia)
    dashpot = lagging(friction.damping_share * squeeze.damping, 0.25 * dt, per_mass)
    pull = plus(
        (
            -friction.stiffness * stretch[0],
            -friction.stiffness * stretch[1],
            -friction.stiffness * stretch[2],
        ),
        -dashpot,
        slip,
    )
    square, limit = dot(pull, pull), friction.coefficient * max(force, 0.0)
    slides = square > limit * limit
    if slides:
        scale = limit / math.sqrt(square)
        pull = (scale * pull[0], scale * pull[1], scale * pull[2])
        if friction.stiffness > 0.0:
            # The spring slides until it holds the limit alone: none of its energy is left when
            # the normal force vanishes and the contact ends.
            per_stiffness = -1.0 / friction.stiffness
            stretch = (per_stiffness * pull[0], per_stiffness * pull[1], per_stiffness * pull[2])
    kept[0], kept[1], kept[2] = stretch
    kept[KNOWN_AT] = step + 1
    impulse = (dt * pull[0], dt * pull[1], dt * pull[2])
    energy = 0.5 * friction.stiffness
    if slides:
        loss = impulse
        slackened = energy * dot(before, before) - energy * dot(stretch, stretch)
    else:
        # A spring that holds takes nothing.
        braking = -dt * dashpot
        loss = (braking * slip[0], braking * slip[1], braking * slip[2])
        slackened = energy * (tilted * tilted)
    return Rubbing(impulse, loss, -0.5 * dot(loss, slip), slackened)


@inner_kernel
def rub(
    friction: Coulomb, kept: Any, world: World, squeeze: Any, turning: Any, force: float
) -> Rubbing:
    """What friction does, where surfaces turn and the normal force is ``force``; ``kept`` is the
    row of the contact's stretch, which is kept for the next step."""
    return _hold(friction, kept, world, squeeze, _slip(squeeze, turning), force)
