"""A trajectory from a file, shown like a simulation."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import numpy as np

from carom.trajectories.formats import frames
from carom.types import Plain
from carom.view import colours, flow_grid
from carom.view.choices import Choices
from carom.view.colours import Painted
from carom.view.messages import FRAME, FRAME_AND_VELOCITIES, STILL, packed, told
from carom.view.scene import corners
from carom.view.speed_distribution import speed_distribution
from carom.view.stage import Message, Stage

FRAMES_PER_SECOND, MOST_FRAMES_PER_SECOND = 25.0, 60.0
LOOKS_FOR_MORE = 1.0  # seconds between two looks at whether the file has grown
UNKNOWN_RADIUS = 0.5


class PlayedStage(Stage):
    """Shows the frames of a trajectory one after the other, again and again.

    A file that is still being written is followed: frames that it gets are shown, too.
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__()
        self._path = Path(path)
        self._frames = frames(path)
        if len(self._frames) == 0:
            raise ValueError(f"{path} holds no frame; there is nothing to show.")
        self._at = 0
        self._looked_at, self._written_at = perf_counter(), self._last_written()
        first = self._frames[0]
        self._take(first)
        self.choices = Choices(self._offered(first), len(self._radius))
        self.choices.rate = FRAMES_PER_SECOND
        self._scene = self._described(first)

    def _offered(self, first: Any) -> Plain:
        shown = [colours.SPEED, colours.SIZE, colours.TEMPERATURE, colours.PLAIN]
        if len(first.species_names) > 1:
            shown.insert(2, colours.SPECIES)
        return {
            "colours": shown,
            "flows": [flow_grid.NONE],
            "contacts": False,
            "steps": ["frame"],
            "per_frame": False,
            "plots": [],
            "films": [],
        }

    def _described(self, first: Any) -> Plain:
        boxed = not first.cell.is_open
        lower, upper = corners(None, first.position, self._radius)
        if boxed:
            lower = [float(x) for x in first.cell.lower[: first.dimension]]
            upper = [float(x + s) for x, s in zip(lower, first.cell.sides, strict=False)]
        return {
            "dimension": first.dimension,
            "particles": len(first.position),
            "lower": lower,
            "upper": upper,
            "boxed": boxed,
            "periodic": list(first.cell.periodic) if boxed else [],
            "walls": [],
            "species": list(first.species_names),
            "method": self._path.name,
            "system": str(self._path),
            "frames": len(self._frames),
            "camera": None,
            "offered": self.choices.offered,
        }

    def _take(self, frame: Any) -> None:
        n, d = frame.position.shape
        self._rows = np.zeros((n, 6), dtype=np.float32)
        self._rows[:, :d], self._rows[:, 3 : 3 + d] = frame.position, frame.velocity
        self._radius = np.full(n, UNKNOWN_RADIUS) if frame.radius is None else frame.radius
        self._mass, self._species = frame.mass, frame.species
        self._time, self._dimension, self._offset = frame.time, d, float(frame.cell.offset)
        self._species_names = list(frame.species_names)

    def greeting(self) -> list[Message]:
        """The scene, radii and species."""
        return [told("scene", **self._scene), self._still()]

    def _still(self) -> bytes:
        still = np.stack([self._radius, self._species.astype(np.float64)], axis=1)
        return packed(STILL, len(still), 0, 0.0, 0.0, still)

    def _orders(self) -> dict[str, Callable[[Any], str]]:
        own = {"step": self._step_once, "seek": self._seek}
        return super()._orders() | self.choices.orders() | own

    def _step_once(self, value: Any) -> str:
        return self._seek((self._at + 1) % len(self._frames))

    def _seek(self, value: Any) -> str:
        if not (type(value) is int and 0 <= value < len(self._frames)):
            return f"Frames are numbered from 0 to {len(self._frames) - 1}."
        self.paused = True
        return self._later(lambda: self._go_to(value))  # after the frame that is being shown

    def _go_to(self, number: int) -> None:
        self._at = number

    def play(self) -> None:
        """Show until the end of the show or Ctrl-C."""
        while not self._ended:
            self._run_errands()
            self._look_for_more()
            if self.paused or len(self._frames) == 1:
                self._rest()
                continue
            began = perf_counter()
            self._show(at_once=True)
            self._at = (self._at + 1) % len(self._frames)
            self.frame += 1
            rate = min(self.choices.rate, MOST_FRAMES_PER_SECOND)
            sleep(min(max(0.001, 1.0 / rate - (perf_counter() - began)), 1.0))

    def _last_written(self) -> tuple[int, int]:
        told = self._path.stat()
        return told.st_mtime_ns, told.st_size

    def _look_for_more(self) -> None:
        """Take in frames that have been written since."""
        if perf_counter() - self._looked_at < LOOKS_FOR_MORE:
            return
        self._looked_at = perf_counter()
        # What is half written or gone is left for the next look.
        with suppress(Exception):
            written = self._last_written()
            if written != self._written_at:
                again = frames(self._path)
                if len(again) > 0:
                    self._frames, self._written_at = again, written
                    self._at = min(self._at, len(again) - 1)
                    self._news()

    def _messages(self) -> list[Message]:
        self._take(self._frames[self._at])
        choices = self.choices
        choices.particles = len(self._radius)
        painted = Painted(self._rows, self._mass, self._radius, self._species, self._dimension)
        values, top = colours.values_of(choices.colour, painted, len(self._species_names))
        rows = np.empty((len(self._rows), 4), dtype=np.float32)
        colours.with_values(self._rows, values, rows)
        kind = FRAME_AND_VELOCITIES if choices.arrows else FRAME
        columns = [rows, *([self._rows[:, 3:]] if choices.arrows else [])]
        frame: list[Message] = [packed(kind, len(rows), self.frame, self._time, top, *columns)]
        temperature, density = speed_distribution(painted)
        facts = told(
            "facts",
            time=self._time,
            frame=self._at,
            frames=len(self._frames),
            temperature=temperature,
            distribution=density,
            offset=self._offset,
            picked=colours.described_particle(painted, choices.picked, self._species_names),
            plots=None,
            notice=self._notice,
            python=self._python,
            settings=choices.told() | {"paused": self.paused},
        )
        # A file may hold other particles in each frame.
        return [self._still(), *frame, facts]
