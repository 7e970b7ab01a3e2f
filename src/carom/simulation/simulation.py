"""Simulation: a system, a method, actors and observers, and how it runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.actors import Actor
from carom.actors.actor import ActorsAtWork
from carom.checks import is_number, random_numbers, several
from carom.errors import (
    NOTHING_AHEAD,
    REACHED_COLLISIONS,
    REACHED_TIME,
    CaromError,
    CheckpointError,
    NothingAhead,
)
from carom.html import simulation_card
from carom.interruption import deferred_interrupt
from carom.io.observation import spelled_observers
from carom.methods import Counts, Engine, EventDriven, Method
from carom.observers import Observer
from carom.observers.observer import refuse_shared_files
from carom.particles import Array, Particles
from carom.progress import Compilation, Progress, progress_line
from carom.simulation.averages import first_origin
from carom.simulation.changing import Change, Changing
from carom.simulation.fluid_observables import FluidObservables
from carom.simulation.keeping import Keeping
from carom.simulation.particle_observables import ParticleObservables
from carom.system import System
from carom.types import Plain

WITHOUT_LIMIT = int(np.iinfo(np.int64).max)


class Simulation(ParticleObservables, Changing, Keeping):
    """Runs a system and answers questions about it.

    ``method`` is ``EventDriven()`` when left out. ``actors`` change velocities at times of their
    own, ``observers`` look at the run at theirs, after the actors; how often anybody looks never
    changes it. Each simulation has observers of its own. ``seed`` starts the random numbers of the
    actors.
    """

    def __init__(
        self,
        system: System,
        *,
        method: Method | None = None,
        actors: Sequence[Actor] = (),
        observers: Sequence[Observer] = (),
        seed: int | np.random.SeedSequence | None = None,
    ) -> None:
        if not isinstance(system, System):
            raise TypeError(f"system must be a carom.System, not {type(system).__name__}.")
        is_class = isinstance(method, type)  # carom.EventDriven without its parentheses
        if method is not None and (is_class or not callable(getattr(method, "engine", None))):
            raise TypeError(f"method must be a method such as carom.EventDriven(), not {method!r}.")
        self.system = system
        self.method = EventDriven() if method is None else method
        self._acting = ActorsAtWork(actors)
        self._observers: tuple[Observer, ...] = ()
        self._left_out: Sequence[Plain] = ()  # observers of a checkpoint
        self._listeners: list[Callable[[dict[str, Array]], None]] = []
        self._is_running = False
        self._changes: list[Change] = []
        self.random = random_numbers("Simulation", seed)
        if self.actors:
            self._refuse_on_held_particles("actors")
        self._engine: Engine = self.method.engine(system)
        self._time = 0.0
        self._seen: tuple[tuple[float, Counts], Particles, Array] | None = None
        self._origin = first_origin(len(system.numbered_walls))
        observers = several("observers", observers)
        self._take(observers, [None] * len(observers))

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("system", "method") and name in self.__dict__:
            raise AttributeError(
                f"the {name} of a simulation stays as it is; make a new one with "
                "carom.Simulation(...)."
            )
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return (
            f"<Simulation: {self.system.particles.described} at time {self.time:g} after "
            f"{self.counts.collisions} collisions, {type(self.method).__name__}>"
        )

    def _repr_html_(self) -> str:
        return simulation_card(self)

    def _refuse_on_held_particles(self, what: str) -> None:
        if isinstance(self.method, EventDriven) and self.method.resting:
            raise ValueError(
                f"{what} cannot move particles that EventDriven(resting=True) holds on walls; "
                "leave out one of the two."
            )

    @property
    def actors(self) -> tuple[Actor, ...]:
        """What changes the velocities, in the order in which they act."""
        return self._acting.actors

    @property
    def observers(self) -> tuple[Observer, ...]:
        """What looks at the run, in the order in which they look; see ``add_observer``."""
        return self._observers

    def add_observer(self, observer: Observer) -> None:
        """Let a further observer look, from the present time on."""
        self._refuse_without_observers()
        self._hand_out_log()  # what has happened is not for it
        self._take([observer], [None])

    def _take(self, observers: Sequence[Observer], states: Sequence[Plain | None]) -> None:
        """Take observers, which begin now or go on from the states of a checkpoint.

        All is refused that can be before the first of them touches a file.
        """
        for k, observer in enumerate(observers):
            if not isinstance(observer, Observer):
                raise TypeError(
                    f"observers must be carom.Observer objects such as carom.Record(1.0, "
                    f"'energy'), not {observer!r}."
                )
            if not hasattr(observer, "_schedule"):
                raise TypeError(
                    f"{type(observer).__name__} has no schedule: its __init__ must begin with "
                    "super().__init__(every)."
                )
            if observer.is_taken or any(observer is other for other in observers[:k]):
                raise ValueError(
                    f"a simulation has this {type(observer).__name__} already; an observer looks "
                    "at one simulation, and once: make another."
                )
        refuse_shared_files([*self._observers, *observers])
        for observer, state in zip(observers, states, strict=True):
            observer.check(self, state)
        if any(one.wants_collisions for one in observers) and not self._engine.keeps_log:
            self._engine.keep_log()
        for observer, state in zip(observers, states, strict=True):
            observer.begin(self, state)
            observer.is_taken = True
        self._observers += tuple(observers)

    def _refuse_without_observers(self) -> None:
        """Refuse to go on without observers of the checkpoint that nobody has spoken of."""
        if self._left_out:
            raise CheckpointError(
                "the simulation was saved with observers, and was loaded without them to be looked "
                "at only. To go on, hand them over again: carom.load(path, observers="
                f"{spelled_observers(self._left_out)}); or leave them out for good: "
                "carom.load(path, observers=[])."
            )

    # Running

    def run(
        self,
        until: float | None = None,
        *,
        duration: float | None = None,
        collisions: int | None = None,
        progress: bool | Progress | None = None,
        after_each_piece: Callable[[], None] | None = None,
    ) -> None:
        """Run up to a time, for a duration, or for a number of collisions between particles:
        ``run(10.0)``, ``run(duration=10.0)`` or ``run(collisions=1000)``.

        ``progress=True`` draws a line with the time left; left out, it is drawn on a terminal.
        Ctrl-C stops at an event and raises ``KeyboardInterrupt``; the simulation stays usable and
        ``run`` goes on where it was. ``after_each_piece`` is called some ten times a second and
        may save, but not run, the simulation.
        """
        self._refuse_without_observers()
        end, target = self._goal(until, duration, collisions)
        with (
            self._running(),
            deferred_interrupt() as interrupt,
            progress_line(progress) as line,
        ):
            compilation = Compilation(type(self.method).__name__, line.compiling)
            # Methods with steps have to be compiled even to prepare.
            if not math.isnan(self.dt) and not self.is_compiled:
                compilation.expect()
            self._engine.prepare()
            start_time, start_count = self._time, self.counts.collisions
            while True:
                if not self.is_compiled:
                    compilation.expect()
                looks = (observer.due for observer in self._observers)
                stop = max(self._time, min(end, self._acting.due, *looks))
                reached = self._run_to(stop, target)
                compilation.done()
                line.update(self, (start_time, end), (start_count, target))
                if after_each_piece is not None:
                    after_each_piece()
                finished = reached and self._act_and_observe(end, target)
                if interrupt.requested:
                    raise KeyboardInterrupt(f"stopped at time {self.time:g}")
                if finished:
                    return

    @contextmanager
    def _running(self) -> Iterator[None]:
        if self._is_running:
            raise RuntimeError(
                "the simulation is running already: what is called while it runs (an observer, "
                "after_each_piece) may look and save, but not run it. A view in a notebook runs it "
                "until its stop()."
            )
        self._is_running = True
        try:
            yield
        finally:
            self._is_running = False

    def _goal(
        self, until: float | None, duration: float | None, collisions: int | None
    ) -> tuple[float, int]:
        given = [value for value in (until, duration, collisions) if value is not None]
        if len(given) != 1:
            raise ValueError("run needs exactly one of until=, duration= and collisions=.")
        if collisions is not None:
            is_count = is_number(collisions) and math.isfinite(collisions)
            if not (is_count and 0 <= collisions == int(collisions)):
                raise ValueError(f"collisions must be a whole number, not {collisions!r}.")
            if collisions > 0 and len(self.system.particles) == 1:
                raise NothingAhead("no collision will ever happen: there is a single particle.")
            self._refuse_stops_without_end()
            return math.inf, self.counts.collisions + int(collisions)
        if not is_number(given[0]):
            raise TypeError(f"run needs a time that is a number, not {given[0]!r}.")
        end = float(until) if until is not None else self._time + float(duration or 0.0)
        if not math.isfinite(end):
            raise ValueError(f"the run would never end: until={until!r}, duration={duration!r}.")
        if end < self._time:
            raise ValueError(f"time {end:g} has passed: the simulation is at {self._time:g}.")
        self._acting.refuse_too_many_acts(end)
        for observer in self._observers:
            observer.refuse_too_many_looks(end)
        return end, WITHOUT_LIMIT

    def _refuse_stops_without_end(self) -> None:
        """Refuse looks and acts so frequent that no collision would ever be reached."""
        if not (self._observers or self.actors):
            return
        particles = self._look()[0]
        speed = np.sqrt((particles.velocity**2).sum(axis=1))
        moving = speed > 0.0
        if moving.any():
            flight = float((particles.radius[moving] / speed[moving]).min())
            self._acting.refuse_too_many_acts_within(flight)
            for observer in self._observers:
                observer.refuse_too_many_looks_within(flight)

    def _run_to(self, stop: float, target: int) -> bool:
        """One piece of the run, a fraction of a second; whether it came to the stop or target."""
        try:
            status = self._engine.advance(stop, target)
        except (CaromError, KeyboardInterrupt):
            self._time = max(self._time, self._engine.time)
            self._hand_out_log()
            raise
        self._hand_out_log()
        if status == NOTHING_AHEAD and target < WITHOUT_LIMIT and not self.actors:
            self._time = max(self._time, self._engine.time)
            raise NothingAhead(
                f"no collision will ever happen again after time {self._time:g}, but "
                f"{target - self.counts.collisions} more were asked for. Use run(until=...)."
            )
        if status in (REACHED_TIME, NOTHING_AHEAD):
            self._time = stop
            return True
        self._time = max(self._time, self._engine.time)
        return status == REACHED_COLLISIONS

    def _act_and_observe(self, end: float, target: int) -> bool:
        """Let the actors act and the observers look that are due; whether the run is over."""
        if self._acting.due <= self._time:
            particles, flow = self._look()[0], self._flow()
            velocity = self._acting.velocities(self._time, particles, flow, self.random)
            self._engine.set_velocities(self._time, velocity)
            self._seen = None
        for observer in self._observers:
            if observer.due <= self._time:
                observer.look(self)
        return self._time >= end or self.counts.collisions >= target

    def set_velocities(self, velocity: ArrayLike) -> None:
        """Give all particles velocities (n, d), in the order given, at the present time; in methods
        with steps, at the step that it is in.

        ``work_done`` counts the kinetic energy that it takes, and averages over time begin anew.
        Angular velocities stay as they are.
        """
        self._refuse_without_observers()
        self._refuse_on_held_particles("set_velocities")
        now = self._look()[0]
        new = now.with_velocity(velocity)
        self._engine.prepare()
        self._engine.set_velocities(self._time, new.velocity)
        self._acting.work_done += new.kinetic_energy - now.kinetic_energy
        self._seen = None
        self.reset_averages()

    def _hand_out_log(self) -> None:
        if not self._engine.keeps_log:
            return
        for columns in self._engine.take_log():
            for observer in self._observers:
                if observer.wants_collisions:
                    observer.collided(columns)
            for hear in self._listeners:
                hear(columns)

    def _listen(self, hear: Callable[[dict[str, Array]], None]) -> None:
        """Tell somebody beside the observers of all collisions from now on."""
        self._hand_out_log()
        if not self._engine.keeps_log:
            self._engine.keep_log()
        self._listeners.append(hear)

    # Looking

    def view(
        self,
        *,
        until: float = math.inf,
        colour: str = "speed",
        rate: float | None = None,
        paused: bool = False,
        colours: Mapping[str, Callable[[Any], Array]] | None = None,
        arrows: bool = False,
        contacts: bool = False,
        flow: str = "none",
        plots: Sequence[str] = (),
        camera: Mapping[str, Any] | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
        browser: bool = True,
    ) -> Any:
        """Run it live in the browser: a page opens, and the run goes on as the page asks, until
        Ctrl-C or ``until``. In a notebook the page is in the cell, and the run goes on beside it
        until ``stop()`` of what is handed back.

        - ``colour``: what colours show, ``"speed"``, ``"size"``, ``"species"``,
          ``"temperature around"``, ``"collisions"`` (counted from when they are first shown),
          ``"plain"`` or one of ``colours``: names and functions of the simulation that give a
          number for each particle.
        - ``rate``: simulated time per second; left out, one that eyes can follow, and
          ``math.inf`` for as fast as possible.
        - ``paused``: wait for the page before the first collision.
        - ``arrows``: velocities; ``contacts``: soft ones, with their forces; ``flow``: the fluid's
          ``"speed"``, ``"vorticity"`` or ``"arrows"``; ``plots``: names of up to four quantities;
          ``camera``: where one looks from. The page chooses all of them, too, and its button Copy
          Python writes the call.
        - ``host``: an address other than that of this machine alone; ``port``: a wish.
          ``browser=False`` opens no page; the address is printed.

        Looking changes nothing: unless somebody changes something, the run is that of ``run``, bit
        for bit. It needs ``pip install "carom[view]"``.
        """
        show = import_module("carom.view").show  # it is a layer above
        return show(
            self,
            until=until,
            colour=colour,
            rate=rate,
            paused=paused,
            own_colours=colours,
            chosen={"arrows": arrows, "contacts": contacts, "flow": flow, "plots": list(plots)},
            camera=camera,
            host=host,
            port=port,
            browser=browser,
        )

    def _look(self) -> tuple[Particles, Array]:
        key = (self._time, self._engine.counts)
        if self._seen is None or self._seen[0] != key:
            self._seen = (key, *self._engine.snapshot(self._time))
        return self._seen[1], self._seen[2]

    @property
    def time(self) -> float:
        """The time the simulation has reached."""
        return self._time

    @property
    def fluid(self) -> FluidObservables:
        """What carries the particles in ``Laden`` and ``Coupled``: its velocities, and where
        particles act upon it its energy and works, as in ``sim.fluid.energy``."""
        if not hasattr(self._engine, "fluid"):
            raise AttributeError(
                f"{type(self.method).__name__} has no fluid; use method=carom.Laden(fluid=...)."
            )
        return FluidObservables(self)

    @property
    def is_compiled(self) -> bool:
        """Whether the next ``run`` starts without a compilation."""
        return self._engine.is_compiled()

    @property
    def dt(self) -> float:
        """The length of a step; NaN for methods that go from event to event."""
        return float(getattr(self._engine, "dt", math.nan))
