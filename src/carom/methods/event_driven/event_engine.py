"""What the engines share that take particles from event to event: looking at them, and keeping."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np

from carom.collisions.laws_by_pair import compiled_law
from carom.compiled.vectors import three_columns
from carom.domains import sheared_otherwise
from carom.methods import painting
from carom.methods.counts import Counts
from carom.methods.event_driven import world as parts
from carom.methods.event_driven.inside import bring_inside
from carom.methods.event_driven.present import moment, particles_at, shear_work_at
from carom.methods.event_driven.rough_spin import Spins
from carom.methods.event_driven.successor import follow, put_sums
from carom.methods.exchange import Stays, Sums
from carom.methods.keeping import kept, not_kept, take_over
from carom.methods.log import ROOM, columns_of, new_log
from carom.particles import Array, Particles
from carom.patches.new_walls import impulses_of
from carom.system import System


class FindsEvents(Protocol):
    """What every algorithm has, whatever the engine."""

    def prepare(self, world: parts.World) -> None:
        """Find all next events anew."""

    def is_compiled(self, world: parts.World) -> bool:
        """Whether the next events are handled without a compilation."""


@not_kept("keeps_log", "_log_columns")
class EventEngine:
    """A world and the algorithm that finds its events.

    What happens is written into arrays, so that an interruption loses nothing. Derived classes say
    with ``advance`` how time goes on.
    """

    conserves_momentum = True

    def __init__(self, system: System, world: parts.World, algorithm: FindsEvents) -> None:
        self.system = system
        self.world = world
        self._algorithm = algorithm
        self._prepared = False
        self.keeps_log = False
        self._log_columns: list[dict[str, Array]] = []

    # Finding events

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

    @contextmanager
    def _looks_again_if_interrupted(self) -> Iterator[None]:
        try:
            yield
        except KeyboardInterrupt:
            self._prepared = False  # it happened where cells or lists were being made
            raise

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

    def change(self, time: float, system: System, method: Any) -> None:
        """Go on from a time, not before the last event, with another law, gravity or shear rate."""
        falls_otherwise = not np.array_equal(_pull(system), _pull(self.system))
        is_sheared_otherwise = system.shear_rate != self.system.shear_rate
        law = compiled_law(system.law, system.particles.species_names)
        flies_otherwise = falls_otherwise or is_sheared_otherwise
        if flies_otherwise:
            since = time - float(self.world.tally[0].origin)
            parts.move_all(self.world, since)
            bring_inside(self.world)
            space = self.world.space
            if is_sheared_otherwise:
                shear = sheared_otherwise(space.shear, system.shear_rate, since)
                space = space._replace(shear=shear)
            self.world = self.world._replace(motion=self._motion(system), space=space)
        self.world = self.world._replace(law=law)
        self.system = system
        if flies_otherwise:
            self._look_round()

    # Coming and going

    def moment(self, time: float) -> float:
        """When a change that is asked for at a time happens: then."""
        return time

    def exchanged(self, time: float, system: System, stays: Stays) -> Any:
        """An engine that goes on from a time, not before the last event, with other particles."""
        self._come_to(time)
        successor = self._successor(system)
        successor._begin_at(float(self.world.tally[0].origin), float(self.world.tally[0].clock))
        put_sums(successor.world, self.sums(time))
        follow(self.world, successor.world, stays)
        if self.keeps_log:
            successor.keep_log()
        return successor

    def go_on_from(self, sums: Sums, time: float) -> None:
        """Begin at a time with sums of before, where nobody was left."""
        self._begin_at(time, 0.0)
        put_sums(self.world, sums)

    def _come_to(self, time: float) -> None:
        """Bring all particles to a time and into the box; events have to be found anew."""
        parts.move_all(self.world, time - float(self.world.tally[0].origin))
        bring_inside(self.world)
        self._prepared = False

    def _successor(self, system: System) -> EventEngine:
        """A new engine of the same kind."""
        raise NotImplementedError

    def _begin_at(self, origin: float, clock: float) -> None:
        """Let all particles be at a time, counted from an origin."""
        tally = self.world.tally[0]
        tally.origin, tally.clock = origin, clock
        self.world.bodies.record.time = clock

    def sums(self, time: float) -> Sums:
        """What has been summed up to a time."""
        return Sums(
            self.counts,
            self.dissipated,
            self.virial,
            self.snapshot(time)[1],
            self.wall_impulse,
            self.shear_work(time),
        )

    def _motion(self, system: System) -> Any:
        """How particles move between their events."""
        raise NotImplementedError

    # Looking

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

    @property
    def wall_impulse(self) -> Array:
        """The momentum given to each wall."""
        return impulses_of(self.world.planes)

    def shear_work(self, time: float) -> float:
        """The energy that the boundary of a sheared box has put in up to a time."""
        return shear_work_at(self.world, time)

    def snapshot(self, time: float) -> tuple[Particles, Array]:
        """All particles at one time, a copy, and the time integrals (3, 3) of the sum of m v_a v_b.

        In a sheared box the v of the integrals are relative to the mean flow.
        """
        return particles_at(self.world, time, self.system)

    def paint(self, time: float, painted: Array) -> None:
        """Fill in positions and velocities (n, 6) at one time, for pictures."""
        painting.paint_events(self.world, *moment(self.world, time), painted)

    # Keeping

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
        """Everything that decides how the run goes on, by name, for a checkpoint."""
        self.prepare()
        return kept(self)

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take over the arrays of a checkpoint."""
        take_over(self, arrays)


def _pull(system: System) -> Array:
    """Gravity (d,), zero where there is none."""
    return np.zeros(system.dimension) if system.gravity is None else system.gravity
