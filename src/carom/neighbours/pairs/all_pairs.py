"""Every pair is examined: the plain twin of all other methods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from carom._jit import inner_kernel
from carom.neighbours.pairs.lattice import HOME, Lattice, image_of, shift_of
from carom.neighbours.pairs.pair_list import (
    MARGIN,
    PairList,
    X,
    Y,
    Z,
    add_pair,
    are_near,
    begin_list,
    end_list,
    find_pairs,
    largest_radius,
)
from carom.neighbours.pairs.searches import check_skin, new_search


@dataclass(frozen=True)
class AllPairs:
    """All n (n − 1) / 2 pairs are examined for each list.

    Lists hold the pairs with a gap below ``skin``: chosen by the method when left out, and 0 for a
    new list at every step. ``check`` compares each list with AllPairs itself.
    """

    skin: float | None = None
    check: bool = False

    def __post_init__(self) -> None:
        check_skin(self)


class EveryPair(NamedTuple):
    """A search that remembers nothing."""


@new_search.register
def _(neighbours: AllPairs, system: Any, skin: float) -> EveryPair:
    return EveryPair()


@find_pairs.register(EveryPair)
@inner_kernel
def _(
    search: EveryPair, lattice: Lattice, record: Any, skin: float, pairs: PairList, tally: Any
) -> int:
    begin_list(pairs)
    narrow = _is_narrow(lattice, 2.0 * largest_radius(record) + skin)
    tests = 0
    for i in range(len(record)):
        for j in range(i + 1, len(record)):
            if narrow:
                tests += _add_images(lattice, record, i, j, skin, pairs)
            else:
                image = _nearest_image(lattice, record, i, j)
                shift = shift_of(lattice, image)
                if are_near(record, i, j, shift, skin):
                    add_pair(pairs, i, j, image)
                tests += 1
    tally.pair_tests += tests
    return end_list(pairs, tally)


@inner_kernel
def _is_narrow(lattice: Lattice, reach: float) -> bool:
    """Whether a particle may be near to several images of another."""
    narrow = False
    for axis in range(3):
        narrow |= lattice.periodic[axis] and lattice.lengths[axis] < 2.0 * MARGIN * reach
    return narrow


@inner_kernel
def _add_images(lattice: Lattice, record: Any, i: int, j: int, skin: float, pairs: PairList) -> int:
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
                if are_near(record, i, j, shift_of(lattice, image), skin):
                    add_pair(pairs, i, j, image)
    return tests


@inner_kernel
def _nearest_image(lattice: Lattice, record: Any, i: int, j: int) -> int:
    """The image of j that can be near to i in a box that is not narrow."""
    if not (lattice.periodic[0] or lattice.periodic[1] or lattice.periodic[2]):
        return HOME
    y = _boxes(lattice, 1, record[i, Y] - record[j, Y])
    # Along the sheared axis the boxes above and below are displaced.
    x = _boxes(lattice, 0, record[i, X] - record[j, X] + y * lattice.tilt[0])
    return image_of(x, y, _boxes(lattice, 2, record[i, Z] - record[j, Z]))


@inner_kernel
def _boxes(lattice: Lattice, axis: int, separation: float) -> int:
    """How many boxes bring a separation closest to zero, -1, 0 or 1."""
    if not lattice.periodic[axis]:
        return 0
    half = 0.5 * lattice.lengths[axis]
    return np.int64(separation < -half) - np.int64(separation > half)
