"""``carom info``: what is installed, and what is in a file."""

from __future__ import annotations

import math
import platform
import tomllib
from pathlib import Path

import numba
import numpy as np
from rich.console import Console
from rich.table import Table

from carom._version import __version__
from carom.cli.building import start_of
from carom.cli.folder import Folder
from carom.cli.foreign import kind_of
from carom.cli.scene_files import SWEEPS, UTF_8, built_in_scenes, checked_scene, read_scene
from carom.compiled.cache import cache_folder
from carom.io.checkpoint import is_checkpoint, read_checkpoint
from carom.io.description import foreign_laws, spelled, spelled_domain
from carom.methods import EventDriven
from carom.simulation import load
from carom.types import Plain

console = Console(highlight=False)


def _print(rows: list[tuple[str, str]]) -> None:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(name, value)
    console.print(table)


def show_installation() -> None:
    """Print versions, folders and the built-in scenes."""
    rows = [
        ("carom", __version__),
        ("Python", platform.python_version()),
        ("NumPy", np.__version__),
        ("Numba", numba.__version__),
        ("platform", platform.platform()),
        ("compiled code", str(cache_folder())),
    ]
    for name, text in built_in_scenes().items():
        scene = checked_scene(name, text).scene
        rows.append((f"scene {name}", scene.title))
    rows += [(f"sweep {name}", f"carom sweep {name}") for name in built_in_scenes(SWEEPS)]
    _print(rows)


def show_file(given: str) -> None:
    """Print what is in a checkpoint, a scene file or a built-in scene; what other files are."""
    path = Path(given)
    if path.is_dir() and Folder(path).checkpoint.is_file():
        path = Folder(path).checkpoint
    if path.is_file() and (path.suffix == ".carom" or is_checkpoint(path)):
        _show_checkpoint(path)
        return
    kind = kind_of(path) if path.exists() and given not in built_in_scenes() else None
    if kind is None and path.is_file() and not _may_be_scene(path):
        kind = "a text file"
    if kind is None:
        _show_scene(given)
    else:
        console.print(
            f"{given} is {kind}. carom info tells more about checkpoints, scenes and the folders "
            "of runs.",
            markup=False,
            soft_wrap=True,
        )


def _may_be_scene(path: Path) -> bool:
    """Whether it is worth while to say what is wrong with a text as a scene."""
    if path.suffix.lower() == ".toml":
        return True
    try:
        tomllib.loads(path.read_text(encoding=UTF_8))
    except ValueError:
        return False
    return True


def _show_checkpoint(path: Path) -> None:
    header, arrays = read_checkpoint(path)
    n, dimension = arrays["system.position"].shape
    system = header["system"]
    rows = [
        ("checkpoint", str(path)),
        ("time", f"{header['time']:.12g}"),
        ("particles", f"{n:,} {_kind(dimension)}"),
        ("domain", spelled_domain(system["domain"])),
        ("law", spelled(system["law"])),
        *([("force", spelled(system["force"]))] if system["force"] else []),
        ("method", spelled(header["method"])),
        *(("actor", spelled(actor)) for actor in header["actors"]),
    ]
    if system["gravity"] is not None:
        rows.append(("gravity", str(system["gravity"])))
    rows += [("wall", _wall(wall)) for wall in system["walls"]]
    laws = [system["law"], header["method"], *([system["force"]] if system["force"] else [])]
    ours = not any(map(foreign_laws, laws))
    if ours and all(actor["ours"] for actor in header["actors"]):
        simulation = load(path)
        rows.insert(2, ("collisions", f"{simulation.counts.collisions:,}"))
        if not math.isnan(simulation.dt):
            steps = f"{simulation.counts.steps:,} of dt = {simulation.dt:.3g}"
            rows.insert(2, ("steps", steps))
        rows.append(("temperature", f"{simulation.temperature:.6g}"))
    _print(rows)


def _wall(wall: Plain) -> str:
    """A wall of a checkpoint, in words."""
    if "shape" not in wall:
        return f"through {wall['point']}, normal {wall['normal']}"
    parameters = {
        name: value for name, value in wall.items() if name != "shape" and value is not None
    }
    return spelled({"name": wall["shape"], "ours": False, "parameters": parameters})


def _show_scene(given: str) -> None:
    file = read_scene(given)
    scene = file.scene
    start = start_of(file, scene.run.seed)
    system = start.system
    rows = [
        ("scene", given),
        ("title", scene.title),
        ("particles", f"{len(system.particles):,} {_kind(system.dimension)}"),
        ("domain", repr(system.domain)),
        ("law", repr(system.law)),
        ("gravity", "" if system.gravity is None else str(system.gravity.tolist())),
        ("force", "" if system.force is None else repr(system.force)),
        ("method", "" if start.method == EventDriven() else repr(start.method)),
        *(("actor", repr(actor)) for actor in start.actors),
        ("until", f"{scene.run.until:g}"),
        ("seed", str(scene.run.seed)),
    ]
    _print([row for row in rows if row[1]])


def _kind(dimension: int) -> str:
    return "disks" if dimension == 2 else "spheres"
