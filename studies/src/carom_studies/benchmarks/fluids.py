"""What the benchmarks run: melted fluids of hard spheres and disks, plain and with features on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import carom
from carom.collisions import restitution
from carom_studies.experiments.melting import melted

SPREAD = 0.2  # radii from 0.8 to 1.2 times the middle one
SIZE_RATIO = 10
RESTITUTION = 0.9
SETTLING = 10  # collisions per particle after which lists are of all ages
FIRST_SEARCHES = 0.1  # collisions per particle after which all first searches are done


class Fluid:
    """A system in carom.

    An inelastic fluid cools and clusters, so that each piece starts again from the same state.
    """

    def __init__(self, system: carom.System, algorithm: str = "auto", again: bool = False) -> None:
        self._system = system
        self._method = carom.EventDriven(algorithm=algorithm)
        self._again = again
        self.simulation: carom.Simulation | None = None

    def begin(self) -> None:
        """Find the first events, on the first call or on every one."""
        if self.simulation is None or self._again:
            self.simulation = carom.Simulation(self._system, method=self._method)
            first = FIRST_SEARCHES if self._again else SETTLING
            self.run(int(first * len(self._system.particles)))

    def run(self, collisions: int) -> None:
        """Go on for so many collisions."""
        assert self.simulation is not None
        self.simulation.run(collisions=collisions, progress=False)


class HardWhenSlow(NamedTuple):
    """A law of a user's own."""

    coefficient: float
    threshold: float


@restitution.register(HardWhenSlow)
@carom.kernel
def _(contact: Any, law: Any) -> float:
    return law.coefficient if contact.approach_speed > law.threshold else 1.0


def is_known(algorithm: str) -> bool:
    """Whether carom has this algorithm."""
    try:
        carom.EventDriven(algorithm=algorithm)
    except ValueError:
        return False
    return True


def plain(n: int, packing_fraction: float, dimension: int = 3) -> carom.System:
    """Equal elastic particles in a periodic box."""
    particles, box = carom.packings.lattice(n, packing_fraction, dimension=dimension, seed=1)
    return melted(carom.System(particles, box))


def unequal(n: int, packing_fraction: float) -> carom.System:
    """Spheres whose radii are spread evenly.

    The largest quarter starts on one of the four cubic lattices that make up a face-centred one:
    no two of its sites are neighbours, and large spheres would overlap there.
    """
    particles, box = carom.packings.lattice(n, packing_fraction, seed=1)
    rng = np.random.default_rng(2)
    radius = np.sort(np.linspace(1.0 - SPREAD, 1.0 + SPREAD, n))[::-1]
    on_one = np.arange(n) % 4 == 0
    particles.radius[on_one] = rng.permutation(radius[: on_one.sum()])
    particles.radius[~on_one] = rng.permutation(radius[on_one.sum() :])
    particles.radius *= 0.5 / np.cbrt((particles.radius**3).mean())
    return melted(carom.System(particles, box))


def between_walls(n: int, packing_fraction: float) -> carom.System:
    """Spheres between a floor and a ceiling; weight times height is the temperature."""
    particles, box = carom.packings.lattice(n, packing_fraction, seed=1)
    height = box.sides(3)[2]
    z = particles.position[:, 2]
    # Stretched or squeezed a little, so that the outer layers touch the walls and no more.
    z[:] = 0.501 + (z - z.min()) * (height - 1.002) / (z.max() - z.min())
    domain = carom.Box(box.lengths, periodic="xy")
    particles = carom.Particles(particles.position, particles.velocity, 0.5)
    return melted(carom.System(particles, domain, gravity=(0.0, 0.0, -1.0 / height)))


def mixture(n: int, packing_fraction: float) -> carom.System:
    """Two sizes, 10 : 1, of equal mass density, each with half of the solid volume."""
    large = max(n // SIZE_RATIO**3, 1)
    radius = np.full(n, 0.5)
    radius[:large] *= SIZE_RATIO
    mass = (2.0 * radius) ** 3
    particles, box = carom.packings.random(n, packing_fraction, radius=radius, mass=mass, seed=1)
    return melted(carom.System(particles, box))


def with_law(system: carom.System, law: Any) -> carom.System:
    """The same system with another law."""
    return carom.System(system.particles, system.domain, law=law)
