"""Starting states: particles and the box that fits them."""

from carom.packings.bond_order import BondOrder, bond_order
from carom.packings.growth import grow
from carom.packings.lattice import lattice
from carom.packings.random import random
from carom.packings.velocities import thermal_velocities

__all__ = ["BondOrder", "bond_order", "grow", "lattice", "random", "thermal_velocities"]
