"""A simulation that runs and is shown, by orders from its pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from carom.domains import LeesEdwards
from carom.errors import CaromError
from carom.methods.painting import PAINTED
from carom.observers.quantities import known_numbers, quantity, refuse_where_undefined
from carom.plotting.flow import FlowView, sampled_flow
from carom.plotting.looks import Look
from carom.types import Array, Plain
from carom.view import colours, flow_grid
from carom.view.choices import Choices
from carom.view.colours import Painted
from carom.view.contacts import contacts_message
from carom.view.counted import CollisionCounts, can_be_counted
from carom.view.filming import KINDS, Filming
from carom.view.messages import FRAME, FRAME_AND_VELOCITIES, STILL, packed, told
from carom.view.pace import UNSEEN, Pace
from carom.view.scene import corners, described_scene
from carom.view.speed_distribution import speed_distribution
from carom.view.spelled import checked_camera, spelled_view
from carom.view.stage import Message, Stage

FACTS_PER_SECOND = 10.0
PLOTS_PER_SECOND = 5.0
PLOTTING = 0.05  # the share of the time that numbers for plots may take
LONGEST_WAIT = 2.0  # between two points of a plot, in seconds; the first one has to be compiled
FILMED = (colours.SPEED, colours.SPECIES, colours.PLAIN)  # colours that a film knows by name


class LiveStage(Stage):
    """Runs a simulation, piece by piece, and shows it in between."""

    def __init__(
        self,
        simulation: Any,
        until: float,
        colour: str,
        rate: float,
        own: Mapping[str, Callable[[Any], Array]],
        camera: Plain | None = None,
    ) -> None:
        super().__init__()
        self._simulation = simulation
        self._until, self._begun = until, simulation.time
        self._own = dict(own)
        self._single = ""  # one collision or step, if asked for
        self._facts_at = self._plots_at = -math.inf
        self._plots_cost = 0.0
        self._rate_seen = (perf_counter(), simulation.time, simulation.counts.collisions)
        self._counted: CollisionCounts | None = None
        self._filming: Filming | None = None
        n = len(simulation.system.particles)
        self._rows = np.zeros((n, PAINTED), dtype=np.float32)
        self._frame_rows = np.zeros((n, 4), dtype=np.float32)
        start = simulation.system.particles
        self._radius, self._mass, self._species = start.radius, start.mass, start.species
        self.choices = Choices(self._offered(), n, colour)
        self._pace = Pace(_first_piece(simulation))
        self.choices.rate = rate
        self._scene = described_scene(simulation, self.choices.offered) | {"camera": camera}

    def _offered(self) -> Plain:
        """What a page can choose among."""
        simulation, system = self._simulation, self._simulation.system
        shown = [colours.SPEED, colours.SIZE]
        if len(system.particles.species_names) > 1:
            shown.append(colours.SPECIES)
        shown.append(colours.TEMPERATURE)
        if can_be_counted(simulation):
            shown.append(colours.COLLISIONS)
        has_flow = hasattr(simulation._engine, "fluid") and system.sides is not None
        in_steps = not math.isnan(simulation.dt)
        return {
            "colours": [*shown, *self._own, colours.PLAIN],
            "flows": list(flow_grid.SHOWN if has_flow else flow_grid.SHOWN[:1]),
            "contacts": hasattr(simulation.method, "stiffness"),
            "steps": ["step"] if in_steps else ["collision"],
            "per_frame": can_be_counted(simulation),
            "plots": self._plottable(),
            "films": list(KINDS),
        }

    def _plottable(self) -> list[str]:
        """The numbers that this simulation has."""
        found = []
        for name in known_numbers():
            try:
                refuse_where_undefined({name: quantity("view", name)}, self._simulation)
            except ValueError:
                continue
            if name not in ("time", "dt"):
                found.append(name)
        return found

    # Orders

    def greeting(self) -> list[Message]:
        """The scene, and what does not change: radii and species."""
        still = np.stack([self._radius, self._species.astype(np.float64)], axis=1)
        return [
            told("scene", **self._scene),
            packed(STILL, len(still), 0, 0.0, 0.0, still),
        ]

    def _orders(self) -> dict[str, Callable[[Any], str]]:
        own = {
            "step": self._step_once,
            "save": self._save,
            "change": self._change,
            "film": self._film,
            "python": self._spell,
        }
        return super()._orders() | self.choices.orders() | own

    def order(self, name: str, value: Any) -> str:
        """Carry out one of the orders, and say why not if so."""
        if name == "plots":
            self._plots_at = -math.inf
        return super().order(name, value)

    def _step_once(self, value: Any) -> str:
        if value not in self.choices.offered["steps"]:
            return "A step is a collision, or in methods with steps a step."
        self.paused, self._single = True, value
        return ""

    def _change(self, value: Any) -> str:
        if not (isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)):
            return "A change is a name and a value."
        name, wanted = value
        if name not in self._simulation.changeable:
            return f"{name[:40]!r} cannot be changed in this run."
        return self._later(lambda: self._make_change(name, wanted))

    def _make_change(self, name: str, value: Any) -> None:
        try:
            self._simulation.change(name, value)
        except (CaromError, ValueError, TypeError) as error:
            self._tell(f"{name} stays as it is: {error}")

    def _save(self, value: Any) -> str:
        return self._later(self._save_checkpoint)

    def _save_checkpoint(self) -> None:
        path = Path(f"view-t{self._simulation.time:.6g}.carom")
        try:
            self._simulation.save(path)
            self._tell(f"Saved as {path.resolve()}; carom.load reads it.")
        except (CaromError, OSError, ValueError) as error:
            self._tell(f"Not saved: {error}")

    def _film(self, value: Any) -> str:
        if value is None:
            return self._later(self._end_film)
        if value not in KINDS:
            return f"A film is one of {', '.join(KINDS)}."
        if self._filming is None:
            name = f"view-t{self._simulation.time:.6g}"
            self._filming = Filming(value, name, self._tell)
        return ""

    def _end_film(self) -> None:
        """Let the film be written that is being taken, if one is."""
        filming, self._filming = self._filming, None
        if filming is not None:
            colour = self.choices.colour
            self.writer = filming.write(colour if colour in FILMED else colours.SPEED)

    def _spell(self, value: Any) -> str:
        refusal = checked_camera(value) if value is not None else ""
        return refusal or self._later(lambda: self._tell_python(value))

    def _tell_python(self, camera: Any) -> None:
        text = spelled_view(self._simulation, self.choices, self._begun, camera)
        self._python = (self._python[0] + 1, text)

    # Running

    def play(self) -> None:
        """Run and show until the end that was given, the end of the show or Ctrl-C."""
        try:
            while not self._ended:
                self._run_errands()
                if self._simulation.time >= self._until and not self.paused:
                    self.paused = True
                    self._tell(f"The end of the run, t = {self._until:g}.")
                if self.paused and not self._single:
                    self._rest()
                    continue
                # Taken before it is obeyed: an order that comes meanwhile is for the next turn.
                single, self._single = self._single, ""
                counted = self.choices.per_frame > 0
                if counted and not single and not self.seen:
                    self._wake.wait(UNSEEN)  # a frame is one that a page has asked for
                    self._wake.clear()
                self._go_on(single)
                self._show(at_once=bool(single) or counted)
                if not single:
                    self._pace.wait(self.choices.rate)
        finally:
            self._end_film()

    def _go_on(self, single: str) -> None:
        """Run up to the next frame; what stops the run is told, and pauses it."""
        simulation, before = self._simulation, self._simulation.time
        per_frame = self.choices.per_frame
        try:
            if single == "collision":
                simulation.run(collisions=1, progress=False)
            elif single == "step":
                simulation.run(duration=simulation.dt, progress=False)
            elif per_frame:
                self._pace.begin(seen=self.seen)
                simulation.run(collisions=per_frame, progress=False)
            else:
                self._pace.begin(seen=self.seen)
                end = min(before + self._pace.piece(self.choices.rate), self._until)
                simulation.run(end, progress=False)
                self._pace.learn(simulation.time - before)
            self.frame += 1
        except Exception as error:  # laws and observers of the user's may raise anything
            self.error, self.paused = error, True
            kind = "" if isinstance(error, CaromError) else f"{type(error).__name__}: "
            self._tell(f"{kind}{error}")

    # Showing

    def _painted(self) -> Painted:
        self._simulation.paint(self._rows)
        dimension = self._simulation.system.dimension
        return Painted(self._rows, self._mass, self._radius, self._species, dimension)

    def _messages(self) -> list[Message]:
        simulation, choices, painted = self._simulation, self.choices, self._painted()
        values, top = self._values(painted)
        colours.with_values(painted.rows, values, self._frame_rows)
        columns = [self._frame_rows]
        if choices.arrows:
            columns.append(np.ascontiguousarray(painted.rows[:, 3:]))
        kind = FRAME_AND_VELOCITIES if choices.arrows else FRAME
        n, time = len(painted.rows), simulation.time
        messages: list[Message] = [packed(kind, n, self.frame, time, top, *columns)]
        if choices.contacts:
            messages.append(contacts_message(painted, simulation.system, time, self.frame))
        if choices.flow != flow_grid.NONE:
            message = flow_grid.flow_message(simulation, choices.flow, choices.plane, self.frame)
            messages.append(message)
        now = perf_counter()
        if now - self._facts_at > 1.0 / FACTS_PER_SECOND or self.paused:
            self._facts_at = now
            messages.append(told("facts", **self._present_facts(painted)))
        if self._filming is not None:
            self._filming.take(self._look)
            if self._filming.is_full:
                self._end_film()
        return messages

    def _look(self) -> Look:
        """What a film keeps of the present."""
        simulation, flow = self._simulation, None
        if self.choices.flow != flow_grid.NONE:
            flow = sampled_flow(FlowView(), simulation)
        return Look(simulation.system, simulation.time, simulation.particles, flow)

    def _values(self, painted: Painted) -> tuple[Array, float]:
        """What the colours show, and the top of their scale."""
        colour = self.choices.colour
        if colour == colours.COLLISIONS:
            if self._counted is None:
                self._counted = CollisionCounts(self._simulation)
            return self._counted.counts, colours.top_of(self._counted.counts)
        if colour in self._own:
            values = self._own_values(self._own[colour])
            return values, colours.top_of(values)
        names = self._simulation.system.particles.species_names
        return colours.values_of(colour, painted, len(names))

    def _own_values(self, function: Callable[[Any], Array]) -> Array:
        n = len(self._radius)
        try:
            values = np.asarray(function(self._simulation), dtype=np.float64)
            if values.shape == (n,) and np.isfinite(values).all():
                return values
            why = f"it gave {values.shape} and not one finite number for each particle"
        except Exception as error:  # a function of the user's may raise anything
            why = f"{type(error).__name__}: {error}"
        self._tell(f"The colour {self.choices.colour!r} cannot be shown: {why}.")
        self.choices.colour = colours.SPEED
        return np.zeros(n)

    def _present_facts(self, painted: Painted) -> dict[str, Any]:
        """Numbers beside the picture, and what is chosen."""
        simulation, domain = self._simulation, self._simulation.system.domain
        flow = None
        if isinstance(domain, LeesEdwards):
            flow = domain.flow(painted.rows[:, : painted.dimension])
        temperature, density = speed_distribution(painted, flow)
        now, counts = perf_counter(), simulation.counts
        then, time_then, collisions_then = self._rate_seen
        seconds = max(now - then, 1e-9)
        if seconds > 1.0:
            self._rate_seen = (now, simulation.time, counts.collisions)
        return {
            "time": simulation.time,
            "collisions": counts.collisions,
            "steps": counts.steps,
            "temperature": temperature,
            "distribution": density,
            "rate_reached": (simulation.time - time_then) / seconds,
            "collisions_per_second": (counts.collisions - collisions_then) / seconds,
            "offset": simulation.system.offset(simulation.time),
            "picked": self._picked_facts(painted),
            "plots": self._plotted(now),
            "notice": self._notice,
            "python": self._python,
            "filming": self._filming is not None,
            "changeable": simulation.changeable,
            "settings": self.choices.told() | {"paused": self.paused},
        }

    def _picked_facts(self, painted: Painted) -> Plain | None:
        names = self._simulation.system.particles.species_names
        told = colours.described_particle(painted, self.choices.picked, names)
        if told is not None and self._counted is not None:
            told["collisions"] = int(self._counted.counts[told["number"]])
        return told

    def _plotted(self, now: float) -> dict[str, float] | None:
        """The numbers of the plots; they may need all particles in full, so not too often."""
        wait = max(1.0 / PLOTS_PER_SECOND, min(self._plots_cost / PLOTTING, LONGEST_WAIT))
        names = self.choices.plots
        if not names or now - self._plots_at < wait:
            return None
        self._plots_at = now
        try:
            values = {name: float(quantity("view", name)(self._simulation)) for name in names}
        except (CaromError, ValueError, ArithmeticError) as error:
            self._tell(f"Nothing to plot: {error}")
            values = {}
        self._plots_cost = perf_counter() - now
        return values


def watchable_rate(simulation: Any) -> float:
    """Simulated time per second at which eyes can follow: the mean speed crosses a sixth of what is
    seen in a second. Where nothing moves yet, gravity may; else it is 1."""
    system, particles = simulation.system, simulation.system.particles
    lower, upper = corners(system, particles.position, particles.radius)
    across = float(np.min(np.subtract(upper, lower)))
    speed = float(np.sqrt((particles.velocity**2).sum(axis=1)).mean())
    if system.gravity is not None:
        speed = max(speed, math.sqrt(float(np.abs(system.gravity).max()) * across))
    return across / (6.0 * speed) if speed > 0.0 else 1.0


def _first_piece(simulation: Any) -> float:
    """A simulated time in which little happens, to begin with."""
    if not math.isnan(simulation.dt):
        return float(simulation.dt)
    particles = simulation.system.particles
    speed = float(np.sqrt((particles.velocity**2).sum(axis=1)).max())
    return 0.1 * float(particles.radius.min()) / speed if speed > 0.0 else 1e-3
