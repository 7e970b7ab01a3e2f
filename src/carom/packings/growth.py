"""Dense random packings: particles that grow and collide until they fill their share of the box."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.checks import answer, check_positive, numbers_in, random_numbers
from carom.domains import Domain
from carom.errors import (
    PAUSED,
    REACHED_COLLISIONS,
    GrowthInterrupted,
    InelasticCollapse,
    Jammed,
)
from carom.functions import power
from carom.interruption import Interrupt, deferred_interrupt
from carom.packings.arguments import asked_for, check_arguments
from carom.packings.bond_order import bond_order
from carom.packings.growth_engine import GrowthEngine
from carom.packings.random import random
from carom.packings.room import Region, Room, room_in
from carom.particles import Array, Particles, sum_of_squares
from carom.progress import Compilation, Line, own_line
from carom.species import Species
from carom.system import System

# Fast random addition, far below what it can reach.
START = {2: 0.30, 3: 0.20}
# Equal spheres jam near 0.647 with it and stay disordered, the disks of a 1:1.4 mixture near 0.847.
GROWTH_RATE = 5e-3
SLOWEST = 1e-7  # rate of growth: days, even for few particles
# Growth heats. So much growth, in mean diameters per collision of one particle, warms by a
# quarter: then velocities are rescaled.
GROWTH_PER_STAGE = 0.2
# Near jamming the gaps are the inverse of the reduced pressure, relative to the diameters. Cages
# as tight as this never open again; when all the gaps are far too small for what is missing, that
# is the end.
PRESSURE_IN_CAGES = 1e6
GAPS_MISSING = 10.0
# Beyond this pressure round-off fills the gaps.
HIGHEST_PRESSURE = 1e12


def grow(
    n: int | None = None,
    packing_fraction: float | None = None,
    *,
    domain: Domain | None = None,
    region: Region | None = None,
    radius: ArrayLike | Callable[[np.random.Generator], ArrayLike] | None = None,
    dimension: int | None = None,
    mass: ArrayLike = 1.0,
    temperature: float = 1.0,
    growth_rate: float = GROWTH_RATE,
    species: Species = None,
    seed: int | None = None,
    progress: bool | None = None,
) -> tuple[Particles, Any]:
    """n particles grown to a dense random packing, and their periodic box.

    Small particles at random places fly and collide while their radii grow linearly in time, all
    in proportion, until they have their ``radius`` (Lubachevsky & Stillinger 1990).

    - ``radius``: one number or n, or a function of a random generator that returns them; 0.5 when
      left out. Only their ratios matter to the growth.
    - ``domain``: a box to fill, walls included, instead of one that follows from n and
      ``packing_fraction``; give one of these then. It is handed back.
    - ``region``: the part of it to fill. Two opposite corners, between which the particles are
      wholly; or a plane, or several, in front of which they are (where their normals point to).
    - ``growth_rate``: how fast the mean diameter grows, in units of the thermal speed. Slower
      growth jams at higher packing fractions, and lets equal particles crystallise.
    - ``species``: one name or n of them, as for :class:`carom.Particles`.
    - ``progress=True`` draws a line with the time left; left out, it is drawn on a terminal.

    When the particles jam before they are as large, the error ``Jammed`` says how far they came
    and carries that packing. So does ``GrowthInterrupted``, a ``KeyboardInterrupt``, after Ctrl-C:
    ``error.particles``, at the temperature asked for, and ``error.box``.
    """
    radius = 0.5 if radius is None else radius
    asked = asked_for(n, packing_fraction, domain, region, dimension, radius)
    n, packing_fraction, dimension, room = asked
    check_arguments(n, packing_fraction, dimension, temperature)
    if packing_fraction is not None and not 0.0 < packing_fraction < 1.0:
        raise ValueError(f"packing_fraction must lie between 0 and 1, not {packing_fraction!r}.")
    check_positive("growth_rate", growth_rate)
    if growth_rate < SLOWEST:
        raise ValueError(
            f"growth_rate={growth_rate:g} is too slow: particles would collide some "
            f"{1.0 / growth_rate:.0e} times each. Use {SLOWEST:g} or more, such as {GROWTH_RATE:g}."
        )
    rng = random_numbers("packings.grow", seed)
    radii = _radii(radius, n, rng)
    if room is not None:
        packing_fraction = _fraction_in(room, radii)
    fraction = min(START[dimension], 0.5 * packing_fraction)
    share = power(fraction / packing_fraction, 1.0 / dimension)
    own_seed = int(rng.integers(2**63))
    place = partial(random, radius=share * radii, mass=mass, species=species, seed=own_seed)
    if room is None:
        particles, domain = place(n, fraction, dimension=dimension)
        room = room_in(domain, None, dimension)
    else:
        planes = room.moved_planes()
        particles, _ = place(n, domain=room.box, region=planes or None, dimension=dimension)
    particles.radius = radii
    assert domain is not None  # given, or that of the small particles
    growth = _Growth(particles, room, domain, share, growth_rate, temperature)
    with own_line(progress) as line:
        growth.run(line)
    return growth.packing(), domain


def _fraction_in(room: Room, radius: Array) -> float:
    """The packing fraction of particles in a room; what is too much for any is refused."""
    volume = Particles(np.zeros((len(radius), room.dimension)), None, radius).volume
    fraction = float(volume / room.volume)
    widest = 2.0 * float(radius.max())
    if not fraction < 1.0 or widest > (room.upper - room.lower).min():
        raise ValueError(
            f"{len(radius)} particles of diameters up to {widest:g} have no room in "
            f"{room.described()}: their packing fraction would be {fraction:.4g}."
        )
    return fraction


def _radii(
    radius: ArrayLike | Callable[[np.random.Generator], ArrayLike],
    n: int,
    rng: np.random.Generator,
) -> Array:
    values = numbers_in("radius", answer("radius", radius, rng) if callable(radius) else radius)
    if values.ndim == 0:
        values = np.full(n, float(values))
    if values.shape != (n,) or not (np.isfinite(values) & (values > 0.0)).all():
        raise ValueError(
            f"radius must be {n} positive numbers, or a function of a random generator that "
            f"returns them, not {values!r}."
        )
    return values


class _Growth:
    """Particles that grow at temperature 1 until they have the radii of their system."""

    def __init__(
        self,
        particles: Particles,
        room: Room,
        domain: Domain,
        share: float,
        growth_rate: float,
        temperature: float,
    ) -> None:
        system = System(particles, room.box, walls=room.moved_planes())
        self._room, self._domain = room, domain
        self._goal = particles.volume / room.volume
        thermal_speed = 1.0 / math.sqrt(particles.mass.mean())
        rate = growth_rate * thermal_speed / (2.0 * float(particles.radius.mean()))
        self._system = system
        self._temperature = temperature
        self._engine = GrowthEngine(system, share, rate)
        self._start = share
        self._share = share
        self._collisions = max(1, round(GROWTH_PER_STAGE / growth_rate * len(particles)))
        self._particles = particles
        self._virial = self._kinetic = 0.0
        self._pressure = 1.0

    @property
    def _reached(self) -> float:
        """The packing fraction by now."""
        return self._goal * power(self._share, self._system.dimension)

    def run(self, line: Line) -> None:
        """Let the particles grow to the end; ``Jammed`` if they cannot."""
        engine = self._engine
        engine.prepare()
        compilation = Compilation("packings.grow", line.compiling)
        if not engine.is_compiled():
            compilation.expect()
        with deferred_interrupt() as interrupt:
            while self._stage(line, interrupt) == REACHED_COLLISIONS:
                self._look(engine.time, engine.share)
                self._refuse_jammed()
                engine.set_velocities(engine.time, self._velocity(1.0))
        compilation.done()
        self._look(engine.end, 1.0)
        self._show(line, 1.0)

    def _stage(self, line: Line, interrupt: Interrupt) -> int:
        """Run to the end, or until velocities are to be rescaled; which of the two."""
        engine = self._engine
        target = engine.counts.collisions + self._collisions
        status = PAUSED
        while status == PAUSED:
            try:
                status = engine.advance(engine.end, target)
            except InelasticCollapse:
                # Round-off has used up the gaps.
                self._look(engine.time, engine.share)
                raise self._jammed() from None
            except KeyboardInterrupt:  # while cells were chosen or lists made
                raise self._interrupted() from None
            self._show(line, engine.share)
            if interrupt.requested:
                raise self._interrupted()
        return status

    def _interrupted(self) -> GrowthInterrupted:
        self._look(self._engine.time, self._engine.share)
        return GrowthInterrupted(
            f"stopped at a packing fraction of {self._reached:.4f}; the error carries the "
            "packing: .particles, .box",
            self.packing(),
            self._domain,
            self._reached,
        )

    def _show(self, line: Line, share: float) -> None:
        by_now = self._goal * share**self._system.dimension
        line.show(
            f"packing fraction {by_now:.4f} of {self._goal:.4g}",
            self._engine.counts.collisions,
            (share - self._start) / (1.0 - self._start),
        )

    def _look(self, time: float, share: float) -> None:
        """Take note of the particles and of the pressure since the last look, over n k T / V."""
        virial = float(np.trace(self._engine.virial))
        self._particles, integrals = self._engine.snapshot(time)
        kinetic = float(np.trace(integrals))
        flown = kinetic - self._kinetic
        self._pressure = 1.0 + (virial - self._virial) / flown if flown > 0.0 else math.inf
        self._virial, self._kinetic, self._share = virial, kinetic, share

    def _velocity(self, temperature: float) -> Array:
        """The velocities scaled to a temperature."""
        particles = self._particles
        now = sum_of_squares(particles.mass, particles.velocity) / self._system.degrees_of_freedom
        return np.asarray(particles.velocity * math.sqrt(temperature / now))

    def _final_velocity(self) -> Array:
        """The velocities at the temperature asked for, where the particles are to be."""
        if self._room.walled or self._system.conserves_momentum:
            return self._velocity(self._temperature)
        # The walls of a region have changed the total momentum; in its box it stays as it is.
        mass, velocity = self._particles.mass, self._particles.velocity
        velocity = velocity - (mass[:, None] * velocity).sum(axis=0) / mass.sum()
        freedom = self._system.dimension * max(len(mass) - 1, 1)
        now = sum_of_squares(mass, velocity) / freedom
        return np.asarray(velocity * math.sqrt(self._temperature / now if now > 0.0 else 0.0))

    def packing(self) -> Particles:
        """The particles as they are, with the temperature asked for."""
        at, velocity = self._particles, self._final_velocity()
        radius = self._system.particles.radius * self._share
        position = at.position + self._room.lower if self._room.lower.any() else at.position
        names = at.species_names
        return Particles(
            position, velocity, radius, at.mass, species=at.species, species_names=names
        )

    def _refuse_jammed(self) -> None:
        """Stop when the gaps that are left cannot make up for what is missing."""
        caged = self._pressure > PRESSURE_IN_CAGES
        out_of_reach = (1.0 - self._share) * self._pressure > GAPS_MISSING
        if (caged and out_of_reach) or self._pressure > HIGHEST_PRESSURE:
            raise self._jammed()

    def _jammed(self) -> Jammed:
        packing = self.packing()
        order = bond_order(packing, self._domain)
        symbol = "|psi_6|" if packing.dimension == 2 else "Q_6"
        return Jammed(
            f"the particles jammed at a packing fraction of {self._reached:.5f}, short of "
            f"{self._goal:g} (reduced pressure {self._pressure:.2g}). The bond "
            f"order {symbol} is {order.overall:.3f} over all bonds and {order.local:.3f} around "
            "the mean particle. Remedies: a lower packing_fraction; a smaller growth_rate, which "
            "packs denser and, if sizes are alike, in more order; or more mixed radii. The error "
            "carries the packing: .particles, .box.",
            packing,
            self._domain,
            self._reached,
            order,
        )
