"""``carom view``: a scene or a trajectory live in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from carom.cli.building import start_of
from carom.cli.scene_files import read_scene
from carom.cli.summary import say
from carom.errors import SceneError
from carom.simulation import Simulation, load
from carom.trajectories.formats import READ
from carom.view import play, show

CHECKPOINT = ".carom"


class ViewRequest(NamedTuple):
    """What the command line asks for."""

    source: str
    rate: float | None
    paused: bool
    host: str
    port: int
    browser: bool
    seed: int | None


def view(request: ViewRequest) -> None:
    """Show a scene, a checkpoint or a trajectory until Ctrl-C."""
    path = Path(request.source)
    shared: dict[str, Any] = {
        "host": request.host,
        "port": request.port,
        "browser": request.browser,
        "say": say,
    }
    if path.suffix in READ:
        play(path, **shared)
        return
    # Who looks writes nothing: the observers of a checkpoint stay with its run.
    going_on = path.suffix == CHECKPOINT
    simulation = load(path, observers=[]) if going_on else _started(request)
    shown = show(simulation, rate=request.rate, paused=request.paused, **shared)
    say(f"Stopped at t = {simulation.time:g} after {simulation.counts.collisions:,} collisions.")
    if shown.error is not None:
        raise shown.error


def _started(request: ViewRequest) -> Simulation:
    """The simulation of a scene, at its start."""
    file = read_scene(request.source)
    seed = file.scene.run.seed if request.seed is None else request.seed
    start = start_of(file, seed)
    title = f"{file.scene.title}: " if file.scene.title else ""
    say(f"{title}{start.system.particles.described}", style="bold")
    try:
        return Simulation(start.system, method=start.method, actors=start.actors, seed=seed)
    except ValueError as error:
        raise SceneError(f"{file.given}: {error}") from error
