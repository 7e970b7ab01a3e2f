"""The engine of the stepped methods: what Simulation asks of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from carom.compiled.vectors import three_columns
from carom.domains import IMPULSE, LeesEdwards, Shear, sheared_otherwise
from carom.errors import NEW_NUMBERS_DUE, LawError
from carom.methods.constant_motion import constant_motion
from carom.methods.counts import Counts
from carom.methods.hard_start import refuse_coincident, refuse_shapes
from carom.methods.keeping import kept, not_kept, take_over
from carom.methods.painting import Frame, paint_steps
from carom.methods.statuses import refuse_trouble, served
from carom.methods.stepped import blocks
from carom.methods.stepped.course import Course, copied, with_list
from carom.methods.stepped.exchanging import Exchanging
from carom.methods.stepped.new_world import MOST, new_plan, new_world
from carom.methods.stepped.world import World, first_pairs
from carom.neighbours.curve import order_along_curve
from carom.neighbours.pairs.automatic import automatic
from carom.neighbours.pairs.searches import new_search
from carom.particles import LARGEST, SMALLEST, Array, Particles
from carom.system import System

# Particle-steps between two returns to Python: some ten milliseconds.
PARTICLE_STEPS = 2_000_000
# Rounds in which the velocities half a step before the start are found; each gains a factor of
# about the step times the damping, half of it where that is as strong as the step allows.
SET_BACK_ROUNDS = 4
MOST_SET_BACK_ROUNDS = 40
# A time is reached when it is reached up to rounding.
ROUNDING = 1e-12
# Steps whose times are told apart, up to that rounding.
MOST_STEPS = 1e12
MOST_CELLS = 1 << 20  # along an axis, for the order in memory


class Present(NamedTuple):
    """All particles at the present step, in the engine's order; rows of three numbers."""

    position: Array  # inside the box
    away: Array  # to add for the unwrapped position at time 0
    velocity: Array
    acceleration: Array
    spin: tuple[Array, Array] | None  # angular velocity and acceleration, times the radius
    lost: float  # the energy that contacts take from half a step before to half a step after
    course: Course  # in which it was tried what the next step does


