"""The energy in the springs of soft contacts."""

from __future__ import annotations

import math
from typing import Any

from carom.compiled.dispatch import dispatch_on
from carom.compiled.entry_points import entry_point
from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, plus, row
from carom.contacts import Touch, at_wall, elastic_energy
from carom.domains import NoPlanes, height_over
from carom.methods.stepped.friction import KNOWN_AT, Coulomb, Frictionless
from carom.methods.stepped.world import (
    AT_WALLS,
    FAR_TOUCHING,
    PER_MASS,
    RADIUS,
    TOUCHING,
    World,
    species_of,
)
from carom.neighbours.pairs.lattice import shift_of
from carom.species import WALL_NUMBER
from carom.types import Vector


@entry_point
def energy_in_springs(world: World) -> float:
    """The energy in all springs when the list was made.

    The world has taken one step since then, with a list of all pairs that touch and with all
    particles in the block, in their order.
    """
    inner = world.inner
    total = 0.0
    for c in range(inner.number[TOUCHING]):
        k = inner.found[c]
        total += _energy_of_pair(world, inner.first[k], inner.second[k], (0.0, 0.0, 0.0))
    for c in range(inner.number[FAR_TOUCHING]):
        k = inner.far_found[c]
        shift = shift_of(world.lattice, int(inner.far_image[k]))
        total += _energy_of_pair(world, inner.far_first[k], inner.far_second[k], shift)
    total += _energy_at_walls(world.planes, world)
    return total + _energy_along(world.rule.friction, world)


@entry_point
def overlaps_now(world: World) -> Any:
    """The mean and the largest overlap of pairs at that time, relative to the sum of radii."""
    inner, sphere = world.inner, world.flock.sphere
    near = inner.number[TOUCHING]
    number = near + inner.number[FAR_TOUCHING]
    total, largest = 0.0, 0.0
    for c in range(number):
        if c < near:
            k = inner.found[c]
            i, j, shift = inner.first[k], inner.second[k], (0.0, 0.0, 0.0)
        else:
            k = inner.far_found[c - near]
            i, j = inner.far_first[k], inner.far_second[k]
            shift = shift_of(world.lattice, int(inner.far_image[k]))
        overlap = _overlap(world, i, j, shift) / (sphere[i, RADIUS] + sphere[j, RADIUS])
        total += overlap
        largest = max(largest, overlap)
    return (total / number if number > 0 else 0.0), largest


@inner_kernel
def _overlap(world: World, i: int, j: int, shift: Vector) -> float:
    start, sphere = world.flock.start, world.flock.sphere
    separation = plus(minus(row(start, i), row(start, j)), 1.0, shift)
    return sphere[i, RADIUS] + sphere[j, RADIUS] - math.sqrt(dot(separation, separation))


@inner_kernel
def _energy_of_pair(world: World, i: int, j: int, shift: Vector) -> float:
    sphere, velocity = world.flock.sphere, world.flock.velocity
    r_i, r_j = sphere[i, RADIUS], sphere[j, RADIUS]
    mass = 1.0 / (velocity[i, PER_MASS] + velocity[j, PER_MASS])
    species = world.flock.species
    a, b = species_of(species, i), species_of(species, j)
    touch = Touch(_overlap(world, i, j, shift), mass, r_i * r_j / (r_i + r_j), a, b)
    return elastic_energy(touch, world.rule.law)


@dispatch_on("planes")
def _energy_at_walls(planes: Any, world: World) -> float:
    """The energy of all springs between particles and walls."""


@_energy_at_walls.register(NoPlanes)
@inner_kernel
def _(planes: NoPlanes, world: World) -> float:
    return 0.0


@_energy_at_walls.otherwise
@inner_kernel
def _(planes: Any, world: World) -> float:
    inner, rule, flock = world.inner, world.rule, world.flock
    total = 0.0
    for w in range(inner.number[AT_WALLS]):
        i, k = inner.wall_particle[w], inner.wall_plane[w]
        radius = flock.sphere[i, RADIUS]
        overlap = radius - abs(height_over(planes, k, row(flock.start, i)))
        if overlap > 0.0:
            mass = 1.0 / flock.velocity[i, PER_MASS]
            law = at_wall(rule.law, rule.wall_ratio[k])
            touch = Touch(overlap, mass, radius, species_of(flock.species, i), WALL_NUMBER)
            total += elastic_energy(touch, law)
    return total


@dispatch_on("friction")
def _energy_along(friction: Any, world: World) -> float:
    """The energy in the tangential springs."""


@_energy_along.register(Frictionless)
@inner_kernel
def _(friction: Frictionless, world: World) -> float:
    return 0.0


@_energy_along.register(Coulomb)
@inner_kernel
def _(friction: Coulomb, world: World) -> float:
    stretches, pairs, step = friction.stretches, world.pairs, world.tally[0].step
    squares = 0.0
    for k in range(pairs.number[0]):
        squares += _square(stretches.near[k], step)
    for k in range(pairs.number[1]):
        squares += _square(stretches.far[k], step)
    for k in range(len(stretches.wall)):
        for i in range(len(stretches.head)):
            squares += _square(stretches.wall[k, i], step)
    return 0.5 * friction.stiffness * squares


@inner_kernel
def _square(stretch: Any, step: int) -> float:
    if stretch[KNOWN_AT] != step:
        return 0.0
    return stretch[0] * stretch[0] + stretch[1] * stretch[1] + stretch[2] * stretch[2]
