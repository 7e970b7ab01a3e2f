"""What rough contacts do along the surfaces; particles that do not spin cost nothing.

The slip of two surfaces at a contact changes from g to −β g by an impulse −(1 + β) μ g, where 1/μ
is (1/m_i + 1/m_j) (1 + 1/q) and I = q m r² the moment of inertia. It acts on the centres, and with
the radius as its lever on the angular velocities: momentum and angular momentum are conserved.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from carom.collisions.rough import makes_spin
from carom.collisions.surfaces import cross, slip_of, surface_velocity
from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, plus, row, set_row
from carom.domains import seen_velocity
from carom.methods.event_driven.world import World, radius_of, set_velocity, velocity_of
from carom.particles import inertia_factor
from carom.system import System
from carom.types import Vector


class NeverSpins(NamedTuple):
    """Angular velocities do not matter."""


class Spins(NamedTuple):
    """Angular velocities (n, 3), those of disks along the third axis, and I / (m r²).

    Also the sum of impulse_a separation_b over the impulses along the surfaces, (1, 3, 3).
    """

    angular: Any
    inertia: float
    virial: Any


def new_spin(system: System) -> NeverSpins | Spins:
    """The component that a system needs."""
    if not makes_spin(system.law):
        return NeverSpins()
    angular, given = np.zeros((len(system.particles), 3)), system.particles.angular_velocity
    if given is not None and system.dimension == 2:
        angular[:, 2] = given
    elif given is not None:
        angular[:] = given
    return Spins(angular, inertia_factor(system.dimension), np.zeros((1, 3, 3)))


@dispatch_on("spin")
def scrape(
    spin: Any, world: World, i: int, j: int, separation: Vector, shift: Vector, coefficient: float
) -> float:
    """Act on i and the image of j moved by -shift along their surfaces; the energy lost."""


@dispatch_on("spin")
def scrape_wall(spin: Any, world: World, i: int, normal: Vector, coefficient: float) -> float:
    """The same for particle i and a wall with this normal towards it."""


@scrape.register(NeverSpins)
@inner_kernel
def _(
    spin: NeverSpins,
    world: World,
    i: int,
    j: int,
    separation: Vector,
    shift: Vector,
    coefficient: float,
) -> float:
    return 0.0


@scrape_wall.register(NeverSpins)
@inner_kernel
def _(spin: NeverSpins, world: World, i: int, normal: Vector, coefficient: float) -> float:
    return 0.0


@scrape.register(Spins)
@inner_kernel
def _(
    spin: Spins, world: World, i: int, j: int, separation: Vector, shift: Vector, coefficient: float
) -> float:
    bodies = world.bodies
    length = math.sqrt(dot(separation, separation))
    normal = (separation[0] / length, separation[1] / length, separation[2] / length)
    turning = plus(
        _surface_speed(spin, world, i, normal), 1.0, _surface_speed(spin, world, j, normal)
    )
    apart = minus(velocity_of(bodies, i), velocity_of(bodies, j))
    slip = slip_of(seen_velocity(world.space.shear, apart, shift), turning, normal)
    mass_i, mass_j = bodies.ledger[i].mass, bodies.ledger[j].mass
    inverse = (1.0 / mass_i + 1.0 / mass_j) * (1.0 + 1.0 / spin.inertia)
    push = -(1.0 + coefficient) / inverse
    _push(spin, world, i, normal, push, slip, 1.0)
    _push(spin, world, j, normal, push, slip, -1.0)
    for a in range(3):
        for b in range(3):
            spin.virial[0, a, b] += push * slip[a] * separation[b]
    return 0.5 * (1.0 - coefficient * coefficient) * dot(slip, slip) / inverse


@scrape_wall.register(Spins)
@inner_kernel
def _(spin: Spins, world: World, i: int, normal: Vector, coefficient: float) -> float:
    bodies = world.bodies
    turning = _surface_speed(spin, world, i, normal)
    slip = slip_of(velocity_of(bodies, i), turning, normal)
    inverse = (1.0 + 1.0 / spin.inertia) / bodies.ledger[i].mass
    _push(spin, world, i, normal, -(1.0 + coefficient) / inverse, slip, 1.0)
    return 0.5 * (1.0 - coefficient * coefficient) * dot(slip, slip) / inverse


@inner_kernel
def _surface_speed(spin: Spins, world: World, i: int, normal: Vector) -> Any:
    """r ω × n of particle i."""
    return surface_velocity(row(spin.angular, i), radius_of(world.bodies, i), normal)


@inner_kernel
def _push(
    spin: Spins, world: World, i: int, normal: Vector, strength: float, slip: Vector, sign: float
) -> None:
    """Give particle i the impulse ± strength · slip at its surface."""
    mass, radius = world.bodies.ledger[i].mass, radius_of(world.bodies, i)
    velocity = plus(velocity_of(world.bodies, i), sign * strength / mass, slip)
    set_velocity(world.bodies, i, velocity)
    # Both levers and both impulses are opposite for the partner: the torque is the same.
    torque = cross(normal, slip)
    angular = plus(row(spin.angular, i), -strength / (spin.inertia * mass * radius), torque)
    set_row(spin.angular, i, angular)
