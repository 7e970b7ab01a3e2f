"""How exactly spheres meet in fluids of 13,500, elastic ones and such that cool.

Bannerman, Strobl, Formella & Pöschel 2014, section 3. Spheres have diameter and mass 1.
"""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

import carom
from carom_studies.entry import NONE_MET
from carom_studies.experiments.melting import melted

N = 13_500
SEED = 1
# Collisions after which velocities are scaled; longer than times are counted from one origin.
STRETCH = 500_000
LOOK = 20_000  # collisions that are logged to tell the chance of three-body events


class Impacts(NamedTuple):
    """Impact separations of a fluid: how often each float, counted from the diameter, was met."""

    place: Any  # (.,) how many floats from the diameter, ascending; negative when spheres overlap
    number: Any  # (.,) how often

    @property
    def gap(self) -> Any:
        """The separations less the diameter, in units of 2⁻⁵², the spacing of floats above it."""
        return np.where(self.place < 0, 0.5 * self.place, self.place)

    @property
    def collisions(self) -> int:
        """How many impacts there are."""
        return int(self.number.sum())

    @property
    def overlapping(self) -> float:
        """The share of impacts in which spheres overlap."""
        return float(self.number[self.place < 0].sum() / self.collisions)

    @property
    def mean(self) -> float:
        """The mean separation less the diameter, in units of 2⁻⁵²."""
        return float((self.number * self.gap).sum() / self.collisions)

    @property
    def spread(self) -> float:
        """The root of the mean square of separations less the diameter, in units of 2⁻⁵²."""
        return math.sqrt((self.number * self.gap**2).sum() / self.collisions)

    @property
    def density(self) -> Any:
        """The share of impacts per 2⁻⁵², for each float: it stands for all numbers around it."""
        below, above = 0.5, 1.0  # the spacing changes at the diameter, which has half of either
        width = np.where(self.place < 0, below, np.where(self.place > 0, above, 0.75))
        return self.number / (self.collisions * width)


class ThreeBody(NamedTuple):
    """How often a sphere overlapped two others."""

    collisions: int
    doubly_overlapping: int
    expected: float  # per collision, by chance: a formula, nothing that was met
    stabilising: int
    collapsed: bool  # the run has ended so

    @property
    def most(self) -> float:
        """Of which more per collision are ruled out, with 95 %, by the number that was met."""
        met = self.doubly_overlapping
        return (met + 2.0 * math.sqrt(met) if met else NONE_MET) / self.collisions

    @property
    def least(self) -> float:
        """Of which fewer per collision are ruled out, with 95 %."""
        met = self.doubly_overlapping
        return max(met - 2.0 * math.sqrt(met), 0.0) / self.collisions


def fluid(density: float) -> carom.System:
    """Elastic spheres at a number density, molten, in a periodic box."""
    particles, box = carom.packings.lattice(N, density * math.pi / 6.0, seed=SEED)
    return melted(carom.System(particles, box))


def stretches(
    start: carom.System,
    restitution: float,
    collisions: int,
    method: carom.EventDriven,
    observers: Sequence[carom.Observer] = (),
) -> Iterator[carom.Simulation]:
    """Simulations, each to be run for a stretch, that go on one from the other."""
    law = carom.Elastic() if restitution == 1.0 else carom.ConstantRestitution(restitution)
    system = carom.System(start.particles, start.domain, law=law)
    for _ in range(math.ceil(collisions / STRETCH)):
        simulation = carom.Simulation(system, method=method, observers=observers)
        yield simulation
        system = scaled(simulation)


def scaled(simulation: carom.Simulation) -> carom.System:
    """The present state with velocities scaled to temperature 1, and no total momentum.

    With a constant restitution that is but another unit of time. It keeps velocities away from the
    rounding of the total momentum, which they would else reach after a thousand collisions each.
    """
    particles, system = simulation.particles, simulation.system
    velocity = particles.velocity - particles.velocity.mean(axis=0)
    here = carom.Particles(particles.position, velocity / math.sqrt(simulation.temperature))
    return carom.System(here, system.domain, law=system.law)


