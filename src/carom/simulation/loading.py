"""A simulation from a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from carom.actors import Actor
from carom.io.checkpoint import read_checkpoint
from carom.io.description import actors_from, method_from, system_from
from carom.io.observation import states_for
from carom.methods import Method
from carom.observers import Observer
from carom.simulation.keeping import continued
from carom.simulation.simulation import Simulation


def load(
    path: str | Path,
    *,
    law: Any = None,
    force: Any = None,
    method: Method | None = None,
    actors: Sequence[Actor] | None = None,
    observers: Sequence[Observer] | None = None,
) -> Simulation:
    """The simulation saved in a file; it goes on bit for bit.

    A law of one's own is handed over again with ``law=``, a force with ``force=``, a method that
    holds a flow of one's own with ``method=``, and if an actor is of one's own, all are with
    ``actors=``. Observers are handed over again, too, the same in the same order, and go on with
    their schedules and files. Left out, the simulation can be looked at but does not go on, if one
    of them has files or sums to go on with; ``observers=[]`` goes on without them, and leaves their
    files alone.
    """
    header, arrays = read_checkpoint(Path(path))
    states = states_for(header["observers"], observers) if observers else []
    system = system_from(header["system"], arrays, law, force)
    used, acting = method_from(header["method"], method), actors_from(header["actors"], actors)
    simulation = continued(Simulation, system, used, acting, header, arrays)
    if observers is None:
        kept = header["observers"]
        simulation._left_out = kept if any(one["keeps"] for one in kept) else ()
    else:
        simulation._take(observers, states)
    return simulation


def going_on(made: Simulation, path: Path, observers: Sequence[Observer] = ()) -> Simulation:
    """The simulation in a checkpoint, with the parts of one that was made as it was made then, and
    with further observers that it had. The one that was made is of no use afterwards."""
    of_made = list(made.observers)
    for observer in of_made:
        observer.is_taken = False
    return load(
        path,
        law=made.system.law,
        force=made.system.force,
        method=made.method,
        actors=made.actors,
        observers=[*of_made, *observers],
    )