@not_kept("_method", "_neighbours", "keeps_log", "_seen")
class SteppedEngine(Exchanging):
    """Runs a system in fixed steps; what happens is written into arrays.

    Derived classes say what happens to particles that touch, with ``_rule``.
    """

    conserves_momentum = True

    def __init__(self, system: System, method: Any, dt: float, neighbours: Any) -> None:
        if not SMALLEST <= dt <= LARGEST:
            raise ValueError(
                f"{type(method).__name__}: a step of dt={dt:g} is not between {SMALLEST:g} and "
                f"{LARGEST:g}; use other units."
            )
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
        refuse_shapes(system, type(method).__name__)
        refuse_coincident(system)
        world = new_world(system, self._rule(), new_plan(system, dt, neighbours))
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
        self._refuse_trouble(status, self.world)
        return served(status, {NEW_NUMBERS_DUE: self._renumber})

    def _steps_until(self, time: float) -> int:
        if math.isinf(time):
            return MOST
        steps = time / self.dt
        if steps > MOST_STEPS:
            raise ValueError(
                f"time {time:g} is {steps:.3g} steps of dt={self.dt:g} away, more than can be told "
                f"apart; use a dt of {time / MOST_STEPS:.3g} or more, or an earlier time."
            )
        return math.floor(steps * (1.0 + ROUNDING) + ROUNDING)

    def _renumber(self) -> None:
        """Put the particles in an order in which neighbours are near each other in memory."""
        blocks.drop_list(self.world)
        sphere = self.world.flock.sphere
        width = 2.0 * float(sphere[:, 3].max())
        cells = (sphere[:, :3] - sphere[:, :3].min(axis=0)) / width
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
        parts = (*self.world.flock, *self.world.motion)
        yield from (part for part in parts if isinstance(part, np.ndarray))

    def keep_log(self) -> None:
        """Refuse to keep a log: contacts that last have no moment at which they happen."""
        raise ValueError(
            f"{type(self._method).__name__} has no collisions to log; use EventDriven or "
            "TimeStepped, or leave out the CollisionLog."
        )

    def take_log(self) -> list[dict[str, Array]]:
        """Nothing was kept."""
        return []

    def _refuse_trouble(self, status: int, world: World) -> None:
        """Raise what a status says that a world cannot go on with."""
        refuse_trouble(status, self.system, world.tally[0], self.time, dt=self.dt)

    def set_velocities(self, time: float, velocity: Array) -> None:
        """Give all particles, in the user's order, velocities (n, d) at the present step."""
        self.prepare()
        now = self._present()
        blocks.close_block(self.world)
        flock = self.world.flock
        flock.velocity[:, :3] = three_columns(velocity)[flock.name]
        # Those of the rows in which the particles are at that time, not of where they are kept.
        crossed = self._wrap(time, *self._later(now, time))
        flock.velocity[:, :3] += self._flow(now.away + crossed - flock.away)
        self._begin(None if now.spin is None else now.spin[0])

    def change(self, time: float, system: System, method: Any) -> None:
        """Go on from the present step with another law, gravity, friction or shear rate."""
        velocity = self.snapshot(time)[0].velocity
        if system.shear_rate != self.system.shear_rate:
            self._shear_otherwise(system.shear_rate)
        self.system, self._method = system, method
        world = self.world._replace(motion=constant_motion(system))
        self._course.world = world._replace(rule=self._changed_rule(world.rule))
        self.set_velocities(time, velocity)

    def _shear_otherwise(self, shear_rate: float) -> None:
        """Let the images slide with another rate from the present step on."""
        # Whoever has left the box has got into a row with the old velocity.
        blocks.close_block(self.world)
        blocks.drop_list(self.world)
        blocks.bring_inside(self.world)
        shear = sheared_otherwise(self.world.shear, shear_rate, self.time)
        self._course.world = self.world._replace(shear=shear)
        self._seen = None

    def _changed_rule(self, rule: Any) -> Any:
        """A rule with the numbers of the system and the method that are there now."""
        raise NotImplementedError

    def _set_back(self, surface: Array | None, chosen: Any = slice(None)) -> None:
        """Turn velocities of the present step into those of half a step before, of all particles or
        of those that are chosen."""
        velocity, spinning = self.world.flock.velocity, self._angular(self.world)
        wanted, wanted_spin = velocity[:, :3].copy(), np.array(surface)
        enough = ROUNDING * np.abs(wanted).max()
        for k in range(MOST_SET_BACK_ROUNDS):
            now = self._tried()
            flow = self._flow(now.away - self.world.flock.away)
            short = (wanted - (now.velocity + flow))[chosen]
            velocity[chosen, :3] += short
            if spinning is not None and now.spin is not None:
                spinning[chosen] += (wanted_spin - now.spin[0])[chosen]
            if k + 1 >= SET_BACK_ROUNDS and np.abs(short).max(initial=0.0) <= enough:
                return

    # Looking

    def _flow(self, wrapped: Array) -> Array:
        """The velocities (n, 3) that particles lost when they were wrapped by these distances."""
        flow = np.zeros_like(wrapped)
        if isinstance(self.world.shear, Shear):
            flow[:, 0] = self.system.shear_rate * wrapped[:, 1]
        return flow

    @property
    def _before(self) -> float:
        """What the strain is beside the present rate times the time."""
        shear = self.world.shear
        return float(shear.offset[0] / shear.height) if isinstance(shear, Shear) else 0.0

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
            self._refuse_trouble(course.advance(step + 1, MOST, 1), course.world)
        flock = course.world.flock
        before -= self._flow(flock.away - away)
        after = flock.velocity[:, :3]
        turned, turns = self._angular(course.world), self._angular(self.world)
        spin = None
        if turned is not None and turns is not None:
            spin = 0.5 * (turned + turns), (turned - turns) / self.dt
        return Present(
            position=flock.start[:, :3].copy(),
            away=flock.away,
            velocity=0.5 * (before + after),
            acceleration=(after - before) / self.dt,
            spin=spin,
            lost=float(course.world.tally[0].dissipated - self.world.tally[0].dissipated),
            course=course,
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
        self._refuse_runaway(position, velocity)
        unwrapped, kinetic = position + now.away, self._kinetic_integral(position, velocity, time)
        # In the endless system a particle that has changed rows flies on with the flow there.
        unwrapped[:, 0] += self.system.shear_rate * now.away[:, 1] * time
        unwrapped[:, 0] += self._before * now.away[:, 1]
        self._wrap(time, position, velocity)
        order = np.argsort(flock.name)
        angular = None
        if now.spin is not None:
            surface = now.spin[0] + self._since_step(time) * now.spin[1]
            angular = (surface / flock.sphere[:, 3:])[order]
            angular = angular[:, 2] if dimension == 2 else angular
        particles = Particles(
            position[order, :dimension],
            velocity[order, :dimension],
            flock.sphere[order, 3],
            1.0 / flock.velocity[order, 3],
            unwrapped[order, :dimension],
            angular,
            self.system.particles.species,
            self.system.particles.species_names,
            self.system.particles.identity,
        )
        return particles, kinetic

    def paint(self, time: float, painted: Array) -> None:
        """Fill in positions and velocities (n, 6) at one time, for pictures: velocities are those
        of half a step before, so that no step has to be tried."""
        self.prepare()
        world = self.world
        changing = world.flock._replace(
            sphere=copied(world.flock.sphere), velocity=copied(world.flock.velocity)
        )
        world = world._replace(flock=changing, tally=copied(world.tally))
        blocks.close_block(world)
        lattice, jump = world.lattice, self.system.shear_rate * world.lattice.lengths[1]
        offset = jump * time + self._before * lattice.lengths[1]
        frame = Frame(lattice.lengths, lattice.periodic, float(offset), float(jump))
        flock, later = world.flock, self._since_step(time)
        paint_steps(flock.sphere, flock.velocity, flock.name, later, frame, painted)

    def _refuse_runaway(self, position: Array, velocity: Array) -> None:
        """Refuse to hand out places and velocities (n, 3) that are beyond the range of numbers."""
        within = (np.abs(position) <= LARGEST) & (np.abs(velocity) <= LARGEST)
        if within.all():
            return
        k = int(np.flatnonzero(~within.all(axis=1))[0])
        raise LawError(
            f"particle {int(self.world.flock.name[k])} is at {position[k]} with the velocity "
            f"{velocity[k]} at time {self.time:.12g}, beyond {LARGEST:g}: what acts on it drives "
            f"it faster and faster. Use a shorter step than dt={self.dt:g}, weaker forces or other "
            "units."
        )

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
                position[:, 0] -= boxes * jump * time + boxes * self._before * length
                velocity[:, 0] -= boxes * jump
        return np.asarray(start - position)

    def _kinetic_integral(self, position: Array, velocity: Array, time: float) -> Array:
        sums, tally = self.world.sums, self.world.tally[0]
        peculiar = velocity.copy()
        if isinstance(self.system.domain, LeesEdwards):
            d = self.system.dimension
            peculiar[:, :d] -= self.system.domain.flow(position[:, :d])
        mass = 1.0 / self.world.flock.velocity[:, 3]
        now = np.einsum("ia,ib->ab", mass[:, None] * peculiar, peculiar)
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
        """The mean and the largest overlap of soft contacts now, relative to the sum of radii."""
        return 0.0, 0.0

    @property
    def impact_overlaps(self) -> tuple[float, float]:
        """Those of hard particles when they collide, since the start."""
        return 0.0, 0.0

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
        """Everything that decides how the run goes on, by name, for a checkpoint."""
        self.prepare()
        return kept(self)

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take over the arrays of a checkpoint."""
        take_over(self, arrays)
        self._seen = None
