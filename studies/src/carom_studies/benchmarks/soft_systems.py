"""What the benchmarks of soft contacts run: gases and packings, in carom and in LAMMPS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

import carom
from carom_studies.benchmarks.lammps_granular import Contact, Granular, Tuning

STIFFNESS = 2e5  # overlaps of some thousandth of the diameter at temperature 1
STEPS_PER_CONTACT = 25
WARMING = 15_000  # steps from the lattice to the steady state, some three mean free times each way
SETTLING = 50  # steps after which the first lists are made
LOOSE, JAMMED = 0.30, 0.65  # packing fractions before and after the particles of a packing swell
RELAXING = 10_000  # steps until they are nearly at rest
RELAXING_RESTITUTION = 0.1
CRYSTAL_OVERLAP = 0.005  # of the diameter


def contact_of(restitution: float = 1.0, friction: float = 0.0) -> Contact:
    """The contact of all systems here; with friction, also a tangential spring."""
    return Contact(STIFFNESS, restitution, friction, 2.0 / 7.0 * STIFFNESS if friction else 0.0)


def time_step(contact: Contact, mass: float = 1.0) -> float:
    """A fraction of the duration of a contact."""
    return contact.duration(mass) / STEPS_PER_CONTACT


def soft_method(contact: Contact, dt: float | None = None, **options: Any) -> carom.SoftContacts:
    """carom's method with the same forces as in LAMMPS, between particles of mass 1."""
    if contact.friction > 0.0:
        options |= {
            "friction": contact.friction,
            "tangential_stiffness": contact.tangential_stiffness,
        }
    return carom.SoftContacts(
        stiffness=contact.stiffness,
        damping=0.5 * contact.damping_rate(1.0),
        dt=time_step(contact) if dt is None else dt,
        **options,
    )


class InCarom:
    """A system in carom with fixed steps; if so wanted, every piece starts from the same state."""

    def __init__(self, system: carom.System, method: Any, again: bool = False) -> None:
        self._system, self._method, self._again = system, method, again
        self.simulation: carom.Simulation | None = None

    def begin(self) -> None:
        """Make the first lists, on the first call or on every one."""
        if self.simulation is None or self._again:
            self.simulation = carom.Simulation(self._system, method=self._method)
            self.run(SETTLING)

    def run(self, steps: int) -> None:
        """Go on for so many steps."""
        assert self.simulation is not None
        self.simulation.run(duration=steps * self._method.dt, progress=False)


class InLammps:
    """The same system in LAMMPS."""

    def __init__(
        self, system: carom.System, contact: Contact, tuning: Tuning, again: bool = False
    ) -> None:
        self._again = again
        self._make: Callable[[], Granular] = lambda: Granular(
            system.particles,
            system.domain.sides(system.particles.dimension),
            contact,
            time_step(contact),
            tuning,
        )
        self.granular: Granular | None = None

    def begin(self) -> None:
        """Make the first lists, on the first call or on every one."""
        if self.granular is None or self._again:
            self.close()
            self.granular = self._make()
            self.run(SETTLING)

    def run(self, steps: int) -> None:
        """Go on for so many steps."""
        assert self.granular is not None
        self.granular.run(steps)

    def close(self) -> None:
        """Give the memory back."""
        if self.granular is not None:
            self.granular.close()
            self.granular = None


def contacts_per_particle(particles: carom.Particles, domain: Any) -> float:
    """With how many others a particle overlaps, on average; all radii are equal."""
    lengths = np.array(domain.sides(particles.dimension))
    tree = cKDTree(particles.position % lengths, boxsize=lengths)
    return (
        2.0
        * len(tree.query_pairs(2.0 * particles.radius[0], output_type="ndarray"))
        / len(tree.data)
    )


def warmed(
    particles: carom.Particles, domain: Any, contact: Contact, steps: int = WARMING
) -> carom.System:
    """The system after so many steps of soft contacts."""
    simulation = carom.Simulation(carom.System(particles, domain), method=soft_method(contact))
    simulation.run(duration=steps * time_step(contact), progress=False)
    return carom.System(simulation.particles, domain)


def from_lattice(n: int, packing_fraction: float, steps: int = WARMING) -> carom.System:
    """A gas that began on a face-centred lattice; at 0.50 it stays a crystal with vibrations."""
    start = carom.packings.lattice(n, packing_fraction, seed=1, crystal=True)
    return warmed(*start, contact_of(), steps)


def disordered(n: int, packing_fraction: float) -> carom.System:
    """A dense fluid."""
    grown = carom.packings.grow(n, packing_fraction, seed=1, progress=False)
    return warmed(*grown, contact_of())


def swollen(particles: carom.Particles, factor: float) -> carom.Particles:
    """The same particles at rest with larger radii."""
    return carom.Particles(particles.position, None, factor * particles.radius)


def random_packing(n: int) -> carom.System:
    """A disordered jammed packing, nearly at rest: each particle touches more than six others."""
    particles, box = carom.packings.random(n, LOOSE, seed=1)
    larger = swollen(particles, float(np.cbrt(JAMMED / LOOSE)))
    return warmed(larger, box, contact_of(RELAXING_RESTITUTION), RELAXING)


def crystal_packing(n: int) -> carom.System:
    """A face-centred crystal that is compressed a little: each particle touches twelve others."""
    particles, box = carom.packings.lattice(n, 0.74, seed=1, crystal=True)
    closest = float(np.cbrt(np.pi / np.sqrt(18.0) / 0.74))
    return carom.System(swollen(particles, closest * (1.0 + CRYSTAL_OVERLAP)), box)
