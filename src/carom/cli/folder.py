"""The folder of a run: what it holds, whose it is, and which run its checkpoint belongs to."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from carom.cli.scene_files import SceneFile
from carom.errors import CheckpointError
from carom.files import replacing
from carom.io.checkpoint import read_checkpoint
from carom.simulation.runs import RunFiles

# The first line of the copy of the scene, by which the folder of a run is known.
MARK = "# The scene of this run, as carom kept it."


class RunRecord(NamedTuple):
    """What a checkpoint says about the run that it belongs to."""

    scene: dict[str, Any]
    seed: int
    sizes: list[int]  # of the groups of particles
    finished: bool

    @property
    def members(self) -> list[slice]:
        """The particles of each group."""
        ends = [0, *itertools.accumulate(self.sizes)]
        return [slice(first, end) for first, end in itertools.pairwise(ends)]


class Folder(RunFiles):
    """The files of a run, to be written."""

    @property
    def outputs(self) -> list[Path]:
        """All files that a run writes."""
        films = self.films.values()
        return [self.trajectory, self.log, self.picture, *films, self.checkpoint, self.scene]

    def claim(self) -> bool:
        """Make the folder, or take over that of an earlier run; whether there was one.

        Files of the same names that no run of carom has written are never replaced.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CheckpointError(
                f"the folder {self.path} cannot be made: {error.strerror}; choose another with "
                "--out."
            ) from error
        present = [path for path in self.outputs if path.exists()]
        if not present:
            return False
        if not (self.scene.is_file() and self.scene.read_bytes().startswith(MARK.encode())):
            raise CheckpointError(
                f"{present[0]} is in the way and was not written by a carom run; choose another "
                "folder with --out."
            )
        return True

    def keep_scene(self, file: SceneFile, seed: int) -> None:
        """Write the copy of the scene, all or nothing."""
        text = file.text
        if text.startswith(MARK):
            text = text.split("\n", 2)[2]
        with replacing(self.scene) as scene:
            scene.write(f"{MARK}\n# It was run with seed {seed}.\n{text}".encode())

    def kept(self) -> tuple[RunRecord, float]:
        """The run that the checkpoint belongs to, and the time it has come to."""
        header, _ = read_checkpoint(self.checkpoint)
        for observer in header["observers"]:
            if "run" in observer["state"]:
                return RunRecord(**observer["state"]["run"]), float(header["time"])
        raise CheckpointError(
            f"{self.checkpoint} was not written by carom run; continue it in Python: "
            f"carom.load({str(self.checkpoint)!r})."
        )


def changes(before: Any, now: Any, path: str = "") -> Iterator[str]:
    """What differs between two scenes, one phrase for each key."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in [*before, *(key for key in now if key not in before)]:
            place = f"{path}.{key}" if path else key
            yield from changes(before.get(key), now.get(key), place)
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for k, (old, new) in enumerate(zip(before, now, strict=True)):
            yield from changes(old, new, f"{path}[{k}]")
    elif before != now:
        yield f"'{path}' was {_spelled(before)} and is {_spelled(now)}"


def _spelled(value: Any) -> str:
    if value is None:
        return "not given"
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
