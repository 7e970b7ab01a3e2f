"""``carom film``: the frames of a run, or of any trajectory, as a film."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from carom.cli.building import method_of
from carom.cli.converting import chosen_frames, refuse_to_replace
from carom.cli.folder import Folder
from carom.cli.running import appearance
from carom.cli.scene_files import read_scene
from carom.cli.summary import say
from carom.errors import UnreadableFile
from carom.simulation import load


class FilmRequest(NamedTuple):
    """What the command line asks for."""

    source: Path
    target: Path | None
    every: int
    chosen: str
    frames_per_second: int
    colour: str | None
    region: str | None
    dark: bool
    radius: float | None
    force: bool


def make_film(asked: FilmRequest) -> None:
    """Make the film, and say where it is."""
    from carom.plotting import film
    from carom.plotting.encoders import encoder_for

    target = asked.target or _usual_target(asked.source)
    try:
        refuse_to_replace(asked.source, target, asked.force)
        encoder_for(target, asked.frames_per_second)  # before anything is read
        looks, shown = _of_run(asked) if asked.source.is_dir() else _of_file(asked)
        numbers = chosen_frames(asked.source, asked.chosen, asked.every, len(looks))
        if asked.colour is not None:
            shown["colour"] = asked.colour
        done = film(
            target,
            looks[numbers.start : numbers.stop : numbers.step],
            region=_region(asked.region),
            theme="dark" if asked.dark else "light",
            frames_per_second=asked.frames_per_second,
            **shown,
        )
    except (ValueError, ImportError) as error:
        raise UnreadableFile(str(error)) from error
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"Stopped; {target} is as it was.") from None
    say(f"{done.length}: {target}")


def _usual_target(source: Path) -> Path:
    """Beside the frames: what browsers and slides play, or a GIF where nothing can write that."""
    from carom.plotting.by_ffmpeg import ffmpeg

    suffix = ".gif" if ffmpeg() is None else ".mp4"
    return source / f"film{suffix}" if source.is_dir() else source.with_suffix(suffix)


def _of_run(asked: FilmRequest) -> tuple[Any, dict[str, Any]]:
    """The frames of a run, and how its scene wants them to be shown."""
    from carom.plotting import TrajectoryLooks

    folder = Folder(asked.source)
    if not folder.scene.is_file():
        raise UnreadableFile(
            f"{asked.source} is not the folder of a run: it has no {folder.scene.name}. Name a "
            "trajectory, or the folder that carom run has made."
        )
    file = read_scene(str(folder.scene))
    record, _ = folder.kept()
    simulation = load(folder.checkpoint, method=method_of(file.scene.method), observers=[])
    looks = TrajectoryLooks(folder.trajectory, simulation.system)
    return looks, appearance(file, record, simulation, afterwards=True)


def _of_file(asked: FilmRequest) -> tuple[Any, dict[str, Any]]:
    """The frames of a trajectory; species have colours where there are several."""
    from carom.plotting import TrajectoryLooks

    looks = TrajectoryLooks(asked.source, radius=asked.radius)
    has_species = len(looks) > 0 and len(looks[0].particles.species_names) > 1
    return looks, {"colour": "species" if has_species else None}


def _region(text: str | None) -> Any:
    """Two corners from "0,0:5,5"."""
    if text is None:
        return None
    try:
        return tuple(tuple(map(float, corner.split(","))) for corner in text.split(":"))
    except ValueError as error:
        raise ValueError(
            f"--region {text!r} should be two corners, such as 0,0:5,5 or 0,0,0:5,5,5."
        ) from error
