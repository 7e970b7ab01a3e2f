"""Particles in files that other programs know: a file is one format."""

from carom.trajectories.formats import frames, writer_for
from carom.trajectories.frame import Frame
from carom.trajectories.reading import read

__all__ = ["Frame", "frames", "read", "writer_for"]
