"""Starting states: particles and the box that fits them."""

from carom.packings.lattice import lattice
from carom.packings.random import random
from carom.packings.velocities import thermal_velocities

__all__ = ["lattice", "random", "thermal_velocities"]
