"""Scene files with random edits of the built-in ones; run uncompiled, in a process of its own.

``python attack_scenes.py ROUNDS SECONDS``
"""

from __future__ import annotations

import copy
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from judging import TakesLong, carried_out, finish, within
from typer.testing import CliRunner

import carom
from carom.cli.app import BAD_INPUT, app
from carom.cli.building import start_of
from carom.cli.running import spacing_of_looks
from carom.cli.scene_files import built_in_scenes, read_scene

SECONDS_TO_RUN = 1
MOST_PARTICLES = 60  # uncompiled runs with more tell nothing new
STARTED: list[Path] = []  # files that could be run
SMALL = {"number": 12, "until": 0.01, "modes": 2, "grid": 8}


def made_small(table: Any) -> Any:
    """A scene with few particles, coarse fluids and a short run."""
    if isinstance(table, list):
        return [made_small(part) for part in table]
    if not isinstance(table, dict):
        return table
    return {key: SMALL.get(key, made_small(value)) for key, value in table.items()}


SCENES = {name: made_small(tomllib.loads(text)) for name, text in built_in_scenes().items()}


def spelled(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {spelled(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(spelled, value)) + "]"
    if isinstance(value, str):
        return "'" + value.replace("'", "").replace("\n", " ") + "'"
    return str(value)


def as_text(scene: dict[str, Any]) -> str:
    return "".join(f"{key} = {spelled(value)}\n" for key, value in scene.items())


NUMBERS = st.one_of(
    st.sampled_from([0, -1, 1, 2, 3, 7, 10**30, 0.0, -0.0, 0.5, 1e300, 1e-300, 1e160, 1e-160]),
    st.sampled_from([float("nan"), float("inf"), float("-inf"), 5e-324]),
    st.floats(-10.0, 10.0),
)
VALUES = st.one_of(
    NUMBERS,
    st.sampled_from(["", "x", "law", "auto", "box", "open", "grow", "periodic", "energy", "xyz"]),
    st.booleans(),
    st.lists(NUMBERS, max_size=4),
    st.lists(st.lists(NUMBERS, max_size=3), max_size=3),
    st.sampled_from([{}, [{}], {"kind": "elastic"}, {"x": 1.0}]).map(copy.deepcopy),
)
KEYS = sorted(
    {
        key
        for name in SCENES
        for table in [SCENES[name], *filter(lambda v: isinstance(v, dict), SCENES[name].values())]
        for key in table
    }
    | {"surprise", "restitution", "shear_rate", "gravity", "walls", "force", "actors", "velocity"}
)


def tables_in(value: Any) -> list[Any]:
    """All tables and lists of a scene, itself first."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    own = [value] if isinstance(value, dict | list) else []
    return own + [table for part in parts for table in tables_in(part)]


def number_places(table: Any) -> list[tuple[Any, Any]]:
    """Where numbers are: the tables and lists, and the keys or places in them."""
    return [
        (owner, key)
        for owner in tables_in(table)
        for key, value in (owner.items() if isinstance(owner, dict) else enumerate(owner))
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]


@st.composite
def with_other_numbers(draw: Any) -> str:
    """A built-in scene with one other number, as text: many of these can be run."""
    scene = copy.deepcopy(SCENES[draw(st.sampled_from(sorted(SCENES)))])
    owner, key = draw(st.sampled_from(number_places(scene)))
    value = owner[key]
    owner[key] = draw(
        st.one_of(NUMBERS, st.sampled_from([value * 1.1, value * 0.5, value * 3, -value]))
    )
    return as_text(scene)


@st.composite
def edited(draw: Any) -> str:
    """A built-in scene with one to three edits, as text."""
    scene = copy.deepcopy(SCENES[draw(st.sampled_from(sorted(SCENES)))])
    for _ in range(draw(st.integers(1, 3))):
        table = draw(st.sampled_from(tables_in(scene)))
        if isinstance(table, list):
            if table and draw(st.booleans()):
                table[draw(st.integers(0, len(table) - 1))] = draw(VALUES)
            else:
                table.append(draw(VALUES))
        elif table and draw(st.booleans()):
            table[draw(st.sampled_from(sorted(table)))] = draw(VALUES)
        elif table and draw(st.booleans()):
            del table[draw(st.sampled_from(sorted(table)))]
        else:
            table[draw(st.sampled_from(KEYS))] = draw(VALUES)
    return as_text(scene)


@st.composite
def files(draw: Any) -> bytes:
    """Mostly edited scenes; now and then with broken text, or in another encoding."""
    text = draw(st.one_of(edited(), with_other_numbers()))
    how = draw(st.integers(0, 9))
    if how == 0:
        start, length = draw(st.integers(0, len(text))), draw(st.integers(1, 30))
        text = text[:start] + text[start + length :]
    elif how == 1:
        start = draw(st.integers(0, len(text)))
        text = text[:start] + draw(st.text(max_size=5)) + text[start:]
    encoding = draw(st.sampled_from(["utf-8"] * 12 + ["utf-16", "utf-8-sig", "latin-1", "utf-7"]))
    return text.encode(encoding, errors="replace")


def attack(content: bytes) -> None:
    """Read, build and run a file; what is refused, the command refuses with its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.toml"
        path.write_bytes(content)
        try:
            file = read_scene(str(path))
            start = start_of(file, file.scene.run.seed)
        except carom.SceneError:
            said = CliRunner().invoke(app, ["run", str(path), "--out", str(Path(folder) / "out")])
            if said.exit_code != BAD_INPUT or "Traceback" in said.output:
                raise AssertionError(f"{said.exit_code}: {said.output}") from said.exception
            raise
        if len(start.system.particles) > MOST_PARTICLES:
            return
        STARTED.append(path)
        scene = file.scene
        for every in (scene.output.trajectory_every, scene.output.log_every):
            spacing_of_looks(every, scene.run.until, 10)
        simulation = carom.Simulation(
            start.system, method=start.method, actors=start.actors, seed=scene.run.seed
        )
        try:
            with within(SECONDS_TO_RUN):
                simulation.run(until=min(scene.run.until, 0.01), progress=False)
        except (TakesLong, carom.CaromError):
            return


if __name__ == "__main__":
    findings = carried_out(files(), attack)
    print(f"{len(STARTED)} files were run")
    assert len(STARTED) > findings.examples / 20, "nearly all were refused"
    finish(findings)
