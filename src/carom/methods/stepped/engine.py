"""The engine of the stepped methods: what Simulation asks of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from carom.domains import IMPULSE, LeesEdwards, Shear, compiled_planes
from carom.domains.shear import compiled_shear
from carom.errors import FORCE_IS_WRONG, NEW_NUMBERS_DUE, PAUSED, LawError
from carom.forces import NoForce
from carom.memory import in_cache_lines
from carom.methods.counts import Counts
from carom.methods.stepped import blocks
from carom.methods.stepped.course import Course, copied, with_list
from carom.methods.stepped.skin import best_skin
from carom.methods.stepped.world import (
    Flock,
    Plan,
    World,
    first_pairs,
    new_inner,
    new_shift,
    new_sums,
    new_tally,
)
from carom.motions import Accelerated, Free, Gravity
from carom.neighbours.curve import order_along_curve
from carom.neighbours.pairs.automatic import automatic
from carom.neighbours.pairs.lattice import new_lattice
from carom.neighbours.pairs.pair_list import new_search_tally
from carom.neighbours.pairs.searches import new_search
from carom.particles import Array, Particles
from carom.system import System

# Particle-steps between two returns to Python: some ten milliseconds.
PARTICLE_STEPS = 2_000_000
# Lists after which particles are renumbered along a curve in space; not tuned.
LISTS_PER_NUMBERING = 50
# Steps per block in systems below and above a packing fraction; not tuned beyond short runs of
# 32,000 equal spheres at .12 and .50.
DENSE = 0.3
BLOCK = {False: 16, True: 12}
# Rounds in which the velocities half a step before the start are found; each gains a factor of
# about the step times the damping.
SET_BACK_ROUNDS = 4
# A time is reached when it is reached up to rounding.
ROUNDING = 1e-12
MOST_CELLS = 1 << 20  # along an axis, for the order in memory
MOST = int(np.iinfo(np.int64).max)


class Present(NamedTuple):
    """All particles at the present step, in the engine's order; rows of three numbers."""

    position: Array  # inside the box
    away: Array  # to add for the unwrapped position at time 0
    velocity: Array
    acceleration: Array
    spin: tuple[Array, Array] | None  # angular velocity and acceleration, times the radius
    course: Course  # in which it was tried what the next step does


