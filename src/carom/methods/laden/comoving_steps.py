"""Lines for the steps of a run; see ``lines.py``."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from carom.compiled.memory import in_cache_lines, rows
from carom.errors import NO_ROOM, PAUSED
from carom.functions import power
from carom.methods.event_driven.fast.calendar_driven import renumber
from carom.methods.event_driven.world import VELOCITY, World, columns, counts_of
from carom.methods.keeping import makes, not_kept
from carom.methods.laden import comoving
from carom.methods.laden.lines import CONTACT, LINE, STATE, Lines
from carom.methods.laden.schemes import AtEnd, Exact, WithoutTransfers
from carom.methods.laden.steps import INSIDE, LOST, Pace
from carom.system import System

# Particles in a cell, in the mean.
CROWD = 1.5
# Blocks are wider than they must be by this factor, so that they can stay when particles become
# faster, and are made anew when they are wider than they must be by the square of it.
MARGIN = 1.3
STEPS_PER_ORDER = 16
# Steps of a particle between two returns to Python: some ten milliseconds.
PARTICLE_STEPS = 100_000
LEAST_FOR_THREADS = 20_000
EXACT = Exact()


@makes(Lines, AtEnd, Exact, WithoutTransfers)
@not_kept("_is_compiled")
class ComovingSteps:
    """Steps whose contacts are found along lines, in a box that repeats along all axes."""

    def __init__(self, system: System, pace: Pace, scheme: Any = EXACT, threads: int = 1) -> None:
        self._system = system
        self._scheme = scheme
        # Below so many particles, threads take longer to start than they save.
        self._threads = threads if len(system.particles) >= LEAST_FOR_THREADS else 1
        self.pace = pace
        n = len(system.particles)
        self._contacts, self._strays = max(1024, n // 8), max(1024, n // 8)
        self._lines: Any = None
        self.order_due = 0
        self._is_compiled = False

    def forget(self) -> None:
        """Let go of the lines: they will be made anew."""
        self._lines = None

    @staticmethod
    def suits(system: System, pace: Pace) -> bool:
        """Whether a system can be run so at all."""
        return pace.pieces == 1 and all(system.periodic) and not system.planes

    def prepare(self, world: World) -> None:
        """Make room for lines that suit the velocities."""
        self._make(world, self.speed_of(world))
        self.order_due = counts_of(world).steps + STEPS_PER_ORDER

    @staticmethod
    def speed_of(world: World) -> float:
        """The highest speed of all particles."""
        velocity = columns(world.bodies.record)[:, VELOCITY]
        return math.sqrt(float((velocity**2).sum(axis=1).max()))

    def _reach(self, fastest: float) -> float:
        """How far apart in the middle of a step two may be that meet."""
        return 2.0 * float(self._system.particles.radius.max()) + self.pace.dt * fastest

    def is_possible(self, fastest: float) -> bool:
        """Whether two can meet in one image only."""
        assert self._system.sides is not None
        return 2.0 * MARGIN * self._reach(fastest) < min(self._system.sides)

    def _make(self, world: World, fastest: float) -> None:
        system, dimension = self._system, self._system.dimension
        n, sides = len(system.particles), np.asarray(system.sides)
        width = power(CROWD * system.volume / n, 1.0 / dimension)
        wanted = np.maximum(np.floor(sides / width), 1)
        blocks = np.minimum(
            np.maximum(np.floor(sides / (MARGIN * self._reach(fastest))), 1), wanted
        )
        per_block, number = np.ones(3, dtype=np.int64), np.ones(3, dtype=np.int64)
        per_block[:dimension] = np.maximum(np.round(wanted / blocks), 1)
        number[:dimension] = blocks * per_block[:dimension]
        lengths, inverse = np.zeros(3), np.zeros(3)
        lengths[:dimension], inverse[:dimension] = sides, 1.0 / sides
        across = number // per_block
        cells, all_blocks = int(number.prod()), int(across.prod())
        table = np.zeros((3, int(number.max())), dtype=np.int64)
        for axis in range(3):
            inner = np.arange(number[axis]) // per_block[axis]
            table[axis, : number[axis]] = inner * across[:axis].prod()
        self._lines = Lines(
            number=number,
            blocks=across,
            block=table,
            lengths=lengths,
            inverse=inverse,
            middle=0.5 * self.pace.dt,
            end=self.pace.dt,
            largest=float(system.particles.radius.max()),
            width=float((sides / blocks).min()),
            shortest=float(sides.min()),
            start=np.zeros(cells + 2, dtype=np.int32),
            cell=np.zeros(n, dtype=np.int32),
            line=in_cache_lines(n + self._strays, LINE),
            line_of=np.zeros(n, dtype=np.int32),
            head=np.zeros(all_blocks, dtype=np.int32),
            box=np.zeros((all_blocks, 2, 3)),
            around=np.zeros((all_blocks, 2, 3)),
            contacts=rows(self._contacts, CONTACT),
            state=rows(1, STATE),
            scheme=self._scheme,
        )
        self._lines.state.fastest = fastest
        world.tally[0].rebuilds += 1

    @property
    def is_exact(self) -> bool:
        """Whether it sees every contact."""
        return isinstance(self._scheme, Exact)

    @property
    def fastest(self) -> float:
        """The highest speed in the last step."""
        return float(self._lines.state[0].fastest)

    def advance_steps(self, world: World, until: float, collisions: int, one: bool) -> int:
        """Handle the contacts of some steps, or of one."""
        side_by_side = self._threads > 1
        few = PARTICLE_STEPS // len(self._system.particles)
        ahead = min(self.order_due - counts_of(world).steps, few)
        rounds = 1 if one or side_by_side else max(1, ahead)
        status = PAUSED
        if side_by_side and self.pace.stands[0] != INSIDE:
            status = self._look_round_in_threads(world)
        if status != NO_ROOM:
            status = comoving.advance(world, self._lines, self.pace, until, collisions, rounds)
        if status == NO_ROOM:
            self._contacts *= 2
            self._strays *= 2
            self._make(world, self.fastest)
            self.pace.stands[0] = LOST
            return PAUSED
        return int(status)

    def _look_round_in_threads(self, world: World) -> int:
        """Find the contacts of a step, each thread for a part of the lines; NO_ROOM or PAUSED.

        What is found does not depend on the number of threads.
        """
        lines = self._lines
        if not comoving.prepare_lines(world, lines):
            return NO_ROOM
        edges = np.linspace(0, len(lines.line_of), self._threads + 1).astype(int).tolist()
        parts = [self._part(world) for _ in range(self._threads)]
        with ThreadPoolExecutor(self._threads) as pool:
            jobs = [
                pool.submit(comoving.search_lines, own, part, first, last)
                for (own, part), first, last in zip(parts, edges, edges[1:], strict=False)
            ]
            for job in jobs:
                job.result()
        for own, part in parts:
            for name in ("pair_tests", "missed"):
                world.tally[name] += own.tally[name]
            if not comoving.take_over(world, lines, part):
                return NO_ROOM
        self.pace.stands[0] = INSIDE
        return PAUSED

    def _part(self, world: World) -> tuple[World, Lines]:
        """The world and the lines for a thread, with counts and contacts of its own."""
        tally, state = rows(1, world.tally.dtype), rows(1, STATE)
        tally.clock, state.fastest = world.tally.clock, self._lines.state.fastest
        contacts = rows(self._contacts, CONTACT)
        return world._replace(tally=tally), self._lines._replace(contacts=contacts, state=state)

    def put_in_order(self, world: World) -> None:
        """Between two steps: fit the blocks to the velocities, and put particles in order."""
        if counts_of(world).steps >= self.order_due:
            if self._lines.state[0].fastest > 0.0:
                renumber(world, np.array(self._lines.line.particle[: len(self._lines.line_of)]))
            self.prepare(world)

    def is_compiled(self, world: World) -> bool:
        """Whether ``advance_steps`` starts without a compilation."""
        if not self._is_compiled:
            self._is_compiled = comoving.advance.is_compiled_for(
                world, self._lines, self.pace, 0.0, 0, 0
            )
        return self._is_compiled
