"""What a simulation tells of its particles: energies, temperature, stresses, averages over time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from carom.domains import LeesEdwards
from carom.methods import Counts
from carom.methods.painting import PAINTED
from carom.particles import Array, Particles, sum_of_squares
from carom.read_only import seen_particles
from carom.simulation.averages import Origin, products_of_drift, relative_to


class ParticleObservables:
    """The part of a ``Simulation`` that is about its particles."""

    system: Any
    _engine: Any
    _time: float
    _origin: Origin
    _acting: Any

    @property
    def mean_number(self) -> float:
        """The number of particles, averaged over time."""
        raise NotImplementedError

    def _crowd_integral(self) -> float:
        raise NotImplementedError

    def _look(self) -> tuple[Particles, Array]:
        """The particles at the time the simulation has reached, and their kinetic integrals."""
        raise NotImplementedError

    @property
    def particles(self) -> Particles:
        """All particles at ``time``, in the order given, with ``unwrapped`` positions.

        They are read-only: see ``set_velocities``, or change a ``particles.copy()`` and make a new
        simulation of it.
        """
        return seen_particles(self._look()[0])

    def paint(self, painted: Array) -> None:
        """Fill in positions inside the box and velocities of all particles at ``time``: single
        precision, shape (n, 6), x, y, z and their rates in the order given, z = 0 in the plane.

        For pictures that have to be fast; in methods with steps velocities are half a step old.
        """
        n = len(self.system.particles)
        if not (isinstance(painted, np.ndarray) and painted.dtype == np.float32):
            raise TypeError(f"paint needs an array of numpy.float32, not {painted!r}.")
        if painted.shape != (n, PAINTED) or not painted.flags.c_contiguous:
            raise ValueError(f"paint needs an array of shape {(n, PAINTED)}, not {painted.shape}.")
        self._engine.paint(self._time, painted)

    @property
    def counts(self) -> Counts:
        """Collisions, wall collisions, transfers, checks, ... since the start."""
        return self._engine.counts

    @property
    def kinetic_energy(self) -> float:
        """Half the sum of m v²."""
        return self._look()[0].kinetic_energy

    @property
    def rotational_energy(self) -> float:
        """Half the sum of I ω²; zero for particles that do not spin."""
        return self._look()[0].rotational_energy

    @property
    def potential_energy(self) -> float:
        """Energy in gravity or in the accelerations of the particles, zero at the origin."""
        system, particles = self.system, self._look()[0]
        field = system.gravity if system.acceleration is None else system.acceleration
        if field is None:
            return 0.0
        return -float((particles.mass * (particles.unwrapped * field).sum(axis=1)).sum())

    @property
    def elastic_energy(self) -> float:
        """Energy in the springs of soft contacts, at the last step; zero for hard particles."""
        return self._engine.elastic_energy

    @property
    def energy(self) -> float:
        """Kinetic, rotational, potential and elastic energy."""
        moving = self.kinetic_energy + self.rotational_energy
        return moving + self.potential_energy + self.elastic_energy

    @property
    def dissipated_energy(self) -> float:
        """The energy lost in collisions and contacts since the start."""
        return self._engine.dissipated

    @property
    def mean_overlap(self) -> float:
        """How deep soft particles in touch overlap now, on average, relative to the sum of their
        radii; zero for hard particles."""
        return self._engine.overlaps[0]

    @property
    def largest_overlap(self) -> float:
        """The deepest of these overlaps."""
        return self._engine.overlaps[1]

    @property
    def mean_impact_overlap(self) -> float:
        """How deep hard particles in steps overlap when they collide, on average since the start,
        relative to the sum of their radii; zero for soft particles, and from event to event."""
        return self._engine.impact_overlaps[0]

    @property
    def largest_impact_overlap(self) -> float:
        """The deepest of these overlaps."""
        return self._engine.impact_overlaps[1]

    @property
    def work_done(self) -> float:
        """The kinetic energy that the actors and ``set_velocities`` have put in since the start,
        less what they took; of particles that come and go all energy counts."""
        return self._acting.work_done

    @property
    def momentum(self) -> Array:
        """The total momentum, shape (d,)."""
        return self._look()[0].momentum

    @property
    def degrees_of_freedom(self) -> int:
        """d n, or d (n − 1) where the total momentum is conserved."""
        n = len(self.system.particles)
        return self.system.dimension * (n - 1 if self._is_relative_to_centre else n)

    @property
    def _is_relative_to_centre(self) -> bool:
        """Whether velocities are taken relative to the centre of mass.

        Only where its motion is none of the particles' own: walls, fields, drag, a fluid and
        thermostats that change the total momentum make it a part of what they do. A single
        particle would be left without any velocity.
        """
        conserved = self.system.conserves_momentum and self._engine.conserves_momentum
        return conserved and self._acting.conserve_momentum and len(self.system.particles) > 1

    def _flow(self) -> Array:
        """The mean flow (n, d) at the particles: zero but in a sheared box."""
        position, domain = self._look()[0].position, self.system.domain
        return domain.flow(position) if isinstance(domain, LeesEdwards) else np.zeros_like(position)

    @property
    def peculiar_velocity(self) -> Array:
        """The velocities (n, d) relative to the mean flow of a sheared box, which is zero in its
        middle, and where the total momentum is conserved to the centre of mass.

        Walls, gravity, forces, the fluid of ``Laden`` and ``Coupled``, and actors such as
        ``AndersenThermostat`` do not conserve it: velocities are then taken as they are, and a
        common drift counts as heat.
        """
        particles = self._look()[0]
        relative = relative_to(particles, self._flow())
        if self._is_relative_to_centre:
            return np.asarray(relative.velocity - relative.momentum / particles.mass.sum())
        return relative.velocity

    @property
    def temperature(self) -> float:
        """The sum of m v² over ``degrees_of_freedom`` (Boltzmann's constant is 1).

        v is the ``peculiar_velocity``: this is the granular temperature.
        """
        mass = self._look()[0].mass
        if len(mass) == 0:
            return math.nan
        return sum_of_squares(mass, self.peculiar_velocity) / self.degrees_of_freedom

    @property
    def rotational_temperature(self) -> float:
        """The sum of I ω² over the number of axes about which particles spin."""
        if len(self.system.particles) == 0:
            return math.nan
        axes = 1 if self.system.dimension == 2 else 3
        return 2.0 * self.rotational_energy / (axes * len(self.system.particles))

    # Averages

    def reset_averages(self) -> None:
        """Take the averages below from now on, after a system has settled, say."""
        kinetic = self._look()[1]
        self._origin = Origin(
            self._time,
            self.counts.collisions,
            self._engine.virial,
            kinetic,
            self._engine.wall_impulse,
            self._crowd_integral(),
        )

    @property
    def averaged_duration(self) -> float:
        """The time over which the averages are taken."""
        return self._time - self._origin.time

    def _mean_kinetic(self) -> Array:
        """The time average (d, d) of the sum of m v_a v_b, with peculiar velocities."""
        d, duration = self.system.dimension, self.averaged_duration
        particles, kinetic = self._look()
        total = (kinetic - self._origin.kinetic)[:d, :d] / duration
        if self._is_relative_to_centre:
            rate = self.system.shear_rate
            total -= products_of_drift(particles, self._flow(), rate, duration)
        return total

    @property
    def mean_temperature(self) -> float:
        """The temperature averaged over time; NaN before time has passed."""
        if self.averaged_duration <= 0.0:
            return math.nan
        trace = float(np.trace(self._mean_kinetic()))
        if not self._acting.changes_number:
            return trace / self.degrees_of_freedom
        freedom = self.system.dimension * self.mean_number
        return trace / freedom if freedom > 0.0 else math.nan

    @property
    def kinetic_stress(self) -> Array:
        """The part (d, d) of ``stress`` that particles carry along: mean of Σ m v_a v_b / volume,
        with the ``peculiar_velocity`` for v."""
        if self.averaged_duration <= 0.0:
            return np.full((self.system.dimension,) * 2, math.nan)
        return self._mean_kinetic() / self.system.volume

    @property
    def collisional_stress(self) -> Array:
        """The part (d, d) of ``stress`` that contacts hand on: Σ impulse_a separation_b /
        (volume · duration), the impulse on one particle and its separation from the other."""
        d = self.system.dimension
        if self.averaged_duration <= 0.0:
            return np.full((d, d), math.nan)
        virial = (self._engine.virial - self._origin.virial)[:d, :d]
        return np.asarray(virial / (self.averaged_duration * self.system.volume))

    @property
    def stress(self) -> Array:
        """The stress tensor (d, d), kinetic and collisional; a pressure is positive.

        An average since the start or ``reset_averages``; NaN before time has passed, zero in open
        space.
        """
        return self.kinetic_stress + self.collisional_stress

    @property
    def stress_integral(self) -> Array:
        """The time integral (d, d) of ``stress`` times the volume, from the start on whatever
        ``reset_averages`` says: Σ m v_a v_b integrated, and the jumps of all contacts.

        How it spreads in equilibrium is the viscosity, see ``Viscosity``.
        """
        d = self.system.dimension
        particles, kinetic = self._look()
        total = (kinetic + self._engine.virial)[:d, :d]
        if self._is_relative_to_centre:
            rate, time = self.system.shear_rate, self._time
            total = total - time * products_of_drift(particles, self._flow(), rate, time)
        return np.asarray(total)

    @property
    def shear_viscosity(self) -> float:
        """−stress_xy / shear rate; NaN without shear and before time has passed."""
        rate = self.system.shear_rate
        return -float(self.stress[0, 1]) / rate if rate != 0.0 else math.nan

    @property
    def shear_work(self) -> float:
        """The energy that the boundary of a sheared box has put in since the start.

        In a steady state its rate is −stress_xy · shear rate · volume.
        """
        return self._engine.shear_work(self._time)

    @property
    def pressure(self) -> float:
        """The virial pressure, the trace of ``stress`` over d:
        (mean of Σ m v² + Σ impulse · distance / duration) / (d volume).

        An average since the start or ``reset_averages``; NaN before time has passed, zero in open
        space.
        """
        return float(np.trace(self.stress)) / self.system.dimension

    @property
    def compressibility(self) -> float:
        """pressure · volume / (n · mean temperature); NaN before time has passed."""
        if self.averaged_duration <= 0.0 or math.isinf(self.system.volume):
            return math.nan
        thermal = self.mean_number * self.mean_temperature
        return self.pressure * self.system.volume / thermal if thermal > 0.0 else math.nan

    @property
    def wall_pressures(self) -> Array:
        """Momentum given to each wall of the box per area and time, in the order of the walls:
        lower and upper x, lower and upper y, ... along the walled axes; NaN before time passed."""
        system = self.system
        n_box = system.box_walls
        impulse = (self._engine.wall_impulse - self._origin.wall_impulse)[:n_box]
        if self.averaged_duration <= 0.0 or system.sides is None:
            return np.full(n_box, math.nan)
        walled = [axis for axis in range(system.dimension) if not system.periodic[axis]]
        areas = np.repeat([system.volume / system.sides[axis] for axis in walled], 2)
        return np.asarray(impulse / (areas * self.averaged_duration))

    @property
    def wall_pressure(self) -> float:
        """The mean of ``wall_pressures``; NaN without walls."""
        pressures = self.wall_pressures
        return float(pressures.mean()) if len(pressures) else math.nan

    @property
    def mean_free_time(self) -> float:
        """The mean time between two collisions of one particle; infinite without collisions."""
        collisions = self.counts.collisions - self._origin.collisions
        if collisions == 0:
            return math.inf
        return self.averaged_duration * self.mean_number / (2.0 * collisions)