class SteppedEngine:
    """Runs a system in fixed steps; what happens is written into arrays.

    Derived classes say what happens to particles that touch, with ``_rule``.
    """

    def __init__(self, system: System, method: Any, dt: float, neighbours: Any) -> None:
        self.system = system
        self.dt = dt
        self.keeps_log = False
        self._method = method
        if isinstance(neighbours, str):
            if neighbours != "auto":
                raise ValueError(
                    f"neighbours={neighbours!r} is unknown; use 'auto' or a neighbour method such "
                    "as carom.LinkedCells()."
                )
            neighbours = automatic(system)
        if not hasattr(neighbours, "skin"):
            raise TypeError(
                f"neighbours={neighbours!r} is not a neighbour method; use 'auto' or one such as "
                "carom.LinkedCells()."
            )
        self._neighbours = neighbours
        self._prepared = False
        self._seen: Present | None = None
        _refuse_outside(system)
        world = self._new_world()
        search = new_search(neighbours, system, world.plan.skin)
        self._course = Course(world, search, at_once=world.plan.every > 0, checks=neighbours)
        self._steps = max(1, PARTICLE_STEPS // len(system.particles))

    @property
    def world(self) -> World:
        """Everything there is."""
        return self._course.world

    def _rule(self) -> Any:
        """What happens to particles that touch."""
        raise NotImplementedError

    # Making

    def _new_world(self) -> World:
        system, n = self.system, len(self.system.particles)
        record, velocity = _records(n), _records(n)
        record[:, :3] = _three_columns(system.particles.position)
        record[:, 3] = system.particles.radius
        velocity[:, :3] = _three_columns(system.particles.velocity)
        velocity[:, 3] = 1.0 / system.particles.mass
        name = np.arange(n, dtype=np.int32)
        lengths, periodic = np.zeros(3), np.zeros(3, dtype=np.bool_)
        if system.sides is not None:
            lengths[: system.dimension] = system.sides
            periodic[: system.dimension] = system.periodic
        pairs = first_pairs(n)
        return World(
            Flock(record, velocity, _records(n), np.zeros((n, 3)), name),
            new_lattice(lengths, periodic),
            compiled_shear(system.sides, system.shear_rate),
            new_shift(),
            compiled_planes(system.planes),
            self._motion(),
            NoForce() if system.force is None else system.force,
            self._rule(),
            pairs,
            new_inner(n, pairs, 2 * n if system.planes else 0),
            self._plan(),
            new_sums(),
            new_tally(),
            new_search_tally(),
        )

    def _motion(self) -> Any:
        system = self.system
        if system.acceleration is not None:
            return Accelerated(_three_columns(system.acceleration))
        if system.gravity is None:
            return Free()
        return Gravity(*(float(part) for part in _three_columns(system.gravity[None, :])[0]))

    def _plan(self) -> Plan:
        system, radius = self.system, self.system.particles.radius
        dense = system.packing_fraction > DENSE
        skin, every = self._neighbours.skin, getattr(self._neighbours, "every", None) or 0
        if skin is None:
            skin = best_skin(system, self.dt, BLOCK[dense], blocks.SHARE_OF_SKIN)
            skin = min(skin, _widest_skin(system))
        if skin > _widest_skin(system):
            raise ValueError(
                f"skin={skin:g} is too wide for a sheared box that is {system.sides[0]:g} long "  # type: ignore[index]
                f"along x; use {_widest_skin(system):g} or less."
            )
        if skin == 0.0:
            every = 1
        return Plan(
            dt=self.dt,
            skin=float(skin),
            block=BLOCK[dense],
            every=every,
            # Where lists follow each other at every step, LinkedLinearList lives on the last one.
            renumber=LISTS_PER_NUMBERING if every == 0 else MOST,
            everyone=system.force is not None or every > 0,
            largest=2.0 * float(radius.max()),
            pull=_strongest_pull(system),
        )

    # Running

    def is_compiled(self) -> bool:
        """Whether the next ``advance`` starts without a compilation."""
        return self._course.is_compiled()

    def prepare(self) -> None:
        """Take the velocities half a step back, if that has not been done."""
        if not self._prepared:
            self._prepared = True
            self._renumber()
            self._begin(self._angular(self.world))

    def _begin(self, surface: Array | None) -> None:
        """Begin with the velocities at hand, and with spins of the present step."""
        self._seen = None
        self._set_back(surface)
        blocks.begin(self.world)

    def advance(self, until: float, collisions: int) -> int:
        """Take steps for a fraction of a second at most; the status says why it came back."""
        self.prepare()
        self._seen = None
        last = self._steps_until(until)
        status = self._course.advance(last, min(collisions, MOST), self._steps)
        if status == NEW_NUMBERS_DUE:
            self._renumber()
        elif status == FORCE_IS_WRONG:
            raise self._wrong_force()
        else:
            return status
        return PAUSED

    def _steps_until(self, time: float) -> int:
        if math.isinf(time):
            return MOST
        return math.floor(time / self.dt * (1.0 + ROUNDING) + ROUNDING)

    def _renumber(self) -> None:
        """Put the particles in an order in which neighbours are near each other in memory."""
        blocks.drop_list(self.world)
        record = self.world.flock.record
        width = 2.0 * float(record[:, 3].max())
        cells = (record[:, :3] - record[:, :3].min(axis=0)) / width
        order = order_along_curve(np.minimum(cells, MOST_CELLS).astype(np.int64))
        for array in self._per_particle():
            array[...] = array[order]
        number = np.empty(len(order), dtype=np.int32)
        number[order] = np.arange(len(order), dtype=np.int32)
        self._rename(number)
        self._course.search = new_search(self._neighbours, self.system, self.world.plan.skin)

    def _rename(self, number: Any) -> None:
        """Follow particles to their new numbers, in what is kept by pairs."""

    def _per_particle(self) -> Iterator[Any]:
        """The arrays that have a row for each particle, outside blocks and lists."""
        yield from self.world.flock
        yield from (part for part in self.world.motion if isinstance(part, np.ndarray))

    def keep_log(self) -> None:
        """Refuse to keep a log: contacts that last have no moment at which they happen."""
        raise ValueError(
            f"{type(self._method).__name__} has no collisions to log; use EventDriven or "
            "TimeStepped, or leave out the CollisionLog."
        )

    def take_log(self) -> list[dict[str, Array]]:
        """Nothing was kept."""
        return []

    def _wrong_force(self) -> LawError:
        tally = self.world.tally[0]
        return LawError(
            f"force={self.system.force!r} is not finite for particle "
            f"{int(tally.first_in_trouble)} at time {self.time:.12g}."
        )

    def set_velocities(self, time: float, velocity: Array) -> None:
        """Give all particles, in the user's order, velocities (n, d) at the present step."""
        self.prepare()
        now = self._present()
        blocks.close_block(self.world)
        flock = self.world.flock
        flock.velocity[:, :3] = _three_columns(velocity)[flock.name]
        # Those of the rows in which the particles are at that time, not of where they are kept.
        crossed = self._wrap(time, *self._later(now, time))
        flock.velocity[:, :3] += self._flow(now.away + crossed - flock.away)
        self._begin(None if now.spin is None else now.spin[0])

    def _set_back(self, surface: Array | None) -> None:
        """Turn velocities of the present step into those of half a step before."""
        velocity, spinning = self.world.flock.velocity, self._angular(self.world)
        wanted, wanted_spin = velocity[:, :3].copy(), np.array(surface)
        for _ in range(SET_BACK_ROUNDS):
            now = self._tried()
            flow = self._flow(now.away - self.world.flock.away)
            velocity[:, :3] += wanted - (now.velocity + flow)
            if spinning is not None and now.spin is not None:
                spinning += wanted_spin - now.spin[0]

    # Looking

    def _flow(self, wrapped: Array) -> Array:
        """The velocities (n, 3) that particles lost when they were wrapped by these distances."""
        flow = np.zeros_like(wrapped)
        if isinstance(self.world.shear, Shear):
            flow[:, 0] = self.system.shear_rate * wrapped[:, 1]
        return flow

    def _present(self) -> Present:
        """The present step; several questions between two steps share one answer."""
        self.prepare()
        if self._seen is None:
            self._seen = self._tried()
        return self._seen

    def _copy(self) -> World:
        """A copy of everything that a step changes, but for the list and the block."""
        world = self.world
        changing = ("flock", "lattice", "shift", "planes", "rule", "sums", "tally", "searched")
        return world._replace(**{name: copied(getattr(world, name)) for name in changing})

    def _tried(self) -> Present:
        """Try a step on a copy of everything; the present lies between before and after."""
        world, n = self._copy(), len(self.world.flock.name)
        blocks.close_block(world)
        away, before = world.flock.away.copy(), world.flock.velocity[:, :3].copy()
        blocks.drop_list(world)
        plan = world.plan._replace(skin=0.0, every=1, everyone=True)
        world = with_list(world, first_pairs(n))._replace(plan=plan)
        self._leave_out_collisions(world)
        course = Course(world, new_search(self._neighbours, self.system, 0.0))
        step = int(world.tally[0].step)
        while int(world.tally[0].step) == step:
            if course.advance(step + 1, MOST, 1) == FORCE_IS_WRONG:
                raise self._wrong_force()
        flock = course.world.flock
        before -= self._flow(flock.away - away)
        after = flock.velocity[:, :3]
        turned, turns = self._angular(course.world), self._angular(self.world)
        spin = None
        if turned is not None and turns is not None:
            spin = 0.5 * (turned + turns), (turned - turns) / self.dt
        return Present(
            flock.start[:, :3].copy(),
            flock.away,
            0.5 * (before + after),
            (after - before) / self.dt,
            spin,
            course,
        )

    def _angular(self, world: World) -> Array | None:
        """The angular velocities times the radii (n, 3) half a step before, if particles spin."""
        return None

    def _leave_out_collisions(self, world: World) -> None:
        """Leave out of a trial what happens all at once; what takes time belongs to it."""

    def snapshot(self, time: float) -> tuple[Particles, Array]:
        """All particles at a time not before the present step, a copy, and the time integral of
        the sum of m v v, (3, 3)."""
        dimension, now, flock = self.system.dimension, self._present(), self.world.flock
        position, velocity = self._later(now, time)
        unwrapped, kinetic = position + now.away, self._kinetic_integral(position, velocity, time)
        # In the endless system a particle that has changed rows flies on with the flow there.
        unwrapped[:, 0] += self.system.shear_rate * now.away[:, 1] * time
        self._wrap(time, position, velocity)
        order = np.argsort(flock.name)
        angular = None
        if now.spin is not None:
            surface = now.spin[0] + self._since_step(time) * now.spin[1]
            angular = (surface / flock.record[:, 3:])[order]
            angular = angular[:, 2] if dimension == 2 else angular
        particles = Particles(
            position[order, :dimension],
            velocity[order, :dimension],
            flock.record[order, 3],
            1.0 / flock.velocity[order, 3],
            unwrapped[order, :dimension],
            angular,
        )
        return particles, kinetic

    def _since_step(self, time: float) -> float:
        """The time since the present step; none if it is rounding alone."""
        later = time - self.time
        return 0.0 if abs(later) < ROUNDING * max(self.time, self.dt) else later

    def _later(self, now: Present, time: float) -> tuple[Array, Array]:
        """Positions and velocities (n, 3) at a time before the next step."""
        later = self._since_step(time)
        position = now.position + later * (now.velocity + 0.5 * later * now.acceleration)
        return position, now.velocity + later * now.acceleration

    def _wrap(self, time: float, position: Array, velocity: Array) -> Array:
        """Bring positions (n, 3) into the box: since the last step they may have left it.

        The distances (n, 3) are to be added for where they were.
        """
        lattice, start = self.world.lattice, position.copy()
        for axis in (1, 0, 2):  # the row first: it changes x
            if not lattice.periodic[axis]:
                continue
            length = lattice.lengths[axis]
            boxes = np.floor(position[:, axis] / length)
            position[:, axis] -= boxes * length
            if axis == 1:
                jump = self.system.shear_rate * length
                position[:, 0] -= boxes * jump * time
                velocity[:, 0] -= boxes * jump
        return np.asarray(start - position)

    def _kinetic_integral(self, position: Array, velocity: Array, time: float) -> Array:
        sums, tally = self.world.sums, self.world.tally[0]
        peculiar = velocity.copy()
        if isinstance(self.system.domain, LeesEdwards):
            d = self.system.dimension
            peculiar[:, :d] -= self.system.domain.flow(position[:, :d])
        mass = 1.0 / self.world.flock.velocity[:, 3]
        now = (mass[:, None] * peculiar).T @ peculiar
        since = time - float(tally.surveyed_at) * self.dt
        return np.asarray(sums.kinetic + 0.5 * since * (sums.sample + now))

    @property
    def time(self) -> float:
        """The time of the present step."""
        return float(self.world.tally[0].step) * self.dt

    @property
    def counts(self) -> Counts:
        """How often each kind of event has happened."""
        tally, searched = self.world.tally[0], self.world.searched[0]
        return Counts(*(int(tally[name]) for name in Counts._fields))._replace(
            steps=int(tally.step),
            rebuilds=int(searched.builds),
            pair_tests=int(searched.pair_tests),
            swaps=int(searched.swaps),
            listed=int(searched.listed),
        )

    @property
    def elastic_energy(self) -> float:
        """The energy in soft contacts."""
        return 0.0

    @property
    def overlaps(self) -> tuple[float, float]:
        """The mean and the largest overlap, relative to the sum of radii."""
        raise NotImplementedError

    @property
    def dissipated(self) -> float:
        """The energy lost in contacts."""
        return float(self.world.tally[0].dissipated)

    def shear_work(self, time: float) -> float:
        """The energy that the boundary of a sheared box has put in up to the present step."""
        return float(self.world.tally[0].shear_work)

    @property
    def virial(self) -> Array:
        """The sum of impulse times separation over all contacts of pairs, (3, 3)."""
        return np.array(self.world.sums.virial)

    @property
    def wall_impulse(self) -> Array:
        """The momentum given to each wall."""
        if not self.system.planes:
            return np.zeros(0)
        return np.array(self.world.planes[:, IMPULSE])

    # Keeping

    def arrays(self) -> dict[str, Array]:
        """Everything that changes in a run, by name, for a checkpoint."""
        self.prepare()
        return dict(named_arrays(self.world, "world")) | dict(
            named_arrays(self._course.search, "search")
        )

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take over the arrays of a checkpoint."""
        world = with_arrays(self.world, "world", arrays)
        search = with_arrays(self._course.search, "search", arrays)
        self._course = Course(world, search, at_once=self._course.at_once, checks=self._neighbours)
        self._prepared = True
        self._seen = None


def named_arrays(component: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The arrays in a tuple and the tuples in it, by their path."""
    if isinstance(component, np.ndarray):
        yield name, component
    elif isinstance(component, tuple):
        fields = getattr(component, "_fields", range(len(component)))
        for field, part in zip(fields, component, strict=True):
            yield from named_arrays(part, f"{name}.{field}")


def with_arrays(component: Any, name: str, arrays: dict[str, Array]) -> Any:
    """The component with other arrays, which may be longer than its own."""
    if isinstance(component, np.ndarray):
        kept = arrays[name]
        array = in_cache_lines(kept.size, kept.dtype).reshape(kept.shape)
        array[...] = kept
        return array
    if isinstance(component, tuple):
        fields = getattr(component, "_fields", range(len(component)))
        parts = [
            with_arrays(part, f"{name}.{field}", arrays)
            for field, part in zip(fields, component, strict=True)
        ]
        return type(component)(*parts) if hasattr(component, "_fields") else tuple(parts)
    return component


def _refuse_outside(system: System) -> None:
    """Refuse particles whose centres are behind the walls of the box: nothing brings them back."""
    box_walls = system.planes[: len(system.planes) - len(system.walls)]
    for plane in box_walls:
        height = (system.particles.position - np.asarray(plane.point)) @ np.asarray(plane.normal)
        worst = int(np.argmin(height))
        if height[worst] <= 0.0:
            raise ValueError(
                f"particle {worst} at {system.particles.position[worst]} has its centre behind the "
                f"wall through {plane.point} with normal {plane.normal}. Move it into the box."
            )


def _widest_skin(system: System) -> float:
    """The widest skin for which every pair meets at an image next to the box.

    The rows of a sheared box slide: in a short one, a pair could be two boxes apart.
    """
    if system.shear_rate == 0.0 or system.sides is None:
        return math.inf
    largest = 2.0 * float(system.particles.radius.max())
    widest = 0.5 * system.sides[0] - largest
    if widest <= 0.0:
        raise ValueError(
            f"the sheared box is {system.sides[0]:g} long along x, but steps need more than two of "
            f"the largest diameters, {2.0 * largest:g}. Use a longer box, or EventDriven()."
        )
    return widest


def _strongest_pull(system: System) -> float:
    """The largest of the constant accelerations."""
    if system.acceleration is not None:
        return float(np.sqrt((system.acceleration**2).sum(axis=1)).max())
    return 0.0 if system.gravity is None else float(np.linalg.norm(system.gravity))


def _three_columns(rows: Array) -> Array:
    """Rows of three numbers; the third of a planar vector is zero."""
    full = np.zeros((len(rows), 3))
    full[:, : rows.shape[1]] = rows
    return full


def _records(n: int) -> Any:
    """Rows of four numbers, each of them one load."""
    return in_cache_lines(4 * n, np.float64).reshape(n, 4)
