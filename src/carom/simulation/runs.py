"""What ``carom run`` has left in a folder, as one object."""

from __future__ import annotations

import csv
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from carom.errors import CheckpointError
from carom.simulation.loading import load
from carom.simulation.simulation import Simulation
from carom.trajectories import frames
from carom.trajectories.frame_files import FrameReader
from carom.types import Array, Plain


class RunFiles:
    """The names of the files of a run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trajectory = path / "trajectory.gsd"
        self.log = path / "log.csv"
        self.picture = path / "picture.png"
        self.films = {kind: path / f"film.{kind}" for kind in ("gif", "mp4", "webm")}
        self.checkpoint = path / "state.carom"
        self.scene = path / "scene.toml"


class Run:
    """Everything that ``carom run`` has left in a folder; each thing is read when it is asked for.

    A run that is still going on can be looked at, too.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._files = RunFiles(self.path)
        if not self.path.is_dir():
            raise FileNotFoundError(f"there is no folder {path}.")
        if not self._files.scene.is_file():
            raise FileNotFoundError(
                f"{path} is not the folder of a run: it has no {self._files.scene.name}. "
                "carom run makes one."
            )

    @cached_property
    def scene(self) -> Plain:
        """The scene, as its file has it: tables and values by name."""
        return tomllib.loads(self._files.scene.read_text(encoding="utf-8"))

    @cached_property
    def log(self) -> dict[str, Array]:
        """The columns of the log by name, such as ``run.log["energy"]``."""
        return read_table(self._files.log)

    @cached_property
    def trajectory(self) -> FrameReader:
        """The frames, see ``carom.frames``."""
        return frames(self._files.trajectory)

    @cached_property
    def simulation(self) -> Simulation:
        """The last state: ``run.simulation.particles``, and all else that a simulation tells.

        To go on with it, and with its files, there is ``carom run --resume``.
        """
        return load(self._files.checkpoint)

    @property
    def pictures(self) -> list[Path]:
        """The picture and the films that there are."""
        names = (self._files.picture, *self._files.films.values())
        return [path for path in names if path.exists()]

    def __repr__(self) -> str:
        title = self.scene.get("title", "")
        parts = [f"{title!r}" if title else "", self._described_state(), *self._described_files()]
        return f"<Run in {self.path}: {', '.join(part for part in parts if part)}>"

    def _described_state(self) -> str:
        try:
            simulation = self.simulation
        except (CheckpointError, ValueError, OSError):  # a law or a flow of one's own
            return ""
        return f"{simulation.particles.described} at t = {simulation.time:g}"

    def _described_files(self) -> list[str]:
        parts = []
        if self._files.trajectory.exists():
            parts.append(f"{len(self.trajectory)} frames")
        if self._files.log.exists():
            lines = len(next(iter(self.log.values())))
            parts.append(f"{lines} lines of {', '.join(self.log)}")
        return [*parts, *(path.name for path in self.pictures)]


def read_run(path: str | Path) -> Run:
    """Everything of a run from the folder that ``carom run`` has written, as one :class:`Run`."""
    return Run(path)


def read_table(path: Path) -> dict[str, Any]:
    """The columns of a log by name; a last line that is still being written is left out."""
    with path.open(newline="") as file:
        names, *rows = csv.reader(line for line in file if line.endswith("\n"))
    columns = np.array(rows, dtype=np.float64).reshape(len(rows), len(names)).T
    return dict(zip(names, columns, strict=True))
