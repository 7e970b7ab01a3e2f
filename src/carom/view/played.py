"""A trajectory from a file, shown like a simulation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import numpy as np

from carom.errors import CaromError
from carom.trajectories.formats import frames
from carom.view import colours
from carom.view.colours import Painted
from carom.view.messages import FRAME, FRAME_AND_VELOCITIES, STILL, packed, told
from carom.view.scene import corners
from carom.view.speed_distribution import speed_distribution
from carom.view.stage import Message, Stage, wrong_rate

FRAMES_PER_SECOND = 25.0
UNKNOWN_RADIUS = 0.5


class PlayedStage(Stage):
    """Shows the frames of a trajectory one after the other, again and again."""

    def __init__(self, path: str | Path) -> None:
        super().__init__()
        self._frames = frames(path)
        if len(self._frames) == 0:
            raise ValueError(f"{path} holds no frame; there is nothing to show.")
        self._at = 0
        self._rate = FRAMES_PER_SECOND
        self._colour = colours.SPEED
        self._arrows = False
        self._picked: int | None = None
        self._notice = ""
        self.error: CaromError | None = None
        first = self._frames[0]
        self._take(first)
        boxed = not first.cell.is_open
        lower, upper = corners(None, first.position, self._radius)
        if boxed:
            lower = [float(x) for x in first.cell.lower[: first.dimension]]
            upper = [float(x + s) for x, s in zip(lower, first.cell.sides, strict=False)]
        shown = [colours.SPEED, colours.SIZE, colours.TEMPERATURE, colours.PLAIN]
        if len(first.species_names) > 1:
            shown.insert(2, colours.SPECIES)
        self._scene = {
            "dimension": first.dimension,
            "particles": len(first.position),
            "lower": lower,
            "upper": upper,
            "boxed": boxed,
            "periodic": list(first.cell.periodic) if boxed else [],
            "walls": [],
            "species": list(first.species_names),
            "method": "trajectory",
            "system": str(path),
            "largest": float(self._radius.max()),
            "frames": len(self._frames),
            "offered": {
                "colours": shown,
                "flows": ["none"],
                "contacts": False,
                "steps": ["frame"],
                "plots": [],
            },
        }

    def _take(self, frame: Any) -> None:
        n, d = frame.position.shape
        self._rows = np.zeros((n, 6), dtype=np.float32)
        self._rows[:, :d], self._rows[:, 3 : 3 + d] = frame.position, frame.velocity
        self._radius = np.full(n, UNKNOWN_RADIUS) if frame.radius is None else frame.radius
        self._mass, self._species = frame.mass, frame.species
        self._time, self._dimension = frame.time, d
        self._species_names = list(frame.species_names)

    def greeting(self) -> list[Message]:
        """The scene, radii and species."""
        return [told("scene", **self._scene), self._still()]

    def _still(self) -> bytes:
        still = np.stack([self._radius, self._species.astype(np.float64)], axis=1)
        return packed(STILL, len(still), 0, 0.0, 0.0, still)

    def _orders(self) -> dict[str, Callable[[Any], str]]:
        return super()._orders() | {
            "step": self._step_once,
            "seek": self._seek,
            "rate": self._set_rate,
            "colour": self._set_colour,
            "arrows": self._set_arrows,
            "pick": self._pick,
        }

    def _step_once(self, value: Any) -> str:
        return self._seek((self._at + 1) % len(self._frames))

    def _seek(self, value: Any) -> str:
        if not (type(value) is int and 0 <= value < len(self._frames)):
            return f"Frames are numbered from 0 to {len(self._frames) - 1}."
        self.paused = True
        self._errands.append(lambda: self._go_to(value))  # after the frame that is being shown
        return ""

    def _go_to(self, number: int) -> None:
        self._at = number
        self.frame += 1

    def _set_rate(self, value: Any) -> str:
        if value is None or not wrong_rate(value):
            self._rate = 60.0 if value is None else float(value)
            return ""
        return wrong_rate(value)

    def _set_colour(self, value: Any) -> str:
        if value not in self._scene["offered"]["colours"]:
            return f"There is no colour {str(value)[:40]!r}."
        self._colour = value
        return ""

    def _set_arrows(self, value: Any) -> str:
        self._arrows = value is True
        return ""

    def _pick(self, value: Any) -> str:
        n = len(self._radius)
        if value is not None and not (type(value) is int and 0 <= value < n):
            return f"Particles are numbered from 0 to {n - 1}."
        self._picked = value
        return ""

    def play(self) -> None:
        """Show until the end of the show or Ctrl-C."""
        while not self._ended:
            self._run_errands()
            if self.paused or len(self._frames) == 1:
                self._rest()
                continue
            began = perf_counter()
            self._show(at_once=True)
            self._at = (self._at + 1) % len(self._frames)
            self.frame += 1
            sleep(max(0.001, 1.0 / self._rate - (perf_counter() - began)))

    def _messages(self) -> list[Message]:
        count = len(self._radius)
        self._take(self._frames[self._at])
        painted = Painted(self._rows, self._mass, self._radius, self._species, self._dimension)
        values, top = colours.speeds(painted), 1.0
        if self._colour == colours.SPECIES:
            values, top = self._species, float(max(len(self._species_names), 1))
        elif self._colour == colours.PLAIN:
            values = np.zeros(len(self._rows))
        elif self._colour == colours.SIZE:
            values, top = self._radius, float(self._radius.max())
        else:
            if self._colour == colours.TEMPERATURE:
                values = colours.temperatures_around(painted)
            top = colours.top_of(values)
        rows = np.empty((len(self._rows), 4), dtype=np.float32)
        colours.with_values(self._rows, values, rows)
        kind = FRAME_AND_VELOCITIES if self._arrows else FRAME
        columns = [rows, *([self._rows[:, 3:]] if self._arrows else [])]
        frame: list[Message] = [packed(kind, len(rows), self.frame, self._time, top, *columns)]
        # A file may hold other particles in each frame.
        still: list[Message] = [self._still()] if count != len(rows) else []
        temperature, density = speed_distribution(painted)
        k, d = self._picked, self._dimension
        picked = None
        if k is not None and k < len(rows):
            picked = {
                "number": k,
                "position": self._rows[k, :d],
                "velocity": self._rows[k, 3 : 3 + d],
                "radius": float(self._radius[k]),
                "mass": float(self._mass[k]),
                "species": self._species_names[int(self._species[k])],
            }
        facts = told(
            "facts",
            time=self._time,
            frame=self._at,
            temperature=temperature,
            distribution=density,
            offset=0.0,
            picked=picked,
            plots=None,
            notice=self._notice,
            settings={
                "paused": self.paused,
                "rate": self._rate,
                "per_frame": 0,
                "colour": self._colour,
                "arrows": self._arrows,
                "contacts": False,
                "flow": "none",
                "plots": [],
            },
        )
        return [*still, *frame, facts]
