"""Time-stepped hard particles: positions advance in fixed steps, and overlapping pairs collide."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from carom.checks import check_one_of, is_one_of, is_positive
from carom.collisions.laws_by_pair import compiled_law
from carom.collisions.rough import makes_spin
from carom.domains import LeesEdwards
from carom.errors import CaromWarning
from carom.methods.exchange import Stays
from carom.methods.hard_start import refuse_overlap_with_walls
from carom.methods.log import ROOM, columns_of, new_log
from carom.methods.stepped import blocks
from carom.methods.stepped.course import fitted_rule
from carom.methods.stepped.engine import Present, SteppedEngine
from carom.methods.stepped.hard import Backtrack, HardRule, Sequence
from carom.methods.stepped.surface_spin import NeverSpins, Spins, new_spins
from carom.methods.stepped.world import World
from carom.motions import Free
from carom.neighbours.pairs.pair_list import PairList
from carom.particles import Array, Particles
from carom.representation import shown_as_call
from carom.system import System

SIMULTANEOUS = ("sequence", "backtrack")
# With dt="auto" a particle of the mean speed moves this part of the mean diameter in a step.
PART_OF_DIAMETER = 0.01
# A step in which it moves more than this part misses most collisions.
LONG_STEP = 0.25
NEXT_TO_NOTHING = 1e-6


@shown_as_call
@dataclass(frozen=True)
class TimeStepped:
    """Hard particles in fixed steps: leapfrog, and pairs that overlap and approach collide.

    - ``dt``: the step; with ``"auto"`` a particle of the root-mean-square speed at the start moves
      one hundredth of the mean diameter.
    - ``simultaneous``: several contacts in a step happen in ``"sequence"``, or with ``"backtrack"``
      the step is cut at each contact, the earliest first.
    - ``neighbours``: a neighbour method, or ``"auto"``.
    """

    dt: float | str = "auto"
    simultaneous: str = "sequence"
    neighbours: Any = "auto"

    def __post_init__(self) -> None:
        check_one_of("TimeStepped: simultaneous", self.simultaneous, SIMULTANEOUS)
        if not (is_one_of(self.dt, ("auto",)) or is_positive(self.dt)):
            raise ValueError(f"TimeStepped: dt={self.dt!r} must be a positive number or 'auto'.")

    def settled(self, system: System) -> TimeStepped:
        """The same method with the step that it chooses for a system."""
        return replace(self, dt=self.step(system))

    def engine(self, system: System) -> TimeSteppedEngine:
        """The engine that runs a system with this method."""
        return TimeSteppedEngine(system, self)

    def step(self, system: System) -> float:
        """The step for a system."""
        if self.dt != "auto":
            return float(self.dt)
        speed, diameter = _mean_speed(system.particles.velocity), _mean_diameter(system)
        if speed == 0.0:
            raise ValueError(
                "TimeStepped: dt='auto' follows from the speed of the particles, but none moves; "
                "give dt=..."
            )
        return PART_OF_DIAMETER * diameter / speed


def _mean_speed(velocity: Array) -> float:
    """The root-mean-square speed."""
    return math.sqrt(float((velocity**2).sum(axis=1).mean()))


def _mean_diameter(system: System) -> float:
    return 2.0 * float(system.particles.radius.mean())


@fitted_rule.register
def _(rule: HardRule, pairs: PairList, more_contacts: bool) -> HardRule:
    if not more_contacts or len(rule.log) == 0:
        return rule
    log = new_log(2 * len(rule.log))
    log[: len(rule.log)] = rule.log
    return rule._replace(log=log)


class TimeSteppedEngine(SteppedEngine):
    """Runs a system of hard particles in fixed steps."""

    _method: TimeStepped

    def __init__(self, system: System, method: TimeStepped) -> None:
        refuse_overlap_with_walls(system)
        super().__init__(system, method, method.step(system), method.neighbours)
        self._alarming = math.inf  # a speed at which the step is looked at
        self._look_for_a_long_step(system.particles, stacklevel=5)

    def _look_for_a_long_step(self, particles: Particles, stacklevel: int) -> None:
        """Warn once of particles so fast that they fly past each other within a step."""
        velocity = particles.velocity
        if isinstance(self.system.domain, LeesEdwards):
            velocity = velocity - self.system.domain.flow(particles.position)
        speed, diameter = _mean_speed(velocity), _mean_diameter(self.system)
        if self.dt * speed <= LONG_STEP * diameter:
            # The mean is not above the fastest; not again before that is much faster than now.
            fastest = math.sqrt(float((velocity**2).sum(axis=1).max()))
            self._alarming = max(LONG_STEP * diameter / self.dt, 1.5 * fastest)
            return
        self._alarming = math.inf
        warnings.warn(
            f"TimeStepped: in a step of dt={self.dt:g} a particle of the mean speed {speed:.3g} "
            f"flies {self.dt * speed / diameter:.2g} mean diameters: collisions are missed. "
            f"dt={PART_OF_DIAMETER * diameter / speed:.2g} would do.",
            CaromWarning,
            stacklevel=stacklevel,
        )

    def exchanged(self, time: float, system: System, stays: Stays) -> Any:
        """An engine that goes on from the present step with other particles."""
        successor = super().exchanged(time, system, stays)
        successor._alarming = self._alarming
        return successor

    def _rule(self) -> HardRule:
        n, law = len(self.system.particles), self.system.law
        names = self.system.particles.species_names
        backtracks = self._method.simultaneous == "backtrack"
        return HardRule(
            compiled_law(law, names),
            Backtrack(np.zeros(n)) if backtracks else Sequence(),
            new_spins(self.system) if makes_spin(law) else NeverSpins(),
            np.full(n, -math.inf),
            np.full(n, -1, dtype=np.int64),
            new_log(),
        )

    def _changed_rule(self, rule: HardRule) -> HardRule:
        names = self.system.particles.species_names
        return rule._replace(law=compiled_law(self.system.law, names))

    def _per_particle(self) -> Iterator[Any]:
        yield from super()._per_particle()
        rule = self.world.rule
        yield rule.last_contact
        yield rule.last_step
        if isinstance(rule.spin, Spins):
            yield rule.spin.surface

    def _tried(self) -> Present:
        """Without forces between collisions, velocities are those of the present as they are."""
        if self.system.force is not None or not isinstance(self.world.motion, Free):
            return super()._tried()
        world = self._copy()
        blocks.close_block(world)
        flock, surface = world.flock, self._angular(world)
        still = np.zeros((len(flock.name), 3))
        return Present(
            position=flock.sphere[:, :3].copy(),
            away=flock.away,
            velocity=flock.velocity[:, :3].copy(),
            acceleration=still,
            spin=None if surface is None else (surface.copy(), still),
            lost=0.0,
            course=self._course,
        )

    def _leave_out_collisions(self, world: World) -> None:
        """Points never touch; cells as wide as particles need them to be of some size."""
        world.flock.sphere[:, 3] *= NEXT_TO_NOTHING

    def _angular(self, world: World) -> Array | None:
        spin = world.rule.spin
        return spin.surface[:, :3] if isinstance(spin, Spins) else None

    def advance(self, until: float, collisions: int) -> int:
        """Take steps for a fraction of a second at most; the status says why it came back."""
        status = super().advance(until, collisions)
        # What falls gets faster than it was at the start.
        if float(self.world.tally[0].fastest) > self._alarming:
            self._look_for_a_long_step(self.snapshot(self.time)[0], stacklevel=6)
        return status

    def keep_log(self) -> None:
        """Keep every collision from now on, for ``take_log``."""
        self.keeps_log = True
        rule = self.world.rule._replace(log=new_log(ROOM))
        self._course.world = self.world._replace(rule=rule)

    def take_log(self) -> list[dict[str, Array]]:
        """The columns of the collisions since the last call, and forget them."""
        tally = self.world.tally[0]
        log = self.world.rule.log[: int(tally.logged)]
        tally.logged = 0
        return [columns_of(log, 0.0, self.system.dimension)] if len(log) else []

    @property
    def impact_overlaps(self) -> tuple[float, float]:
        """The mean and the largest overlap of colliding pairs, relative to the sum of radii."""
        tally = self.world.tally[0]
        mean = float(tally.overlap_sum / tally.collisions) if tally.collisions else 0.0
        return mean, float(tally.largest_overlap)
