"""A soft contact under its law, of two particles or of one at a wall."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, plus, row, set_row
from carom.contacts import Touch, damping, spring_force
from carom.methods.stepped.dashpots import lagging
from carom.methods.stepped.friction import turned_back
from carom.methods.stepped.world import World
from carom.types import Vector


class SoftRule(NamedTuple):
    """Springs and dashpots.

    ``pulls``: a contact lasts as long as the particles overlap, and may pull at its end; otherwise
    it never pulls.
    """

    law: Any
    pulls: bool
    wall_ratio: Any  # (walls,) damping ratios at the walls, NaN for the law's own damping
    friction: Any
    push: Any  # (room, 4) the impulses of the step
    loss: Any  # (room, 4) the part of them that takes energy, not the springs'


class Squeeze(NamedTuple):
    """A contact as it is now."""

    normal: Vector  # unit vector, towards the first
    arm: float  # distance over the sum of radii, or of a wall over the radius
    velocity: Any  # of the first relative to the second, half a step before
    per_mass: float  # one over the reduced mass
    spring: float  # the elastic force
    damping: float  # the damping coefficient


@inner_kernel
def squeezed(
    law: Any,
    reach: float,
    distance: float,
    normal: Vector,
    velocity: Any,
    per_mass: float,
    radius: float,
    species: int,
    partner_species: int,
) -> Squeeze:
    """A contact under a law: the sum of radii, the distance, ..., the effective radius and who."""
    touch = Touch(reach - distance, 1.0 / per_mass, radius, species, partner_species)
    spring, dashpot = spring_force(touch, law), damping(touch, law)
    return Squeeze(normal, distance / reach, velocity, per_mass, spring, dashpot)


@inner_kernel
def normal_force(rule: SoftRule, squeeze: Squeeze, dt: float) -> Any:
    """The normal force, and the part of it that is not the spring's."""
    before = -dot(squeeze.velocity, squeeze.normal)
    dashpot = lagging(squeeze.damping, 0.25 * dt, squeeze.per_mass)
    force = squeeze.spring + dashpot * before
    if not rule.pulls and force < 0.0:
        force = 0.0
    return force, force - squeeze.spring


@inner_kernel
def lost_so_far(rule: SoftRule, squeeze: Squeeze, damped: float, rubbing: Any, c: int) -> float:
    """Keep the impulse of contact c that takes energy; half its work at the velocity before the
    step, the other half follows when the velocity after it is known."""
    normal = squeeze.normal
    loss = (damped * normal[0], damped * normal[1], damped * normal[2])
    set_row(rule.loss, c, plus(loss, 1.0, rubbing.loss))
    return rubbing.lost - 0.5 * dot(loss, squeeze.velocity)


@inner_kernel
def settle(rule: SoftRule, world: World, i: int, j: int, velocity: Any, c: int) -> None:
    """Add the other half of what contact c takes, at the velocity after the step; j is -1 for a
    wall."""
    work = dot(row(rule.loss, c), velocity) - turned_back(rule.friction, world, i, j, c)
    world.tally[0].dissipated -= 0.5 * work
