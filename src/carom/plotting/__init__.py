"""Pictures of a simulation: particles to scale, and what a log says over time."""

from carom.plotting.haff import haff_cooling_time
from carom.plotting.picture import picture, picture_of_run

__all__ = ["haff_cooling_time", "picture", "picture_of_run"]
