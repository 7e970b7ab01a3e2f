"""A soft contact under its law, of two particles or of one at a wall."""

from __future__ import annotations

from typing import Any, NamedTuple

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot
from carom.contacts import Touch, damping, spring_force
from carom.methods.stepped.dashpots import lagging
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


class Thrust(NamedTuple):
    """What a contact does along its normal in a step."""

    force: float
    impulse: Vector  # on the first
    loss: Vector  # the part of it that takes energy, not the spring's
    lost: float  # half of its work, at the velocities before the step


@inner_kernel
def thrust_of(rule: SoftRule, squeeze: Squeeze, dt: float) -> Thrust:
    """What a contact does along its normal."""
    normal = squeeze.normal
    before = -dot(squeeze.velocity, normal)
    dashpot = lagging(squeeze.damping, 0.25 * dt, squeeze.per_mass)
    force = squeeze.spring + dashpot * before
    if not rule.pulls and force < 0.0:
        force = 0.0
    push, damped = dt * force, dt * (force - squeeze.spring)
    loss = (damped * normal[0], damped * normal[1], damped * normal[2])
    impulse = (push * normal[0], push * normal[1], push * normal[2])
    return Thrust(force, impulse, loss, -0.5 * dot(loss, squeeze.velocity))
