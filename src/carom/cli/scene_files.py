"""Scene files: found, read and checked."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from carom.cli.scene import Scene
from carom.cli.scene_errors import explanation
from carom.errors import SceneError
from carom.spelling import suggestion

# With or without the mark that some editors put before a text.
UTF_8 = "utf-8-sig"
SCENES, SWEEPS = "scenes", "scenes/sweeps"  # folders of what comes with the package


class SceneFile(NamedTuple):
    """A scene and where it came from; ``given`` is the path or name as the user wrote it."""

    given: str
    text: str
    data: dict[str, Any]
    scene: Scene

    @property
    def folder(self) -> Path:
        """Where other files are that it names."""
        return Path(self.given).parent


def built_in_scenes(kind: str = SCENES) -> dict[str, str]:
    """The texts of the scenes that come with the package, or of its sweeps, by name."""
    folder = files("carom.cli").joinpath(kind)
    return {
        entry.name.removesuffix(".toml"): entry.read_text(encoding="utf-8")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".toml")
    }


def read_scene(given: str) -> SceneFile:
    """The scene in a file, or the built-in scene of that name."""
    return checked_scene(given, text_of(given))


def text_of(given: str, kind: str = SCENES) -> str:
    """What stands in a scene file, or in the built-in scene of that name."""
    path = Path(given)
    if path.is_file():
        try:
            return path.read_text(encoding=UTF_8)
        except UnicodeDecodeError as error:
            raise SceneError(f"{given}: this is not a text file ({error}).") from error
    built_in = built_in_scenes(kind)
    if given in built_in:
        return built_in[given]
    raise SceneError(
        f"there is no file '{given}' and no built-in scene of that name"
        f"{suggestion(given, built_in)}"
    )


def tables_of(given: str, text: str) -> dict[str, Any]:
    """The tables of a text."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SceneError(f"{given}: this is not valid TOML: {error}.") from error


def checked_scene(given: str, text: str) -> SceneFile:
    """The scene that a text describes; all that is wrong with it is named at once."""
    data = tables_of(given, text)
    if "sweep" in data:
        raise SceneError(f"{given} has a [sweep]: it is run with `carom sweep {given}`.")
    return scene_of(given, text, data)


def scene_of(given: str, text: str, data: dict[str, Any]) -> SceneFile:
    """The scene that tables describe; all that is wrong with it is named at once."""
    tables = dict(data)
    if isinstance(tables.get("particles"), dict):
        tables["particles"] = [tables["particles"]]
    try:
        return SceneFile(given, text, data, Scene.model_validate(tables))
    except ValidationError as error:
        problems = explanation(error, Scene, data)
    if len(problems) == 1:
        raise SceneError(f"{given}: {problems[0]}")
    listed = "\n".join(f"  - {problem}" for problem in problems)
    raise SceneError(f"{given} has {len(problems)} problems:\n{listed}")
