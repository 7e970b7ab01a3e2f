"""The box and its images, as the methods that list pairs see them.

An image is so many boxes away along each axis, packed into one number from 0 to 26; ``HOME`` is the
box itself. The separation of particle i from the image of particle j is
x_i − x_j + b_x (L_x, 0, 0) + b_y (offset, L_y, 0) + b_z (0, 0, L_z). In a sheared box the row of
boxes above is displaced along x by ``offset``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carom.compiled.kernels import inner_kernel
from carom.compiled.lent import lasting
from carom.types import Array, Flags, Vector

IMAGES = 27
HOME = 13


@lasting
class Lattice(NamedTuple):
    """Side lengths (3,), which axes repeat (3,), and the offset (1,), which changes with time.

    Lengths matter only where they repeat.
    """

    lengths: Array
    periodic: Flags
    offset: Array


def new_lattice(lengths: Any, periodic: Any) -> Lattice:
    """A lattice that is not sheared."""
    return Lattice(
        np.array(lengths, dtype=np.float64), np.array(periodic, dtype=np.bool_), np.zeros(1)
    )


@inner_kernel
def image_of(x_boxes: int, y_boxes: int, z_boxes: int) -> int:
    """The number of the image so many boxes away, -1, 0 or 1 along each axis."""
    return HOME + x_boxes + 3 * y_boxes + 9 * z_boxes


@inner_kernel
def shift_of(lattice: Lattice, image: int) -> Vector:
    """What to add to x_i − x_j."""
    x_boxes, y_boxes, z_boxes = image % 3 - 1, image // 3 % 3 - 1, image // 9 - 1
    lengths = lattice.lengths
    return (
        x_boxes * lengths[0] + y_boxes * lattice.offset[0],
        y_boxes * lengths[1],
        z_boxes * lengths[2],
    )
