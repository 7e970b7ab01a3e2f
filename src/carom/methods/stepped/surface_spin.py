"""What rough collisions do along the surfaces, as in the event-driven method."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.collisions.surfaces import cross, slip_of
from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.memory import in_cache_lines
from carom.compiled.vectors import dot, plus, row, set_row
from carom.methods.stepped.world import PER_MASS, World
from carom.particles import inertia_factor
from carom.system import System
from carom.types import Vector


class NeverSpins(NamedTuple):
    """Angular velocities do not matter."""


class Spins(NamedTuple):
    """How fast surfaces turn, and I / (m r²).

    What a contact asks for is r ω, the angular velocity times the radius, and of two particles only
    the sum. That of disks is along the third axis.
    """

    surface: Any  # (n, 4) r ω, and how much a twist changes it, r² / I
    inertia: float


def new_spins(system: System) -> Spins:
    """The surfaces of a system."""
    particles, inertia = system.particles, inertia_factor(system.dimension)
    n, given = len(particles), particles.angular_velocity
    surface = in_cache_lines(4 * n, np.float64).reshape(n, 4)
    if given is not None and system.dimension == 2:
        surface[:, 2] = particles.radius * given
    elif given is not None:
        surface[:, :3] = particles.radius[:, None] * given
    surface[:, 3] = 1.0 / (inertia * particles.mass)
    return Spins(surface, inertia)


@dispatch_on("spin")
def scrape(spin: Any, world: World, meeting: Any, coefficient: float) -> Any:
    """Act on two particles along their surfaces; the impulse on the first, and the energy lost."""


@dispatch_on("spin")
def scrape_wall(spin: Any, world: World, i: int, normal: Vector, coefficient: float) -> float:
    """Act on a particle along a wall with a normal towards it; the energy lost."""


@scrape.register(NeverSpins)
@inner_kernel
def _(spin: NeverSpins, world: World, meeting: Any, coefficient: float) -> Any:
    return (0.0, 0.0, 0.0), 0.0


@scrape_wall.register(NeverSpins)
@inner_kernel
def _(spin: NeverSpins, world: World, i: int, normal: Vector, coefficient: float) -> float:
    return 0.0


@inner_kernel
def give(spin: Spins, world: World, i: int, normal: Vector, impulse: Vector, sign: float) -> None:
    """Give a particle of the block ± an impulse at its surface.

    Both levers and both impulses are opposite for the partner: the torque is the same.
    """
    inner = world.inner
    per_mass = inner.velocity[i, PER_MASS]
    set_row(inner.velocity, i, plus(row(inner.velocity, i), sign * per_mass, impulse))
    twist(spin, world, i, cross(normal, impulse))


@inner_kernel
def twist(spin: Spins, world: World, i: int, torque: Any) -> None:
    """Change how a particle of the block turns by n × impulse on its surface."""
    particle = world.inner.particle[i]
    lever = spin.surface[particle, 3]
    set_row(spin.surface, particle, plus(row(spin.surface, particle), -lever, torque))


@inner_kernel
def turning_of(spin: Spins, world: World, i: int, j: int, normal: Vector) -> Any:
    """The sum of the surface velocities of two particles of the block where they touch."""
    particle = world.inner.particle
    both = plus(row(spin.surface, particle[i]), 1.0, row(spin.surface, particle[j]))
    return cross(both, normal)


@inner_kernel
def turning_at_wall(spin: Spins, world: World, i: int, normal: Vector) -> Any:
    """The surface velocity of a particle of the block where it touches a wall."""
    return cross(row(spin.surface, world.inner.particle[i]), normal)


@scrape.register(Spins)
@inner_kernel
def _(spin: Spins, world: World, meeting: Any, coefficient: float) -> Any:
    inner, i, j = world.inner, meeting.i, meeting.j
    length = math.sqrt(dot(meeting.separation, meeting.separation))
    normal = (
        meeting.separation[0] / length,
        meeting.separation[1] / length,
        meeting.separation[2] / length,
    )
    turning = turning_of(spin, world, i, j, normal)
    slip = slip_of(meeting.velocity, turning, normal)
    per_mass = inner.velocity[i, PER_MASS] + inner.velocity[j, PER_MASS]
    inverse = per_mass * (1.0 + 1.0 / spin.inertia)
    strength = -(1.0 + coefficient) / inverse
    impulse = (strength * slip[0], strength * slip[1], strength * slip[2])
    give(spin, world, i, normal, impulse, 1.0)
    give(spin, world, j, normal, impulse, -1.0)
    return impulse, 0.5 * (1.0 - coefficient * coefficient) * dot(slip, slip) / inverse


@scrape_wall.register(Spins)
@inner_kernel
def _(spin: Spins, world: World, i: int, normal: Vector, coefficient: float) -> float:
    inner = world.inner
    turning = turning_at_wall(spin, world, i, normal)
    slip = slip_of(row(inner.velocity, i), turning, normal)
    inverse = inner.velocity[i, PER_MASS] * (1.0 + 1.0 / spin.inertia)
    strength = -(1.0 + coefficient) / inverse
    impulse = (strength * slip[0], strength * slip[1], strength * slip[2])
    give(spin, world, i, normal, impulse, 1.0)
    return 0.5 * (1.0 - coefficient * coefficient) * dot(slip, slip) / inverse
