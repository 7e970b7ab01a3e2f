"""The engine of the event-driven method: what Simulation asks of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from carom.collisions.rough import makes_spin
from carom.compiled.memory import in_cache_lines, rows
from carom.compiled.vectors import three_columns
from carom.detection import Naive, Stable
from carom.domains import (
    IMPULSE,
    Shear,
    compiled_planes,
    compiled_space,
    offset_of,
    time_of_turn,
    turn,
)
from carom.errors import (
    LOG_IS_FULL,
    PAUSED,
    REACHED_COLLISIONS,
    REACHED_TIME,
)
from carom.methods.constant_motion import constant_motion
from carom.methods.counts import Counts
from carom.methods.event_driven import world as parts
from carom.methods.event_driven.algorithms import Algorithm, CellsAndHeap, CollisionList, Simple
from carom.methods.event_driven.cell_size import NEVER_DUE, CellSize, most_cells_across
from carom.methods.event_driven.fast.cells_and_calendar import CellsAndCalendar
from carom.methods.event_driven.fast.cells_or_lists import automatic
from carom.methods.event_driven.fast.lists_and_calendar import ListsAndCalendar
from carom.methods.event_driven.inside import bring_inside
from carom.methods.event_driven.rest import NeverRests, RestsOnPlanes
from carom.methods.event_driven.rough_spin import Spins, new_spin
from carom.methods.event_driven.three_body import IgnoresThreeBodies, counts_three_bodies
from carom.methods.hard_start import refuse_overlap_with_walls, refuse_overlapping_pairs
from carom.methods.log import ROOM, columns_of, new_log
from carom.methods.statuses import refuse_trouble, served
from carom.motions import Accelerated, Gravity
from carom.particles import Array, Particles
from carom.system import System

if TYPE_CHECKING:
    from carom.methods.event_driven.event_driven import EventDriven

DETECTIONS = {"stable": Stable(), "naive": Naive()}
# Collisions per particle after which times are counted from a new origin. The time between two
# events is then known to 1e-14 of itself, however long the run.
COLLISIONS_PER_ORIGIN = 128
MOST_HOLDING_PLANES = 62  # one bit each


class EventDrivenEngine:
    """Runs a system; what happens is written into arrays, so that an interruption loses nothing."""

    conserves_momentum = True

    def __init__(self, system: System, method: EventDriven) -> None:
        self.system = system
        self._method = method
        self._prepared = False
        self.keeps_log = False
        self._log_columns: list[dict[str, Array]] = []
        if system.force is not None:
            raise ValueError(
                f"EventDriven cannot follow force={system.force!r}: between collisions it knows "
                "free flight and constant acceleration. Use method=carom.TimeStepped(...) or "
                "carom.SoftContacts(...)."
            )
        self._check_cells_per_side()
        self.world = self._new_world()
        self._refuse_overlaps()
        self._algorithm = self._new_algorithm()

    def _check_cells_per_side(self) -> None:
        wanted = self._method.cells_per_side
        if wanted is None or self.system.sides is None:
            return
        most = most_cells_across(self.system)
        if wanted > most:
            raise ValueError(
                f"cells_per_side={wanted} makes cells narrower than the largest particle (diameter "
                f"{2 * self.system.particles.radius.max():g}); at most {most} are possible here."
            )

    def _new_world(self) -> parts.World:
        system = self.system
        n = len(system.particles)
        space = compiled_space(system.sides, system.periodic, system.shear_rate)
        record = in_cache_lines(n, parts.RECORD)
        numbers = parts.columns(record)
        position = numbers[:, parts.POSITION]
        position[:] = three_columns(system.particles.position)
        numbers[:, parts.VELOCITY] = three_columns(system.particles.velocity)
        record.radius = system.particles.radius
        image = np.zeros((n, 3), dtype=np.int64)
        for axis in np.flatnonzero(space.periodic):
            length = space.lengths[axis]
            boxes = np.floor(position[:, axis] / length)
            position[:, axis] -= boxes * length
            image[:, axis] = boxes
        if isinstance(
            space.shear, Shear
        ):  # a particle that is given in another row of images has its velocity
            record.vx -= image[:, 1] * space.shear.jump
        ledger = in_cache_lines(n, parts.LEDGER)
        ledger.mass = system.particles.mass
        ledger.last_contact = -math.inf
        ledger.name = np.arange(n)
        tally = rows(1, parts.TALLY)
        tally.origin_due = COLLISIONS_PER_ORIGIN * n
        tally.cells_due = NEVER_DUE
        return parts.World(
            bodies=parts.Bodies(record, ledger, image),
            space=space,
            planes=compiled_planes(system.planes),
            motion=self._motion(),
            law=system.law,
            detection=DETECTIONS[self._method.detection],
            rest=self._rest(),
            spin=new_spin(system),
            watch=counts_three_bodies(n) if self._method.three_body else IgnoresThreeBodies(),
            tally=tally,
            log=new_log(),
        )

    def _motion(self) -> Any:
        motion = constant_motion(self.system)
        if self._method.resting and isinstance(motion, Gravity):
            # What holds a particle acts on it alone.
            return Accelerated(np.full((len(self.system.particles), 3), motion))
        return motion

    def _rest(self) -> Any:
        system = self.system
        if not self._method.resting:
            return NeverRests()
        if system.gravity is None or not system.planes:
            raise ValueError(
                "EventDriven(resting=True) needs gravity=... and a wall to rest on (a Box with "
                "walls, or walls=[carom.Plane(...)])."
            )
        if len(system.planes) > MOST_HOLDING_PLANES:
            raise ValueError(
                f"EventDriven(resting=True) takes at most {MOST_HOLDING_PLANES} walls, not "
                f"{len(system.planes)}."
            )
        if makes_spin(system.law):
            raise ValueError(
                f"EventDriven(resting=True) does not hold particles that spin, as under "
                f"{system.law!r}; leave one of the two out."
            )
        n = len(system.particles)
        gravity = three_columns(system.gravity[None, :])
        return RestsOnPlanes(gravity, np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64))

    def _refuse_overlaps(self) -> None:
        refuse_overlap_with_walls(self.system)
        position = np.ascontiguousarray(parts.columns(self.world.bodies.record)[:, parts.POSITION])
        cells = CellSize(self.system, None, False).cells(position)
        refuse_overlapping_pairs(self.system.particles, position, self.world.space, cells)

    def _new_algorithm(self) -> Algorithm:
        method = self._method
        if method.algorithm == "simple":
            return Simple(self.system)
        if method.algorithm == "collision_list":
            return CollisionList(self.system)
        if method.algorithm == "heap" or method.adaptive:
            return CellsAndHeap(self.system, method.cells_per_side, method.adaptive)
        if method.algorithm == "lists":
            return ListsAndCalendar(self.system)
        if method.algorithm == "auto" and method.cells_per_side is None:
            return automatic(self.system)
        return CellsAndCalendar(self.system, method.cells_per_side)

    @property
    def time(self) -> float:
        """The time of the last event."""
        return parts.time_of(self.world)

    @property
    def counts(self) -> Counts:
        """How often each kind of event has happened."""
        return parts.counts_of(self.world)

    @property
    def dissipated(self) -> float:
        """The energy lost in collisions."""
        return float(self.world.tally[0].dissipated)

    @property
    def elastic_energy(self) -> float:
        """Hard particles have none."""
        return 0.0

    @property
    def overlaps(self) -> tuple[float, float]:
        """There are no soft contacts."""
        return 0.0, 0.0

    @property
    def impact_overlaps(self) -> tuple[float, float]:
        """Particles that collide touch, up to rounding."""
        return 0.0, 0.0

    @property
    def virial(self) -> Array:
        """The sums (3, 3) of impulse_a separation_b over the pair collisions."""
        virial = parts.tensor_of(self.world, "virial")
        if isinstance(self.world.spin, Spins):
            virial += self.world.spin.virial[0]
        return virial

    def shear_work(self, time: float) -> float:
        """The energy that the boundary of a sheared box has put in up to a time."""
        shear, mass = self.world.space.shear, self.world.bodies.ledger.mass
        if not isinstance(shear, Shear):
            return 0.0
        # With lists, particles may have crossed the boundary without notice.
        position, velocity, _ = self._synchronised(time)
        faster = np.floor(position[:, 1] / shear.height) * shear.jump
        work = -faster * mass * (velocity[:, 0] - 0.5 * faster)
        return float(self.world.tally[0].shear_work + work.sum())

    @property
    def wall_impulse(self) -> Array:
        """The momentum given to each wall."""
        if not self.system.planes:
            return np.zeros(0)
        return np.array(self.world.planes[:, IMPULSE])

    def is_compiled(self) -> bool:
        """Whether the next ``advance`` starts without a compilation."""
        return self._prepared and self._algorithm.is_compiled(self.world)

    def prepare(self) -> None:
        """Find the first events, if that has not been done."""
        if not self._prepared:
            self._look_round()

    def _look_round(self) -> None:
        """Find all next events; if that is interrupted, it has to be done again."""
        self._prepared = False
        self._algorithm.prepare(self.world)
        self._prepared = True

    def advance(self, until: float, collisions: int) -> int:
        """Handle events for a fraction of a second at most; the status says why it came back."""
        self.prepare()
        tally = self.world.tally[0]
        due = int(tally.origin_due)
        first = min(collisions, due)
        end, turn = until - float(tally.origin), self._time_of_turn()
        try:
            status = self._algorithm.advance(self.world, min(end, turn), first)
        except KeyboardInterrupt:
            self._prepared = False  # it happened where cells or lists were being made
            raise
        if status == REACHED_COLLISIONS and first < collisions:
            self._move_origin()
            return PAUSED
        if status == REACHED_TIME and turn < end:
            self._turn(turn)
            return PAUSED
        refuse_trouble(status, self.system, tally, self.time, rests=self._method.resting)
        return served(status, {LOG_IS_FULL: self._drain_log})

    def _time_of_turn(self) -> float:
        """When images have slid so far that what is known of them has to be found anew."""
        shear = self.world.space.shear
        return time_of_turn(shear) if isinstance(shear, Shear) else math.inf

    def _turn(self, time: float) -> None:
        """Let the offset of the images begin anew at a time up to which nothing happens."""
        parts.move_all(self.world, time)
        boxes = turn(self.world.space.shear)
        crossed = self.world.bodies.boxes
        crossed[:, 0] += boxes * crossed[:, 1]
        self._look_round()

    def _move_origin(self) -> None:
        """Count all times from the last event on."""
        self._drain_log()
        tally = self.world.tally[0]
        self._algorithm.move_origin(self.world, float(tally.clock))
        n = len(self.world.bodies.ledger)
        tally.origin_due = tally.collisions + COLLISIONS_PER_ORIGIN * n

    def snapshot(self, time: float) -> tuple[Particles, Array]:
        """All particles at one time, a copy, and the time integrals (3, 3) of the sum of m v_a v_b.

        In a sheared box the v of the integrals are relative to the mean flow.
        """
        bodies, dimension = self.world.bodies, self.system.dimension
        position, velocity, since = self._synchronised(time)
        unwrapped = position + bodies.boxes * self.world.space.lengths
        if isinstance(self.world.space.shear, Shear):
            offset = offset_of(self.world.space.shear, self._since_origin(time))
            unwrapped[:, 0] += bodies.boxes[:, 1] * offset
        self._wrap(time, position, velocity)
        order = np.empty(len(position), dtype=np.int64)
        order[bodies.ledger.name] = np.arange(len(position))
        particles = Particles(
            position[order, :dimension],
            velocity[order, :dimension],
            bodies.record.radius[order],
            bodies.ledger.mass[order],
            unwrapped[order, :dimension],
            self._angular_velocities(order),
        )
        return particles, parts.tensor_of(self.world, "kinetic") + parts.symmetric(since)

    def _synchronised(self, time: float) -> tuple[Array, Array, Array]:
        """Positions and velocities (n, 3) at one time, and the kinetic integrals since then."""
        n = len(self.world.bodies.ledger)
        position, velocity, kinetic = np.empty((n, 3)), np.empty((n, 3)), np.zeros(6)
        parts.synchronise(self.world, self._since_origin(time), position, velocity, kinetic)
        return position, velocity, kinetic

    def _since_origin(self, time: float) -> float:
        """A time as it is counted here."""
        tally = self.world.tally[0]
        # At the last event the sum of origin and clock would only add a rounding.
        return float(tally.clock if time == self.time else time - tally.origin)

    def _wrap(self, time: float, position: Array, velocity: Array) -> None:
        """Bring positions (n, 3) into the box; on its way to a boundary a particle may be past it
        by round-off."""
        space = self.world.space
        for axis in (1, 0, 2):  # the row first: it changes x
            if not space.periodic[axis]:
                continue
            boxes = np.floor(position[:, axis] / space.lengths[axis])
            position[:, axis] -= boxes * space.lengths[axis]
            if axis == 1 and isinstance(space.shear, Shear):
                position[:, 0] -= boxes * offset_of(space.shear, self._since_origin(time))
                velocity[:, 0] -= boxes * space.shear.jump

    def _angular_velocities(self, order: Any) -> Array | None:
        """Those of all particles in this order, or None if they do not spin."""
        if not isinstance(self.world.spin, Spins):
            return None
        angular = self.world.spin.angular[order]
        return angular[:, 2] if self.system.dimension == 2 else angular

    def set_velocities(self, time: float, velocity: Array) -> None:
        """Give all particles, in the user's order, velocities (n, d) at a time not before the last
        event; their next events are looked for anew."""
        bodies = self.world.bodies
        parts.move_all(self.world, time - float(self.world.tally[0].origin))
        bring_inside(self.world)  # a velocity is that of a row of images
        new = three_columns(velocity[bodies.ledger.name])
        parts.columns(bodies.record)[:, parts.VELOCITY] = new
        bodies.ledger.stalled = 0  # contacts that piled up did so with other velocities
        self._look_round()

    def keep_log(self) -> None:
        """Keep every collision from now on, for ``take_log``."""
        self.keeps_log = True
        self.world = self.world._replace(log=new_log(ROOM))

    def take_log(self) -> list[dict[str, Array]]:
        """The columns of the collisions since the last call, and forget them."""
        self._drain_log()
        columns, self._log_columns = self._log_columns, []
        return columns

    def _drain_log(self, origin: float | None = None) -> None:
        """Keep what the log holds; its times count from the present origin, or a given one."""
        tally = self.world.tally[0]
        log = self.world.log[: int(tally.logged)]
        if len(log) == 0:
            return
        start = float(tally.origin) if origin is None else origin
        self._log_columns.append(columns_of(log, start, self.system.dimension))
        tally.logged = 0

    def arrays(self) -> dict[str, Array]:
        """Everything that changes in a run, by name, for a checkpoint."""
        self.prepare()
        named = dict(self._changing())
        for name, value in self._algorithm.arrays().items():
            named[f"algorithm.{name}"] = value
        return named

    def _changing(self) -> Iterator[tuple[str, Any]]:
        """The arrays of the world that change in a run, by name."""
        for part in ("bodies", "motion", "rest", "spin", "watch"):
            for field, value in getattr(self.world, part)._asdict().items():
                if isinstance(value, np.ndarray):
                    yield f"{part}.{field}", value
        yield "tally", self.world.tally
        if isinstance(self.world.space.shear, Shear):
            yield "shear.offset", self.world.space.shear.offset
        if self.system.planes:
            yield "planes", self.world.planes

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take over the arrays of a checkpoint."""
        for name, array in self._changing():
            array[...] = arrays[name]
        prefix = "algorithm."
        own = {
            name.removeprefix(prefix): value
            for name, value in arrays.items()
            if name.startswith(prefix)
        }
        self._algorithm.restore(self.world, own)
        self._prepared = True
