"""Whether carom and LAMMPS do the same: head-on collisions, and a gas for some steps."""

from __future__ import annotations

import numpy as np

import carom
from carom_studies.benchmarks.lammps_granular import Contact, Granular, Tuning
from carom_studies.benchmarks.soft_systems import contact_of, from_lattice, soft_method, time_step
from carom_studies.benchmarks.tables import Table

STEPS = 200  # before chaos makes round-off visible
FRICTION = 0.5


def same_contacts(n: int, lammps: bool) -> Table:
    """Restitutions obtained in both programs, and how far apart their gases are after a while."""
    rows = [
        row_of_restitution(restitution, per_contact, lammps)
        for restitution in (1.0, 0.9, 0.5)
        for per_contact in (25, 100)
    ]
    if lammps:
        rows += [row_of_gas(n, friction) for friction in (0.0, FRICTION)]
    note = (
        "Relative speed after a head-on collision of two spheres over that before; both damp with "
        "velocities of half a step before, and carom's coefficient makes up for it."
    )
    if lammps:
        note += (
            f" Gas: {n:,} spheres, φ = 0.50, no damping; the largest difference between two "
            f"velocities after {STEPS} steps from one state of temperature 1. With friction the "
            "two programs let springs slide by different rules."
        )
    headings = ["", "dt", "carom", *(["LAMMPS"] if lammps else [])]
    return Table("soft-same", "The same contacts in both programs", headings, rows, note)


def row_of_restitution(restitution: float, per_contact: int, lammps: bool) -> list[str]:
    """The restitution asked for and those obtained."""
    contact = contact_of(restitution)
    dt = contact.duration(1.0) / per_contact
    after = velocities_after(head_on(), contact, dt, round(0.7 / dt), lammps)
    obtained = [f"{0.5 * (v[1, 0] - v[0, 0]):.5f}" for v in after]
    return [f"restitution {restitution:g}", f"t_c / {per_contact}", *obtained]


def row_of_gas(n: int, friction: float) -> list[str]:
    """How far apart the velocities are in the two programs."""
    contact = contact_of(1.0, friction)
    own, other = velocities_after(
        from_lattice(n, 0.50, 2_000), contact, time_step(contact), STEPS, True
    )
    apart = f"{np.abs(own - other).max():.0e} apart"
    return [f"gas, friction {friction:g}", "t_c / 25", "", apart]


def head_on() -> carom.System:
    """Two spheres that approach with relative speed 2."""
    places = [[4.2, 5.0, 5.0], [5.8, 5.0, 5.0]]
    velocities = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]
    return carom.System(carom.Particles(places, velocities), carom.Periodic((10.0,) * 3))


def velocities_after(
    system: carom.System, contact: Contact, dt: float, steps: int, lammps: bool
) -> list[np.ndarray]:
    """The velocities after so many steps in carom and, if it is there, in LAMMPS."""
    simulation = carom.Simulation(system, method=soft_method(contact, dt))
    simulation.run(duration=steps * dt, progress=False)
    found = [simulation.particles.velocity]
    if lammps:
        granular = Granular(system.particles, system.domain.sides(3), contact, dt, Tuning(0.1))
        granular.run(steps)
        found.append(granular.velocity)
        granular.close()
    return found
