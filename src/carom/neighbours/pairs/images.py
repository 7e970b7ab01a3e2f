"""Which images of a pair are near: one at most in a wide box, several in a narrow one."""

from __future__ import annotations

import numpy as np

from carom.compiled.kernels import inner_kernel
from carom.neighbours.pairs.lattice import HOME, Lattice, image_of, shift_of
from carom.neighbours.pairs.pair_list import MARGIN, PairList, X, Y, Z, add_pair, are_near
from carom.types import Array


@inner_kernel
def is_narrow(lattice: Lattice, reach: float) -> bool:
    """Whether a particle may be near to several images of another."""
    narrow = False
    for axis in range(3):
        narrow |= lattice.periodic[axis] and lattice.lengths[axis] < 2.0 * MARGIN * reach
    return narrow


@inner_kernel
def add_near(
    lattice: Lattice, sphere: Array, i: int, j: int, narrow: bool, skin: float, pairs: PairList
) -> int:
    """Write down the images of a pair that are near; how many were examined."""
    if narrow:
        return _add_images(lattice, sphere, i, j, skin, pairs)
    image = _nearest_image(lattice, sphere, i, j)
    if are_near(sphere, i, j, shift_of(lattice, image), skin):
        add_pair(pairs, i, j, image)
    return 1


@inner_kernel
def _add_images(
    lattice: Lattice, sphere: Array, i: int, j: int, skin: float, pairs: PairList
) -> int:
    """Write down all images of a pair that are near; how many there are to examine."""
    tests = 0
    x_boxes, y_boxes, z_boxes = (
        np.int64(lattice.periodic[0]),
        np.int64(lattice.periodic[1]),
        np.int64(lattice.periodic[2]),
    )
    for z in range(-z_boxes, z_boxes + 1):
        for y in range(-y_boxes, y_boxes + 1):
            for x in range(-x_boxes, x_boxes + 1):
                image = image_of(x, y, z)
                tests += 1
                if are_near(sphere, i, j, shift_of(lattice, image), skin):
                    add_pair(pairs, i, j, image)
    return tests


@inner_kernel
def _nearest_image(lattice: Lattice, sphere: Array, i: int, j: int) -> int:
    """The image of j that can be near to i in a box that is not narrow."""
    if not (lattice.periodic[0] or lattice.periodic[1] or lattice.periodic[2]):
        return HOME
    y = _boxes(lattice, 1, sphere[i, Y] - sphere[j, Y])
    # Along the sheared axis the boxes above and below are displaced.
    x = _boxes(lattice, 0, sphere[i, X] - sphere[j, X] + y * lattice.offset[0])
    return image_of(x, y, _boxes(lattice, 2, sphere[i, Z] - sphere[j, Z]))


@inner_kernel
def _boxes(lattice: Lattice, axis: int, separation: float) -> int:
    """How many boxes bring a separation closest to zero, -1, 0 or 1."""
    if not lattice.periodic[axis]:
        return 0
    half = 0.5 * lattice.lengths[axis]
    return np.int64(separation < -half) - np.int64(separation > half)
