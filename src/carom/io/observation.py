"""Observers as plain data, by which a checkpoint knows them again."""

from __future__ import annotations

import json
from collections.abc import Sequence

from carom.errors import CheckpointError
from carom.io.description import spelled
from carom.observers import Observer
from carom.observers.quantities import is_known
from carom.types import Plain


def described_observer(observer: Observer) -> Plain:
    """An observer as its name and settings, as they are read from a file."""
    settings = json.loads(json.dumps(observer.settings()))
    return {"name": type(observer).__name__, "parameters": settings}


def kept_observer(observer: Observer) -> Plain:
    """An observer with all that it needs to go on."""
    return described_observer(observer) | {"keeps": observer.keeps, "state": observer.state()}


def spelled_observers(descriptions: Sequence[Plain]) -> str:
    """The calls that make the observers described."""
    return f"[{', '.join(map(_spelled, descriptions))}]"


def _spelled(description: Plain) -> str:
    """The call that makes an observer; quantities are named one after the other."""
    settings = dict(description["parameters"])
    if "columns" not in settings:
        return spelled(description)
    first = [repr(settings[name]) for name in ("path", "every") if name in settings]
    rest = [repr(name) if is_known(name) else f"{name}=..." for name in settings["columns"][1:]]
    return f"{description['name']}({', '.join([*first, *rest])})"


def states_for(kept: Sequence[Plain], given: Sequence[Observer]) -> list[Plain]:
    """The states with which observers go on; others than those of the checkpoint are refused."""
    wanted = [{name: one[name] for name in ("name", "parameters")} for one in kept]
    described = [described_observer(observer) for observer in given]
    if described != wanted:
        raise CheckpointError(
            f"the checkpoint was made with observers={spelled_observers(wanted)}, but "
            f"observers={spelled_observers(described)} were handed over; their files would not go "
            "on as they were. Hand over the same, in the same order; further ones are added to the "
            "loaded simulation with sim.add_observer(...). observers=[] goes on without any."
        )
    return [one["state"] for one in kept]
