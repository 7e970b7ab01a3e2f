"""[sweep] in a scene file: lists of values for keys of the scene, and the runs that follow."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import Field, ValidationError, field_validator

from carom.cli.building import start_of
from carom.cli.scene_errors import explanation
from carom.cli.scene_files import SWEEPS, SceneFile, scene_of, tables_of, text_of
from carom.cli.scene_table import Table
from carom.cli.scene_values import NotNegative
from carom.errors import SceneError
from carom.observers.quantities import (
    USUAL,
    is_known,
    is_one_number,
    known_numbers,
    quantity,
)
from carom.simulation import Simulation
from carom.spelling import suggestion

SWEEP = "sweep"
# Of one run alone: a sweep has seeds, an end and a folder of its own.
OF_ONE_RUN = ("run", "output", "title")


class SweepTable(Table):
    """[sweep] without its parameters."""

    replicas: Annotated[int, Field(ge=1)] = 1
    seed: Annotated[int, Field(ge=0)] | None = None
    measure: Annotated[list[str], Field(min_length=1)] = Field(default_factory=lambda: list(USUAL))
    average_from: NotNegative | None = None

    @field_validator("measure")
    @classmethod
    def _are_known(cls, names: list[str]) -> list[str]:
        for name in names:
            if not (is_known(name) and is_one_number(name)):
                raise ValueError(f"unknown quantity '{name}'{suggestion(name, known_numbers())}")
        return names


class SweepFile(NamedTuple):
    """A scene with a [sweep], checked for all of its points."""

    given: str
    table: SweepTable
    parameters: dict[str, list[Any]]
    data: dict[str, Any]  # the tables without the [sweep]
    scene: SceneFile  # that of the first point

    @property
    def run(self) -> dict[str, float]:
        """How far each run goes."""
        run = {"until": self.scene.scene.run.until}
        beginning = self.table.average_from
        return run if beginning is None else run | {"average_from": beginning}

    @property
    def seed(self) -> int:
        """Of all random numbers."""
        seed = self.table.seed
        return self.scene.scene.run.seed if seed is None else seed


def read_sweep_file(given: str) -> SweepFile:
    """The sweep in a file; its keys and the first value of each are checked."""
    data = tables_of(given, text_of(given, SWEEPS))
    tables = data.pop(SWEEP, None)
    if not isinstance(tables, dict):
        raise SceneError(
            f"{given} has no table [sweep]. A sweep is a scene with lists in one, such as\n"
            "  [sweep]\n  replicas = 4\n  law.restitution = [0.7, 0.8, 0.9]"
        )
    own = {name: value for name, value in tables.items() if name in SweepTable.model_fields}
    try:
        table = SweepTable.model_validate(own)
    except ValidationError as error:
        problems = explanation(error, SweepTable, own)
        raise SceneError(f"{given}, [sweep]: {' '.join(problems)}") from error
    rest = {name: value for name, value in tables.items() if name not in own}
    parameters = dict(_lists(given, rest))
    if not parameters:
        raise SceneError(
            f"{given}: [sweep] names no key of the scene, such as law.restitution = [0.8, 0.9]."
        )
    first = {name: values[0] for name, values in parameters.items()}
    return SweepFile(given, table, parameters, data, _scene_with(given, data, first))


def _lists(given: str, tables: dict[str, Any], path: str = "") -> Iterator[tuple[str, list[Any]]]:
    """The lists in nested tables, by their dotted names."""
    for key, value in tables.items():
        name = f"{path}.{key}" if path else key
        if isinstance(value, dict):
            yield from _lists(given, value, name)
        elif name.split(".")[0] in OF_ONE_RUN:
            raise SceneError(
                f"{given}: [sweep] cannot vary '{name}', which is of a single run; replicas = N "
                "gives runs of other seeds."
            )
        elif isinstance(value, list) and value:
            yield name, value
        else:
            what = "is empty" if isinstance(value, list) else f"is {value!r}"
            raise SceneError(
                f"{given}: '{name}' in [sweep] must be a list of values, but it {what}; "
                f"those of the sweep itself are {', '.join(SweepTable.model_fields)}."
            )


def _scene_with(given: str, data: dict[str, Any], point: dict[str, Any]) -> SceneFile:
    """The scene with the values of a point in their places."""
    tables = copy.deepcopy(data)
    for name, value in point.items():
        _put(given, tables, name, value)
    try:
        return scene_of(given, "", tables)
    except SceneError as error:
        values = ", ".join(f"{name} = {value!r}" for name, value in point.items())
        raise SceneError(f"{error} ([sweep] tried it with {values}.)") from error


def _put(given: str, tables: dict[str, Any], name: str, value: Any) -> None:
    *path, last = name.split(".")
    place: Any = tables
    for k, key in enumerate(path):
        place = _part(given, place, key, name, ".".join(path[:k]))
    if isinstance(place, list):
        if len(place) != 1:
            raise _unclear(given, name, place)
        (place,) = place
    if not isinstance(place, dict):
        raise SceneError(f"{given}: '{name}' in [sweep] leads into {place!r}, which is no table.")
    place[last] = copy.deepcopy(value)


def _part(given: str, place: Any, key: str, name: str, before: str) -> Any:
    """What a key leads to: a table, made if there is none, or one of several by number or name."""
    if isinstance(place, dict):
        return place.setdefault(key, {})
    if isinstance(place, list):
        if key.isdecimal() and int(key) < len(place):
            return place[int(key)]
        named = [one for one in place if isinstance(one, dict) and one.get("name") == key]
        if named:
            return named[0]
        if len(place) == 1 and isinstance(place[0], dict):
            return place[0].setdefault(key, {})
        raise _unclear(given, name, place)
    raise SceneError(f"{given}: '{name}' in [sweep]: '{before}' is {place!r}, which is no table.")


def _unclear(given: str, name: str, tables: list[Any]) -> SceneError:
    first, _, rest = name.partition(".")
    return SceneError(
        f"{given}: '{name}' in [sweep] could mean any of {len(tables)} tables; say which by number "
        f"or name, as in '{first}.0.{rest}'."
    )


@dataclass(frozen=True)
class SceneBuild:
    """Makes the simulation of a scene, with the values of a point in their places."""

    data: dict[str, Any]

    def __call__(self, random: np.random.Generator, **point: Any) -> Simulation:
        """The simulation of a point."""
        start = start_of(_scene_with("the scene", self.data, point), int(random.integers(2**62)))
        return Simulation(start.system, method=start.method, actors=start.actors)

    def check(self, given: str, point: dict[str, Any]) -> None:
        """Refuse a point that is no scene."""
        _scene_with(given, self.data, point)


@dataclass(frozen=True)
class SceneMeasure:
    """Measures quantities by their names."""

    names: tuple[str, ...]

    def __call__(self, simulation: Simulation) -> dict[str, Any]:
        """What they are now."""
        return {name: quantity("[sweep]", name)(simulation) for name in self.names}


def build_of(file: SweepFile) -> SceneBuild:
    """What makes the simulations of a sweep; what says nothing of a run is not in it."""
    data = {name: value for name, value in file.data.items() if name not in OF_ONE_RUN}
    walls = [_found(wall, file.scene.folder) for wall in data.get("walls", [])]
    own = {"run": {"until": 1.0}}  # which the sweep itself says
    return SceneBuild(data | own | ({"walls": walls} if walls else {}))


def _found(wall: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A wall that finds its file from any folder: points may run elsewhere."""
    return wall | {"file": str((folder / wall["file"]).resolve())} if "file" in wall else wall


def measure_of(file: SweepFile) -> SceneMeasure:
    """What measures the simulations of a sweep."""
    return SceneMeasure(tuple(file.table.measure))
