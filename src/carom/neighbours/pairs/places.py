"""Places: positions in units in which a sheared box repeats plainly.

Along axes that repeat, places are counted in boxes: y / L_y, z / L_z and
(x − offset y / L_y) / L_x. Along the others they are coordinates.
"""

from __future__ import annotations

import math

from carom.compiled.kernels import inner_kernel
from carom.neighbours.pairs.lattice import Lattice
from carom.neighbours.pairs.pair_list import X, Y, Z
from carom.types import Array, Vector


@inner_kernel
def slope_of(lattice: Lattice) -> float:
    """The displacement of the boxes above, for each length of height."""
    if lattice.periodic[0] and lattice.periodic[1]:
        return lattice.offset[0] / lattice.lengths[1]
    return 0.0


@inner_kernel
def place_of(lattice: Lattice, sphere: Array, i: int, slope: float) -> tuple[Vector, int]:
    """The place of a particle in the units of the axes, and how many boxes along x it is away."""
    x, y, z, boxes = sphere[i, X], sphere[i, Y], sphere[i, Z], 0
    if lattice.periodic[0]:
        x = (x - slope * y) / lattice.lengths[0]
        if slope != 0.0:
            boxes = math.floor(x)
            x -= boxes
    if lattice.periodic[1]:
        y /= lattice.lengths[1]
    if lattice.periodic[2]:
        z /= lattice.lengths[2]
    return (x, y, z), boxes


@inner_kernel
def extent_of(lattice: Lattice, axis: int, slope: float) -> float:
    """How far a sphere of radius 1 reaches along an axis, in units of places."""
    if not lattice.periodic[axis]:
        return 1.0
    # Where boxes lean, planes of one place are closer together.
    lean = math.sqrt(1.0 + slope * slope) if axis == 0 else 1.0
    return lean / lattice.lengths[axis]
