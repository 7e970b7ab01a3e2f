"""Steadily sheared disks and spheres: how they start, and what is measured in blocks of strain.

Diameter, mass and shear rate are 1, so that a time is a strain and a step dt is γ dt.
"""

from __future__ import annotations

import math
from time import process_time
from typing import Any

import numpy as np

import carom
from carom import theory
from carom_studies.fits import to_digits

RANDOM_UP_TO = {2: 0.45, 3: 0.30}  # packing fractions beyond which a start on a lattice is faster
SOLID_MASS_DENSITY = 4.0 / math.pi  # of a disk of mass and diameter 1
BLOCKS = 20  # of a run, for statistical errors
# Lists of pairs that last fewer steps than this are made within each step instead.
SHORTEST_LIST = 40
SKIN = 2.0  # of lists, in diameters
# A collapse is passed by contacts that are elastic when they follow within this strain, some
# hundred-thousandth of the time between collisions.
CONTACT_DURATION = 1e-6


def expected_temperature(dimension: int, phi: float, restitution: float) -> float:
    """The steady temperature by the anisotropic theory, to so many digits as matter.

    All digits would depend on the processor, and with them every run that starts so.
    """
    gas = theory.Gas(dimension, phi, restitution=restitution)
    found = theory.anisotropic_maxwellian.simple_shear(gas, 1.0)
    return to_digits(found.temperature, 6)


def packing(
    n: int, phi: float, dimension: int, temperature: float, seed: int
) -> tuple[carom.Particles, carom.Periodic]:
    """Particles at random places, or on a lattice where there is little room, and their box."""
    make = carom.packings.random if phi <= RANDOM_UP_TO[dimension] else carom.packings.lattice
    return make(n, phi, dimension=dimension, temperature=temperature, seed=seed)


def sheared(particles: carom.Particles, lengths: Any, law: Any) -> carom.System:
    """The particles in a box with shear rate 1; the mean flow is added to their velocities."""
    domain = carom.LeesEdwards(tuple(float(length) for length in lengths), 1.0)
    velocity = particles.velocity + domain.flow(particles.position)
    flowing = carom.Particles(particles.position, velocity, particles.radius, particles.mass)
    return carom.System(flowing, domain, law=law)


def flowing(n: int, phi: float, restitution: float, dimension: int, seed: int = 1) -> carom.System:
    """A packing that flows with the shear, at the temperature that theory expects."""
    temperature = expected_temperature(dimension, phi, restitution)
    particles, box = packing(n, phi, dimension, temperature, seed)
    return sheared(particles, box.lengths, carom.ConstantRestitution(restitution))


def at_present(simulation: carom.Simulation) -> carom.System:
    """The present state as a system that starts now, with the images where they are at time 0.

    Rows of images slide; the run has to end where they are back, after a strain that is a multiple
    of L_x / L_y.
    """
    particles, system = simulation.particles, simulation.system
    here = carom.Particles(particles.position, particles.velocity, particles.radius, particles.mass)
    return carom.System(here, system.domain, law=system.law)


def aligned_strain(system: carom.System, strain: float) -> float:
    """The next strain after which the rows of images are where they were."""
    assert system.sides is not None  # between Lees–Edwards boundaries
    period = system.sides[0] / system.sides[1]
    return math.ceil(strain / period) * period


def steps_of(dt: float, speed: float) -> carom.TimeStepped:
    """Time-stepped disks with lists that pay at this step and this speed of the particles."""
    # The fastest of thousands moves about four times the mean, and the skin is used up by two.
    lasts = SKIN / (8.0 * speed * dt)
    skin = SKIN if lasts >= SHORTEST_LIST else 0.0
    return carom.TimeStepped(dt=dt, neighbours=carom.VerletList(skin=skin))


def mean_and_error(blocks: Any) -> tuple[Any, Any]:
    """Means over the blocks and their standard errors, as lists or numbers."""
    values = np.asarray(blocks)
    error = values.std(axis=0, ddof=1) / math.sqrt(len(values))
    return values.mean(axis=0).tolist(), error.tolist()


def measured(simulation: carom.Simulation, settling: float, strain: float) -> dict[str, Any]:
    """Stresses, temperature, overlaps and energies of a steady flow, with standard errors."""
    start = process_time()
    simulation.run(duration=settling, progress=False)
    before, overlap = simulation.counts, overlaps_so_far(simulation)
    work, lost = simulation.shear_work, simulation.dissipated_energy
    momentum = peculiar_momentum(simulation)
    blocks: dict[str, list[Any]] = {"temperature": [], "kinetic": [], "collisional": []}
    for _ in range(BLOCKS):
        simulation.reset_averages()
        simulation.run(duration=strain / BLOCKS, progress=False)
        blocks["temperature"].append(simulation.mean_temperature)
        blocks["kinetic"].append(simulation.kinetic_stress)
        blocks["collisional"].append(simulation.collisional_stress)
    blocks["stress"] = np.add(blocks["kinetic"], blocks["collisional"]).tolist()
    after = simulation.counts
    collisions = after.collisions - before.collisions
    found: dict[str, Any] = {"strain": strain, "seconds": process_time() - start}
    for name, values in blocks.items():
        found[name], found[f"{name}_error"] = mean_and_error(values)
    found["collisions"] = collisions
    found["overlap"] = (overlaps_so_far(simulation) - overlap) / collisions
    found["largest_overlap"] = simulation.largest_impact_overlap
    found["multiple"] = (after.multiple_contacts - before.multiple_contacts) / collisions
    found["work"] = simulation.shear_work - work
    found["lost"] = simulation.dissipated_energy - lost
    found["momentum"] = np.abs(peculiar_momentum(simulation) - momentum).max().tolist()
    return found


def overlaps_so_far(simulation: carom.Simulation) -> float:
    """The sum of all relative overlaps at collisions."""
    return simulation.mean_impact_overlap * simulation.counts.collisions


def peculiar_momentum(simulation: carom.Simulation) -> Any:
    """The total momentum (d,) relative to the mean flow."""
    particles, domain = simulation.particles, simulation.system.domain
    relative = particles.velocity - domain.flow(particles.position)
    return (particles.mass[:, None] * relative).sum(axis=0)