def clustered(start: carom.System, restitution: float, collisions: int) -> carom.System:
    """The fluid after so many collisions; those that lose energy make it cluster."""
    system = start
    for simulation in stretches(start, restitution, collisions, carom.EventDriven()):
        simulation.run(collisions=STRETCH, progress=False)
        system = scaled(simulation)
    return system


def impacts(
    start: carom.System, restitution: float, collisions: int, algorithm: str = "heap"
) -> Impacts:
    """Where the centres are when two spheres collide.

    With ``"heap"`` each contact is predicted once. The default algorithm may do so from either
    side, with different roundings, and takes the earlier time, so that fewer than half overlap.
    """
    method, log = carom.EventDriven(algorithm=algorithm), carom.CollisionLog()
    found: Counter[int] = Counter()
    for simulation in stretches(start, restitution, collisions, method, [log]):
        simulation.run(collisions=STRETCH, progress=False)
        places, times = np.unique(last_places(log["separation"]), return_counts=True)
        found.update(dict(zip(places.tolist(), times.tolist(), strict=True)))
        log.clear()
    place = np.array(sorted(found))
    return Impacts(place, np.array([found[k] for k in place.tolist()]))


def last_places(separation: Any) -> Any:
    """How many floats the distance of each row (.., 3) is from 1; negative when spheres overlap."""
    # Rounded once: a square in double precision would be counted at the diameter too often.
    square = (separation.astype(np.longdouble) ** 2).sum(axis=1)
    distance = np.sqrt(square).astype(np.float64)
    spacing = np.where(distance < 1.0, 2.0**-53, 2.0**-52)
    return np.rint((distance - 1.0) / spacing).astype(np.int64)


def three_body(start: carom.System, restitution: float, collisions: int) -> ThreeBody:
    """How often a sphere overlaps two others at once, until so many collisions or a collapse."""
    method = carom.EventDriven(three_body=True)
    counted, chances, collapsed = np.zeros(3, np.int64), [], False
    for simulation in stretches(start, restitution, collisions, method):
        try:
            simulation.run(collisions=STRETCH, progress=False)
        except carom.InelasticCollapse:
            collapsed = True
        counts = simulation.counts
        counted += (counts.collisions, counts.three_body, counts.stabilising)
        if collapsed:
            break
        chances.append(chance_now(simulation, restitution))
    met, doubly, stabilising = counted.tolist()
    chance = float(np.mean(chances or [math.nan]))
    return ThreeBody(met, doubly, chance, stabilising, collapsed)


def chance_now(simulation: carom.Simulation, restitution: float) -> float:
    """Three-body collisions to be expected per collision; a copy of the simulation keeps a log."""
    log = carom.CollisionLog()
    copy = carom.Simulation(scaled(simulation), method=simulation.method, observers=[log])
    with contextlib.suppress(carom.InelasticCollapse):  # what happened before counts
        copy.run(collisions=LOOK, progress=False)
    return chance_of_three_body(log, len(simulation.particles), restitution)


def chance_of_three_body(log: carom.CollisionLog, n: int, restitution: float) -> float:
    """Three-body collisions per collision if the next impact were as likely at any time.

    After a contact with overlap o, unit masses part with the speed ε J / (1 + ε) · 2, J being the
    impulse, and the overlap is gone after o over that. For n spheres of diameter and mass 1.
    """
    overlap = 1.0 - np.sqrt((log["separation"] ** 2).sum(axis=1))
    overlapping = overlap > 0.0
    parting = 2.0 * log["impulse"] * restitution / (1.0 + restitution)
    lasting = (overlap[overlapping] / parting[overlapping]).sum() / len(overlap)
    rate = 2.0 * len(overlap) / (n * (log["time"][-1] - log["time"][0]))
    # Either of the two may meet a third, and must overlap that one as well.
    return float(2.0 * rate * lasting * overlapping.mean())
