"""Pictures of a simulation: particles to scale, a flow under them, films, and what a log says."""

from typing import Any

from carom.plotting.diagram import diagram
from carom.plotting.film import Film, film
from carom.plotting.flow import FlowView
from carom.plotting.haff import haff_cooling_time
from carom.plotting.looks import Look, Looks, TrajectoryLooks
from carom.plotting.measured import measured
from carom.plotting.picture import picture, picture_of_run
from carom.plotting.slices import Slice

__all__ = [
    "Film",
    "FlowView",
    "Look",
    "Looks",
    "Slice",
    "TrajectoryLooks",
    "diagram",
    "film",
    "haff_cooling_time",
    "measured",
    "picture",
    "picture_of_run",
]


def __getattr__(name: str) -> Any:
    if name in ("movie", "video", "animation", "animate"):
        raise AttributeError(f"carom.plotting has no {name!r}; see carom.plotting.film.")
    raise AttributeError(f"module 'carom.plotting' has no attribute {name!r}")
