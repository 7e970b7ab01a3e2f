"""A world at one time: what can be seen of it, without a change."""

from __future__ import annotations

import numpy as np

from carom.domains import Shear, offset_of
from carom.methods.event_driven import world as parts
from carom.methods.event_driven.rough_spin import Spins
from carom.methods.painting import Frame
from carom.particles import Array, Particles
from carom.system import System
from carom.types import Integers


def particles_at(world: parts.World, time: float, system: System) -> tuple[Particles, Array]:
    """All particles at one time, in the user's order, and the time integrals (3, 3) of the sum of
    m v_a v_b; in a sheared box with v relative to the mean flow."""
    bodies, dimension = world.bodies, system.dimension
    position, velocity, since = _synchronised(world, time)
    unwrapped = position + bodies.boxes * world.space.lengths
    if isinstance(world.space.shear, Shear):
        offset = offset_of(world.space.shear, _since_origin(world, time))
        unwrapped[:, 0] += bodies.boxes[:, 1] * offset
    _wrap(world, time, position, velocity)
    order = np.empty(len(position), dtype=np.int64)
    order[bodies.ledger.name] = np.arange(len(position))
    particles = Particles(
        position[order, :dimension],
        velocity[order, :dimension],
        bodies.record.radius[order],
        bodies.ledger.mass[order],
        unwrapped[order, :dimension],
        _angular_velocities(world, order, dimension),
        bodies.ledger.species[order],
        system.particles.species_names,
        system.particles.identity,
    )
    return particles, parts.tensor_of(world, "kinetic") + parts.symmetric(since)


def shear_work_at(world: parts.World, time: float) -> float:
    """The energy that the boundary of a sheared box has put in up to a time."""
    shear, mass = world.space.shear, world.bodies.ledger.mass
    if not isinstance(shear, Shear):
        return 0.0
    # With lists, particles may have crossed the boundary without notice.
    position, velocity, _ = _synchronised(world, time)
    faster = np.floor(position[:, 1] / shear.height) * shear.jump
    work = -faster * mass * (velocity[:, 0] - 0.5 * faster)
    return float(world.tally[0].shear_work + work.sum())


def moment(world: parts.World, time: float) -> tuple[float, Frame]:
    """A time as it is counted in the world, and the box at that time."""
    since, space = _since_origin(world, time), world.space
    offset, jump = 0.0, 0.0
    if isinstance(space.shear, Shear):
        offset, jump = float(offset_of(space.shear, since)), space.shear.jump
    return since, Frame(space.lengths, space.periodic, offset, jump)


def _synchronised(world: parts.World, time: float) -> tuple[Array, Array, Array]:
    """Positions and velocities (n, 3) at one time, and the kinetic integrals since then."""
    n = len(world.bodies.ledger)
    position, velocity, kinetic = np.empty((n, 3)), np.empty((n, 3)), np.zeros(6)
    parts.synchronise(world, _since_origin(world, time), position, velocity, kinetic)
    return position, velocity, kinetic


def _since_origin(world: parts.World, time: float) -> float:
    """A time as it is counted in the world."""
    tally = world.tally[0]
    # At the last event the sum of origin and clock would only add a rounding.
    return float(tally.clock if time == parts.time_of(world) else time - tally.origin)


def _wrap(world: parts.World, time: float, position: Array, velocity: Array) -> None:
    """Bring positions (n, 3) into the box; on its way to a boundary a particle may be past it by
    round-off."""
    space = world.space
    for axis in (1, 0, 2):  # the row first: it changes x
        if not space.periodic[axis]:
            continue
        boxes = np.floor(position[:, axis] / space.lengths[axis])
        position[:, axis] -= boxes * space.lengths[axis]
        if axis == 1 and isinstance(space.shear, Shear):
            position[:, 0] -= boxes * offset_of(space.shear, _since_origin(world, time))
            velocity[:, 0] -= boxes * space.shear.jump


def _angular_velocities(world: parts.World, order: Integers, dimension: int) -> Array | None:
    """Those of all particles in this order, or None if they do not spin."""
    if not isinstance(world.spin, Spins):
        return None
    angular = world.spin.angular[order]
    return angular[:, 2] if dimension == 2 else angular
