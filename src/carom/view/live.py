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
from carom.particles import SMALLEST
from carom.types import Array
from carom.view import colours, flow_grid
from carom.view.colours import Painted
from carom.view.contacts import contacts_message
from carom.view.messages import FRAME, FRAME_AND_VELOCITIES, STILL, packed, told
from carom.view.pace import Pace
from carom.view.scene import corners, described_scene
from carom.view.speed_distribution import speed_distribution
from carom.view.stage import Message, Stage, wrong_rate

FACTS_PER_SECOND = 10.0
PLOTS_PER_SECOND = 5.0
PLOTTING = 0.05  # the share of the time that numbers for plots may take
MOST_PLOTS = 4
MOST_PER_FRAME = 10**9


class LiveStage(Stage):
    """Runs a simulation, piece by piece, and shows it in between."""

    def __init__(
        self,
        simulation: Any,
        until: float,
        colour: str,
        rate: float,
        own: Mapping[str, Callable[[Any], Array]],
    ) -> None:
        super().__init__()
        self._simulation = simulation
        self._until = until
        self._own = dict(own)
        self._colour = colour
        self._pace = Pace(rate, _first_piece(simulation))
        self._per_frame = 0  # collisions a frame; 0: by time
        self._single = ""  # one collision or step, if asked for
        self._arrows = False
        self._contacts = False
        self._flow = flow_grid.NONE
        self._plots: list[str] = []
        self._picked: int | None = None
        self._notice = ""
        self._facts: dict[str, Any] = {}
        self._facts_at = self._plots_at = -math.inf
        self._plots_cost = 0.0
        self._rate_seen = (perf_counter(), simulation.time, simulation.counts.collisions)
        self.error: CaromError | None = None
        self._there: Any = None
        self._see_who_is_there()
        self._hits: Array | None = None
        self._scene = described_scene(simulation, self._offered())

    def _see_who_is_there(self) -> None:
        """Make room for all particles; they are others only where some come and go."""
        there = self._simulation.system.particles
        if there is self._there:
            return
        self._there, n = there, len(there)
        self._rows = np.zeros((n, PAINTED), dtype=np.float32)
        self._frame_rows = np.zeros((n, 4), dtype=np.float32)
        self._radius, self._mass, self._species = there.radius, there.mass, there.species

    def _offered(self) -> dict[str, Any]:
        """What a page can choose among."""
        simulation, system = self._simulation, self._simulation.system
        shown = [colours.SPEED, colours.SIZE]
        if len(system.particles.species_names) > 1:
            shown.append(colours.SPECIES)
        shown += [colours.TEMPERATURE, *self._own, colours.PLAIN]
        flows = [flow_grid.NONE]
        if hasattr(simulation._engine, "fluid") and system.sides is not None:
            plane = [flow_grid.VORTICITY, flow_grid.SPEED] if system.dimension == 2 else []
            flows += [*plane, flow_grid.ARROWS]
        return {
            "colours": shown,
            "flows": flows,
            "contacts": hasattr(simulation.method, "stiffness"),
            "steps": ["collision"] if math.isnan(simulation.dt) else ["step"],
            "plots": self._plottable(),
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
        return [told("scene", **self._scene), self._still()]

    def _still(self) -> Message:
        still = np.stack([self._radius, self._species.astype(np.float64)], axis=1)
        return packed(STILL, len(still), 0, 0.0, 0.0, still)

    def _orders(self) -> dict[str, Callable[[Any], str]]:
        return super()._orders() | {
            "step": self._step_once,
            "rate": self._set_rate,
            "per_frame": self._set_per_frame,
            "colour": self._set_colour,
            "arrows": self._set_arrows,
            "contacts": self._set_contacts,
            "flow": self._set_flow,
            "plots": self._set_plots,
            "pick": self._pick,
            "save": self._save,
            "change": self._change,
        }

    def _step_once(self, value: Any) -> str:
        if value not in self._scene["offered"]["steps"]:
            return "A step is a collision, or in methods with steps a step."
        self.paused, self._single = True, value
        return ""

    def _set_rate(self, value: Any) -> str:
        if value is not None and wrong_rate(value):
            return wrong_rate(value)
        self._pace.rate, self._per_frame = math.inf if value is None else float(value), 0
        return ""

    def _set_per_frame(self, value: Any) -> str:
        if not (isinstance(value, int) and 0 < value <= MOST_PER_FRAME):
            return "Collisions a frame are a positive whole number."
        self._per_frame = value
        return ""

    def _set_colour(self, value: Any) -> str:
        if value not in self._scene["offered"]["colours"]:
            return f"There is no colour {str(value)[:40]!r}."
        self._colour = value
        return ""

    def _set_arrows(self, value: Any) -> str:
        self._arrows = value is True
        return ""

    def _set_contacts(self, value: Any) -> str:
        self._contacts = value is True and self._scene["offered"]["contacts"]
        return ""

    def _set_flow(self, value: Any) -> str:
        if value not in self._scene["offered"]["flows"]:
            return f"There is no flow {str(value)[:40]!r}."
        self._flow = value
        return ""

    def _set_plots(self, value: Any) -> str:
        known = self._scene["offered"]["plots"]
        if not (isinstance(value, list) and len(value) <= MOST_PLOTS):
            return f"At most {MOST_PLOTS} plots are shown."
        if any(name not in known for name in value):
            return "There is no such quantity to plot."
        self._plots, self._plots_at = value, -math.inf
        return ""

    def _pick(self, value: Any) -> str:
        n = len(self._radius)
        if value is not None and not (type(value) is int and 0 <= value < n):
            return f"Particles are numbered from 0 to {n - 1}."
        # Its identity stays with it, its row may not.
        self._picked = None if value is None else int(self._there.identity[value])
        self._facts_at = -math.inf
        return ""

    def _change(self, value: Any) -> str:
        if not (isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)):
            return "A change is a name and a value."
        name, wanted = value
        if name not in self._simulation.changeable:
            return f"{name[:40]!r} cannot be changed in this run."
        self._errands.append(lambda: self._make_change(name, wanted))
        return ""

    def _make_change(self, name: str, value: Any) -> None:
        try:
            self._simulation.change(name, value)
        except (ValueError, TypeError) as error:
            self._tell(str(error))

    def _save(self, value: Any) -> str:
        self._errands.append(self._save_checkpoint)
        return ""

    def _save_checkpoint(self) -> None:
        path = Path(f"view-t{self._simulation.time:.6g}.carom")
        try:
            self._simulation.save(path)
            self._tell(f"Saved as {path.resolve()}; carom.load reads it.")
        except (CaromError, OSError) as error:
            self._tell(f"Not saved: {error}")

    def _tell(self, notice: str) -> None:
        self._notice, self._facts_at = notice, -math.inf

    # Running

    def play(self) -> None:
        """Run and show until the end that was given, the end of the show or Ctrl-C."""
        while not self._ended:
            self._run_errands()
            if self._simulation.time >= self._until and not self.paused:
                self.paused = True
                self._tell(f"The end of the run, t = {self._until:g}.")
            if self.paused and not self._single:
                self._rest()
                continue
            # Taken before it is obeyed: an order that comes meanwhile is one for the next turn.
            single, self._single = self._single, ""
            self._go_on(single)
            self._show(at_once=bool(single))
            self._pace.wait()

    def _go_on(self, single: str) -> None:
        """Run up to the next frame; what stops the run is told, and pauses it."""
        simulation, before = self._simulation, self._simulation.time
        try:
            if single == "collision":
                simulation.run(collisions=1, progress=False)
            elif single == "step":
                simulation.run(duration=simulation.dt, progress=False)
            elif self._per_frame:
                simulation.run(collisions=self._per_frame, progress=False)
                self._pace.learn(0.0)
            else:
                piece = self._pace.piece(seen=self.seen)
                simulation.run(min(before + piece, self._until), progress=False)
                self._pace.learn(simulation.time - before)
            self.frame += 1
        except CaromError as error:
            self.error, self.paused = error, True
            self._tell(str(error))

    # Showing

    def _painted(self) -> Painted:
        self._see_who_is_there()
        self._simulation.paint(self._rows)
        dimension = self._simulation.system.dimension
        return Painted(self._rows, self._mass, self._radius, self._species, dimension)

    def _messages(self) -> list[Message]:
        simulation, painted = self._simulation, self._painted()
        values, top = self._values(painted)
        colours.with_values(painted.rows, values, self._frame_rows)
        columns = [self._frame_rows]
        if self._arrows:
            columns.append(np.ascontiguousarray(painted.rows[:, 3:]))
        kind = FRAME_AND_VELOCITIES if self._arrows else FRAME
        n, time = len(painted.rows), simulation.time
        messages: list[Message] = [packed(kind, n, self.frame, time, top, *columns)]
        if simulation.number_changes:
            messages.insert(0, self._still())
            if self._picked is not None:  # which row it has now is known before the rows come
                messages.insert(0, told("facts", **self._present_facts(painted)))
        if self._contacts:
            messages.append(contacts_message(painted, simulation.system, time, self.frame))
        if self._flow != flow_grid.NONE:
            messages.append(flow_grid.flow_message(simulation, self._flow, self.frame))
        now = perf_counter()
        if now - self._facts_at > 1.0 / FACTS_PER_SECOND or self.paused:
            self._facts_at = now
            messages.append(told("facts", **self._present_facts(painted)))
        return messages

    def _values(self, painted: Painted) -> tuple[Array, float]:
        """What the colours show, and the top of their scale."""
        if self._colour == colours.SPECIES:
            return self._species, float(
                max(len(self._simulation.system.particles.species_names), 1)
            )
        if self._colour == colours.PLAIN:
            return np.zeros(len(painted.rows)), 1.0
        if self._colour == colours.SIZE:
            return self._radius, float(self._radius.max(initial=SMALLEST))
        if self._colour == colours.TEMPERATURE:
            values = colours.temperatures_around(painted)
        elif self._colour in self._own:
            values = self._own_values(self._own[self._colour])
        else:
            values = colours.speeds(painted)
        return values, colours.top_of(values)

    def _own_values(self, function: Callable[[Any], Array]) -> Array:
        n = len(self._radius)
        try:
            values = np.asarray(function(self._simulation), dtype=np.float64)
            if values.shape == (n,) and np.isfinite(values).all():
                return values
            why = f"it gave {values.shape} and not one finite number for each particle"
        except Exception as error:  # a function of the user's may raise anything
            why = f"{type(error).__name__}: {error}"
        self._tell(f"The colour {self._colour!r} cannot be shown: {why}.")
        self._colour = colours.SPEED
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
        notice, self._notice = self._notice, ""
        return {
            "time": simulation.time,
            "particles": len(painted.rows),
            "collisions": counts.collisions,
            "steps": counts.steps,
            "temperature": temperature,
            "distribution": density,
            "rate_reached": (simulation.time - time_then) / seconds,
            "collisions_per_second": (counts.collisions - collisions_then) / seconds,
            "offset": simulation.system.offset(simulation.time),
            "picked": self._picked_facts(painted),
            "plots": self._plotted(now),
            "notice": notice,
            "changeable": simulation.changeable,
            "settings": {
                "paused": self.paused,
                "rate": self._pace.rate,
                "per_frame": self._per_frame,
                "colour": self._colour,
                "arrows": self._arrows,
                "contacts": self._contacts,
                "flow": self._flow,
                "plots": self._plots,
            },
        }

    def _picked_facts(self, painted: Painted) -> dict[str, Any] | None:
        who, d = self._picked, painted.dimension
        rows = np.flatnonzero(self._there.identity == who)
        if who is None or len(rows) == 0:
            return None
        k = int(rows[0])
        names = self._simulation.system.particles.species_names
        return {
            "number": who,
            "row": k,
            "position": painted.rows[k, :d],
            "velocity": painted.rows[k, 3 : 3 + d],
            "radius": float(self._radius[k]),
            "mass": float(self._mass[k]),
            "species": names[int(self._species[k])],
        }

    def _plotted(self, now: float) -> dict[str, float] | None:
        """The numbers of the plots; they may need all particles in full, so not too often."""
        wait = max(1.0 / PLOTS_PER_SECOND, self._plots_cost / PLOTTING)
        if not self._plots or now - self._plots_at < wait:
            return None
        self._plots_at = now
        values = {name: float(quantity("view", name)(self._simulation)) for name in self._plots}
        self._plots_cost = perf_counter() - now
        return values


def watchable_rate(simulation: Any) -> float:
    """Simulated time per second at which eyes can follow: the mean speed crosses a sixth of what is
    seen in a second. Where nothing moves yet, gravity may; else it is 1."""
    system, particles = simulation.system, simulation.system.particles
    if len(particles) == 0:
        return 1.0
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
    if len(particles) == 0:
        return 1e-3
    speed = float(np.sqrt((particles.velocity**2).sum(axis=1)).max())
    return 0.1 * float(particles.radius.min()) / speed if speed > 0.0 else 1e-3
